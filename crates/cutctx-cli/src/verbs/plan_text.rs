//! A plan for people: a table, and what follows from it.

mod rows;

use crate::counting::{Counting, EstimatorLine};
use crate::exit::Exit;
use crate::failure::{Failure, floor_lines};
use crate::show::{Column, cache_line, grouped, table};
use crate::verbs::deliver::counts;
use alloc::sync::Arc;
use cutctx::formats::Note;
use cutctx::pins::conflicts;
use cutctx::{Account, CachePrices, CompactionExecutor, CompactionPlan, Reserved, Summaries, Transcript};
use serde::Serialize;

const COLUMNS: [Column; 8] = [
    Column::Number("#"),
    Column::Text("turn"),
    Column::Text("role"),
    Column::Number("before"),
    Column::Number("after"),
    Column::Text("fate"),
    Column::Text("why"),
    Column::Text("tool"),
];

/// An account as the command writes it: with the name of what measured it.
#[derive(Debug, Serialize)]
pub(super) struct AccountDocument<'a> {
    #[serde(flatten)]
    estimator: EstimatorLine,
    #[serde(flatten)]
    reserved: Reserved,
    #[serde(flatten)]
    account: &'a Account,
    /// The pinned results whose call is not in the session.
    pin_conflicts: Vec<Arc<str>>,
    /// What writing changed beside the fates of the turns; nothing is said before anything is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<&'a [Note]>,
}

impl<'a> AccountDocument<'a> {
    pub(super) fn of(
        account: &'a Account,
        counting: &Counting,
        reserved: Reserved,
        turns: &Transcript,
    ) -> Self {
        let conflicts = conflicts(turns).into_iter().filter_map(|position| turns.turns().get(position));
        let pin_conflicts = conflicts.map(|turn| Arc::clone(turn.turn_id())).collect();
        Self { estimator: counting.line(), reserved, account, pin_conflicts, notes: None }
    }

    /// With what writing the session changed beside.
    pub(super) const fn with_notes(mut self, notes: &'a [Note]) -> Self {
        self.notes = Some(notes);
        self
    }
}

/// The account of a plan before any summary exists: each is counted at its target.
pub(super) fn planned_account(plan: &CompactionPlan, prices: CachePrices) -> Result<Account, Failure> {
    let none = plan.summarization_requests().iter().map(|request| (request.group_id().clone(), ""));
    let summaries: Summaries = none.collect();
    let executor = CompactionExecutor::reference().with_cache_prices(prices);
    let applied = executor.apply(plan.transcript(), plan, &summaries);
    applied.map(|applied| applied.account).map_err(|error| Failure::of(&error, Exit::Refused))
}

/// What is shown of a plan.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'s> {
    pub(super) counting: &'s Counting,
    pub(super) plan: &'s CompactionPlan,
    pub(super) account: &'s Account,
    pub(super) reserved: Reserved,
}

/// The plan for people: figures, the floor, and the table.
pub(super) fn plan_text(shown: &Shown<'_>, width: u16, all: bool) -> String {
    let Shown { plan, account, .. } = shown;
    let rows = rows::rows(plan.transcript().turns(), &account.turns, all);
    // What does not fit a narrow terminal is left out rather than broken into pieces: first the tool, then the reason.
    let most = match width {
        ..70 => 6,
        70..90 => 7,
        _ => COLUMNS.len(),
    };
    let columns: Vec<Column> = COLUMNS.into_iter().take(most).collect();
    let mut text = table(width, &columns, rows);
    text.push('\n');
    for line in summary_lines(shown) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn summary_lines(shown: &Shown<'_>) -> Vec<String> {
    let Shown { counting, plan, account, reserved } = shown;
    let mut lines = vec![
        format!(
            "{} -> {} tokens of {} ({})",
            grouped(account.tokens_before),
            grouped(plan.tokens_after_estimate()),
            grouped(account.max_tokens),
            counting.words()
        ),
        counts(&account.fates),
        prefix_line(account),
    ];
    lines.extend(cache_line(&account.cache));
    for summary in &account.summaries {
        lines.push(format!(
            "summary {}: {} turns, {} tokens -> at most {}",
            summary.group_id,
            grouped(summary.replaced_turns),
            grouped(summary.tokens_before),
            grouped(summary.target_tokens)
        ));
    }
    lines.extend(clipped_line(account));
    lines.push("what must be kept, in tokens:".to_owned());
    lines.extend(floor_lines(&account.floor, *reserved));
    lines.push(format!("policy {}@{}", plan.policy_name(), plan.policy_version()));
    lines.push(format!("plan {}", plan.plan_hash()));
    lines
}

/// Who permits clipping is told when it was done.
pub(super) fn clipped_line(account: &Account) -> Option<String> {
    let turns = match account.clipped_active_turn_ids.len() {
        0 => return None,
        1 => "one of the turns that must stay is".to_owned(),
        several => format!("{} of the turns that must stay are", grouped(several)),
    };
    Some(format!("{turns} clipped: the budget cannot be met otherwise"))
}

fn prefix_line(account: &Account) -> String {
    match account.first_changed_position {
        None => "nothing changes: a prompt cache stays valid as a whole".to_owned(),
        Some(position) => format!(
            "first change at turn {}; the {} tokens before it stay valid in a prompt cache",
            position.saturating_add(1),
            grouped(account.tokens_before_change)
        ),
    }
}
