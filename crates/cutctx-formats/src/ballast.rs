//! What of a file is no context.
//!
//! A file is taken apart along the values in which turns stand: what holds one is gone into, what does not is ballast
//! under its path, such as `user.toolUseResult` or `messages[].extra`. A record that holds no turn is one piece, named
//! by its type.

mod places;
mod walk;

use alloc::string::String;
use alloc::vec::Vec;

use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::raw::{Line, Node};
use crate::source::Source;
use crate::standing::Standing;
use places::Places;
use walk::{Pair, Walk};

/// What of a file is no context, in bytes of the file. The three sums are the file's size.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Ballast {
    /// The values that say what turns say, as they are spelled: with escapes, and with media as base64.
    pub said_bytes: usize,
    /// What no turn stands in: what the model never sees, and of a request also the definitions of tools and its
    /// settings. All [groups](Ballast::groups) together.
    pub ballast_bytes: usize,
    /// Keys, brackets and white space around both.
    pub structure_bytes: usize,
    /// What the ballast is, the largest group first.
    pub groups: Vec<BallastGroup>,
}

/// Ballast of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BallastGroup {
    /// The type of whole records, or the path of members. Never a text of the file that is longer than a name.
    pub what: String,
    /// Whether these are whole records, and not members of records that hold turns.
    pub whole_records: bool,
    /// How many there are.
    pub count: usize,
    /// How large they are together.
    pub bytes: usize,
}

impl Ballast {
    pub(crate) fn of(source: &Source, standings: &[Standing]) -> Result<Self, FormatError> {
        let mut walk = Walk::new(Places::new(standings));
        if source.is_abridged() {
            source.line_pairs(&mut |held, whole| walk.line(held, whole))?;
        } else {
            whole_document(source.text(), &mut walk)?;
        }
        Ok(walk.finish(source.length()))
    }
}

fn whole_document(text: &str, walk: &mut Walk) -> Result<(), FormatError> {
    let document = Document::parse(text)?;
    match document.shape() {
        Shape::Lines => document.lines().for_each(|line: Line<'_>| walk.line(line, line)),
        Shape::Array(_, elements) => elements.iter().for_each(|node| walk.record(Pair::same(*node))),
        Shape::Object(object) => {
            let node = Node::trusted(object.span().of(text), object.span().start);
            walk.document(Pair::same(node));
        }
        Shape::Glued(..) => glued(&document, walk),
    }
    Ok(())
}

/// Documents one after the other. What is behind the last one that can be read is structure.
fn glued(document: &Document<'_>, walk: &mut Walk) {
    let (text, mut at) = (document.text(), document.start().offset);
    while let Some(node) = text.get(at..).and_then(|rest| Node::leading(rest, at)) {
        walk.record(Pair::same(node));
        let rest = text.get(node.end()..).unwrap_or_default();
        at = text.len().saturating_sub(rest.trim_start().len());
    }
}
