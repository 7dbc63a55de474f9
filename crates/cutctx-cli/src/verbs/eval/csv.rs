//! The figures as comma-separated values.

use crate::show::csv_cell;
use cutctx_eval::{Estimate, EvalRow, EvalSummary, Share};

/// The names of the columns.
const HEAD: &str = "budget,policy,sessions,cuts,q,q_low,q_high,bare,ctx3,step,block,lift,lift_low,lift_high,placebo,\
words,tokens,over_budget,against,against_low,against_high";

/// A line a policy and budget. Shares are in per cent; what there is no figure for is empty.
pub(super) fn csv(summary: &EvalSummary) -> String {
    let rows = summary.rows.iter().map(line);
    let lines: Vec<String> = core::iter::once(HEAD.to_owned()).chain(rows).collect();
    lines.join("\n") + "\n"
}

fn line(row: &EvalRow) -> String {
    let recall = &row.recall;
    let parts = [recall.bare, recall.ctx3, recall.step, recall.block].map(figure);
    let counts =
        [row.budget.to_percent(1), csv_cell(&row.policy), row.sessions.to_string(), row.cuts.to_string()];
    let rest =
        [figure(recall.placebo), figure(recall.words), figure(row.tokens), row.over_budget.to_string()];
    let groups: [&[String]; 6] =
        [&counts, &estimate(row.q), &parts, &estimate(row.lift), &rest, &estimate(row.against)];
    groups.concat().join(",")
}

fn estimate(estimate: Option<Estimate>) -> [String; 3] {
    let of = |end: fn(Estimate) -> Share| figure(estimate.map(end));
    [of(|estimate| estimate.mean), of(|estimate| estimate.low), of(|estimate| estimate.high)]
}

fn figure(share: Option<Share>) -> String {
    share.map(|share| share.to_percent(2)).unwrap_or_default()
}
