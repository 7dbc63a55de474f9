//! Just enough of JSON to find values in the arguments of a call, and where their texts stand.
//!
//! The scanner takes what it is given: text that is no JSON gives fewer tokens, or odd ones, and never
//! an error. Whoever depends on sound JSON checks what comes of it.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A value of a member of the outermost object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value<'t> {
    /// A text.
    Text(Cow<'t, str>),
    /// A list of texts and other values; the others as they are spelled.
    List(Vec<Cow<'t, str>>),
    /// A number or a word, as it is spelled.
    Other(&'t str),
    /// An object, or a list that holds lists or objects.
    Nested,
}

/// The members of an object with text, number, word and list values, in order; `None` for what is no object.
pub(crate) fn members(text: &str) -> Option<Vec<(Cow<'_, str>, Value<'_>)>> {
    let mut tokens = Tokens::of(text);
    if tokens.next()? != Token::Open('{') {
        return None;
    }
    let mut members = Vec::new();
    loop {
        match tokens.next()? {
            Token::Close('}') => return Some(members),
            Token::Comma => {}
            Token::Text(key) => {
                if tokens.next()? != Token::Colon {
                    return None;
                }
                let value = value(text, &mut tokens)?;
                members.push((unescaped(text.get(key)?), value));
            }
            Token::Open(_) | Token::Close(_) | Token::Colon | Token::Other(_) => return None,
        }
    }
}

/// Where the texts of values stand, keys left out: the inner bytes, without quotation marks.
pub(crate) fn value_texts(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut last_is_text = false;
    for token in Tokens::of(text) {
        if token == Token::Colon && last_is_text {
            found.pop();
        }
        last_is_text = matches!(token, Token::Text(_));
        if let Token::Text(range) = token {
            found.push(range);
        }
    }
    found
}

/// How long the first character of a text is, as JSON spells it: two halves of one character are one.
pub(crate) fn escape_or_character(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if first != '\\' {
        return Some(first.len_utf8());
    }
    let Some(escape) = text.chars().nth(1) else { return Some(1) };
    if escape != 'u' {
        return Some(escape.len_utf8().saturating_add(1));
    }
    let is_high = matches!(text.as_bytes(), [_, _, b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..]);
    let is_pair = is_high && text.get(6..8) == Some("\\u");
    let length = if is_pair { 12 } else { 6 };
    // What is no escape after all is taken character by character.
    Some(if text.is_char_boundary(length) { length } else { 1 })
}

fn value<'t>(text: &'t str, tokens: &mut Tokens<'t>) -> Option<Value<'t>> {
    Some(match tokens.next()? {
        Token::Text(range) => Value::Text(unescaped(text.get(range)?)),
        Token::Other(range) => Value::Other(text.get(range)?),
        Token::Open('[') => list(text, tokens)?,
        Token::Open(_) => {
            skip(tokens, 1)?;
            Value::Nested
        }
        Token::Close(_) | Token::Colon | Token::Comma => return None,
    })
}

fn list<'t>(text: &'t str, tokens: &mut Tokens<'t>) -> Option<Value<'t>> {
    let mut items = Vec::new();
    loop {
        match tokens.next()? {
            Token::Close(_) => return Some(Value::List(items)),
            Token::Text(range) => items.push(unescaped(text.get(range)?)),
            Token::Other(range) => items.push(Cow::Borrowed(text.get(range)?)),
            Token::Comma => {}
            Token::Open(_) | Token::Colon => {
                skip(tokens, 2)?;
                return Some(Value::Nested);
            }
        }
    }
}

/// Passes everything up to the end of this many open brackets.
fn skip(tokens: &mut Tokens<'_>, mut open: usize) -> Option<()> {
    while open > 0 {
        match tokens.next()? {
            Token::Open(_) => open = open.saturating_add(1),
            Token::Close(_) => open = open.saturating_sub(1),
            Token::Text(_) | Token::Other(_) | Token::Colon | Token::Comma => {}
        }
    }
    Some(())
}

/// The text that a string of JSON stands for; an escape that is none stays.
pub(crate) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(length) = escape_or_character(rest) {
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        match meaning(piece) {
            Some(character) => plain.push(character),
            None => plain.push_str(piece),
        }
        rest = after;
    }
    Cow::Owned(plain)
}

/// The character that an escape stands for.
fn meaning(escape: &str) -> Option<char> {
    let unit = |at: usize| u32::from_str_radix(escape.get(at..at.saturating_add(4))?, 16).ok();
    match escape {
        r"\n" => Some('\n'),
        r"\t" => Some('\t'),
        r"\r" => Some('\r'),
        r"\b" => Some('\u{8}'),
        r"\f" => Some('\u{c}'),
        r#"\""# | r"\\" | r"\/" => escape.chars().nth(1),
        _ if escape.len() == 6 => char::from_u32(unit(2)?),
        _ if escape.len() == 12 => {
            let (high, low) = (unit(2)?.checked_sub(0xd800)?, unit(8)?.checked_sub(0xdc00)?);
            char::from_u32(high.checked_mul(0x400)?.checked_add(low)?.checked_add(0x1_0000)?)
        }
        _ => None,
    }
}

/// A token, with the bytes of those that say something.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Open(char),
    Close(char),
    Colon,
    Comma,
    /// A text, without its quotation marks.
    Text(Range<usize>),
    /// A number, a word, or what is no JSON.
    Other(Range<usize>),
}

