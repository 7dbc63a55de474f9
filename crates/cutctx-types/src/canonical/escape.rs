//! Texts in JSON.

/// Writes a text with its quotes and escapes, piece by piece.
pub(crate) fn write_text(text: &str, out: &mut impl FnMut(&str)) {
    out("\"");
    let mut rest = text;
    while let Some((plain, escaped, after)) = split_at_escape(rest) {
        out(plain);
        write_escape(escaped, out);
        rest = after;
    }
    out(rest);
    out("\"");
}

/// What stands before the first byte to be escaped, that byte, and what follows.
fn split_at_escape(text: &str) -> Option<(&str, u8, &str)> {
    let at = position_of_escape(text.as_bytes())?;
    let (plain, rest) = text.split_at_checked(at)?;
    let (escaped, after) = rest.split_at_checked(1)?;
    Some((plain, *escaped.as_bytes().first()?, after))
}

/// Where the first byte to be escaped is. Whole blocks without one are passed over.
fn position_of_escape(bytes: &[u8]) -> Option<usize> {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let clean = blocks.iter().take_while(|block| !any_in(block)).count().saturating_mul(BLOCK);
    let rest = bytes.get(clean..)?;
    rest.iter().position(|byte| needs_escape(*byte)).map(|at| clean.saturating_add(at))
}

/// As many bytes as are looked at together.
pub(crate) const BLOCK: usize = 16;

/// Whether a text stands in JSON as it is. Short texts are covered by two blocks that overlap.
pub(super) fn needs_no_escape(bytes: &[u8]) -> bool {
    if bytes.len() >= BLOCK {
        let (blocks, _) = bytes.as_chunks::<BLOCK>();
        !blocks.iter().chain(bytes.last_chunk()).any(any_in)
    } else {
        let ends = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>());
        let short_ends = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>());
        match (ends, short_ends) {
            ((Some(left), Some(right)), _) => !any_in(left) && !any_in(right),
            (_, (Some(left), Some(right))) => !any_in(left) && !any_in(right),
            _ => !bytes.iter().any(|byte| needs_escape(*byte)),
        }
    }
}

/// Where in a block the first byte to be escaped is.
pub(crate) fn first_escape_in<const N: usize>(block: &[u8; N]) -> Option<usize> {
    if any_in(block) { block.iter().position(|byte| needs_escape(*byte)) } else { None }
}

/// Whether any byte of a block is to be escaped. It looks at all of them, without an early end, so that the compiler
/// can make a few wide instructions of it.
fn any_in<const N: usize>(block: &[u8; N]) -> bool {
    block.iter().fold(false, |found, byte| found | needs_escape(*byte))
}

#[expect(clippy::needless_bitwise_bool, reason = "without branches it is done for a whole block at once")]
pub(crate) const fn needs_escape(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

pub(crate) fn write_escape(byte: u8, out: &mut impl FnMut(&str)) {
    match byte {
        b'"' => out("\\\""),
        b'\\' => out("\\\\"),
        0x08 => out("\\b"),
        0x0C => out("\\f"),
        b'\n' => out("\\n"),
        b'\r' => out("\\r"),
        b'\t' => out("\\t"),
        control => {
            out(if control < 0x10 { "\\u000" } else { "\\u001" });
            let digit = char::from_digit(u32::from(control & 15), 16).unwrap_or('0');
            out(digit.encode_utf8(&mut [0; 4]));
        }
    }
}
