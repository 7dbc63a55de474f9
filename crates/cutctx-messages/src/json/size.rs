//! How large a value is, and how large it may be.

use cutctx_types::float_repr;

use super::fault::DurableError;

/// How large a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    /// Bytes of its compact JSON.
    pub(crate) bytes: usize,
    /// The value itself and all values within it.
    pub(crate) nodes: usize,
    /// Arrays and objects that stand in each other.
    pub(crate) levels: usize,
}

/// How large a value may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    bytes: usize,
    nodes: usize,
    levels: usize,
}

/// The most levels of a stored value.
pub(crate) const LEVELS: usize = 64;

impl Limits {
    /// Any stored value: 16 MiB, 250,000 values, 64 levels.
    pub(crate) const DOCUMENT: Self = Self { bytes: 16 << 20, nodes: 250_000, levels: LEVELS };

    /// What is told about a file: 256 KiB, 50,000 values, 64 levels.
    pub(crate) const METADATA: Self = Self { bytes: 256 << 10, nodes: 50_000, levels: LEVELS };

    pub(crate) const fn check(self, size: Size) -> Result<(), DurableError> {
        if size.levels > self.levels {
            return Err(DurableError::NestingTooDeep { levels: self.levels });
        }
        if size.nodes > self.nodes {
            return Err(DurableError::TooManyJsonNodes { limit: self.nodes });
        }
        if size.bytes > self.bytes {
            return Err(DurableError::JsonValueTooLarge { limit: self.bytes });
        }
        Ok(())
    }
}

impl Size {
    /// A value that is neither array nor object.
    pub(crate) const fn of_plain(bytes: usize) -> Self {
        Self { bytes, nodes: 1, levels: 0 }
    }

    pub(crate) fn of_text(text: &str) -> Self {
        Self::of_plain(text_bytes(text))
    }

    pub(crate) fn of_int(value: i64) -> Self {
        let digits = value.unsigned_abs().checked_ilog10().unwrap_or(0).saturating_add(1);
        let sign = u32::from(value.is_negative());
        Self::of_plain(usize::try_from(digits.saturating_add(sign)).unwrap_or(usize::MAX))
    }

    pub(crate) fn of_fraction(value: f64) -> Self {
        Self::of_plain(float_repr(value).len())
    }

    /// An empty array or object, to be filled with [`Self::add`].
    pub(crate) const fn of_empty() -> Self {
        Self { bytes: 2, nodes: 1, levels: 1 }
    }

    /// Puts a member in, with the bytes of its key and colon and of a comma before it.
    pub(crate) fn add(&mut self, extra_bytes: usize, member: Self) {
        self.bytes = self.bytes.saturating_add(extra_bytes).saturating_add(member.bytes);
        self.nodes = self.nodes.saturating_add(member.nodes);
        self.levels = self.levels.max(member.levels.saturating_add(1));
    }
}

/// The bytes of a text with its quotes and escapes.
pub(crate) fn text_bytes(text: &str) -> usize {
    let escapes = text.bytes().map(extra_bytes).fold(0, usize::saturating_add);
    text.len().saturating_add(escapes).saturating_add(2)
}

/// The bytes that an escape adds.
const fn extra_bytes(byte: u8) -> usize {
    match byte {
        b'"' | b'\\' | 8 | 9 | 10 | 12 | 13 => 1,
        0..=0x1F => 5,
        _ => 0,
    }
}
