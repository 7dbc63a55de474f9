//! One way through a file, along what turns stand in.

use alloc::borrow::{Cow, ToOwned};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::places::{Places, Said};
use super::{Ballast, BallastGroup};
use crate::raw::{Line, Member, Node};

/// How many groups are told apart. What comes after them is `other`.
const MOST_GROUPS: usize = 256;

/// How long a name may be, in bytes: what is longer is no name but a text.
const LONGEST_NAME: usize = 48;

/// A value in the file, and the same value in the text that is held; `None` where it is not held.
#[derive(Clone, Copy)]
pub(super) struct Pair<'t> {
    whole: Node<'t>,
    held: Option<Node<'t>>,
}

impl<'t> Pair<'t> {
    /// A value of a text that is held as it is.
    pub(super) const fn same(node: Node<'t>) -> Self {
        Self { whole: node, held: Some(node) }
    }

    /// The members of an object. What is held of them stands in the same order.
    fn members(self) -> Option<Vec<(Member<'t>, Self)>> {
        let held = self.held.and_then(|held| held.object().ok()?).unwrap_or_default();
        let mut held = held.members().iter().peekable();
        let whole = self.whole.object().ok()??;
        let paired = whole.members().iter().map(|member| {
            let same = held.next_if(|held| held.key.text() == member.key.text());
            (*member, Self { whole: member.value, held: same.map(|held| held.value) })
        });
        Some(paired.collect())
    }

    fn elements(self) -> Option<Vec<Self>> {
        let held = self.held.and_then(|held| held.array().ok()?).unwrap_or_default();
        let whole = self.whole.array().ok()??;
        let held = held.into_iter().map(Some).chain(core::iter::repeat(None));
        Some(whole.into_iter().zip(held).map(|(whole, held)| Self { whole, held }).collect())
    }
}

/// What was found so far, and where it goes on.
pub(super) struct Walk {
    places: Places,
    said: usize,
    groups: BTreeMap<(String, bool), (usize, usize)>,
    /// The path to the value that is looked at.
    path: String,
}

impl Walk {
    pub(super) const fn new(places: Places) -> Self {
        Self { places, said: 0, groups: BTreeMap::new(), path: String::new() }
    }

    /// A line as it is held, and as it stands in the file.
    pub(super) fn line(&mut self, held: Line<'_>, whole: Line<'_>) {
        let node = whole.value().ok();
        let held_node = held.value().ok();
        match (node, self.places.look(held.span)) {
            (Some(whole), Said::Some | Said::All) => self.record(Pair { whole, held: held_node }),
            (node, _) => {
                let what = node.map_or(Cow::Borrowed("no JSON"), name_of);
                let what = if whole.trimmed().is_empty() { "blank lines" } else { what.as_ref() };
                self.add(what, true, whole.span.len());
            }
        }
    }

    /// A record of a list.
    pub(super) fn record(&mut self, pair: Pair<'_>) {
        let name = name_of(pair.whole);
        if self.look(pair) == Said::Nothing {
            self.add(&name, true, pair.whole.span().len());
            return;
        }
        self.path.push_str(&name);
        self.inside(pair, pair.whole.start());
        self.path.clear();
    }

    /// A document that holds its records somewhere.
    pub(super) fn document(&mut self, pair: Pair<'_>) {
        if self.look(pair) == Said::Nothing {
            self.record(pair);
        } else {
            self.inside(pair, pair.whole.start());
        }
    }

    fn look(&self, pair: Pair<'_>) -> Said {
        pair.held.map_or(Said::Nothing, |held| self.places.look(held.span()))
    }

    /// A value under the present path; as ballast it begins with its key, at `start`.
    fn inside(&mut self, pair: Pair<'_>, start: usize) {
        match self.look(pair) {
            Said::All => self.said = self.said.saturating_add(pair.whole.span().len()),
            Said::Nothing => {
                let path = core::mem::take(&mut self.path);
                self.add(&path, false, pair.whole.end().saturating_sub(start));
                self.path = path;
            }
            Said::Some => self.children(pair),
        }
    }

    fn children(&mut self, pair: Pair<'_>) {
        let length = self.path.len();
        for (member, value) in pair.members().into_iter().flatten() {
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(&tidy(member.key.string()));
            self.inside(value, member.key.start());
            self.path.truncate(length);
        }
        self.path.push_str("[]");
        for element in pair.elements().into_iter().flatten() {
            self.inside(element, element.whole.start());
        }
        self.path.truncate(length);
    }

    fn add(&mut self, what: &str, whole: bool, bytes: usize) {
        let known = self.groups.len() < MOST_GROUPS || self.groups.contains_key(&(what.to_owned(), whole));
        let what = if known { what } else { "other" };
        let (count, sum) = self.groups.entry((what.to_owned(), whole)).or_default();
        *count = count.saturating_add(1);
        *sum = sum.saturating_add(bytes);
    }

    /// What was found in a file of this size.
    pub(super) fn finish(self, file_bytes: usize) -> Ballast {
        let group =
            |((what, whole_records), (count, bytes))| BallastGroup { what, whole_records, count, bytes };
        let mut groups: Vec<BallastGroup> = self.groups.into_iter().map(group).collect();
        groups.sort_by_key(|group| Reverse(group.bytes));
        let ballast_bytes = groups.iter().map(|group| group.bytes).fold(0, usize::saturating_add);
        let structure_bytes = file_bytes.saturating_sub(self.said).saturating_sub(ballast_bytes);
        Ballast { said_bytes: self.said, ballast_bytes, structure_bytes, groups }
    }
}

/// What a record is, by its own word.
fn name_of(node: Node<'_>) -> Cow<'_, str> {
    let object = node.object().ok().flatten();
    let named = |key: &str| object.as_ref().and_then(|object| object.string(key));
    named("type").or_else(|| named("role")).map_or(Cow::Borrowed("record"), |name| tidy(Some(name)))
}

/// A name that can be shown: what is long or has other characters than names have may be a text.
fn tidy(name: Option<Cow<'_, str>>) -> Cow<'_, str> {
    let is_name = |name: &str| {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:$@".contains(letter);
        !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(plain)
    };
    match name {
        Some(name) if is_name(&name) => name,
        Some(_) | None => Cow::Borrowed("(unnamed)"),
    }
}
