//! Turns as the vectors and the batch interface spell them: `{"turns": […]}`, the list alone, or one turn a line.
//!
//! Turns carry their own estimates, which are believed. Unknown fields stay. A masked turn gets its text, a new
//! estimate and the note `cutctx.kind`, and loses its parts; a summary is a new turn as applying a plan makes it.

mod read;
mod render;

use alloc::vec::Vec;

use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Lens, Reading};
use crate::layout::Container;
use crate::raw::{Node, Object, Span, Splices};
use crate::request::ReadRequest;
use crate::standing::Standing;
use crate::view::View;

/// The format of transcripts in CutCtx's own spelling.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Native;

/// What is to be said about the format.
static ABOUT: About = About {
    name: "native",
    describe: "CutCtx's own transcript: {\"turns\": […]}, the list of turns, or one turn a line",
    told_by: "turns with `turn_id`, `role`, `content` and `token_estimate`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

impl Format for Native {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let first = document.sample(1).into_iter().next();
        match document.shape() {
            Shape::Object(object) if object.has("turns") => {
                let turns = document.elements(object.get("turns")?)?;
                let first = turns.first().map(|turn| turn.object().ok().flatten());
                first.is_none_or(|turn| turn.as_ref().is_some_and(is_turn)).then_some(Confidence::Certain)
            }
            Shape::Object(_) | Shape::Array(..) | Shape::Lines => {
                first.filter(is_turn).map(|_| Confidence::Certain)
            }
            Shape::Glued(..) => None,
        }
    }

    fn read(&self, document: &Document<'_>, _request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        read::read(document)
    }
}

fn is_turn(record: &Object<'_>) -> bool {
    ["turn_id", "role", "content", "token_estimate"].iter().all(|field| record.has(field))
}

/// The index over the turns: one record each.
#[derive(Debug)]
struct NativeLens {
    container: Container,
    /// The record with its line feed, and the object in it.
    records: Vec<(Span, Span)>,
}

impl Lens for NativeLens {
    fn render(&self, view: &View<'_>) -> Result<Splices, FormatError> {
        render::render(self, view)
    }

    fn standings(&self) -> Vec<Standing> {
        self.records.iter().map(|(_, turn)| Standing::whole(*turn)).collect()
    }
}

/// The turns of a document with what holds them.
fn records<'a>(document: &Document<'a>) -> Option<(Container, Vec<(Span, Node<'a>)>)> {
    let elements = |nodes: &[Node<'a>]| nodes.iter().map(|node| (node.span(), *node)).collect();
    match document.shape() {
        Shape::Array(span, nodes) => Some((Container::Array(*span), elements(nodes))),
        Shape::Object(object) if object.has("turns") => {
            let list = object.get("turns")?;
            Some((Container::Array(list.span()), elements(&document.elements(list)?)))
        }
        Shape::Object(_) | Shape::Lines => {
            let lines = document.lines().filter(|line| !line.is_filler());
            let nodes = lines.map(|line| Some((line.span, line.value().ok()?))).collect::<Option<_>>()?;
            Some((Container::Lines, nodes))
        }
        Shape::Glued(..) => None,
    }
}
