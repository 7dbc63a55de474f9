//! What a masked result says, and how it is recognised again.

use super::ObservationMaskingPolicy;
use super::settings::{LONGEST, is_line_break};
use crate::blank::is_blank;
use crate::short_stub::{self, ShortStubs, StubWord};
use alloc::string::String;
use core::fmt::Write;
use cutctx_types::{InvalidValue, Sha256Digest, TranscriptTurn, TurnReplacement, sha256_of_text};

const BEFORE_TOKENS: &str = " (original: ";
const BEFORE_DIGEST: &str = " tokens, sha256:";
const END: &str = ")";
const HEX_DIGITS: &[u8; 16] = b"0123456789abcdef";

/// A stub taken apart, the full form `<placeholder> (original: <tokens> tokens, sha256:<digest>)` or the short one
/// `[<word> <digits>]`.
///
/// The policies of version 2.0.0 recognise stubs by their text alone, because metadata does not
/// survive a provider's format. A full stub is one line, with at most 256 characters before the bracket; a short one
/// is a lower-case word of at most 16 letters and 8 to 12 digits of the digest.
///
/// ```
/// use cutctx_policies::MaskStub;
/// let text = format!("[cut] (original: 900 tokens, sha256:{})", "0".repeat(64));
/// let stub = MaskStub::parse(&text).unwrap();
/// assert_eq!((stub.placeholder, stub.original_tokens), ("[cut]", Some(900)));
/// let stub = MaskStub::parse("[cut 1f2e3d4c]").unwrap();
/// assert_eq!((stub.placeholder, stub.sha256), ("cut", "1f2e3d4c"));
/// assert!(MaskStub::parse("[cut]").is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MaskStub<'t> {
    /// What it begins with; the word of a short one.
    pub placeholder: &'t str,
    /// What the result cost, in tokens; a short stub does not say.
    pub original_tokens: Option<u64>,
    /// The SHA-256 of the result's text as a JSON string, in lower-case hex digits: all 64, or the first 8 to 12 in a
    /// short stub.
    pub sha256: &'t str,
}

impl<'t> MaskStub<'t> {
    /// Takes a text apart if all of it is a stub. The time does not depend on the text's length.
    #[must_use]
    pub fn parse(text: &'t str) -> Option<Self> {
        let short = short_stub::parse(text);
        short
            .map(|(word, digits)| Self { placeholder: word, original_tokens: None, sha256: digits })
            .or_else(|| Self::parse_full(text))
    }

    fn parse_full(text: &'t str) -> Option<Self> {
        let rest = text.strip_suffix(END)?;
        let (rest, sha256) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
        let rest = rest.strip_suffix(BEFORE_DIGEST)?;
        let digits = rest.bytes().rev().take(21).take_while(u8::is_ascii_digit).count();
        let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(digits)?)?;
        let original_tokens = Some(number(digits)?);
        let placeholder = rest.strip_suffix(BEFORE_TOKENS)?;
        let is_digest = sha256.bytes().all(|byte| HEX_DIGITS.contains(&byte));
        (is_digest && is_placeholder(placeholder)).then_some(Self { placeholder, original_tokens, sha256 })
    }

    /// Whether the digest is that of this text, as far as the stub tells it.
    ///
    /// ```
    /// use cutctx_policies::MaskStub;
    /// let text = "[cut] (original: 1 tokens, sha256:ac8d8342bbb2362d13f0a559a3621bb407011368895164b628a54f7fc33fc43c)";
    /// assert!(MaskStub::parse(text).unwrap().is_of("a"));
    /// ```
    #[must_use]
    pub fn is_of(&self, original: &str) -> bool {
        sha256_of_text(original).to_hex().starts_with(self.sha256)
    }
}

/// The number that these digits are, if they are written as a program writes one.
fn number(digits: &str) -> Option<u64> {
    let is_padded = digits.len() > 1 && digits.starts_with('0');
    if is_padded { None } else { digits.parse().ok() }
}

fn is_placeholder(text: &str) -> bool {
    // A character has at most four bytes, so a long text is not counted out.
    text.len() <= LONGEST.saturating_mul(4)
        && text.chars().count() <= LONGEST
        && !text.contains(is_line_break)
        && !is_blank(text)
}

/// How much a stub says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum StubForm {
    /// The placeholder, what the result cost, and all of its digest: about 32 tokens.
    #[default]
    Full,
    /// A word and the first eight digits of the digest, `[cut 1f2e3d4c]`: at most a dozen tokens.
    Short,
}

/// Makes stubs, in a buffer that they share until each takes its own text.
pub(super) struct Stubs<'p> {
    policy: &'p ObservationMaskingPolicy,
    short: ShortStubs<'p>,
    buffer: String,
}

impl<'p> Stubs<'p> {
    pub(super) const fn of(policy: &'p ObservationMaskingPolicy) -> Self {
        Self { policy, short: ShortStubs::measured_by(&policy.estimator), buffer: String::new() }
    }

    /// The stub of a result, with its cost.
    pub(super) fn stub_of(&mut self, turn: &TranscriptTurn) -> Result<TurnReplacement, InvalidValue> {
        if self.policy.stub == StubForm::Short {
            return self.short.stub_of(StubWord::Cut, turn);
        }
        self.render(turn.token_estimate(), &sha256_of_text(turn.content()));
        let cost = self.policy.estimator.estimate(&self.buffer)?;
        Ok(TurnReplacement::new(self.buffer.as_str(), cost))
    }

    /// What the stub of a result costs, in tokens.
    pub(super) fn cost_of(&mut self, turn: &TranscriptTurn) -> Option<u64> {
        if self.policy.stub == StubForm::Short {
            return self.short.cost_of(StubWord::Cut, turn);
        }
        // Every digest has the same length: where characters are all that counts, any will do.
        let digest = match self.policy.estimator.ratio() {
            Some(_) => Sha256Digest::of_bytes(&[]),
            None => sha256_of_text(turn.content()),
        };
        self.render(turn.token_estimate(), &digest);
        self.policy.estimator.estimate(&self.buffer).ok()
    }

    fn render(&mut self, tokens: u64, digest: &Sha256Digest) {
        self.buffer.clear();
        self.buffer.push_str(&self.policy.placeholder);
        self.buffer.push_str(BEFORE_TOKENS);
        self.push_decimal(tokens);
        self.buffer.push_str(BEFORE_DIGEST);
        digest.push_hex(&mut self.buffer);
        self.buffer.push_str(END);
    }

    fn push_decimal(&mut self, number: u64) {
        // Writing into a string cannot fail.
        write!(self.buffer, "{number}").unwrap_or_default();
    }
}
