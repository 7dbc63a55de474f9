//! What bytes are to names.

/// What a byte is to names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A small letter.
    Small,
    /// Another part of an atom: a capital, a digit or `_`.
    Other,
    /// What joins the atoms of a run.
    Joint,
    /// A quote.
    Quote,
    /// A backslash.
    Backslash,
    /// What ends a run.
    Break,
    /// Of a longer character.
    Long,
}

/// The classes of all bytes.
const CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Break; 256];
    let mut rest: &mut [Class] = &mut classes;
    let mut byte = 0_u8;
    while let Some((class, others)) = rest.split_first_mut() {
        *class = class_of(byte);
        rest = others;
        byte = byte.wrapping_add(1);
    }
    classes
}

const fn class_of(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' => Class::Small,
        b'A'..=b'Z' | b'0'..=b'9' | b'_' => Class::Other,
        b'/' | b'.' | b'-' | b':' | b'@' | b'~' | b'+' | b'#' | b'%' | b'&' | b'?' | b'$' => Class::Joint,
        b'"' | b'\'' | b'`' => Class::Quote,
        b'\\' => Class::Backslash,
        128.. => Class::Long,
        _ => Class::Break,
    }
}

impl Class {
    pub(super) fn of(byte: u8) -> Self {
        CLASSES.get(usize::from(byte)).copied().unwrap_or(Self::Break)
    }

    /// Whether an atom can go on with it.
    pub(super) const fn is_in_atoms(self) -> bool {
        matches!(self, Self::Small | Self::Other | Self::Long)
    }
}
