//! Blocks of code in Markdown, between two fences.

use alloc::vec::Vec;
use core::iter::once;
use core::ops::Range;

/// The longest line that is kept as a fence, in bytes; of a longer one its beginning is.
const LONGEST_LINE: usize = 64;

/// The beginning and the end of a text, with the lines between them without which one would be read as code because of the
/// other; in order, apart and not empty.
///
/// A block that the beginning opens and the end does not stand in is closed by the line that closes it. One that opens
/// between them is opened by the line that opens it. Nothing is added that the text does not hold.
pub(super) fn whole(text: &str, head: usize, tail: usize) -> Vec<Range<usize>> {
    let fences = if tail < text.len() { Blocks::of(text, head, tail).needed() } else { Vec::new() };
    let has_fences = !fences.is_empty();
    let all = once(0..head).chain(fences).chain(once(tail..text.len()));
    let ranges: Vec<Range<usize>> = all.filter(|range| !range.is_empty()).collect();
    if has_fences { joined(text, ranges) } else { ranges }
}

/// Ranges without gaps of nothing but the end of a line.
fn joined(text: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let is_line_end = |gap: Range<usize>| matches!(text.get(gap), Some("" | "\n" | "\r\n"));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut().filter(|last| is_line_end(last.end..range.start)) {
            Some(last) => last.end = range.end,
            None => joined.push(range),
        }
    }
    joined
}

/// A line that opens or closes a block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fence {
    character: u8,
    /// How many of the character.
    length: usize,
    /// Whether something stands behind them: such a line opens a block and closes none.
    has_info: bool,
    /// Behind the last of them, in bytes.
    end: usize,
    /// Where the line stands, in bytes.
    line: Range<usize>,
}

impl Fence {
    /// The fence that the line at a place is, if it is one.
    fn at(line: Range<usize>, text: &str) -> Option<Self> {
        let written = text.get(line.clone())?;
        let bare = written.trim_start_matches(' ');
        let indent = written.len().saturating_sub(bare.len());
        let character = bare.bytes().next().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = bare.bytes().take_while(|byte| *byte == character).count();
        let info = bare.get(length..)?.trim();
        let end = line.start.saturating_add(indent).saturating_add(length);
        let is_fence = indent <= 3 && length >= 3 && !(character == b'`' && info.contains('`'));
        is_fence.then_some(Self { character, length, has_info: !info.is_empty(), end, line })
    }

    /// Whether it closes the block that another one opened.
    fn closes(&self, opening: &Self) -> bool {
        self.character == opening.character && self.length >= opening.length && !self.has_info
    }

    /// Its line, or the beginning of a long one.
    fn kept(&self, text: &str) -> Range<usize> {
        let mut end = self.line.end.min(self.line.start.saturating_add(LONGEST_LINE));
        while !text.is_char_boundary(end) {
            end = end.saturating_sub(1);
        }
        self.line.start..end
    }
}

/// The blocks that a gap takes from.
#[derive(Debug, Default)]
struct Blocks {
    /// The line in the gap that closes the block that the beginning leaves open.
    closing: Option<Range<usize>>,
    /// The line in the gap that opens the block that the end stands in.
    opening: Option<Range<usize>>,
    /// Whether the end reads as code of the block that the beginning left open.
    is_one_block: bool,
}

impl Blocks {
    fn of(text: &str, head: usize, tail: usize) -> Self {
        let mut open: Option<Fence> = None;
        let mut left_open: Option<Fence> = None;
        let mut closing = None;
        for fence in fences(text, tail) {
            let is_in_gap = fence.end > head;
            let closes = open.as_ref().is_some_and(|opening| fence.closes(opening));
            if closes && is_in_gap && left_open.is_some() && left_open == open {
                closing = Some(fence.kept(text));
            }
            if open.is_none() {
                open = Some(fence);
            } else if closes {
                open = None;
            }
            if !is_in_gap {
                left_open.clone_from(&open);
            }
        }
        let opened = open.filter(|fence| fence.end > head);
        let is_one_block = opened
            .as_ref()
            .zip(left_open.as_ref())
            .is_some_and(|(opened, left)| opened.character == left.character && opened.length == left.length);
        Self { closing, opening: opened.map(|fence| fence.kept(text)), is_one_block }
    }

    /// The lines that the ends cannot be without.
    fn needed(self) -> Vec<Range<usize>> {
        if self.is_one_block { Vec::new() } else { self.closing.into_iter().chain(self.opening).collect() }
    }
}

