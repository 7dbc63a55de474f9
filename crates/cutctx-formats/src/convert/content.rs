//! The content of a message of a target with two sides: its blocks one after the other, results first.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Detail, Media};

use super::loss::{LossKind, Losses};
use super::neutral::{Block, Outcome, Side, Turn};

/// How a target spells its blocks, as JSON.
pub(super) trait Blocks {
    /// The name of the model's side.
    const MODEL: &'static str;
    /// The member that holds the blocks.
    const KEY: &'static str;

    /// A text.
    fn text(text: &str) -> String;

    /// A call with its arguments.
    fn call(id: &str, name: &str, json: &str) -> String;

    /// A result with these media, as the target spells them.
    fn result(outcome: &Outcome, media: Vec<String>, message: usize, losses: &mut Losses) -> String;

    /// A medium, where the target takes it.
    fn medium(media: &Media<'_>) -> Option<String>;
}

/// The texts as blocks.
pub(super) fn texts<B: Blocks>(texts: &[String]) -> String {
    texts.iter().map(|text| B::text(text)).collect::<Vec<_>>().join(",")
}

/// All messages; those that say nothing are left out.
pub(super) fn messages<B: Blocks>(turns: &[Turn], losses: &mut Losses) -> String {
    turns.iter().filter_map(|turn| message::<B>(turn, losses)).collect::<Vec<_>>().join(",")
}

fn message<B: Blocks>(turn: &Turn, losses: &mut Losses) -> Option<String> {
    let role = if turn.side == Side::Model { B::MODEL } else { "user" };
    let (mut results, mut others) = (Vec::new(), Vec::new());
    for block in &turn.blocks {
        match block {
            Block::Text(text) => others.push(B::text(text)),
            Block::Call { id, name, json } => others.push(B::call(id, name, json)),
            Block::Result(outcome) => {
                let media = outcome.media.iter().filter_map(|media| medium::<B>(media, turn.message, losses));
                let media = media.collect();
                results.push(B::result(outcome, media, turn.message, losses));
            }
            Block::Media(media) => others.extend(medium::<B>(media, turn.message, losses)),
        }
    }
    results.append(&mut others);
    let blocks = results.join(",");
    let head = [r#"{"role":""#, role, r#"",""#, B::KEY, r#"":["#].concat();
    (!blocks.is_empty()).then(|| [&head, &blocks, "]}"].concat())
}

/// A medium, where the target takes it. None of these targets is told how closely to look at an image.
fn medium<B: Blocks>(media: &Media<'_>, message: usize, losses: &mut Losses) -> Option<String> {
    let block = B::medium(media);
    match block {
        None => losses.note(LossKind::Media, message),
        Some(_) if media.detail != Detail::Automatic => losses.note(LossKind::ImageDetail, message),
        Some(_) => {}
    }
    block
}
