//! What of a line need not be held: found in one walk over its text.

use alloc::vec::Vec;

use super::stand_in;
use super::worth::Worth;
use crate::raw::Span;

/// A stretch of a line that stays in the file. Places are offsets in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) span: Span,
    pub(super) kind: CutKind,
}

/// What is cut out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CutKind {
    /// Members that nobody reads, with their commas.
    Ballast,
    /// The middle of a string whose text becomes text of a turn.
    Text,
    /// The middle of a string inside of JSON that becomes text of a turn as it is spelled.
    Json,
}

/// The cuts of a line, in order and apart from each other. A line that is no JSON object has none.
pub(super) fn cuts(line: &str, worth: &Worth) -> Vec<Cut> {
    let mut walk = Walk { line, at: 0, cuts: Vec::new() };
    if walk.token() == b'{' {
        walk.value(worth);
    }
    walk.cuts
}

/// The names of members with what they are worth.
type Named = [(&'static str, Worth)];

/// A walk over text that is known to be JSON. On any other text it ends somewhere.
struct Walk<'l> {
    line: &'l str,
    at: usize,
    cuts: Vec<Cut>,
}

impl Walk<'_> {
    fn value(&mut self, worth: &Worth) {
        match (worth, self.token()) {
            (Worth::Members(named), b'{') => self.members(named),
            (Worth::Blocks(named), b'{') => self.all_members(named, worth, &Worth::Whole),
            (Worth::Json, b'{') => self.all_members(&[], worth, worth),
            (Worth::Blocks(_) | Worth::Json, b'[') => self.elements(worth),
            (Worth::Blocks(_) | Worth::Said, b'"') if stand_in::is_tagged(self.rest()) => self.skip(),
            (Worth::Blocks(_) | Worth::Said | Worth::Text, b'"') => self.text(CutKind::Text),
            (Worth::Json, b'"') => self.text(CutKind::Json),
            _ => self.skip(),
        }
    }

    fn elements(&mut self, worth: &Worth) {
        let mut first = true;
        while self.enter(&mut first, b']') {
            self.value(worth);
        }
    }

    /// Members that all stay: the named ones are worth what they say, the others as much as `others`.
    fn all_members(&mut self, named: &'static Named, blocks: &Worth, others: &Worth) {
        let mut first = true;
        while self.enter(&mut first, b'}') {
            let worth = self.key_in(named).map_or(others, |(_, worth)| worth);
            let is_list = matches!(worth, Worth::Text) && self.token() != b'"';
            self.value(if is_list { blocks } else { worth });
        }
    }

    /// Members of which only the named ones stay.
    fn members(&mut self, named: &'static Named) {
        let (mut first, mut gap, mut kept) = (true, Gap::default(), Vec::new());
        while self.enter(&mut first, b'}') {
            let start = self.at;
            if let Some((_, worth)) = self.key_in(named).filter(|found| self.counts(*found, &mut kept)) {
                self.cuts.extend(gap.closed_before(start));
                self.value(worth);
                gap.kept_end = Some(self.at);
            } else {
                self.skip();
                gap.widen(Span { start, end: self.at });
            }
        }
        self.cuts.extend(gap.run.map(Cut::ballast));
    }

    /// Whether the value that comes next counts. Of a repeated key the last value is read, so one that does not count
    /// stays behind one that does.
    fn counts(&self, (member, worth): (usize, &Worth), kept: &mut Vec<usize>) -> bool {
        let Worth::OneOf(values) = worth else { return true };
        let rest = self.rest();
        let is = |value: &&str| {
            let after = rest.strip_prefix(*value).map(|after| after.bytes().next().unwrap_or_default());
            after.is_some_and(|byte| ends(byte) || byte == b'}')
        };
        let counts = values.iter().any(is) || kept.contains(&member);
        if counts {
            kept.push(member);
        }
        counts
    }

    /// Reads a key and the colon after it, and finds it among the named ones. A key with escapes counts as one that is
    /// read.
    fn key_in(&mut self, named: &'static Named) -> Option<(usize, &'static Worth)> {
        let quote = self.at;
        self.skip();
        let key = Span { start: quote.saturating_add(1), end: self.at.saturating_sub(1) }.of(self.line);
        if self.token() == b':' {
            self.step();
        }
        self.token();
        let found = named.iter().position(|(name, _)| *name == key);
        let escaped = || key.contains('\\').then_some((usize::MAX, &Worth::Whole));
        found.and_then(|place| Some((place, &named.get(place)?.1))).or_else(escaped)
    }

    /// Steps to the next member or element; past the end it is false.
    fn enter(&mut self, first: &mut bool, close: u8) -> bool {
        if !core::mem::take(first) && self.token() != b',' {
            self.step();
            return false;
        }
        self.step();
        let found = self.token();
        if found == close {
            self.step();
        }
        found != close && found != 0
    }

    fn text(&mut self, kind: CutKind) {
        let start = self.at.saturating_add(1);
        self.skip();
        let inside = Span { start, end: self.at.saturating_sub(1) };
        if let Some(middle) = stand_in::middle(inside.of(self.line)) {
            let place = |inside: usize| start.saturating_add(inside);
            self.cuts.push(Cut { span: Span { start: place(middle.start), end: place(middle.end) }, kind });
        }
    }

    /// Steps over one value.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.token() {
                b'"' => self.skip_string(),
                b'{' | b'[' => {
                    depth = depth.saturating_add(1);
                    self.step();
                    continue;
                }
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    self.step();
                }
                0 => return,
                _ => self.skip_while(|byte| !matches!(byte, b'"' | b'{' | b'[' | b'}' | b']') && !ends(byte)),
            }
            if depth == 0 {
                return;
            }
            self.skip_while(|byte| matches!(byte, b',' | b':') || byte.is_ascii_whitespace());
        }
    }

    fn skip_string(&mut self) {
        self.step();
        loop {
            self.skip_while(|byte| !matches!(byte, b'"' | b'\\'));
            let found = self.byte();
            self.step();
            match found {
                b'\\' => self.step(),
                _ => return,
            }
        }
    }

    fn rest(&self) -> &str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn skip_while(&mut self, skipped: impl Fn(u8) -> bool) {
        let rest = self.rest().as_bytes();
        let length = rest.iter().position(|byte| !skipped(*byte)).unwrap_or(rest.len());
        self.at = self.at.saturating_add(length);
    }

    /// The first byte of the next token; zero at the end.
    fn token(&mut self) -> u8 {
        self.skip_while(|byte| byte.is_ascii_whitespace());
        self.byte()
    }

    fn byte(&self) -> u8 {
        self.line.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// Steps over one byte. Past the end there is no step.
    fn step(&mut self) {
        self.at = self.at.saturating_add(1).min(self.line.len());
    }
}

