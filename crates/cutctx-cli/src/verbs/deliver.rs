//! Applying a plan and writing what came of it: the common half of `compact` and `apply`.

use super::plan_text::{AccountDocument, clipped_line};
use crate::arguments::{AccountArguments, TargetArguments};
use crate::counting::EstimatorLine;
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::files::{Input, Output, Progress, Unit, replace};
use crate::loaded::Loaded;
use crate::pinning::PinReport;
use crate::show::{cache_line, grouped, visible};
use crate::terminal::Terminal;
use alloc::sync::Arc;
use cutctx::formats::{Note, Rendered};
use cutctx::{
    Applied, ApplyError, CacheAccount, CachePrices, CompactionExecutor, CompactionPlan, FateCounts, Reserved,
    Role, Summaries,
};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// What is to be written, and where.
pub(super) struct Delivery<'d> {
    pub(super) loaded: &'d Loaded,
    pub(super) plan: &'d CompactionPlan,
    /// What cached tokens cost.
    pub(super) prices: CachePrices,
    /// What was taken off the window before the budget was made.
    pub(super) reserved: Reserved,
    pub(super) summaries: &'d Summaries,
    pub(super) target: &'d TargetArguments,
    pub(super) accounts: &'d AccountArguments,
    /// Whether standard output is taken by a document.
    pub(super) stdout_taken: bool,
}

/// Applies, renders, writes, and says what was done.
pub(super) fn deliver(delivery: &Delivery<'_>, terminal: Terminal) -> Result<Exit, Stop> {
    let Delivery { loaded, plan, prices, summaries, target, stdout_taken, .. } = delivery;
    let applied = CompactionExecutor::new()
        .with_cache_prices(*prices)
        .with_estimator(loaded.counting().measure(Role::User))
        .apply(loaded.transcript(), plan, summaries)
        .map_err(|error| apply_failure(&error, loaded))?;
    let rendered = cutctx::session::render_with(loaded.session(), plan, summaries, target.signed_reasoning)
        .map_err(|error| Failure::of(&error, Exit::Refused).file(loaded.input().path()))?;
    let backup = write_session(&rendered, loaded, target, terminal)?;
    write_accounts(delivery, &applied, rendered.notes())?;
    warn_about_summaries(delivery, &applied, terminal);
    say(&Said::of(delivery, &applied, &rendered, backup), *stdout_taken, terminal)?;
    Ok(if applied.account.over_budget { Exit::OverBudget } else { Exit::Done })
}

/// A blank summary takes its turns out without a trace, and a text for no group was written for nothing.
fn warn_about_summaries(delivery: &Delivery<'_>, applied: &Applied, terminal: Terminal) {
    let requests = delivery.plan.summarization_requests().iter();
    let texts = requests.filter_map(|request| delivery.summaries.get(request.group_id()));
    let blank = texts.filter(|text| text.trim().is_empty()).count();
    if blank > 0 {
        terminal
            .warn(&format!("of the summaries {blank} hold no text: nothing is left of what they stand for"));
    }
    let unused = applied.account.unused_summary_groups.len();
    if unused > 0 {
        terminal.note(&format!("of the summaries {unused} are for groups that the plan does not have"));
    }
}

fn apply_failure(error: &ApplyError, loaded: &Loaded) -> Failure {
    let exit = if matches!(error, ApplyError::SummaryMissing { .. }) {
        Exit::SummariesNeeded
    } else if matches!(error, ApplyError::PlanTranscriptMismatch(_)) {
        Exit::Mismatch
    } else {
        Exit::Refused
    };
    Failure::of(error, exit).file(loaded.input().path())
}

/// Writes the session; gives the backup's path where one was made.
fn write_session(
    rendered: &Rendered<'_>,
    loaded: &Loaded,
    target: &TargetArguments,
    terminal: Terminal,
) -> Result<Option<PathBuf>, Stop> {
    match loaded.input() {
        Input::File(path) if target.in_place => {
            if rendered.is_unchanged() {
                return Ok(None);
            }
            Ok(Some(replace(
                path,
                |file| loaded.is_as_read(file),
                |out| write_rendered(rendered, loaded, terminal, out),
            )?))
        }
        Input::File(_) | Input::Stdin => {
            target
                .destination()
                .write(target.force, |out| write_rendered(rendered, loaded, terminal, out))?;
            Ok(None)
        }
    }
}

/// Writes the session, showing how far it is where that takes a moment.
pub(super) fn write_rendered(
    rendered: &Rendered<'_>,
    loaded: &Loaded,
    terminal: Terminal,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !loaded.session().is_abridged() {
        return rendered.write_to(out);
    }
    let progress = Progress::new(terminal, "writing", Unit::Bytes);
    rendered.write_to(&mut progress.watch(out, loaded.session().file_bytes()))
}

fn write_accounts(delivery: &Delivery<'_>, applied: &Applied, notes: &[Note]) -> Result<(), Stop> {
    let Delivery { loaded, accounts, target, reserved, .. } = delivery;
    let force = target.force;
    if let Some(output) = &accounts.report {
        output.write_json(force, &applied.compacted.report)?;
    }
    if let Some(output) = &accounts.account {
        let account =
            AccountDocument::of(&applied.account, loaded.counting(), *reserved, loaded.transcript())
                .with_notes(notes);
        output.write_json(force, &account)?;
    }
    Ok(())
}

