//! Text from outside, made safe for a terminal.
//!
//! Names of files and tools, ids and texts may hold anything: control sequences that move the cursor, and marks that
//! turn the direction of writing around. Each such character is shown as U+FFFD.

/// What stands for a character that is not shown.
const REPLACEMENT: char = '\u{fffd}';

/// A text on one line.
pub(crate) fn visible(text: &str) -> String {
    text.chars().map(|letter| if is_active(letter) { REPLACEMENT } else { letter }).collect()
}

/// A text of several lines: line feeds and tabs stay.
pub(crate) fn visible_lines(text: &str) -> String {
    let keep = |letter: char| !is_active(letter) || matches!(letter, '\n' | '\t');
    text.chars().map(|letter| if keep(letter) { letter } else { REPLACEMENT }).collect()
}

/// JSON, where such characters are escaped instead: they can only stand in its strings.
pub(crate) fn visible_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for letter in json.chars() {
        if is_active(letter) && letter != '\n' {
            // All of them are below U+10000: four digits are enough.
            let escape = format!("\\u{:04x}", u32::from(letter));
            shown.push_str(&escape);
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Whether a terminal does something else with a character than to show it.
fn is_active(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}[31m\u{9b}2J\u{202e}b\u{2066}\u{200f}\u{61c}\u{2028}\u{7}\nc\td";

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(visible(HOSTILE).matches(REPLACEMENT).count(), 10);
        assert_eq!(visible_lines(HOSTILE).matches(REPLACEMENT).count(), 8);
        assert!(visible_lines(HOSTILE).ends_with("\nc\td"));
        assert_eq!(visible("日本 é 👍"), "日本 é 👍");
    }

    #[test]
    fn json_says_the_same_as_before() {
        let json = serde_json::to_string(HOSTILE).unwrap();
        let shown = visible_json(&json);
        assert_ne!(shown, json);
        assert!(!shown.chars().any(is_active));
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), HOSTILE);
    }
}
