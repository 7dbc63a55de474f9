//! New records of a rollout.

use alloc::string::String;
use alloc::vec::Vec;

use super::index::Index;
use crate::layout::Spelling;
use crate::raw::{Span, quoted};
use crate::view::View;

/// How the records around a new one are spelled.
#[derive(Debug)]
pub(super) struct Rollout {
    records: Vec<Around>,
    /// How many records stand in the replacement history.
    history: usize,
}

#[derive(Debug, Clone, Copy)]
struct Around {
    stamp: Span,
    wrapped: bool,
}

impl Rollout {
    pub(super) fn new(index: &Index) -> Self {
        let records = index.records.iter();
        let records = records.map(|record| Around { stamp: record.stamp, wrapped: record.wrapped }).collect();
        Self { records, history: index.history().0 }
    }

    /// An item as a record before this one: as an element of the history, as a line, or as the payload of a line with
    /// the time stamp of the record that it stands before.
    fn record(&self, item: String, before: usize, text: &str) -> String {
        let around = self.records.get(before).or_else(|| self.records.last()).copied();
        let Some(around) = around.filter(|_| before >= self.history) else { return item };
        let is_line = around.wrapped || before >= self.records.len() && self.records.len() == self.history;
        if !is_line {
            return item;
        }
        let stamp = around.stamp.of(text);
        let stamp = if stamp.is_empty() { r#""""# } else { stamp };
        [r#"{"timestamp":"#, stamp, r#","type":"response_item","payload":"#, &item, "}"].concat()
    }
}

impl Spelling for Rollout {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        let content = [r#"[{"type":"input_text","text":"#, &quoted(text), "}]"].concat();
        let item = [
            r#"{"type":"message","role":"user","content":"#,
            &content,
            r#","summary_of":"#,
            &quoted(group),
            "}",
        ];
        self.record(item.concat(), before, view.text())
    }

    fn said(&self, text: &str, _turn: usize, before: usize, view: &View<'_>) -> String {
        let content = [r#"[{"type":"output_text","text":"#, &quoted(text), "}]"].concat();
        let item = [r#"{"type":"message","role":"assistant","content":"#, &content, "}"].concat();
        self.record(item, before, view.text())
    }
}
