//! Ids of calls as the target takes them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;

use super::loss::{LossKind, Losses};
use super::neutral::{Block, Turn};
use crate::format::Dialect;
use crate::fresh_ids::FreshIds;

/// How many characters stand before a number: the shortest limit of an id, 40, leaves room for one.
const STEM: usize = 29;

/// Spells ids that the target does not take, or has already, anew. Results follow the calls of the turn before them.
pub(super) fn respell(turns: &mut [Turn], dialect: Dialect, losses: &mut Losses) {
    let mut ids = FreshIds::new(BTreeSet::new(), STEM);
    let mut now: BTreeMap<String, String> = BTreeMap::new();
    for turn in turns {
        let message = turn.message;
        for block in &mut turn.blocks {
            match block {
                Block::Call { id, .. } => {
                    let fresh = ids.give_out(&spelled(id, dialect));
                    if fresh != *id {
                        losses.note(LossKind::RespelledId, message);
                    }
                    now.insert(core::mem::replace(id, fresh.clone()), fresh);
                }
                Block::Result(result) => {
                    if let Some(fresh) = now.get(&result.id) {
                        result.id.clone_from(fresh);
                    }
                }
                Block::Text(_) | Block::Media(_) => {}
            }
        }
    }
}

fn spelled(id: &str, dialect: Dialect) -> String {
    let (more, longest): (Option<&str>, usize) = match dialect {
        Dialect::Anthropic => (Some("_-"), 64),
        Dialect::Bedrock => (Some("_-.:"), 64),
        Dialect::OpenAiChat => (None, 40),
        Dialect::OpenAiResponses | Dialect::Gemini | Dialect::Free => (None, 64),
    };
    let allowed = |character: char| {
        more.is_none_or(|more| character.is_ascii_alphanumeric() || more.contains(character))
    };
    let clean = id.chars().map(|character| if allowed(character) { character } else { '_' });
    let clean: String = clean.take(longest).collect();
    if clean.is_empty() { String::from("call") } else { clean }
}
