//! The figures for programs.

use crate::session_files::Gathered;
use cutctx::CachePrices;
use cutctx_eval::{Replay, ReplayRow, Replayed};
use serde::Serialize;

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(super) struct Document<'r> {
    prices: CachePrices,
    protected_turns: u64,
    /// In thousandths of the target.
    frozen_head: Option<u64>,
    too_short: usize,
    not_sessions: usize,
    rows: Vec<ReplayRow>,
    replayed: &'r [Replayed],
}

/// The document of a replay.
pub(super) fn document<'r>(gathered: &Gathered, replay: &'r Replay) -> Document<'r> {
    Document {
        prices: replay.options.prices,
        protected_turns: replay.options.protected_turns,
        frozen_head: replay.options.frozen_head,
        too_short: replay.too_short,
        not_sessions: gathered.not_sessions,
        rows: replay.rows(),
        replayed: &replay.replayed,
    }
}
