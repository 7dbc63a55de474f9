//! Texts that keep a promise.

use alloc::sync::Arc;
use core::fmt;
use core::ops::Deref;

use crate::json::DurableError;
use crate::message::FieldFault;

/// Defines a text type: what it promises, the check, and how `Debug` shows it.
macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $check:expr, $debug:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Checks a text.
            ///
            /// # Errors
            ///
            /// [`FieldFault`]: what the text does not keep of the promise.
            pub fn new(text: impl Into<Arc<str>>) -> Result<Self, FieldFault> {
                let text = text.into();
                let check: fn(&str) -> Result<(), FieldFault> = $check;
                check(&text)?;
                Ok(Self(text))
            }

            /// The text, shared.
            #[must_use]
            pub const fn shared(&self) -> &Arc<str> {
                &self.0
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let show: fn(&str, &mut fmt::Formatter<'_>) -> fmt::Result = $debug;
                show(&self.0, f)
            }
        }
    };
}

checked_text! {
    /// A text that may be empty and holds no U+0000. `Debug` shows its length only.
    DurableText, no_nul, length
}

checked_text! {
    /// A text that says something: not blank, no U+0000. `Debug` shows its length only.
    SpokenText, not_blank, length
}

checked_text! {
    /// An id or a name: not blank, no white space around it, no U+0000.
    CleanText, clean, itself
}

checked_text! {
    /// The id of a tool round: `tround_` and 32 hex digits in lower case.
    ToolRoundId, |text| prefixed(text, "tround_"), itself
}

checked_text! {
    /// The id of a model step: `mstep_` and 32 hex digits in lower case.
    ModelStepId, |text| prefixed(text, "mstep_"), itself
}

checked_text! {
    /// The id of a model attempt: `matt_` and 32 hex digits in lower case.
    ModelAttemptId, |text| prefixed(text, "matt_"), itself
}

checked_text! {
    /// A SHA-256 digest: 64 hex digits in lower case.
    HexDigest, |text| hex(text, 64, "64 lower-case hex digits"), itself
}

impl DurableText {
    /// The text of nothing.
    #[must_use]
    pub fn empty() -> Self {
        Self(Arc::default())
    }
}

fn length(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "({} bytes)", text.len())
}

fn itself(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    fmt::Debug::fmt(text, f)
}

fn no_nul(text: &str) -> Result<(), FieldFault> {
    if text.contains('\0') { Err(DurableError::NulCharacter.into()) } else { Ok(()) }
}

fn not_blank(text: &str) -> Result<(), FieldFault> {
    no_nul(text)?;
    if text.chars().all(is_space) { Err(FieldFault::Blank) } else { Ok(()) }
}

fn clean(text: &str) -> Result<(), FieldFault> {
    not_blank(text)?;
    let outer = text.starts_with(is_space) || text.ends_with(is_space);
    if outer { Err(FieldFault::OuterWhitespace) } else { Ok(()) }
}

/// White space as the reference sees it: Unicode's, and the four separators of ASCII.
fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&character)
}

fn prefixed(text: &str, prefix: &str) -> Result<(), FieldFault> {
    const WANTED: &str = "its prefix and 32 lower-case hex digits";
    let digits = text.strip_prefix(prefix).ok_or(FieldFault::Pattern { wanted: WANTED })?;
    hex(digits, 32, WANTED)
}

fn hex(text: &str, digits: usize, wanted: &'static str) -> Result<(), FieldFault> {
    let hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if hex && text.len() == digits { Ok(()) } else { Err(FieldFault::Pattern { wanted }) }
}
