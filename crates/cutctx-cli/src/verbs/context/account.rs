//! What is said about a step.

use super::Step;
use crate::counting::EstimatorLine;
use crate::exit::Exit;
use crate::failure::Stop;
use crate::pinning::PinReport;
use crate::show::{grouped, visible};
use crate::summaries::{Metered, Spent};
use crate::terminal::Terminal;
use crate::verbs::deliver::counts;
use cutctx::context::{ContextOutcome, InvalidatedReason};
use cutctx::formats::Note;
use cutctx::models::ModelError;
use cutctx::{Action, Coded, FateCounts};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What was written.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The context, where it is a file.
    pub(super) output: Option<PathBuf>,
    pub(super) state: Option<PathBuf>,
    /// The state of before, where it was of no use.
    pub(super) kept_aside: Option<PathBuf>,
}

/// All that is said.
#[derive(Debug, Serialize)]
pub(super) struct Account<'s> {
    session: String,
    format: &'s str,
    output: Option<String>,
    /// The state, where it was written.
    state: Option<String>,
    /// Where the state of before is kept, if it was of no use.
    state_kept_as: Option<String>,
    dry_run: bool,
    #[serde(flatten)]
    estimator: EstimatorLine,
    #[serde(skip)]
    counted: String,
    outcome: &'static str,
    /// Why it is degraded.
    reason: Option<&'static str>,
    /// Why what was remembered is of no use.
    invalidated: Option<&'static str>,
    tokens_before: u64,
    tokens_after: u64,
    /// What of a context that is over its budget can never go, in tokens.
    floor_tokens: Option<u64>,
    /// Whether long messages of persons may be cut.
    #[serde(skip)]
    clips: bool,
    window: u64,
    limit_tokens: u64,
    high_tokens: u64,
    low_tokens: u64,
    turns: usize,
    shown_turns: usize,
    fates: FateCounts,
    first_changed_turn: Option<&'s str>,
    first_changed_position: Option<usize>,
    /// How often a compactor was asked, in all steps.
    compactor_calls: u64,
    /// How often the beginning of the context was changed, in all steps.
    rewrites: u64,
    /// How often a model was asked in this step, and what the provider counted for it.
    model_calls: u64,
    summaries_usage: Option<Spent>,
    /// The code of why the model gave no summary in this step.
    summary_error: Option<&'static str>,
    #[serde(skip)]
    failure: Option<ModelError>,
    anchor: Option<Anchor>,
    /// What writing changed beside the fates of the turns.
    notes: Vec<Note>,
    #[serde(flatten)]
    pins: PinReport,
}

/// What the provider counted last.
#[derive(Debug, Serialize)]
struct Anchor {
    /// How many turns it counted.
    position: usize,
    counted: u64,
}

impl<'s> Account<'s> {
    pub(super) fn of(step: &Step<'s>, written: &Written) -> Self {
        let Step { loaded, instance, result, arguments, rendered, .. } = step;
        let figures = Figures::of(&result.outcome);
        let turns = loaded.transcript().turns();
        let first = result.first_changed_turn;
        let (model_calls, usage) = step.model.as_ref().map(Metered::told).unwrap_or_default();
        let failure = step.model.as_ref().and_then(Metered::failure);
        let shown = |path: &Option<PathBuf>| path.as_deref().map(|path: &Path| path.display().to_string());
        Self {
            session: loaded.input().path().display().to_string(),
            format: loaded.session().format().name(),
            output: shown(&written.output),
            state: shown(&written.state),
            state_kept_as: shown(&written.kept_aside),
            dry_run: arguments.dry_run,
            estimator: loaded.counting().line(),
            counted: loaded.counting().words(),
            outcome: result.outcome.name(),
            reason: figures.reason,
            invalidated: step
                .useless
                .map(crate::context_state::Useless::as_str)
                .or_else(|| result.invalidated.map(InvalidatedReason::as_str)),
            tokens_before: figures.before,
            tokens_after: figures.after,
            floor_tokens: figures.floor,
            window: arguments.window.window(),
            clips: instance.settings.clip_active,
            limit_tokens: instance.settings.limit_tokens,
            high_tokens: instance.settings.high_water_tokens,
            low_tokens: instance.settings.low_water_tokens,
            turns: turns.len(),
            shown_turns: result.view.len(),
            fates: fates(&result.actions),
            first_changed_turn: first.and_then(|at| turns.get(at)).map(|turn| turn.turn_id().as_ref()),
            first_changed_position: first,
            compactor_calls: result.compactor_calls,
            rewrites: result.rewrites,
            model_calls,
            summaries_usage: usage.as_ref().map(Spent::of),
            summary_error: failure.as_ref().map(|failure| failure.code().as_str()),
            failure,
            anchor: instance.usage.map(|usage| Anchor { position: usage.turns, counted: usage.input_tokens }),
            notes: rendered.notes().to_vec(),
            pins: loaded.pins().clone(),
        }
    }