/// What is said about a compaction.
#[derive(Debug, Serialize)]
struct Said<'s> {
    session: String,
    format: &'s str,
    output: Option<String>,
    backup: Option<String>,
    changed: bool,
    #[serde(flatten)]
    estimator: EstimatorLine,
    #[serde(skip)]
    counted: String,
    tokens_before: u64,
    tokens_after: u64,
    max_tokens: u64,
    /// Whether the policy itself chose to go further down than the maximum.
    #[serde(skip)]
    has_own_target: bool,
    #[serde(flatten)]
    reserved: Reserved,
    over_budget: bool,
    turns: usize,
    fates: FateCounts,
    /// The turns that must stay and were clipped.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    clipped_active_turn_ids: &'s [Arc<str>],
    #[serde(skip)]
    clipped: Option<String>,
    first_changed_turn: Option<&'s str>,
    first_changed_position: Option<usize>,
    reusable_prefix_tokens: u64,
    cache: CacheAccount,
    /// What writing changed beside the fates of the turns.
    notes: &'s [Note],
    policy: String,
    plan_hash: String,
    #[serde(flatten)]
    pins: &'s PinReport,
}

impl<'s> Said<'s> {
    fn of(
        delivery: &Delivery<'s>,
        applied: &'s Applied,
        rendered: &'s Rendered<'_>,
        backup: Option<PathBuf>,
    ) -> Self {
        let Delivery { loaded, plan, target, reserved, .. } = delivery;
        let account = &applied.account;
        let first = account.first_changed_position;
        Self {
            session: loaded.input().path().display().to_string(),
            format: loaded.session().format().name(),
            output: written_to(loaded, target),
            backup: backup.map(|path| path.display().to_string()),
            changed: !rendered.is_unchanged(),
            estimator: loaded.counting().line(),
            counted: loaded.counting().words(),
            tokens_before: account.tokens_before,
            tokens_after: account.tokens_after_measured,
            max_tokens: account.max_tokens,
            has_own_target: plan.policy_name() == "recommended" && plan.budget().target_tokens().is_none(),
            reserved: *reserved,
            over_budget: account.over_budget,
            turns: account.turns.len(),
            fates: account.fates,
            clipped_active_turn_ids: &account.clipped_active_turn_ids,
            clipped: clipped_line(account),
            first_changed_turn: first.and_then(|at| account.turns.get(at)).map(|turn| turn.turn_id.as_ref()),
            first_changed_position: first,
            reusable_prefix_tokens: account.tokens_before_change,
            cache: account.cache,
            notes: rendered.notes(),
            policy: format!("{}@{}", plan.policy_name(), plan.policy_version()),
            plan_hash: applied.compacted.report.plan_hash.clone(),
            pins: loaded.pins(),
        }
    }
}

fn written_to(loaded: &Loaded, target: &TargetArguments) -> Option<String> {
    match target.destination() {
        _ if target.in_place => Some(loaded.input().path().display().to_string()),
        Output::Stdout => None,
        Output::File(path) => Some(path.display().to_string()),
    }
}

fn say(said: &Said<'_>, stdout_taken: bool, terminal: Terminal) -> Result<(), Stop> {
    terminal.json_beside(said, stdout_taken)?;
    terminal.note(&lines(said).join("\n"));
    if said.over_budget {
        let over = said.tokens_after.saturating_sub(said.max_tokens);
        terminal.warn(&format!(
            "still {} tokens over the budget; the output is written. What is left is protected, or the policy may not touch it",
            grouped(over)
        ));
    }
    Ok(())
}

fn lines(said: &Said<'_>) -> Vec<String> {
    let mut lines = vec![format!(
        "{} ({}): {} -> {} tokens of {} ({})",
        visible(&said.session),
        said.format,
        grouped(said.tokens_before),
        grouped(said.tokens_after),
        grouped(said.max_tokens),
        said.counted
    )];
    if said.changed {
        lines.push(format!("  {} of {} turns", counts(&said.fates), grouped(said.turns)));
        lines.extend(said.clipped.iter().map(|line| format!("  {line}")));
        lines.extend(own_target(said));
        lines.extend(first_change(said));
        lines.extend(cache_line(&said.cache).map(|line| format!("  {line}")));
        lines.extend(said.notes.iter().map(|note| format!("  {note}")));
    } else {
        lines.push("  nothing to do: the session stays as it is".to_owned());
    }
    lines.extend(said.output.iter().filter(|path| said.changed || **path != said.session).map(|path| {
        if said.backup.is_some() {
            format!("  replaced {}", visible(path))
        } else {
            format!("  written to {}", visible(path))
        }
    }));
    lines.extend(
        said.backup
            .iter()
            .map(|path| format!("  backup: {} (`cutctx restore` brings it back)", visible(path))),
    );
    lines
}

/// Who gives a maximum alone is told why there is less.
fn own_target(said: &Said<'_>) -> Option<String> {
    let line = "  down to a share of the maximum, so that the next compaction is a while away; --target-tokens keeps more";
    said.has_own_target.then(|| line.to_owned())
}

fn first_change(said: &Said<'_>) -> Option<String> {
    let position = said.first_changed_position?;
    Some(format!(
        "  first change at turn {}; the {} tokens before it stay valid in a prompt cache",
        position.saturating_add(1),
        grouped(said.reusable_prefix_tokens)
    ))
}

/// `kept 3, dropped 2`, without those that are none.
pub(super) fn counts(fates: &FateCounts) -> String {
    let all = [
        ("kept", fates.kept),
        ("masked", fates.masked),
        ("trimmed", fates.trimmed),
        ("summarized", fates.summarized),
        ("dropped", fates.dropped),
        ("appended", fates.appended),
    ];
    let some = all.into_iter().filter(|(_, count)| *count > 0);
    some.map(|(fate, count)| format!("{fate} {}", grouped(count))).collect::<Vec<_>>().join(", ")
}
