//! The figures for people.

use super::sparkline::sparkline;
use crate::session_files::Gathered;
use crate::show::{Column, counted, figure, grouped, interval, mean, ratio, tables, visible};
use cutctx_eval::{Replay, ReplayRow, Replayed};

/// With more sessions than this, only the table over all of them is shown.
const MANY_SESSIONS: usize = 8;
/// The widest curve, in columns.
const WIDEST_CURVE: usize = 60;

const COLUMNS: [Column; 8] = [
    Column::Text("policy"),
    Column::Number("cost"),
    Column::Number("interval"),
    Column::Number("misses/100"),
    Column::Number("breaks/100"),
    Column::Number("compactions"),
    Column::Number("over limit"),
    Column::Number("context"),
];

/// A table over policies, and below it the curve of every session.
pub(super) fn text(gathered: &Gathered, replay: &Replay, width: u16, all: bool) -> String {
    let sessions = replay.replayed.len().checked_div(replay.policies.len()).unwrap_or_default();
    let mut text = head(gathered, replay, sessions);
    text.push_str(&tables(width, &COLUMNS, replay.rows().iter().map(cells)));
    text.push_str(NOTES);
    if all || sessions <= MANY_SESSIONS {
        for one in replay.replayed.chunks(replay.policies.len().max(1)) {
            text.push_str(&session(one, width));
        }
    } else {
        text.push_str("--all shows every session.\n");
    }
    text
}

const NOTES: &str = "
cost: of the input, in per cent of never compacting. misses: references to what is gone. context: the mean, in per
cent of the limit. No prefix broke but at a compaction.
";

fn head(gathered: &Gathered, replay: &Replay, sessions: usize) -> String {
    let prices = replay.options.prices;
    format!(
        "{} at cache prices of {} (read) and {} (write); left out: {} too short, {} without a session\n\n",
        counted(sessions, "session"),
        ratio(prices.read()),
        ratio(prices.write()),
        grouped(replay.too_short),
        counted(gathered.not_sessions, "file"),
    )
}

fn cells(row: &ReplayRow) -> Vec<String> {
    vec![
        row.policy.clone(),
        mean(row.cost),
        interval(row.cost, row.sessions),
        figure(row.misses_per_hundred),
        figure(row.breaks_per_hundred),
        grouped(row.compactions),
        grouped(row.over_limit),
        figure(row.context),
    ]
}

/// A session: what its limit is, and a line for every policy.
fn session(one: &[Replayed], width: u16) -> String {
    let Some(first) = one.first() else { return String::new() };
    let head = format!(
        "\n{} ({}): {}, limit {}, target {}\n",
        visible(&first.session),
        first.format,
        counted(first.requests, "request"),
        grouped(first.limit_tokens),
        grouped(first.target_tokens)
    );
    let name = one.iter().map(|one| one.policy.chars().count()).max().unwrap_or(0);
    let top =
        one.iter().flat_map(|one| &one.context_tokens).copied().max().unwrap_or(0).max(first.limit_tokens);
    let lines = one.iter().map(|replayed| {
        let (policy, cost) = (visible(&replayed.policy), figure(replayed.cost));
        let start = format!("  {policy:<name$} {cost:>6} {:>4} ", grouped(replayed.compactions));
        let room = usize::from(width).saturating_sub(start.chars().count()).clamp(8, WIDEST_CURVE);
        format!("{start}{}\n", sparkline(&replayed.context_tokens, top, room))
    });
    core::iter::once(head).chain(lines).collect()
}
