//! The figures for people.

use crate::session_files::Gathered;
use crate::show::{Column, grouped, tables};
use crate::terminal;
use alloc::collections::BTreeSet;
use cutctx_eval::{Estimate, EvalRow, EvalSummary, Evaluation, Share};

/// What was measured and on what, a table a budget, and what the columns mean.
pub(super) fn text(gathered: &Gathered, evaluation: &Evaluation, summary: &EvalSummary) -> String {
    let budgets = evaluation.options.budgets.iter().map(|budget| {
        let rows = summary.rows.iter().filter(|row| row.budget == *budget).map(|row| cells(row, summary));
        let figures = tables(terminal::width(), &columns(summary), rows);
        format!("\nAt {budget} % of the tokens before the cut, in per cent:\n\n{figures}")
    });
    let notes = notes(evaluation);
    core::iter::once(head(gathered, evaluation)).chain(budgets).chain([notes]).collect()
}

fn head(gathered: &Gathered, evaluation: &Evaluation) -> String {
    let sessions = &evaluation.sessions;
    let formats: BTreeSet<&str> = sessions.iter().map(|session| session.format.as_str()).collect();
    let formats: Vec<&str> = formats.into_iter().collect();
    let tokens =
        sessions.iter().fold(0_u64, |sum, session| sum.saturating_add(session.transcript.token_estimate()));
    format!(
        "{} sessions of {} tokens in {} formats ({}); left out: {} with too few calls, {} files that are no sessions\n",
        grouped(sessions.len()),
        grouped(tokens),
        formats.len(),
        formats.join(", "),
        grouped(evaluation.too_short),
        grouped(gathered.not_sessions),
    )
}

fn columns(summary: &EvalSummary) -> Vec<Column> {
    let numbers = ["Q", "interval", "bare", "ctx3", "step", "block", "lift", "placebo", "words", "tokens"];
    let mut columns = vec![Column::Text("policy")];
    columns.extend(numbers.map(Column::Number));
    if summary.base.is_some() {
        columns.extend([Column::Number("gain"), Column::Number("interval")]);
    }
    columns
}

fn cells(row: &EvalRow, summary: &EvalSummary) -> Vec<String> {
    let recall = &row.recall;
    let mut cells = vec![row.policy.clone(), mean(row.q), interval(row.q)];
    cells.extend([recall.bare, recall.ctx3, recall.step, recall.block].map(figure));
    cells.push(mean(row.lift));
    cells.extend([recall.placebo, recall.words, row.tokens].map(figure));
    if summary.base.is_some() {
        cells.extend([mean(row.against), interval(row.against)]);
    }
    cells
}

fn figure(share: Option<Share>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| share.to_percent(1))
}

fn mean(estimate: Option<Estimate>) -> String {
    figure(estimate.map(|estimate| estimate.mean))
}

fn interval(estimate: Option<Estimate>) -> String {
    estimate.map(|estimate| format!("{}…{}", estimate.low, estimate.high)).unwrap_or_default()
}

fn notes(evaluation: &Evaluation) -> String {
    let mut lines = vec![String::new()];
    let left_out = evaluation.floor_above.len();
    if left_out > 0 {
        lines.push(format!(
            "{} cuts at a budget are left out: what must be kept is above it",
            grouped(left_out)
        ));
    }
    if !evaluation.asks_nothing.is_empty() {
        let count = grouped(evaluation.asks_nothing.len());
        lines.push(format!("{count} cuts are left out: what follows uses nothing of what was"));
    }
    for (policy, count) in
        evaluation.contenders.iter().zip(&evaluation.refused).filter(|(_, count)| **count > 0)
    {
        lines.push(format!("{policy} found no plan at {} cuts and budgets", grouped(*count)));
    }
    lines.push(
        "Q is the mean of bare, ctx3, step and block; docs/evaluation.md says what they are.".to_owned(),
    );
    lines.join("\n") + "\n"
}
