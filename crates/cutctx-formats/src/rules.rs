//! What providers refuse, mend or would rather not see.
//!
//! A [`Rule`] is data: its name, whose it is, how bad a breach is, what to do about it and where it is known from. The
//! rules of a provider stand in one file with the list of checks that it needs. The checks are shared; they look at the
//! messages as a format's reader reports them, and where those do not tell enough, at the file's own records. A check
//! reports a breach by the rule's name; what a provider has no rule for is not reported for it.

mod anthropic;
mod arguments;
mod bedrock;
mod blocks;
mod cache_marks;
mod emptiness;
mod findings;
mod gemini;
mod in_flight;
mod items;
mod joined;
pub(crate) mod names;
mod openai_chat;
mod openai_responses;
mod pairing;
mod reasoning;
mod replays;
mod roles;
mod sent;
mod server_tools;
mod stored;
mod tools;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use cutctx_types::CharRatioEstimator;

use crate::document::Document;
use crate::error::FormatError;
use crate::format::{Dialect, Format};
use crate::raw::Memo;
use crate::request::ReadRequest;
use crate::violation::Violation;
use findings::Findings;
use sent::Sent;

pub(crate) use sent::Listener;

/// A rule for the messages that a provider is sent, or for the files that agents keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Its short stable name, such as `unanswered_call`. Providers that have the same rule share the name.
    pub name: &'static str,
    /// Whose rule it is. `Free` stands for session files of any tool.
    pub dialect: Dialect,
    /// What comes of a breach.
    pub severity: Severity,
    /// What is wrong, in a sentence.
    pub says: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
    /// Where it is known from: a page, a report, or an observation.
    pub source: &'static str,
}

/// What comes of breaking a rule, the mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Some servers or models refuse it, or it is a sign that something went wrong.
    Advice,
    /// The provider, or the tool that keeps the file, mends it without a word.
    Repaired,
    /// The provider refuses the request.
    Refused,
}

impl Severity {
    /// The word used in outputs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Advice => "advice",
            Self::Repaired => "repaired",
            Self::Refused => "refused",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Rule {
    /// The name with that of its provider, such as `anthropic/unanswered_call`: unique among all rules.
    #[must_use]
    pub fn id(&self) -> String {
        [self.dialect.as_str(), "/", self.name].concat()
    }
}

impl Dialect {
    /// The word used in outputs; `session` for files that no provider is sent.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Free => "session",
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Bedrock => "bedrock",
            Self::Gemini => "gemini",
        }
    }

    /// A rule of this dialect.
    const fn rule(
        self,
        name: &'static str,
        severity: Severity,
        says: &'static str,
        remedy: &'static str,
        source: &'static str,
    ) -> Rule {
        Rule { name, dialect: self, severity, says, remedy, source }
    }
}

/// All rules, provider by provider.
#[must_use]
pub fn rules() -> Vec<&'static Rule> {
    let tables: [&[Rule]; 6] = [
        &openai_chat::RULES,
        &openai_responses::RULES,
        &anthropic::RULES,
        &bedrock::RULES,
        &gemini::RULES,
        &stored::RULES,
    ];
    tables.into_iter().flatten().collect()
}

/// Reads a text once more, as this format, and lists the breaches of its provider's rules in the order of the file.
pub(crate) fn lint(
    format: &'static dyn Format,
    text: &str,
    conversation: Option<usize>,
) -> Result<Vec<Violation>, FormatError> {
    let memo = Memo::default();
    let document = Document::remembered_in(&memo, text)?;
    let listener = Listener::default();
    let estimator = CharRatioEstimator::default();
    let mut request = ReadRequest::new(&estimator).observed_by(&listener);
    request.conversation = conversation;
    format.read(&document, &request)?;
    Ok(heard(format, &document, listener))
}

/// The breaches by the messages that a reader of this document has told.
pub(crate) fn heard(format: &dyn Format, document: &Document<'_>, listener: Listener) -> Vec<Violation> {
    check(format.about().dialect, &Sent::new(document, listener.heard()))
}

fn check(dialect: Dialect, sent: &Sent<'_>) -> Vec<Violation> {
    let mut found = Findings::new(rules_of(dialect));
    match dialect {
        Dialect::Free => stored::check(sent, &mut found),
        Dialect::OpenAiChat => openai_chat::check(sent, &mut found),
        Dialect::OpenAiResponses => openai_responses::check(sent, &mut found),
        Dialect::Anthropic => anthropic::check(sent, &mut found),
        Dialect::Bedrock => bedrock::check(sent, &mut found),
        Dialect::Gemini => gemini::check(sent, &mut found),
    }
    in_flight::set_apart(&sent.messages, &mut found);
    let mut file = Findings::new(&stored::RULES);
    replays::replayed_records(sent, &mut file);
    found.and(file).in_order(sent.text)
}

const fn rules_of(dialect: Dialect) -> &'static [Rule] {
    match dialect {
        Dialect::Free => &stored::RULES,
        Dialect::OpenAiChat => &openai_chat::RULES,
        Dialect::OpenAiResponses => &openai_responses::RULES,
        Dialect::Anthropic => &anthropic::RULES,
        Dialect::Bedrock => &bedrock::RULES,
        Dialect::Gemini => &gemini::RULES,
    }
}
