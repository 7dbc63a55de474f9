//! Objects inside of objects and arrays, taken apart while what holds them is read: one pass over the text for two
//! levels of it.

use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::node::{Kind, Member, Node, Object};
use super::parse::{SyntaxError, known, located, placed, placed_key};
use super::splices::Span;
use super::walk;

/// The members that an object has room for before it grows.
const ROOM: usize = 16;

/// The members of an object, and the members of the object under the key `inner` (JSON text, the last one counts).
pub(super) fn members_and_inner<'a>(
    text: &'a str,
    start: usize,
    inner: &str,
) -> Result<Outer<'a>, SyntaxError> {
    if let Some(outer) = known(text, start, Kind::Object).and_then(|node| known_outer(&node, inner)) {
        return Ok(outer);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let visitor = OuterMembers { file: Stretch { text, start }, inner };
    let found = reader.deserialize_map(visitor).map_err(|error| located(&error, text, start))?;
    reader.end().map_err(|error| located(&error, text, start))?;
    Ok(found)
}

fn known_outer<'a>(node: &Node<'a>, inner: &str) -> Option<Outer<'a>> {
    let members = walk::members(node)?;
    let value = members.iter().rev().find(|member| member.key.text() == inner).map(|member| member.value);
    let object = match value.filter(|value| value.kind() == Kind::Object) {
        Some(value) => Some(Object::new(value.span(), walk::members(&value)?)),
        None => None,
    };
    Some((members, object))
}

/// The elements of an array; what is no object is `None`.
pub(super) fn objects(text: &str, start: usize) -> Result<Vec<Option<Object<'_>>>, SyntaxError> {
    if let Some(objects) = known(text, start, Kind::Array).and_then(|node| walk::objects(&node)) {
        return Ok(objects);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let visitor = Elements { file: Stretch { text, start } };
    let found = reader.deserialize_seq(visitor).map_err(|error| located(&error, text, start))?;
    reader.end().map_err(|error| located(&error, text, start))?;
    Ok(found)
}

/// Members, and the object that is the value of one of them.
pub(super) type Outer<'a> = (Vec<Member<'a>>, Option<Object<'a>>);

/// The text that is read and where it starts in the file. Places are offsets in the text.
#[derive(Clone, Copy)]
struct Stretch<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> Stretch<'a> {
    /// The place of the first token at or after `place`.
    fn token(self, place: usize) -> usize {
        let rest = self.text.as_bytes().get(place..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        place.saturating_add(blank)
    }

    /// The place of the first token after the comma or colon that is the first token at or after `place`.
    fn token_after_mark(self, place: usize) -> usize {
        self.token(self.token(place).saturating_add(1))
    }

    fn is_object(self, place: usize) -> bool {
        self.text.as_bytes().get(place) == Some(&b'{')
    }

    fn place_after(self, node: &Node<'_>) -> usize {
        node.end().saturating_sub(self.start)
    }

    fn raw<D: Deserializer<'a>>(self, deserializer: D) -> Result<Node<'a>, D::Error> {
        Ok(placed(<&RawValue>::deserialize(deserializer)?, self.text, self.start))
    }

    fn entry<A: MapAccess<'a>>(self, map: &mut A) -> Result<Option<Member<'a>>, A::Error> {
        let Some((key, value)) = map.next_entry::<&'a RawValue, &'a RawValue>()? else { return Ok(None) };
        let key = placed_key(key, self.text, self.start);
        Ok(Some(Member::new(key, placed(value, self.text, self.start))))
    }

    fn node(self, object: &Object<'a>) -> Node<'a> {
        let span = object.span();
        let inside = span.start.saturating_sub(self.start)..span.end.saturating_sub(self.start);
        Node::checked(self.text.get(inside).unwrap_or_default(), span.start, false)
    }
}

/// The members of the outer object.
struct OuterMembers<'a, 'k> {
    file: Stretch<'a>,
    inner: &'k str,
}

impl<'a> Visitor<'a> for OuterMembers<'a, '_> {
    type Value = Outer<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let file = self.file;
        let mut found = Vec::with_capacity(ROOM);
        let mut inner = None;
        while let Some(key) = map.next_key::<&'a RawValue>()? {
            let key = placed_key(key, file.text, file.start);
            let value = if key.text() == self.inner {
                let place = file.token_after_mark(file.place_after(&key));
                let (value, object) = map.next_value_seed(Value { file, place })?;
                inner = object;
                value
            } else {
                placed(map.next_value::<&'a RawValue>()?, file.text, file.start)
            };
            found.push(Member::new(key, value));
        }
        Ok((found, inner))
    }
}

/// The elements of an array.
struct Elements<'a> {
    file: Stretch<'a>,
}

impl<'a> Visitor<'a> for Elements<'a> {
    type Value = Vec<Option<Object<'a>>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let file = self.file;
        let mut found = Vec::new();
        let mut place = file.token_after_mark(0);
        while let Some((value, object)) = seq.next_element_seed(Value { file, place })? {
            place = file.token_after_mark(file.place_after(&value));
            found.push(object);
        }
        Ok(found)
    }
}

