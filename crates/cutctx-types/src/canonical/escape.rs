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
    let at = text.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\')?;
    let (plain, rest) = text.split_at_checked(at)?;
    let (escaped, after) = rest.split_at_checked(1)?;
    Some((plain, *escaped.as_bytes().first()?, after))
}

fn write_escape(byte: u8, out: &mut impl FnMut(&str)) {
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
