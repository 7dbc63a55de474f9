//! Calls that are JSON inside of a text, and new turns.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_exec::Fate;

use crate::dataset::chat::{Found, first_of};
use crate::error::FormatError;
use crate::layout::{Edited, Spelling};
use crate::raw::{Node, Object, Span, Splices, compact, quoted};
use crate::view::{Kept, View};

/// A turn that calls.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) turn: usize,
    /// The JSON value that the calls stand in.
    pub(super) value: Span,
    /// Whether it has a `content` beside them, as its first part.
    pub(super) speaks: bool,
}

/// What stands beside the calls in a text, and the tool and the arguments of each of them.
pub(super) fn calls_in(text: &str) -> (Option<String>, Vec<(String, String)>) {
    let calls = calls(text);
    let content = calls.first().and_then(|call| call.owned("content"));
    let arguments = |call: &Object<'_>| {
        let value = arguments_of(call);
        value
            .map(|value| value.string().map_or_else(|| compact(value.text()), Cow::into_owned))
            .unwrap_or_default()
    };
    let called = calls.iter().map(|call| (call.owned("name").unwrap_or_default(), arguments(call)));
    (content, called.collect())
}

/// The calls in a text.
fn calls(text: &str) -> Vec<Object<'_>> {
    let Ok(node) = Node::parse(text, 0) else { return Vec::new() };
    match node.object() {
        Ok(Some(call)) => alloc::vec![call],
        Ok(None) | Err(_) => Found::at(node).map(|found| found.objects().collect()).unwrap_or_default(),
    }
}

fn arguments_of<'a>(call: &Object<'a>) -> Option<Node<'a>> {
    first_of(call, &["arguments", "parameters"])
}

impl Call {
    /// The value with what the fate of its turn leaves of it.
    fn rewritten(&self, view: &View<'_>) -> Result<String, FormatError> {
        let value = Node::trusted(self.value.of(view.text()), self.value.start);
        let text = value.string().unwrap_or(Cow::Borrowed(value.text()));
        let calls = calls(&text);
        let mut splices = Splices::new();
        for (index, call) in calls.iter().enumerate() {
            let part = index.saturating_add(usize::from(self.speaks));
            if let Some(arguments) = arguments_of(call).filter(|_| !self.is_whole(part, view)) {
                splices.replace(arguments.span(), "{}");
            }
        }
        if let Some((call, said)) = calls.first().zip(self.said(view)) {
            say(call, &said, &mut splices);
        }
        let text = splices.apply(&text)?;
        Ok(if value.string().is_some() { quoted(&text) } else { text })
    }

    fn is_whole(&self, part: usize, view: &View<'_>) -> bool {
        match view.fate(self.turn) {
            Fate::Trimmed(trim) => matches!(view.kept_of_part(self.turn, part, trim), Some(Kept::Whole)),
            Fate::Kept => true,
            Fate::Masked(_) | Fate::SummarizedInto(_) | Fate::Dropped => false,
        }
    }

    /// What stands beside the calls afterwards, where that changes.
    fn said<'v>(&self, view: &View<'v>) -> Option<Cow<'v, str>> {
        match view.fate(self.turn) {
            Fate::Masked(stub) => Some(Cow::Borrowed(stub)),
            Fate::Trimmed(trim) if self.speaks => match view.kept_of_part(self.turn, 0, trim) {
                Some(Kept::Whole) => None,
                Some(Kept::Pieces(text)) => Some(Cow::Owned(text)),
                None => Some(Cow::Borrowed("")),
            },
            Fate::Trimmed(_) | Fate::Kept | Fate::SummarizedInto(_) | Fate::Dropped => None,
        }
    }
}

/// Puts a text beside a call.
fn say(call: &Object<'_>, text: &str, splices: &mut Splices) {
    if let Some(content) = call.get("content") {
        splices.replace(content.span(), quoted(text));
        return;
    }
    let comma = if call.members().is_empty() { "" } else { ", " };
    let end = call.span().end.saturating_sub(1);
    splices.insert(end, [comma, r#""content": "#, &quoted(text)].concat());
}

/// How turns are spelled.
#[derive(Debug)]
pub(super) struct Turns {
    calls: Vec<Call>,
    /// Whether turns have a `role` and a `content`.
    roles: bool,
}

impl Turns {
    pub(super) fn new(found: &Found<'_>, calls: Vec<Call>) -> Self {
        let roles = found.objects().next().is_some_and(|turn| !turn.has("from"));
        Self { calls, roles }
    }
}

impl Spelling for Turns {
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        let start =
            if self.roles { r#"{"role":"assistant","content":"# } else { r#"{"from":"gpt","value":"# };
        [start, &quoted(text), "}"].concat()
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        for call in self.calls.iter().filter(|call| !view.is_gone(call.turn) && !view.is_kept(call.turn)) {
            edited.splices.replace(call.value, call.rewritten(view)?);
        }
        Ok(())
    }
}