/// The fences among the lines that begin before a place, in order.
fn fences(text: &str, end: usize) -> impl Iterator<Item = Fence> {
    let mut next = 0_usize;
    let lines = text.split('\n').map(move |line| {
        let start = next;
        next = start.saturating_add(line.len()).saturating_add(1);
        start..start.saturating_add(line.strip_suffix('\r').unwrap_or(line).len())
    });
    lines.take_while(move |line| line.start < end).filter_map(|line| Fence::at(line, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use proptest::prelude::*;

    /// What stays of a text between two places of it.
    fn kept(text: &str, head: &str, tail: &str) -> Vec<String> {
        let (head, tail) = (text.find(head).unwrap().saturating_add(head.len()), text.find(tail).unwrap());
        whole(text, head, tail).into_iter().map(|range| String::from(text.get(range).unwrap())).collect()
    }

    #[test]
    fn a_block_that_the_beginning_opens_is_closed() {
        let text = "```rust\nfn a()\nfn b()\n```\nwords\nthe end";
        assert_eq!(kept(text, "fn a()", "the end"), ["```rust\nfn a()", "```", "the end"]);
        assert_eq!(kept(text, "fn b()", "the end"), ["```rust\nfn a()\nfn b()\n```", "the end"]);
    }

    #[test]
    fn a_block_that_the_end_stands_in_is_opened() {
        let text = "words\nmore\n~~~ text\nfirst\nlast\n~~~\n";
        assert_eq!(kept(text, "words", "last"), ["words", "~~~ text", "last\n~~~\n"]);
        assert_eq!(kept(text, "words", "first"), ["words", "~~~ text\nfirst\nlast\n~~~\n"]);
    }

    #[test]
    fn whole_blocks_go_whole_and_one_block_stays_one() {
        let text = "words\n```\ncode\n```\nmore\nthe end";
        assert_eq!(kept(text, "words", "the end"), ["words", "the end"]);
        let one = "```\nfirst\nmiddle\nlast\n```";
        assert_eq!(kept(one, "first", "last"), ["```\nfirst", "last\n```"]);
        let two = "```\nfirst\n```\nwords\n```\nlast\n```";
        assert_eq!(kept(two, "first", "last"), ["```\nfirst", "last\n```"]);
        let other = "```\nfirst\n```\nwords\n~~~\nmore\nlast\n~~~";
        assert_eq!(kept(other, "first", "last"), ["```\nfirst\n```", "~~~", "last\n~~~"]);
    }

    #[test]
    fn what_looks_like_a_fence_and_is_none_stays_out() {
        let indented = "    ```\nfirst\nmiddle\n    ```\nlast";
        assert_eq!(kept(indented, "first", "last"), ["    ```\nfirst", "last"]);
        let spoken = "```one``` is code\nmiddle\nmiddle\nlast";
        assert_eq!(kept(spoken, "code", "last"), ["```one``` is code", "last"]);
        let shorter = "````\nfirst\n```\nmiddle\n````\nlast";
        assert_eq!(kept(shorter, "first", "last"), ["````\nfirst", "````\nlast"]);
    }

    #[test]
    fn a_beginning_alone_is_followed_by_nothing_that_could_be_misread() {
        let text = "```\nfirst\nmiddle\n```\nlast";
        assert!(whole(text, 9, text.len()).into_iter().eq(once(0..9)));
    }

    /// Whether each line of a text is in a block of code.
    fn is_code(text: &str) -> Vec<(String, bool)> {
        let mut open: Option<Fence> = None;
        let mut next = 0_usize;
        let lines = text.split('\n').map(|line| {
            let start = next;
            next = start.saturating_add(line.len()).saturating_add(1);
            let fence = Fence::at(start..start.saturating_add(line.len()), text);
            match (fence, &open) {
                (Some(fence), None) => open = Some(fence),
                (Some(fence), Some(opening)) if fence.closes(opening) => open = None,
                _ => {}
            }
            (String::from(line), open.is_some())
        });
        lines.collect()
    }

    proptest! {
        #[test]
        fn what_stays_reads_as_it_did(
            lines in prop::collection::vec(prop::sample::select(vec!["```", "```js", "~~~", "````", "w", "x"]), 3..12),
            first in any::<prop::sample::Index>(),
            last in any::<prop::sample::Index>(),
        ) {
            let text = lines.join("\n");
            let starts: Vec<usize> = once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at.saturating_add(1)))
                .collect();
            let first = first.index(starts.len().saturating_sub(2)).saturating_add(1);
            let last = last.index(starts.len().saturating_sub(first).saturating_sub(1)).saturating_add(first).saturating_add(1);
            let (head, tail) = (starts[first].saturating_sub(1), starts[last]);
            let kept = whole(&text, head, tail);
            let cut: Vec<&str> = kept.iter().map(|range| text.get(range.clone()).unwrap()).collect();
            let before = is_code(&text);
            let after = is_code(&cut.join("\n\u{2026}\n"));
            let tail_lines = before.len().saturating_sub(last);
            let all = after.iter().skip(after.len().saturating_sub(tail_lines));
            prop_assert!(before.iter().skip(last).eq(all), "{text:?} {cut:?}");
            prop_assert!(before.iter().take(first).eq(after.iter().take(first)), "{text:?} {cut:?}");
        }
    }
}
