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
    /// The elements of a JSON array at this place, so many of them, and then lines: a list that a marker of an earlier
    /// compaction holds, and what was said after it.
    ArrayThenLines(Span, usize),
}

impl Container {
    /// The place of an array.
    pub(super) const fn span(self) -> Option<Span> {
        match self {
            Self::Array(span) => Some(span),
            Self::Lines | Self::ArrayThenLines(..) => None,
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
        Container::Array(array) => splice_elements(text, array, records, gone, added, splices),
        Container::Lines => splice_lines(text, &records, gone, added, splices),
        Container::ArrayThenLines(array, count) => {
            let mut elements = records;
            let lines = elements.split_off(count.min(elements.len()));
            let (gone, gone_lines): (Vec<usize>, Vec<usize>) = gone.iter().partition(|index| **index < count);
            let (added, added_lines) = added.into_iter().partition(|(index, _)| *index < count);
            splice_elements(text, array, elements, &gone, added, splices);
            let gone_lines: Vec<usize> = gone_lines.iter().map(|index| index.saturating_sub(count)).collect();
            let added_lines: Vec<(usize, String)> = Vec::from_iter(added_lines);
            let added_lines =
                added_lines.into_iter().map(|(index, line)| (index.saturating_sub(count), line));
            splice_lines(text, &lines, &gone_lines, added_lines.collect(), splices);
        }
    }
}

fn splice_elements(
    text: &str,
    array: Span,
    elements: Vec<Span>,
    gone: &[usize],
    added: Vec<(usize, String)>,
    splices: &mut Splices,
) {
    if gone.is_empty() && added.is_empty() {
        return;
    }
    let mut edit = ArrayEdit::new(text, array, elements);
    for index in gone {
        edit.remove(*index);
    }
    for (index, element) in added {
        edit.insert(index, element);
    }
    edit.finish(splices);
}

fn splice_lines(
    text: &str,
    lines: &[Span],
    gone: &[usize],
    added: Vec<(usize, String)>,
    splices: &mut Splices,
) {
    for line in gone.iter().filter_map(|index| lines.get(*index)) {
        splices.remove(*line);
    }
    let end = lines.last().map_or(text.len(), |last| last.end);
    for (index, line) in added {
        let place = lines.get(index).map_or(end, |line| line.start);
        splices.insert(place, as_line(text, place, line));
    }
}

/// A new line at a place where a line begins, or after a last line that has no line feed.
fn as_line(text: &str, place: usize, line: String) -> String {
    let begins =
        text.get(..place).is_none_or(|before| before.is_empty() || before.ends_with(['\n', '\u{feff}']));
    if begins { line + "\n" } else { ["\n", &line].concat() }
}
