//! A context of messages from what a checkpoint holds.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::iter::repeat_n;

use cutctx_messages::{Message, MessagePart, MessagesDigest, system_prefix};
use cutctx_types::{Action, Role, Sha256Digest, TranscriptTurn, TurnReplacement};

use super::super::Config;
use super::super::ledger::Summary;
use super::super::memory::Memory;
use super::super::outcome::InvalidatedReason;
use super::super::stored::{Earlier, Fates, Legal, Run, SourceKind, Stored, legal};

/// A checkpoint that was made of these messages: the fates of their turns, and what is remembered besides.
#[derive(Debug, Default)]
pub(super) struct Restored {
    pub(super) fates: RestoredFates,
    pub(super) summaries: BTreeMap<Arc<str>, Summary>,
    pub(super) memory: Memory,
    /// How many messages that was made of, and their digest.
    pub(super) count: usize,
    pub(super) digest: MessagesDigest,
}

/// Fates that are given out turn by turn.
#[derive(Debug, Default)]
pub(super) enum RestoredFates {
    /// Every turn is kept.
    #[default]
    None,
    /// By turn.
    Runs(Vec<Run>),
    /// What version 1 said of messages.
    Earlier(Earlier),
}

/// The group of the summary that version 1 had.
const EARLIER_GROUP: &str = "earlier";

impl Restored {
    /// What is stored, where it was made of these messages.
    pub(super) fn of(
        stored: Stored,
        messages: &[Message],
        config: &Config,
    ) -> Result<Self, InvalidatedReason> {
        match stored {
            Stored::Fates(fates) => Self::of_fates(fates, messages, config),
            Stored::Earlier(earlier) => Self::of_earlier(earlier, messages, config),
        }
    }

    fn of_fates(fates: Fates, messages: &[Message], config: &Config) -> Result<Self, InvalidatedReason> {
        if fates.source.kind != SourceKind::Messages {
            return Err(InvalidatedReason::ContentChanged);
        }
        let count = fates.source.count;
        let digest = check(messages, count, &fates.source.sha256)?;
        let summaries = fates.summaries.into_iter();
        let summaries = summaries.map(|(group, text)| (group, config.summary(text))).collect();
        Ok(Self { fates: RestoredFates::Runs(fates.runs), summaries, memory: fates.memory, count, digest })
    }

    fn of_earlier(
        earlier: Earlier,
        messages: &[Message],
        config: &Config,
    ) -> Result<Self, InvalidatedReason> {
        let count = earlier.count();
        let digest = check(messages, count, &earlier.sha256)?;
        let group = || Arc::from(EARLIER_GROUP);
        let summary = earlier.summary.clone().map(|text| (group(), config.summary(text)));
        let memory = earlier.memory.clone();
        let summaries = summary.into_iter().collect();
        Ok(Self { fates: RestoredFates::Earlier(earlier), summaries, memory, count, digest })
    }
}

/// The digest of the first so many messages, where it is this one.
fn check(messages: &[Message], count: usize, sha256: &str) -> Result<MessagesDigest, InvalidatedReason> {
    let source = messages.get(..count).ok_or(InvalidatedReason::TranscriptShorter)?;
    let mut digest = MessagesDigest::default();
    for message in source {
        digest.push(message);
    }
    if digest.digest().to_hex() == *sha256 { Ok(digest) } else { Err(InvalidatedReason::ContentChanged) }
}

impl RestoredFates {
    /// The fates of the turns of messages, in order, which were made of the first so many messages; `None` where they are
    /// none that a plan could have given.
    pub(super) fn actions(
        self,
        messages: &[Message],
        turns: &[Vec<TranscriptTurn>],
        count: usize,
        config: &Config,
    ) -> Option<Legal> {
        let actions = match self {
            Self::None => Vec::new(),
            Self::Runs(runs) => {
                let bound = turns.iter().take(count).map(Vec::len).fold(0, usize::saturating_add);
                return legal(runs, &turns.concat(), bound, &*config.estimator);
            }
            Self::Earlier(earlier) => {
                let head = head(messages, turns, config);
                let of = |(at, message): (usize, &Message)| {
                    let is_kept = at < head || stays(message, turns, at);
                    let turns = turns.get(at).map_or(0, Vec::len);
                    earlier_fates(&earlier, is_kept, (at, message), turns, config)
                };
                messages.iter().enumerate().flat_map(of).collect()
            }
        };
        Some(Legal { actions, changed: None })
    }
}

/// How many of the first messages version 1 always showed.
fn head(messages: &[Message], turns: &[Vec<TranscriptTurn>], config: &Config) -> usize {
    let system = system_prefix(messages);
    let task = messages.get(system).filter(|message| message.role() == Role::User);
    let tokens = turns.get(system).and_then(|turns| turns.first()).map_or(0, TranscriptTurn::token_estimate);
    system.saturating_add(usize::from(task.is_some() && tokens <= config.settings.task_tokens))
}

/// Whether a message stays whatever a summary stands for: the system's, and what another participant said, with the
/// results of calls that were made beside it.
fn stays(message: &Message, turns: &[Vec<TranscriptTurn>], at: usize) -> bool {
    let is_pinned = |at: usize| turns.get(at).is_some_and(|turns| turns.iter().any(TranscriptTurn::pinned));
    let called = at.checked_sub(1).filter(|_| message.role() == Role::Tool);
    message.role() == Role::System || is_pinned(at) || called.is_some_and(is_pinned)
}

/// What version 1 said of the turns of one message, of which there are so many.
fn earlier_fates(
    earlier: &Earlier,
    is_kept: bool,
    (at, message): (usize, &Message),
    turns: usize,
    config: &Config,
) -> Vec<Action> {
    if at < earlier.cursor && earlier.summary.is_some() && !is_kept {
        return repeat_n(Action::Summarize { group: EARLIER_GROUP.into() }, turns).collect();
    }
    if is_kept || at < earlier.cursor || message.role() != Role::Tool {
        return repeat_n(Action::Keep, turns).collect();
    }
    let results = message.content().iter().enumerate();
    let texts = results.filter_map(|(part, content)| {
        let MessagePart::ToolResult(result) = content else { return None };
        let edited = earlier.edits.get(&(at, part)).cloned();
        let stub = || (at < earlier.pruned).then(|| stub(&result.tool_name, &result.content)).flatten();
        Some(edited.or_else(stub))
    });
    let masked = |text: Option<Arc<str>>| {
        text.map_or(Action::Keep, |text| {
            let tokens = config.estimator.text(&text).saturating_add(config.estimator.framing(Role::Tool));
            Action::Mask(TurnReplacement::new(text, tokens))
        })
    };
    texts.map(masked).chain(repeat_n(Action::Keep, turns)).take(turns).collect()
}

/// A result of at most so many characters stayed as it was.
const SHORT: usize = 160;

/// What version 1 showed in place of a long result.
fn stub(tool: &str, content: &str) -> Option<Arc<str>> {
    content.chars().nth(SHORT)?;
    let digest: String = Sha256Digest::of_bytes(content.as_bytes()).to_hex().chars().take(12).collect();
    let length = content.chars().count();
    Some(format!("[{tool} gave {length} characters, cut here; sha256 {digest}]").into())
}
