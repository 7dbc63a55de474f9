//! The figures for people.

use crate::session_files::Gathered;
use crate::show::{Column, counted, figure, grouped, interval, mean, tables};
use crate::terminal;
use alloc::collections::BTreeSet;
use cutctx_eval::{EvalRow, EvalSummary, Evaluation};

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
        "{} of {} in {} ({}); left out: {} with too few calls, {} without a session\n",
        counted(sessions.len(), "session"),
        counted(tokens, "token"),
        counted(formats.len(), "format"),
        formats.join(", "),
        grouped(evaluation.too_short),
        counted(gathered.not_sessions, "file"),
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
    let mut cells = vec![row.policy.clone(), mean(row.q), interval(row.q, row.sessions)];
    cells.extend([recall.bare, recall.ctx3, recall.step, recall.block].map(figure));
    cells.push(mean(row.lift));
    cells.extend([recall.placebo, recall.words, row.tokens].map(figure));
    if summary.base.is_some() {
        cells.extend([mean(row.against), interval(row.against, row.sessions)]);
    }
    cells
}

fn notes(evaluation: &Evaluation) -> String {
    let mut lines = vec![String::new()];
    let left_out = evaluation.floor_above.len();
    if left_out > 0 {
        lines.push(format!(
            "{} at a budget left out: what must be kept is above it",
            counted(left_out, "cut")
        ));
    }
    if !evaluation.asks_nothing.is_empty() {
        let cuts = counted(evaluation.asks_nothing.len(), "cut");
        lines.push(format!("{cuts} left out: what follows uses nothing of what was"));
    }
    for (policy, count) in
        evaluation.contenders.iter().zip(&evaluation.refused).filter(|(_, count)| **count > 0)
    {
        lines.push(format!("{policy} found no plan {}", counted(*count, "time")));
    }
    lines.push(
        "Q is the mean of bare, ctx3, step and block; docs/evaluation.md says what they are.".to_owned(),
    );
    lines.join("\n") + "\n"
}
