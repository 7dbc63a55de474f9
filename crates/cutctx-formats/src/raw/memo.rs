//! What large values hold, remembered while a file is read.
//!
//! To recognise a format many readers look at the same few values of a file, and each of these may be nearly all of it.
//! So a large value is gone through once, and its children are remembered by their places.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::fmt;

use super::check;
use super::ends::Ends;
use super::node::{Member, Node};

/// How many bytes a value must have to be remembered.
pub(super) const LARGE: usize = 512;

/// The children of the large values of one text that have been opened so far.
#[derive(Default)]
pub(crate) struct Memo {
    /// By the offset of the value in the file.
    opened: RefCell<BTreeMap<usize, Vec<Child>>>,
    ends: RefCell<Ends>,
    /// Whether children are not kept: those of lines, which are opened one by one.
    of_lines: Cell<bool>,
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memo").field("opened", &self.opened.borrow().len()).finish_non_exhaustive()
    }
}

/// A key, a value or an element, by the distance of its ends from the beginning of what holds it.
#[derive(Clone, Copy)]
struct Child {
    start: u32,
    /// The end, shifted by a bit that says whether it is a string in which nothing is escaped.
    end: u32,
}

/// Values beyond this size are not remembered.
const MOST: usize = 1 << 31;

impl Memo {
    /// The one value that a text is, if it is one; what is large in it is remembered.
    pub(crate) fn check<'a>(&'a self, text: &'a str, start: usize) -> Option<Node<'a>> {
        let mut ends = self.ends.borrow_mut();
        let mut noting = ends.noting(start);
        let node = check::noted_value(text, start, &mut noting);
        if node.is_none() {
            noting.gives_up();
        }
        Some(node?.remembered_in(self))
    }

    /// For a file of lines: only the ends of what is large are remembered.
    pub(crate) fn keep_ends_only(&self) {
        self.of_lines.set(true);
    }

    pub(super) fn keeps(&self) -> bool {
        !self.of_lines.get()
    }

    pub(super) fn end_of(&self, start: usize) -> Option<usize> {
        self.ends.borrow().of(start)
    }

    /// The children of a value, if it was opened before.
    pub(super) fn children<'a>(&self, node: &Node<'a>) -> Option<Vec<Node<'a>>> {
        let opened = self.opened.borrow();
        opened.get(&node.start())?.iter().map(|child| child.of(node)).collect()
    }

    /// The members of an object, if it was opened before.
    pub(super) fn members<'a>(&self, node: &Node<'a>) -> Option<Vec<Member<'a>>> {
        let opened = self.opened.borrow();
        let pairs = opened.get(&node.start())?.chunks_exact(2);
        let member = |pair: &[Child]| match pair {
            [key, value] => Some(Member::new(key.of(node)?, value.of(node)?)),
            _ => None,
        };
        pairs.map(member).collect()
    }

    /// Remembers the children of a value.
    pub(super) fn keep(&self, node: &Node<'_>, children: &[Node<'_>]) {
        self.insert(node, children.iter().map(|child| Child::new(child, node)).collect());
    }

    /// Remembers the members of an object.
    pub(super) fn keep_members(&self, node: &Node<'_>, members: &[Member<'_>]) {
        let children = members.iter().flat_map(|member| [member.key, member.value]);
        self.insert(node, children.map(|child| Child::new(&child, node)).collect());
    }

    fn insert(&self, node: &Node<'_>, children: Vec<Child>) {
        if node.text().len() < MOST {
            self.opened.borrow_mut().insert(node.start(), children);
        }
    }
}

impl Child {
    /// Called with children of values below [`MOST`]: nothing is cut.
    fn new(child: &Node<'_>, node: &Node<'_>) -> Self {
        let place = |offset: usize| u32::try_from(offset.saturating_sub(node.start())).unwrap_or(u32::MAX);
        let end = place(child.end()).wrapping_shl(1);
        Self { start: place(child.start()), end: end | u32::from(child.is_plain()) }
    }

    fn of<'a>(self, node: &Node<'a>) -> Option<Node<'a>> {
        let place = |offset: u32| usize::try_from(offset).ok();
        let (start, end) = (place(self.start)?, place(self.end >> 1)?);
        Some(node.child(node.text().get(start..end)?, start, self.end & 1 == 1))
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    fn shown(nodes: &[Node<'_>]) -> Vec<(String, usize)> {
        nodes.iter().map(|node| (String::from(node.text()), node.start())).collect()
    }

    #[test]
    fn a_value_opened_twice_is_the_same_and_gone_through_once() {
        let long = "x".repeat(LARGE);
        let text = format!(r#"{{"a": ["{long}", 1, {{"b\n":"é"}}], "plain": "{long}"}}"#);
        let (memo, fresh) = (Memo::default(), Node::parse(&text, 9).unwrap());
        let node = memo.check(&text, 9).unwrap();
        for _ in 0..2 {
            let [ours, plain] = [node, fresh].map(|node| node.object().unwrap().unwrap());
            assert_eq!(format!("{ours:?}"), format!("{plain:?}"));
            let [ours, plain] =
                [ours, plain].map(|object| object.get("a").unwrap().array().unwrap().unwrap());
            assert_eq!(shown(&ours), shown(&plain));
            assert_eq!(ours.iter().map(Node::is_plain).collect::<Vec<_>>(), [true, false, false]);
        }
        assert_eq!(memo.opened.borrow().len(), 2);
    }
    #[test]
    fn the_ends_of_what_is_large_are_noted_and_no_others() {
        let long = "x".repeat(60);
        let text = format!(r#"[[1],{{"a":["{long}"],"b":[]}}, [["{long}"]],"{long}"]"#);
        let memo = Memo::default();
        let node = memo.check(&text, 5).unwrap();
        let elements = node.array().unwrap().unwrap();
        let noted: Vec<_> = elements.iter().map(|element| memo.end_of(element.start())).collect();
        let end = |index: usize| Some(elements[index].end());
        assert_eq!(noted, [None, end(1), end(2), None]);
        assert_eq!(shown(&elements), shown(&Node::parse(&text, 5).unwrap().array().unwrap().unwrap()));
        // A text before those that were noted, one that is cut short, and one behind them.
        assert!(memo.check(&text, 0).is_some() && memo.end_of(0).is_none());
        assert!(memo.check(text.get(..150).unwrap(), 1_000).is_none() && memo.end_of(1_000).is_none());
        assert!(memo.check(&text, 2_000).is_some());
        assert_eq!(memo.end_of(2_000), Some(text.len() + 2_000));
        assert_eq!(memo.end_of(5), Some(node.end()));
    }
}