/// The tokens of a text, in one pass.
struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    const fn of(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn pass(&mut self, bytes: usize) -> Range<usize> {
        let start = self.at;
        self.at = start.saturating_add(bytes);
        start..self.at
    }

    /// A text whose first quotation mark is passed already.
    fn string(&mut self) -> Option<Token> {
        let mut escaped = false;
        let is_end = |byte: u8| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        };
        let length = self.rest().bytes().position(is_end)?;
        let range = self.pass(length);
        self.pass(1);
        Some(Token::Text(range))
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.pass(self.rest().bytes().take_while(|byte| is_space(byte)).count());
        let first = self.rest().chars().next()?;
        match first {
            '{' | '[' | '}' | ']' | ':' | ',' | '"' => {
                self.pass(1);
            }
            _ => {
                let ends = |character: char| {
                    matches!(character, '{' | '[' | '}' | ']' | ':' | ',' | '"' | ' ' | '\t' | '\n' | '\r')
                };
                let length = self.rest().find(ends).unwrap_or(self.rest().len());
                return Some(Token::Other(self.pass(length)));
            }
        }
        match first {
            '{' | '[' => Some(Token::Open(first)),
            '}' | ']' => Some(Token::Close(first)),
            ':' => Some(Token::Colon),
            ',' => Some(Token::Comma),
            _ => self.string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn text(value: &str) -> Value<'_> {
        Value::Text(Cow::Borrowed(value))
    }

    #[test]
    fn members_of_the_outermost_object_are_read() {
        let json = r#" {"a": "x\ny", "b":[1,"two"], "c":{"d":"e"},"f":null ,"g":[[1],{}], "h":"\ud83d\ude00\u00e9"} "#;
        let read = members(json).unwrap();
        let expected = vec![
            ("a", text("x\ny")),
            ("b", Value::List(vec!["1".into(), "two".into()])),
            ("c", Value::Nested),
            ("f", Value::Other("null")),
            ("g", Value::Nested),
            ("h", text("\u{1f600}é")),
        ];
        assert_eq!(read, expected.into_iter().map(|(key, value)| (key.into(), value)).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        for json in
            ["", "[1]", "\"x\"", "{", r#"{"a"}"#, r#"{"a":}"#, r#"{"a":"#, r#"{"a":"x"#, "ls -l", "{1:2}"]
        {
            assert_eq!(members(json), None, "{json}");
        }
        assert_eq!(members("{}"), Some(vec![]));
    }

    #[test]
    fn keys_are_not_among_the_texts_of_values() {
        let json = r#"{"key":"one","list":["two",{"three":"four \" }"}]}"#;
        let texts: Vec<&str> = value_texts(json).into_iter().map(|range| json.get(range).unwrap()).collect();
        assert_eq!(texts, ["one", "two", r#"four \" }"#]);
    }

    #[test]
    fn an_escape_is_one_character_and_so_are_two_halves_of_one() {
        let mut rest = r"ab\n\u00e9\ud83d\ude00é\";
        let mut lengths = Vec::new();
        while let Some(length) = escape_or_character(rest) {
            lengths.push(length);
            rest = rest.get(length..).unwrap();
        }
        assert_eq!(lengths, [1, 1, 2, 6, 12, 2, 1]);
    }
}
