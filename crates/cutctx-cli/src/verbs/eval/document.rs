//! The figures for programs.

use crate::session_files::Gathered;
use cutctx_eval::{EvalRow, EvalSession, EvalSummary, Evaluation, Share};
use serde::Serialize;

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(super) struct Document<'e> {
    sessions: Vec<SessionLine<'e>>,
    too_short: usize,
    not_sessions: usize,
    floor_above: usize,
    asks_nothing: usize,
    stop_words: usize,
    cuts: &'e [Share],
    budgets: &'e [Share],
    protected_turns: u64,
    refused: Vec<Refused<'e>>,
    base: Option<&'e str>,
    rows: &'e [EvalRow],
}

#[derive(Debug, Serialize)]
struct SessionLine<'e> {
    session: &'e str,
    project: &'e str,
    format: &'e str,
    turns: usize,
    calls: usize,
    tokens: u64,
    estimator: String,
}

#[derive(Debug, Serialize)]
struct Refused<'e> {
    policy: &'e str,
    count: usize,
}

/// The document of an evaluation.
pub(super) fn document<'e>(
    gathered: &Gathered,
    evaluation: &'e Evaluation,
    summary: &'e EvalSummary,
) -> Document<'e> {
    let refused = evaluation.contenders.iter().zip(&evaluation.refused).filter(|(_, count)| **count > 0);
    Document {
        sessions: evaluation.sessions.iter().map(line).collect(),
        too_short: evaluation.too_short,
        not_sessions: gathered.not_sessions,
        floor_above: evaluation.floor_above.len(),
        asks_nothing: evaluation.asks_nothing.len(),
        stop_words: evaluation.stop_words,
        cuts: &evaluation.options.cuts,
        budgets: &evaluation.options.budgets,
        protected_turns: evaluation.options.protected_turns,
        refused: refused.map(|(policy, count)| Refused { policy, count: *count }).collect(),
        base: summary.base.as_deref(),
        rows: &summary.rows,
    }
}

fn line(session: &EvalSession) -> SessionLine<'_> {
    SessionLine {
        session: &session.name,
        project: &session.project,
        format: &session.format,
        turns: session.transcript.len(),
        calls: session.calls(),
        tokens: session.transcript.token_estimate(),
        estimator: session.estimator.name().into_owned(),
    }
}
