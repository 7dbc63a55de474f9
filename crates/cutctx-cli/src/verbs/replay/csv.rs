//! The figures as comma-separated values.

use crate::show::csv_cell;
use cutctx_eval::{Replayed, Share};

/// The names of the columns.
const HEAD: &str = "session,format,policy,requests,limit_tokens,target_tokens,cost,compactions,prefix_breaks,over_limit,\
misses,breaks_per_hundred,misses_per_hundred,shortest_respite,mean_tokens";

/// A line a session and policy. Shares are in per cent; what there is no figure for is empty.
pub(super) fn csv(replayed: &[Replayed]) -> String {
    let lines = core::iter::once(HEAD.to_owned()).chain(replayed.iter().map(line));
    lines.map(|line| line + "\n").collect()
}

fn line(one: &Replayed) -> String {
    let names = [csv_cell(&one.session), csv_cell(&one.format), csv_cell(&one.policy)];
    let sizes = [one.requests.to_string(), one.limit_tokens.to_string(), one.target_tokens.to_string()];
    let counts =
        [one.compactions, one.prefix_breaks, one.over_limit, one.misses].map(|count| count.to_string());
    let rates = [one.breaks_per_hundred(), one.misses_per_hundred()].map(figure);
    let respite = one.shortest_respite.map(|requests| requests.to_string()).unwrap_or_default();
    let rest = [respite, one.mean_tokens.to_string()];
    let groups: [&[String]; 6] = [&names, &sizes, &[figure(one.cost)], &counts, &rates, &rest];
    groups.concat().join(",")
}

fn figure(share: Option<Share>) -> String {
    share.map(|share| share.to_percent(2)).unwrap_or_default()
}
