//! Fates to edits of turn objects.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::NativeLens;
use crate::error::FormatError;
use crate::layout::splice_records;
use crate::raw::{ArrayEdit, Member, Object, Span, Splices, quoted};
use crate::view::View;
use cutctx_exec::Fate;

pub(super) fn render(lens: &NativeLens, view: &View<'_>) -> Result<Splices, FormatError> {
    let mut splices = Splices::new();
    let mut gone = Vec::new();
    for (turn, (_, object)) in lens.records.iter().enumerate() {
        match view.fate(turn) {
            Fate::Kept => {}
            Fate::Dropped | Fate::SummarizedInto(_) => gone.push(turn),
            Fate::Masked(text) => {
                set_text(view, *object, ("masked", text, view.estimate(text)), &mut splices)?;
            }
            Fate::Trimmed(trim) => {
                set_text(
                    view,
                    *object,
                    ("trimmed", &view.kept_text(turn, trim), trim.token_estimate),
                    &mut splices,
                )?;
            }
        }
    }
    let added = summaries(view)?;
    let records = lens.records.iter().map(|(record, _)| *record).collect();
    splice_records(view.text(), lens.container, records, &gone, added, &mut splices);
    Ok(splices)
}

/// Gives a turn another text and estimate; its parts, which no longer fit, go.
fn set_text(
    view: &View<'_>,
    span: Span,
    (kind, text, tokens): (&str, &str, u64),
    splices: &mut Splices,
) -> Result<(), FormatError> {
    let turn = Object::parse(span.of(view.text()), span.start)
        .map_err(|error| FormatError::syntax(error, view.text()))?;
    let spans = turn.members().iter().map(Member::span);
    let mut members = ArrayEdit::new(view.text(), span, spans.collect());
    for (index, member) in turn.members().iter().enumerate() {
        if member.key.is_string("parts") {
            members.remove(index);
        }
    }
    for (key, value) in [("content", quoted(text)), ("token_estimate", tokens.to_string())] {
        if let Some(old) = turn.get(key) {
            splices.replace(old.span(), value);
        }
    }
    note_kind(&turn, view, kind, &mut members, splices);
    members.finish(splices);
    Ok(())
}

/// Notes in the metadata that the text is not the original.
fn note_kind(
    turn: &Object<'_>,
    view: &View<'_>,
    kind: &str,
    members: &mut ArrayEdit<'_>,
    splices: &mut Splices,
) {
    let note = [r#""cutctx.kind":"#, &quoted(kind)].concat();
    let Some(metadata) = turn.get("metadata") else {
        return members.insert(turn.members().len(), [r#""metadata":{"#, &note, "}"].concat());
    };
    let Ok(Some(object)) = metadata.object() else {
        return splices.replace(metadata.span(), ["{", &note, "}"].concat());
    };
    if let Some(old) = object.get("cutctx.kind") {
        return splices.replace(old.span(), quoted(kind));
    }
    let spans = object.members().iter().map(Member::span);
    let mut notes = ArrayEdit::new(view.text(), metadata.span(), spans.collect());
    notes.insert(object.members().len(), note);
    notes.finish(splices);
}

/// The summary turns with the index of the turn before which each goes.
fn summaries(view: &View<'_>) -> Result<Vec<(usize, String)>, FormatError> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    let groups = view.groups();
    for turn in 0..view.turns() {
        if let Fate::SummarizedInto(group) = view.fate(turn) {
            let size = sizes.entry(group).or_default();
            *size = size.saturating_add(1);
        }
    }
    groups
        .into_iter()
        .map(|(turn, group)| {
            let size = sizes.get(group).copied().unwrap_or_default();
            Ok((turn, summary_turn(view, group, view.summary(group)?, size)))
        })
        .collect()
}

fn summary_turn(view: &View<'_>, group: &str, text: &str, size: usize) -> String {
    let id = quoted(&["summary:", group].concat());
    let (text, tokens, group) = (quoted(text), view.estimate(text), quoted(group));
    [
        r#"{"turn_id":"#,
        &id,
        r#","role":"assistant","content":"#,
        &text,
        r#","token_estimate":"#,
        &tokens.to_string(),
        r#","tool_call_id":null,"pinned":false,"metadata":{"cutctx.kind":"summary","cutctx.summary_group":"#,
        &group,
        r#","cutctx.replaced_turn_count":""#,
        &size.to_string(),
        r#""}}"#,
    ]
    .concat()
}
