//! Lists in a file and how elements leave and enter them.

use alloc::string::String;
use alloc::vec::Vec;

use crate::raw::{ArrayEdit, Span, Splices};

/// What holds a list of elements.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_enums, reason = "files are JSON values or lines of them")]
pub enum Container {
    /// A JSON array, or the members of an object, between the brackets of this place.
    Array(Span),
    /// Lines, or documents one after the other, with the line feed behind them.
    Lines,
}

impl Container {
    /// The place of an array.
    pub(super) const fn span(self) -> Option<Span> {
        match self {
            Self::Array(span) => Some(span),
            Self::Lines => None,
        }
    }
}

/// Takes records out of their container and puts new ones in, each before the record with its index.
pub(crate) fn splice_records(
    text: &str,
    container: Container,
    records: Vec<Span>,
    gone: &[usize],
    added: Vec<(usize, String)>,
    splices: &mut Splices,
) {
    if gone.is_empty() && added.is_empty() {
        return;
    }
    match container {
        Container::Array(array) => {
            let mut edit = ArrayEdit::new(text, array, records);
            for index in gone {
                edit.remove(*index);
            }
            for (index, element) in added {
                edit.insert(index, element);
            }
            edit.finish(splices);
        }
        Container::Lines => {
            for record in gone.iter().filter_map(|index| records.get(*index)) {
                splices.remove(*record);
            }
            let end = records.last().map_or(text.len(), |last| last.end);
            for (index, line) in added {
                let place = records.get(index).map_or(end, |record| record.start);
                splices.insert(place, as_line(text, place, line));
            }
        }
    }
}

/// A new line at a place where a line begins, or after a last line that has no line feed.
fn as_line(text: &str, place: usize, line: String) -> String {
    let begins =
        text.get(..place).is_none_or(|before| before.is_empty() || before.ends_with(['\n', '\u{feff}']));
    if begins { line + "\n" } else { ["\n", &line].concat() }
}