    /// Says it, and how the run ends.
    pub(super) fn say(&self, stdout_taken: bool, terminal: Terminal) -> Result<Exit, Stop> {
        terminal.json_beside(self, stdout_taken)?;
        if let Some(reason) = self.invalidated {
            terminal.warn(&self.useless_state(reason));
        }
        terminal.note(&self.lines().join("\n"));
        if self.floor_tokens.is_none() {
            return Ok(Exit::Done);
        }
        terminal.warn(&self.over_budget());
        Ok(Exit::OverBudget)
    }

    fn useless_state(&self, reason: &str) -> String {
        let why = match reason {
            "transcript_shorter" => "the session has fewer turns than it was made of",
            "content_changed" => "it was made of another session, or turns of this one were changed",
            "other_format" => "it was made of a session in another format",
            "inapplicable" => "what it says cannot be done to this session",
            "newer_version" => "a newer version of cutctx wrote it",
            _ => "it is damaged, or no state",
        };
        let kept = self.state_kept_as.as_ref().map(|path| format!("; it is kept as {}", visible(path)));
        format!("the state is of no use and was left out: {why}{}", kept.unwrap_or_default())
    }

    fn over_budget(&self) -> String {
        let over = self.tokens_after.saturating_sub(self.limit_tokens);
        let floor = self.floor_tokens.unwrap_or(0);
        let clip = if self.clips { "" } else { "; --clip-active cuts long messages of persons, too" };
        format!(
            "{} tokens over what the input may take; {} of it can never go{clip}",
            grouped(over),
            grouped(floor)
        )
    }

    fn lines(&self) -> Vec<String> {
        let head = format!(
            "{} ({}): {}, {} -> {} tokens of {} ({})",
            visible(&self.session),
            self.format,
            self.outcome_words(),
            grouped(self.tokens_before),
            grouped(self.tokens_after),
            grouped(self.limit_tokens),
            self.counted
        );
        let marks = format!(
            "  {} of {} turns; compacts above {}, down to {}",
            counts(&self.fates),
            grouped(self.turns),
            grouped(self.high_tokens),
            grouped(self.low_tokens)
        );
        let so_far = format!(
            "  so far: rewrites of the beginning {}, summaries asked for {}",
            grouped(self.rewrites),
            grouped(self.compactor_calls)
        );
        let all = [
            Some(head),
            Some(marks),
            self.change(),
            self.anchored(),
            Some(so_far),
            self.spent(),
            self.failed(),
        ];
        all.into_iter().flatten().chain(self.files()).collect()
    }

    fn outcome_words(&self) -> String {
        match (self.outcome, self.reason) {
            ("degraded", Some(reason)) => format!("degraded ({})", reason.replace('_', " ")),
            (outcome, _) => outcome.replace('_', " "),
        }
    }

    fn change(&self) -> Option<String> {
        let position = self.first_changed_position?;
        Some(format!(
            "  first change at turn {}; what stands before it is as it was",
            grouped(position.saturating_add(1))
        ))
    }

    fn anchored(&self) -> Option<String> {
        let anchor = self.anchor.as_ref()?;
        Some(format!(
            "  the provider counted {} tokens for the request behind turn {}",
            grouped(anchor.counted),
            grouped(anchor.position)
        ))
    }

    fn spent(&self) -> Option<String> {
        let spent = self.summaries_usage.as_ref()?;
        Some(format!("  calls of the model {}: {}", grouped(self.model_calls), spent.words()))
    }

    fn failed(&self) -> Option<String> {
        let failure = self.failure.as_ref()?;
        Some(format!("  the model gave no summary: {failure} ({})", failure.code()))
    }

    fn files(&self) -> Vec<String> {
        if self.dry_run {
            return vec!["  a dry run: nothing was written, and no model was asked".to_owned()];
        }
        let output = self.output.iter().map(|path| format!("  context: {}", visible(path)));
        let state = self.state.iter().map(|path| format!("  state: {}", visible(path)));
        output.chain(state).collect()
    }
}

/// The figures of an outcome.
#[derive(Debug, Default)]
struct Figures {
    before: u64,
    after: u64,
    floor: Option<u64>,
    reason: Option<&'static str>,
}

impl Figures {
    fn of(outcome: &ContextOutcome) -> Self {
        match *outcome {
            ContextOutcome::Unchanged { tokens, .. } => {
                Self { before: tokens, after: tokens, ..Self::default() }
            }
            ContextOutcome::Compacted { tokens_before: before, tokens_after: after, .. } => {
                Self { before, after, ..Self::default() }
            }
            ContextOutcome::Degraded { reason, tokens_before: before, tokens_after: after } => {
                Self { before, after, reason: Some(reason.as_str()), ..Self::default() }
            }
            ContextOutcome::OverBudget { needed, floor, .. } => {
                Self { before: needed, after: needed, floor: Some(floor), ..Self::default() }
            }
            _ => Self::default(),
        }
    }
}

fn fates(actions: &[Action]) -> FateCounts {
    let mut counts = FateCounts::default();
    for action in actions {
        let count = match action {
            Action::Keep => &mut counts.kept,
            Action::Mask(_) => &mut counts.masked,
            Action::Trim(_) => &mut counts.trimmed,
            Action::Summarize { .. } => &mut counts.summarized,
            Action::Drop => &mut counts.dropped,
        };
        *count = count.saturating_add(1);
    }
    counts
}
