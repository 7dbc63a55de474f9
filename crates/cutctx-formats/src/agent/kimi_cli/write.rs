//! Summaries, new parts of steps, and the lines that go with a step.

use alloc::string::String;
use alloc::vec::Vec;

use super::history::Item;
use crate::agent::earlier_summary::EarlierSummary;
use crate::error::FormatError;
use crate::layout::{Edited, Frame, Spelling};
use crate::raw::{Node, Object, Span, quoted};
use crate::shapes::{fresh_id, uuid};
use crate::view::View;

/// What is needed to write a log back.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) places: Vec<Span>,
    pub(super) steps: Vec<Step>,
    pub(super) earlier: Option<EarlierSummary>,
}

/// A step of the model.
#[derive(Debug)]
pub(super) struct Step {
    first_turn: usize,
    record: usize,
    end: Option<usize>,
    uuid: Span,
    turn: Span,
    number: Span,
    time: Span,
}

impl Step {
    pub(super) fn new(first_turn: usize, item: &Item, event: &Object<'_>, time: Option<Node<'_>>) -> Self {
        let span = |value: Option<Node<'_>>| value.map(|value| value.span()).unwrap_or_default();
        Self {
            first_turn,
            record: item.record,
            end: item.end,
            uuid: span(event.get("uuid")),
            turn: span(event.get("turnId")),
            number: span(event.get("step")),
            time: span(time),
        }
    }
}

/// A JSON value of the file, or another one where there is none.
fn value<'t>(place: Span, none: &'t str, view: &View<'t>) -> &'t str {
    Some(place.of(view.text())).filter(|value| !value.is_empty()).unwrap_or(none)
}

impl Spelling for Log {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        if self.earlier.is_some_and(|earlier| earlier.is_followed_by(group, view)) {
            return String::new();
        }
        let place = self.places.get(before).or_else(|| self.places.last()).copied().unwrap_or_default();
        let line = Node::leading(place.of(view.text()), place.start).and_then(|node| node.object().ok()?);
        let time = line.and_then(|line| line.get("time").map(|time| time.span())).unwrap_or_default();
        let said = Frame::TEXT_BLOCK.of(text);
        let message = [
            r#"{"role":"user","content":["#,
            &said,
            r#"],"toolCalls":[],"origin":{"kind":"compaction_summary"}}"#,
        ]
        .concat();
        let time = value(time, "0", view);
        [r#"{"type":"context.append_message","message":"#, &message, r#","time":"#, time, "}"].concat()
    }

    /// A text of a step.
    fn said(&self, text: &str, turn: usize, _before: usize, view: &View<'_>) -> String {
        let place = self.steps.partition_point(|step| step.first_turn <= turn).checked_sub(1);
        let Some(step) = place.and_then(|place| self.steps.get(place)) else { return String::new() };
        let step_id = value(step.uuid, r#""""#, view);
        let own = quoted(&fresh_id(step_id, uuid, |_| false));
        let part = Frame::TEXT_BLOCK.of(text);
        let event = [
            r#"{"type":"content.part","uuid":"#,
            &own,
            r#","turnId":"#,
            value(step.turn, r#""""#, view),
            r#","step":"#,
            value(step.number, "0", view),
            r#","stepUuid":"#,
            step_id,
            r#","part":"#,
            &part,
            "}",
        ]
        .concat();
        let time = value(step.time, "0", view);
        [r#"{"type":"context.append_loop_event","event":"#, &event, r#","time":"#, time, "}"].concat()
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        if let Some(earlier) = &self.earlier {
            earlier.finish(edited, view)?;
        }
        for step in &self.steps {
            let gone = edited.gone.get(step.record) == Some(&true);
            if let Some(flag) = step.end.filter(|_| gone).and_then(|end| edited.gone.get_mut(end)) {
                *flag = true;
            }
        }
        Ok(())
    }
}
