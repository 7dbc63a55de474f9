//! Summaries, links and the first entry that is kept.

use alloc::string::{String, ToString};

use super::{Compaction, Entries};
use crate::error::FormatError;
use crate::layout::{Edited, Spelling};
use crate::note::NoteKind;
use crate::raw::{Object, quoted};
use crate::shapes::{fresh_id, object_in, short};
use crate::view::View;

/// How many entries are searched for the time of a message.
const NEAR: usize = 32;

impl Spelling for Entries {
    /// A message of the user. The text that follows an earlier summary is written in that one's place.
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        let earlier = self.compaction.and_then(|compaction| compaction.summary);
        if earlier.is_some_and(|earlier| earlier.is_followed_by(group, view)) {
            return String::new();
        }
        let id = self.new_id(group, view);
        let (timestamp, milliseconds) = self.times(before, view);
        let content = [r#"[{"type":"text","text":"#, &quoted(text), "}]"].concat();
        let message =
            [r#"{"role":"user","content":"#, &content, r#","timestamp":"#, &milliseconds, "}"].concat();
        [r#"{"type":"message","#, &id, r#""timestamp":"#, &timestamp, r#","message":"#, &message, "}"]
            .concat()
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        if let Some(summary) = self.compaction.and_then(|compaction| compaction.summary) {
            summary.finish(edited, view)?;
        }
        self.links.mend(edited, view.text());
        if let Some(compaction) = &self.compaction {
            self.mend_kept(compaction, edited, view.text());
        }
        Ok(())
    }
}

impl Entries {
    /// The fields that link a new entry; the first version has none.
    fn new_id(&self, group: &str, view: &View<'_>) -> String {
        if !self.links.is_linked() {
            return String::new();
        }
        let id = fresh_id(group, short, |id| self.links.is_taken(id, view.text()));
        [r#""id":"#, &quoted(&id), r#","parentId":null,"#].concat()
    }

    /// The time of an entry and that of the next message, as JSON.
    fn times(&self, record: usize, view: &View<'_>) -> (String, String) {
        let last = self.places.len().saturating_sub(1);
        let entries = self.places.iter().skip(record.min(last)).take(NEAR);
        let mut objects = entries.filter_map(|place| Object::parse(place.of(view.text()), 0).ok());
        let Some(first) = objects.next() else { return (String::from(r#""""#), String::from("0")) };
        let timestamp = first.get("timestamp").map_or(r#""""#, |time| time.text());
        let milliseconds = core::iter::once(first.clone()).chain(objects).find_map(|entry| {
            object_in(&entry, "message")?.get("timestamp").map(|time| time.text().to_string())
        });
        (String::from(timestamp), milliseconds.unwrap_or_else(|| String::from("0")))
    }

    /// Names the first entry that is kept, when that is another one now.
    fn mend_kept(&self, compaction: &Compaction, edited: &mut Edited, text: &str) {
        let Some((first, place)) = compaction.kept else { return };
        let stays = |record: &usize| edited.gone.get(*record) != Some(&true);
        let kept = self.links.chain.iter().copied().skip_while(|record| *record != first);
        let kept = kept.take_while(|record| *record != compaction.record).find(stays);
        let wanted = kept.unwrap_or(compaction.record);
        let added = edited.added.iter().find(|(before, _)| *before >= first && *before <= wanted);
        if self.links.is_linked() {
            let own = self.links.id(wanted).map(|id| id.of(text));
            let new = added.and_then(|(_, record)| Some(Object::parse(record, 0).ok()?.get("id")?.text()));
            let name = new.or(own).map(String::from);
            if let Some(name) = name.filter(|name| name != place.of(text)) {
                edited.splices.note(NoteKind::LinksRewritten, place.start);
                edited.splices.replace(place, name);
            }
            return;
        }
        let target = added.map_or(wanted, |(before, _)| *before);
        let old = (0..target).filter(stays).count();
        let new = edited.added.iter().filter(|(before, _)| *before < target).count();
        let index = old.saturating_add(new).to_string();
        if index != place.of(text) {
            edited.splices.note(NoteKind::LinksRewritten, place.start);
            edited.splices.replace(place, index);
        }
    }
}
