//! Texts that say nothing, as Python judges and shows them.

use alloc::format;
use alloc::string::String;
use cutctx_types::{DetailValue, InvalidValue};

/// Refuses a setting that is empty or all white space, showing it as the reference does.
pub(crate) fn refuse_blank(setting: &'static str, text: &str) -> Result<(), InvalidValue> {
    if !is_blank(text) {
        return Ok(());
    }
    let value = Some(DetailValue::from(repr_of_blank(text)));
    Err(InvalidValue::Setting { setting, value, reason: "is blank" })
}

/// Whether Python's `strip` leaves nothing: white space, and the four separators U+001C to U+001F.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character))
}

/// Python's `repr` of a blank text: everything but the plain space is escaped.
fn repr_of_blank(text: &str) -> String {
    let escaped: String = text.chars().map(escape).collect();
    format!("'{escaped}'")
}

fn escape(character: char) -> String {
    match (character, u32::from(character)) {
        (' ', _) => String::from(" "),
        ('\t', _) => String::from("\\t"),
        ('\n', _) => String::from("\\n"),
        ('\r', _) => String::from("\\r"),
        (_, code @ ..=0xff) => format!("\\x{code:02x}"),
        (_, code) => format!("\\u{code:04x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pythons_white_space_is_blank_and_its_look_alikes_are_not() {
        for blank in ["", " ", "\t\n\r", "\u{b}\u{c}\u{1c}\u{1d}\u{1e}\u{1f}", "\u{85}\u{a0}\u{1680}\u{3000}"]
        {
            assert!(is_blank(blank), "{blank:?}");
        }
        for full in ["x", " x ", "\u{200b}", "\u{180e}", "\u{feff}"] {
            assert!(!is_blank(full), "{full:?}");
        }
    }

    #[test]
    fn blank_texts_are_shown_the_python_way() {
        for (text, shown) in [
            ("", "''"),
            ("  ", "'  '"),
            ("\t\n\r", r"'\t\n\r'"),
            ("\u{b}\u{1f}\u{a0}", r"'\x0b\x1f\xa0'"),
            ("\u{3000}\u{2028}", r"'\u3000\u2028'"),
        ] {
            assert_eq!(repr_of_blank(text), shown);
        }
    }
}
