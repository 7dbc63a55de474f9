//! What a result that is gone says in a dozen tokens.

use crate::masking::Estimator;
use alloc::string::String;
use cutctx_types::{InvalidValue, Sha256Digest, TranscriptTurn, TurnReplacement, sha256_of_text};

/// How many hex digits of the digest a short stub holds: enough to tell the results of a session apart, and a handle to
/// find the original by.
pub(crate) const DIGITS: usize = 8;

/// The longest word of a short stub, in bytes.
const LONGEST_WORD: usize = 16;

/// Why a result is gone, in a word that a model reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StubWord {
    /// It had to go.
    Cut,
    /// A later result says the same.
    Repeated,
    /// What it read was read again, or has changed.
    Stale,
    /// A later result tells the state that it told.
    Outdated,
}

impl StubWord {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Repeated => "again",
            Self::Stale => "old",
            Self::Outdated => "later",
        }
    }
}

/// Makes short stubs, `[cut 1f2e3d4c]`: a word, and the first digits of the digest of what was there.
pub(crate) struct ShortStubs<'e> {
    estimator: &'e Estimator,
    buffer: String,
}

impl<'e> ShortStubs<'e> {
    /// Stubs that an estimator measures.
    pub(crate) const fn measured_by(estimator: &'e Estimator) -> Self {
        Self { estimator, buffer: String::new() }
    }

    /// The stub of a turn, with its cost. Its text is the turn's as it was before anything was done to it.
    pub(crate) fn stub_of(
        &mut self,
        word: StubWord,
        original: &TranscriptTurn,
    ) -> Result<TurnReplacement, InvalidValue> {
        self.render(word, &sha256_of_text(original.content()));
        let cost = self.estimator.estimate(&self.buffer)?;
        Ok(TurnReplacement::new(self.buffer.as_str(), cost))
    }

    /// The stub of a turn, unless it costs so much or more, or cannot be measured.
    pub(crate) fn stub_below(
        &mut self,
        limit: u64,
        word: StubWord,
        original: &TranscriptTurn,
    ) -> Option<TurnReplacement> {
        // A digest of a long text is dear: where any will do, the cost is asked without it.
        let is_dear = |cost: Option<u64>| cost.is_none_or(|cost| cost >= limit);
        if self.estimator.ratio().is_some() && is_dear(self.cost_of(word, original)) {
            return None;
        }
        self.stub_of(word, original).ok().filter(|stub| stub.token_estimate < limit)
    }

    /// What the stub of a turn costs, in tokens.
    pub(crate) fn cost_of(&mut self, word: StubWord, original: &TranscriptTurn) -> Option<u64> {
        // Every digest has the same length: where characters are all that counts, any will do.
        let digest = match self.estimator.ratio() {
            Some(_) => Sha256Digest::of_bytes(&[]),
            None => sha256_of_text(original.content()),
        };
        self.render(word, &digest);
        self.estimator.estimate(&self.buffer).ok()
    }

    fn render(&mut self, word: StubWord, digest: &Sha256Digest) {
        let digits = digest.to_hex();
        self.buffer.clear();
        for piece in ["[", word.as_str(), " ", digits.get(..DIGITS).unwrap_or_default(), "]"] {
            self.buffer.push_str(piece);
        }
    }
}

/// The word and the digits of a short stub, if all of the text is one.
pub(crate) fn parse(text: &str) -> Option<(&str, &str)> {
    let (word, digits) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(' ')?;
    let is_word =
        (1..=LONGEST_WORD).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
    let is_digest = (DIGITS..=12).contains(&digits.len()) && digits.bytes().all(is_digit);
    (is_word && is_digest).then_some((word, digits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masking::MaskStub;
    use cutctx_types::Role;

    fn stub(word: StubWord, text: &str) -> TurnReplacement {
        let turn = TranscriptTurn::new("t", Role::Tool, text, 900).unwrap();
        ShortStubs::measured_by(&Estimator::Own).stub_of(word, &turn).unwrap()
    }

    #[test]
    fn a_short_stub_is_recognised_and_finds_its_original() {
        for word in [StubWord::Cut, StubWord::Repeated, StubWord::Stale, StubWord::Outdated] {
            let made = stub(word, "what was there");
            let read = MaskStub::parse(&made.content).unwrap();
            assert_eq!((read.placeholder, read.original_tokens), (word.as_str(), None));
            assert_eq!(read.sha256.len(), DIGITS);
            assert!(read.is_of("what was there") && !read.is_of("what was here"));
            assert!(made.token_estimate <= 4, "{}", made.token_estimate);
        }
    }

    #[test]
    fn what_only_looks_like_a_stub_is_none() {
        let long = "[abcdefghijklmnopq 01234567]";
        let texts = [
            "[cut]",
            "[cut 0123456]",
            "[cut 0123456789abc]",
            "[Cut 01234567]",
            "[cut 0123456G]",
            "[ 01234567]",
        ];
        for text in texts.into_iter().chain(["cut 01234567", "[cut 01234567] ", "[cut  01234567]", long]) {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
