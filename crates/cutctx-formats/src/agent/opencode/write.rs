//! New messages and parts, and results that stand in more than one place.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_exec::Fate;

use crate::error::FormatError;
use crate::layout::{Edited, Spelling};
use crate::note::NoteKind;
use crate::raw::{Span, quoted};
use crate::view::View;

/// What is needed to write a session back.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    pub(super) form: Form,
    pub(super) messages: Vec<MessagePlace>,
    /// The first turn of each message.
    pub(super) turns: Vec<(usize, usize)>,
    pub(super) cleared: Vec<Cleared>,
    /// For each message the records that go with it and are no context.
    pub(super) ballast: Vec<Vec<Span>>,
}

/// How messages and parts stand in the file.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A message holds its parts.
    #[default]
    Export,
    /// Messages and parts are records.
    Store,
    /// Events with parts; there is one message without a record.
    Run,
}

/// The JSON values of a message; empty where there are none.
#[derive(Debug)]
pub(super) struct MessagePlace {
    pub(super) id: Span,
    pub(super) session: Span,
    pub(super) created: Span,
    pub(super) agent: Span,
    pub(super) model: Span,
    /// The ids of its parts.
    pub(super) parts: Vec<Span>,
}

/// A result that opencode has cleared.
#[derive(Debug)]
pub(super) struct Cleared {
    pub(super) turn: usize,
    /// The times of the tool, and those times without the mark.
    pub(super) time: Span,
    pub(super) without: String,
}

impl Spelling for Sessions {
    /// The text alone; its message is spelled when its neighbours are known.
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        String::from(text)
    }

    /// A part of the message that a turn came from.
    fn said(&self, text: &str, turn: usize, before: usize, view: &View<'_>) -> String {
        let index = self.turns.partition_point(|(first, _)| *first <= turn).saturating_sub(1);
        let message = self.turns.get(index).and_then(|(_, message)| self.messages.get(*message));
        let Some(message) = message else { return String::new() };
        let part = |index: usize| message.parts.get(index).map(|id| bare(*id, view)).unwrap_or_default();
        let id = between(before.checked_sub(1).map(part).unwrap_or_default(), part(before), "prt_", 0);
        self.part(&id, message, text, view)
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        self.spell_summaries(edited, view);
        for cleared in &self.cleared {
            cleared.finish(edited, view);
        }
        for (records, gone) in self.ballast.iter().zip(&edited.gone) {
            if *gone {
                for record in records {
                    edited.splices.note(NoteKind::RecordsRemoved, record.start);
                    edited.splices.remove(*record);
                }
            }
        }
        Ok(())
    }
}

impl Sessions {
    /// A text as a new part of a message.
    fn part(&self, id: &str, message: &MessagePlace, said: &str, view: &View<'_>) -> String {
        let (session, name) = (message.session.of(view.text()), message.id.of(view.text()));
        let part = text_part(id, session, name, said);
        if self.form != Form::Run {
            return part;
        }
        let time = message.created.of(view.text());
        [r#"{"type":"text","timestamp":"#, time, r#","sessionID":"#, session, r#","part":"#, &part, "}"]
            .concat()
    }

    fn spell_summaries(&self, edited: &mut Edited, view: &View<'_>) {
        let mut last = (usize::MAX, 0_usize);
        for (before, record) in &mut edited.added {
            let nth = if last.0 == *before { last.1.saturating_add(1) } else { 0 };
            last = (*before, nth);
            *record = match (self.form, self.messages.first()) {
                (Form::Run, Some(message)) => self.part(&between("", "", "prt_", nth), message, record, view),
                _ => self.summary_message(record, *before, nth, view),
            };
        }
    }

    /// A message of the user between two messages, the `nth` one there.
    fn summary_message(&self, said: &str, before: usize, nth: usize, view: &View<'_>) -> String {
        let text = view.text();
        let previous = before.checked_sub(1).and_then(|index| self.messages.get(index));
        let next = self.messages.get(before);
        let name = |message: Option<&MessagePlace>| {
            message.map(|message| bare(message.id, view)).unwrap_or_default()
        };
        let id = between(name(previous), name(next), "msg_", nth);
        let near = previous.or(next);
        let value = |place: Option<Span>, none: &'static str| {
            String::from(place.map(|place| place.of(text)).filter(|value| !value.is_empty()).unwrap_or(none))
        };
        let session = value(near.map(|message| message.session), r#""""#);
        let created = value(near.map(|message| message.created), "0");
        let spoken = self.messages.iter().find(|message| !message.model.is_empty());
        let agent = value(spoken.map(|message| message.agent), r#""build""#);
        let model = value(spoken.map(|message| message.model), r#"{"providerID":"","modelID":""}"#);
        let quoted_id = quoted(&id);
        let info = [
            r#"{"id":"#,
            &quoted_id,
            r#","sessionID":"#,
            &session,
            r#","role":"user","time":{"created":"#,
            &created,
            r#"},"agent":"#,
            &agent,
            r#","model":"#,
            &model,
            "}",
        ]
        .concat();
        let part_id = ["prt_", id.strip_prefix("msg_").unwrap_or(&id)].concat();
        let part = text_part(&part_id, &session, &quoted_id, said);
        if self.form == Form::Store {
            [info.as_str(), "\n", &part].concat()
        } else {
            [r#"{"info":"#, &info, r#","parts":["#, &part, "]}"].concat()
        }
    }
}

/// A text as a part; session and message are JSON text.
fn text_part(id: &str, session: &str, message: &str, text: &str) -> String {
    let (id, said) = (quoted(id), quoted(text));
    [
        r#"{"id":"#,
        &id,
        r#","sessionID":"#,
        session,
        r#","messageID":"#,
        message,
        r#","type":"text","text":"#,
        &said,
        r#","synthetic":true}"#,
    ]
    .concat()
}

/// The text of an id, without its quotes.
fn bare<'t>(id: Span, view: &View<'t>) -> &'t str {
    id.of(view.text()).trim_matches('"')
}

/// An id that stands after `before` and before `after` in their order, the `nth` one there.
fn between(before: &str, after: &str, kind: &str, nth: usize) -> String {
    let number = format!("{nth:04}1");
    if before.is_empty() {
        return [kind, "000000000000", &number].concat();
    }
    let rest = after.strip_prefix(before).unwrap_or_default();
    let shorter = rest.char_indices().next_back().and_then(|(last, _)| rest.get(..last)).unwrap_or_default();
    [before, shorter, &number].concat()
}

impl Cleared {
    /// A result that says something again is no longer cleared.
    fn finish(&self, edited: &mut Edited, view: &View<'_>) {
        if matches!(view.fate(self.turn), Fate::Masked(_) | Fate::Trimmed(_)) {
            edited.splices.note(NoteKind::CopiesRewritten, self.time.start);
            edited.splices.replace(self.time, self.without.as_str());
        }
    }
}
