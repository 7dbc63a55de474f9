//! How new events are spelled.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::copies::Repeated;
use super::event::is_logged;
use crate::error::FormatError;
use crate::layout::{Edited, Spelling};
use crate::raw::{Object, Span, quoted};
use crate::shapes::fresh_id;
use crate::view::View;

/// How a log spells its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// With a source and `args`.
    Logged,
    /// With all fields in the event.
    Flat,
    /// As the latter, in pairs of an action and an observation.
    Pairs,
}

impl Form {
    pub(super) fn of(pairs: bool, first: Option<&Object<'_>>) -> Self {
        match first {
            _ if pairs => Self::Pairs,
            Some(first) if !is_logged(first) => Self::Flat,
            Some(_) | None => Self::Logged,
        }
    }
}

/// What is needed to write a log back.
#[derive(Debug)]
pub(super) struct Events {
    form: Form,
    copies: Vec<Repeated>,
    /// The ids of the events, in the order of their texts.
    ids: Vec<Span>,
    /// The JSON value of the time of each record.
    times: Vec<Span>,
}

impl Events {
    pub(super) fn new(
        form: Form,
        copies: Vec<Repeated>,
        (mut ids, times): (Vec<Span>, Vec<Span>),
        text: &str,
    ) -> Self {
        ids.sort_unstable_by_key(|id| id.of(text));
        Self { form, copies, ids, times }
    }

    /// A large number that is no event's id.
    fn id(&self, group: &str, text: &str) -> String {
        let spell = |hex: &str| {
            let number = hex.get(..7).and_then(|hex| u64::from_str_radix(hex, 16).ok());
            format!("{}", number.unwrap_or(0).saturating_add(1_000_000_000))
        };
        fresh_id(group, spell, |id| self.ids.binary_search_by(|own| own.of(text).cmp(id)).is_ok())
    }

    fn time<'t>(&self, before: usize, text: &'t str) -> &'t str {
        let place = self.times.get(before).or_else(|| self.times.last()).copied().unwrap_or_default();
        match place.of(text) {
            "" => "null",
            time => time,
        }
    }
}

impl Spelling for Events {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        let said = quoted(text);
        let flat = format!(r#"{{"content":{said},"source":"user","action":"message"}}"#);
        match self.form {
            Form::Flat => flat,
            Form::Pairs => format!(r#"[{flat},{{"observation":"null","content":"","extras":{{}}}}]"#),
            Form::Logged => {
                let (id, time) = (self.id(group, view.text()), self.time(before, view.text()));
                format!(
                    r#"{{"id":{id},"timestamp":{time},"source":"user","message":{said},"action":"message","args":{{"content":{said},"image_urls":null,"wait_for_response":false}}}}"#
                )
            }
        }
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        for copy in &self.copies {
            copy.follow(edited, view);
        }
        Ok(())
    }
}