/// Whether a number or a word ends before this byte.
const fn ends(byte: u8) -> bool {
    matches!(byte, b',' | b':') || byte.is_ascii_whitespace()
}

/// Members of an object that go, while they follow each other.
#[derive(Debug, Default)]
struct Gap {
    run: Option<Span>,
    /// Where the last member that stays ends.
    kept_end: Option<usize>,
}

impl Gap {
    /// One more member goes. The comma before it goes too, where it stands behind a member that stays.
    fn widen(&mut self, member: Span) {
        let start = self.run.map_or_else(|| self.kept_end.unwrap_or(member.start), |run| run.start);
        self.run = Some(Span { start, end: member.end });
    }

    /// A member that stays begins here. Without one before it, the comma behind the gap goes.
    fn closed_before(&mut self, start: usize) -> Option<Cut> {
        let run = self.run.take()?;
        let end = if self.kept_end.is_none() { start } else { run.end };
        Some(Cut::ballast(Span { start: run.start, end }))
    }
}

impl Cut {
    const fn ballast(span: Span) -> Self {
        Self { span, kind: CutKind::Ballast }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use proptest::prelude::*;

    use super::*;

    const BLOCKS: Worth =
        Worth::Blocks(&[("text", Worth::Said), ("content", Worth::Text), ("input", Worth::Json)]);
    const LINE: Worth = Worth::Members(&[
        ("id", Worth::Whole),
        ("on", Worth::OneOf(&["true", "\"yes\""])),
        ("message", Worth::Members(&[("role", Worth::Whole), ("content", BLOCKS)])),
    ]);

    fn left(line: &str) -> String {
        let mut left = String::new();
        let mut done = 0;
        for cut in cuts(line, &LINE) {
            assert!(cut.span.start >= done && !cut.span.is_empty(), "{cut:?}");
            left.push_str(Span { start: done, end: cut.span.start }.of(line));
            if cut.kind != CutKind::Ballast {
                left.push_str(if cut.kind == CutKind::Text { "<T>" } else { "<J>" });
            }
            done = cut.span.end;
        }
        left + line.get(done..).unwrap()
    }

    #[test]
    fn members_that_nobody_reads_go_with_their_commas() {
        for (line, expected) in [
            (r#"{"id":1,"a":2}"#, r#"{"id":1}"#),
            (r#"{"a":2,"id":1}"#, r#"{"id":1}"#),
            (
                r#" { "a" : [1,{"id":3}] , "b":"},\"" , "id" : 1 , "c":{} , "d":-1.5e3 } "#,
                r#" { "id" : 1 } "#,
            ),
            (r#"{"id":1,"a":true,"id":2,"b":null}"#, r#"{"id":1,"id":2}"#),
            (r#"{"a":1,"b":2}"#, "{}"),
            ("{}", "{}"),
            (r#"{"message":"x","a":1}"#, r#"{"message":"x"}"#),
            (r#"{"message":{"model":"m","role":"r","usage":{}},"a":0}"#, r#"{"message":{"role":"r"}}"#),
            (r#"{"\u0069d":1,"a":1}"#, r#"{"\u0069d":1}"#),
            ("[1]", "[1]"),
            ("", ""),
            (r#"{"on":false,"id":1}"#, r#"{"id":1}"#),
            (
                r#"{"on":true,"id":1,"on" : "yes" ,"on":truest}"#,
                r#"{"on":true,"id":1,"on" : "yes" ,"on":truest}"#,
            ),
            (r#"{"on":false,"on":true}"#, r#"{"on":true}"#),
            (r#"{"on":"yes}","on":"no","id":1}"#, r#"{"id":1}"#),
        ] {
            assert_eq!(left(line), expected, "{line}");
        }
    }

    #[test]
    fn of_long_texts_the_middle_goes_wherever_they_stand() {
        let long = "a long word, ".repeat(60);
        let (head, _) = long.split_at(64);
        let (_, tail) = long.split_at(long.len() - 32);
        let line = |text: &str| {
            format!(
                r#"{{"message":{{"content":[{{"type":"t","content":"{text}"}},{{"content":[{{"text":"{text}"}}]}},{{"input":{{"a":["{text}"]}}}},{{"data":"{long}"}}]}}}}"#
            )
        };
        let expected = line("@").replacen('@', &format!("{head}<T>{tail}"), 2);
        let expected = expected.replacen('@', &format!("{head}<J>{tail}"), 1);
        assert_eq!(left(&line(&long)), expected);
        let plain = left(&format!(r#"{{"message":{{"content":"{long}"}}}}"#));
        assert_eq!(plain, format!(r#"{{"message":{{"content":"{head}<T>{tail}"}}}}"#));
    }

    #[test]
    fn of_what_begins_with_a_tag_all_stays() {
        let tagged = format!("  \\n<note>{}", "a long word, ".repeat(60));
        let said = format!(
            r#"{{"message":{{"content":[{{"text":"{tagged}"}},{{"content":[{{"text":"{tagged}"}}]}}]}}}}"#
        );
        assert_eq!(left(&said), said);
        let result = format!(r#"{{"message":{{"content":[{{"content":"{tagged}"}}]}}}}"#);
        assert!(left(&result).contains("<T>"));
    }

    /// What `serde_json` makes of a line after taking the same members out.
    fn slowly(line: &str) -> serde_json::Value {
        let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(members) = value.as_object_mut() {
            members.retain(|key, _| ["id", "message"].contains(&key.as_str()));
            if let Some(message) = members.get_mut("message").and_then(serde_json::Value::as_object_mut) {
                message.retain(|key, _| ["role", "content"].contains(&key.as_str()));
            }
        }
        value
    }

    fn json() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            r"-?[1-9][0-9]{0,3}(\.[0-9]{1,2})?([eE][+-]?[0-9])?".prop_map(String::from),
            Just(String::from("null")),
            Just(String::from("true")),
            r#""([a-z{}\[\]:, é]|\\[n"\\]|\\u00e9){0,8}""#.prop_map(String::from),
        ];
        leaf.prop_recursive(5, 48, 5, |inner| {
            let key = prop::sample::select(&["id", "message", "role", "content", "a", "input"][..]);
            let gap = prop::sample::select(&["", " ", "\t "][..]);
            let member = (key, gap, inner.clone())
                .prop_map(|(key, gap, value)| format!("{gap}\"{key}\"{gap}:{gap}{value}{gap}"));
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(|all| format!("[{}]", all.join(" ,"))),
                prop::collection::vec(member, 0..6).prop_map(|all| format!("{{{}}}", all.join(","))),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn what_is_left_is_what_a_parser_finds(line in json()) {
            let left = left(&line);
            if line.starts_with('{') {
                let left: serde_json::Value = serde_json::from_str(&left).unwrap();
                prop_assert_eq!(left, slowly(&line));
            } else {
                prop_assert_eq!(left, line);
            }
        }

        #[test]
        fn a_walk_over_anything_ends(line in r#"[{}\[\]":,\\a1 ]{0,40}"#) {
            prop_assert!(cuts(&line, &LINE).len() <= line.len());
        }
    }
}
