//! What a turn says, divided by who says it.

use alloc::borrow::Cow;
use cutctx::{Part, PartKind, Role, TranscriptTurn};

/// Where a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Instructions of the application.
    System,
    /// A user's text, the model's text, or the arguments of a call.
    Speech,
    /// The result of a tool.
    Result,
    /// Reasoning, and what stands in the place of media.
    Other,
}

impl Source {
    /// Whether references in it are uses: somebody decides to name something.
    pub(crate) const fn is_speech(self) -> bool {
        matches!(self, Self::Speech)
    }
}

/// A stretch of a turn's text from one source.
#[derive(Debug)]
pub(crate) struct Passage<'t> {
    pub(crate) source: Source,
    pub(crate) text: Cow<'t, str>,
}

impl Passage<'_> {
    /// The lines of the passage, without white space at their ends.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.split('\n').map(str::trim_end)
    }
}

/// The passages of a turn, one a part. Arguments are read as JSON spells them, so that their lines are lines.
pub(crate) fn passages(turn: &TranscriptTurn) -> Vec<Passage<'_>> {
    let content: &str = turn.content();
    let whole = [Part::new(PartKind::Text, content.len(), 0)];
    let parts = if turn.parts().is_empty() { whole.as_slice() } else { turn.parts() };
    let mut start = 0;
    let cut = parts.iter().map(|part| {
        let text = content.get(start..part.end).unwrap_or_default();
        start = part.end;
        let text = if part.kind == PartKind::CallArguments { unescaped(text) } else { Cow::Borrowed(text) };
        Passage { source: source(turn.role(), part.kind), text }
    });
    cut.filter(|passage| !passage.text.is_empty()).collect()
}

const fn source(role: Role, kind: PartKind) -> Source {
    match (role, kind) {
        (Role::System, _) => Source::System,
        (_, PartKind::Result) | (Role::Tool, PartKind::Text) => Source::Result,
        (_, PartKind::Text | PartKind::CallArguments) => Source::Speech,
        _ => Source::Other,
    }
}

/// A stretch of JSON with its escapes resolved. It need not be a whole string: a view may hold pieces.
fn unescaped(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('\\') else { return Cow::Borrowed(text) };
    let (plain, mut rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len());
    out.push_str(plain);
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        rest = escape(behind, &mut out);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Resolves the escape whose backslash has just been passed, and says what follows it.
fn escape<'r>(behind: &'r str, out: &mut String) -> &'r str {
    let mut characters = behind.chars();
    match characters.next() {
        Some('n') => out.push('\n'),
        Some('t') => out.push('\t'),
        Some('r') => out.push('\r'),
        Some(quoted @ ('"' | '\\' | '/')) => out.push(quoted),
        Some('u') => {
            let digits = characters.as_str().get(..4).unwrap_or_default();
            let Some(character) = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) else {
                out.push_str("\\u");
                return characters.as_str();
            };
            out.push(character);
            return characters.as_str().get(4..).unwrap_or_default();
        }
        _ => {
            out.push('\\');
            return behind;
        }
    }
    characters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_resolved_also_in_pieces() {
        for (spelled, read) in [
            ("plain", "plain"),
            (r"a\nb\tc", "a\nb\tc"),
            (r#"say \"hi\" \\ \/"#, "say \"hi\" \\ /"),
            (r"\u00e9t\u00E9 \ud83d", "été \\ud83d"),
            (r"cut at \u00", "cut at \\u00"),
            ("cut at \\", "cut at \\"),
            (r"\d+", r"\d+"),
        ] {
            assert_eq!(unescaped(spelled), read);
        }
    }

    #[test]
    fn the_source_follows_the_role_and_the_part() {
        assert_eq!(source(Role::System, PartKind::Text), Source::System);
        assert_eq!(source(Role::Tool, PartKind::Text), Source::Result);
        assert_eq!(source(Role::Assistant, PartKind::Reasoning), Source::Other);
        assert!(source(Role::Assistant, PartKind::CallArguments).is_speech());
        assert!(source(Role::User, PartKind::Text).is_speech());
    }
}
