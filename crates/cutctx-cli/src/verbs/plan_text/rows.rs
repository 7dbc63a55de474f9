//! The rows of a plan's table: one a turn, and where there are many, one for every few neighbours.

use crate::show::{ShortIds, fate_name, grouped, reason};
use cutctx::{TranscriptTurn, TurnAccount};

/// How many rows are shown before neighbours share one.
const MANY_ROWS: usize = 40;
/// The shortest run of equal fates that becomes one row.
const SHORTEST_RUN: usize = 4;

/// A turn, its position and its fate.
type Row<'r> = (usize, &'r TranscriptTurn, &'r TurnAccount);

/// The rows: all of them, or few enough to be looked at.
pub(super) fn rows(turns: &[TranscriptTurn], accounts: &[TurnAccount], all: bool) -> Vec<Vec<String>> {
    let ids = ShortIds::of(turns.iter().map(|turn| turn.turn_id().as_ref()));
    let rows: Vec<Row<'_>> =
        turns.iter().zip(accounts).enumerate().map(|(at, (turn, account))| (at, turn, account)).collect();
    if all || rows.len() <= MANY_ROWS {
        return rows.into_iter().map(|one| single(one, &ids)).collect();
    }
    let runs: Vec<Vec<String>> =
        rows.chunk_by(|left, right| left.2.fate == right.2.fate).flat_map(|run| by_run(run, &ids)).collect();
    if runs.len() <= MANY_ROWS {
        return runs;
    }
    let each = rows.len().div_ceil(MANY_ROWS).max(1);
    rows.chunks(each).map(shared).collect()
}

fn single((position, turn, account): Row<'_>, ids: &ShortIds<'_>) -> Vec<String> {
    vec![
        grouped(position.saturating_add(1)),
        ids.short(turn.turn_id()).to_owned(),
        turn.role().to_string(),
        grouped(account.tokens_before),
        grouped(account.tokens_after),
        fate_name(&account.fate).to_owned(),
        reason(&account.fate),
        turn.tool_name().unwrap_or_default().to_owned(),
    ]
}

/// A run of one fate: one row where it is long.
fn by_run(run: &[Row<'_>], ids: &ShortIds<'_>) -> Vec<Vec<String>> {
    if run.len() >= SHORTEST_RUN {
        return vec![shared(run)];
    }
    run.iter().map(|one| single(*one, ids)).collect()
}

/// One row for several turns.
fn shared(rows: &[Row<'_>]) -> Vec<String> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Vec::new() };
    let sum =
        |tokens: fn(&TurnAccount) -> u64| rows.iter().map(|row| tokens(row.2)).fold(0, u64::saturating_add);
    let is_one_fate = rows.iter().all(|row| row.2.fate == first.2.fate);
    let (fate, why) = if is_one_fate {
        (fate_name(&first.2.fate), reason(&first.2.fate))
    } else {
        ("several", counted(rows))
    };
    vec![
        format!("{}-{}", grouped(first.0.saturating_add(1)), grouped(last.0.saturating_add(1))),
        format!("({} turns)", grouped(rows.len())),
        String::new(),
        grouped(sum(|account| account.tokens_before)),
        grouped(sum(|account| account.tokens_after)),
        fate.to_owned(),
        why,
        String::new(),
    ]
}

/// How many turns have which fate, in order of appearance.
fn counted(rows: &[Row<'_>]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (.., account) in rows {
        let name = fate_name(&account.fate);
        match counts.iter_mut().find(|(fate, _)| *fate == name) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => counts.push((name, 1)),
        }
    }
    let words = counts.iter().map(|(fate, count)| format!("{} {fate}", grouped(*count)));
    words.collect::<Vec<_>>().join(", ")
}
