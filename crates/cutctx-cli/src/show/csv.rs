//! Comma-separated values.

use super::visible;

/// A text as a cell: in quotes where it needs them, on one line, and without what a terminal would obey.
pub(crate) fn csv_cell(text: &str) -> String {
    let text = visible(text);
    if text.contains([',', '"']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_quotes_has_them() {
        for (text, cell) in [("mask", "mask"), ("a,b", "\"a,b\""), ("a \"b\"", "\"a \"\"b\"\"\""), ("", "")] {
            assert_eq!(csv_cell(text), cell);
        }
    }

    #[test]
    fn names_of_files_stay_on_their_line() {
        assert_eq!(csv_cell("a\r\nb\u{1b}[31m,c"), "\"a\u{fffd}\u{fffd}b\u{fffd}[31m,c\"");
    }
}