/// The value at a place, taken apart when it is an object.
struct Value<'a> {
    file: Stretch<'a>,
    place: usize,
}

impl<'a> DeserializeSeed<'a> for Value<'a> {
    type Value = (Node<'a>, Option<Object<'a>>);

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if !self.file.is_object(self.place) {
            return Ok((self.file.raw(deserializer)?, None));
        }
        let file = self.file;
        let object = deserializer.deserialize_map(Inner { file, brace: self.place })?;
        Ok((file.node(&object), Some(object)))
    }
}

/// The members of an inner object whose opening brace stands at `brace`.
struct Inner<'a> {
    file: Stretch<'a>,
    brace: usize,
}

impl<'a> Visitor<'a> for Inner<'a> {
    type Value = Object<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members: Vec<Member<'a>> = Vec::new();
        while let Some(member) = self.file.entry(&mut map)? {
            members.push(member);
        }
        let last = members.last().map(|last| self.file.place_after(&last.value));
        let closing = self.file.token(last.unwrap_or(self.brace.saturating_add(1)));
        let place = |inside: usize| self.file.start.saturating_add(inside);
        let span = Span { start: place(self.brace), end: place(closing.saturating_add(1)) };
        Ok(Object::new(span, members))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Node, Object, compact};
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    const KEY: &str = r#""message""#;

    fn shown(object: &Object<'_>) -> String {
        let members = object.members().iter();
        let texts: Vec<_> =
            members.map(|member| (member.key.span(), member.value.span(), member.value.text())).collect();
        format!("{:?} {texts:?}", object.span())
    }

    /// The same by one pass for each level.
    fn in_two_passes(text: &str) -> Result<(String, Option<String>), String> {
        let object = Object::parse(text, 7).map_err(|error| format!("{error:?}"))?;
        let inner = object.members().iter().rev().find(|member| member.key.text() == KEY);
        let inner = inner.and_then(|member| member.value.object().unwrap());
        Ok((shown(&object), inner.as_ref().map(shown)))
    }

    fn in_one_pass(text: &str) -> Result<(String, Option<String>), String> {
        let read = Object::parse_with_inner(text, 7, KEY).map_err(|error| format!("{error:?}"))?;
        Ok((shown(&read.0), read.1.as_ref().map(shown)))
    }

    fn check_elements(text: &str) {
        let node = Node::parse(text, 7).unwrap();
        let slow = node.array().unwrap().map(|elements| {
            elements.iter().map(|node| node.object().unwrap().as_ref().map(shown)).collect::<Vec<_>>()
        });
        let fast = node.objects().unwrap();
        let fast = fast.map(|found| found.iter().map(|object| object.as_ref().map(shown)).collect());
        assert_eq!(fast, slow, "{text}");
    }

    #[test]
    fn one_pass_finds_what_two_passes_find() {
        for text in [
            r#"{"a":1,"message":{"id":"x","content":[{"t":"}{"}]},"b":2}"#,
            "  { \"message\" :\t{ } , \"message\":{\"é\" : \"\\\"}\" \r\n}\n} ",
            r#"{"message":{"id":1},"message":"no object"}"#,
            r#"{"message":null}"#,
            r#"{"m":{"message":{}}}"#,
            "{}",
            r#"{"message":{"id":}}"#,
            r#"{"message":{"id":1,}}"#,
            r#"{"message":{"id":1"#,
            r#"{"message":{"id":1}} x"#,
            "{\"message\":{\n\"id\" 1}}",
        ] {
            assert_eq!(in_one_pass(text), in_two_passes(text), "{text}");
        }
    }

    #[test]
    fn elements_are_taken_apart_as_one_by_one() {
        for text in [
            "[]",
            " [ ] ",
            "{}",
            "[{}]",
            "[ {\"a\" : [1, {}] } ,\n 5 , \"{\" ,{ } , [{}], null,{\"b\":\"]\"}\t]",
        ] {
            check_elements(text);
        }
    }

    #[test]
    fn white_space_goes_between_tokens_and_stays_in_strings() {
        assert_eq!(
            compact(" { \"a \\\" \\\\\" :\n[ 1 , \" \\\\\\\" é \" ,\ttrue ] }"),
            r#"{"a \" \\":[1," \\\" é ",true]}"#
        );
        assert_eq!(compact("\"\""), "\"\"");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn any_text_is_unescaped_as_a_json_parser_does(text in r#"([a-zé]|\\[nrtbf/"\\]|\\u00e9|\\ud83d\\ude00){0,12}"#) {
            let quoted = format!("\"{text}\"");
            let node = Node::parse(&quoted, 0).unwrap();
            let expected: String = serde_json::from_str(&quoted).unwrap();
            prop_assert_eq!(node.string().unwrap(), expected);
        }

        #[test]
        fn any_text_is_read_in_one_pass_as_in_two(text in r#"\{("message":\{|"a":|[{}\[\],: 1]|"x")*\}?"#) {
            prop_assert_eq!(in_one_pass(&text), in_two_passes(&text));
        }
    }
}
