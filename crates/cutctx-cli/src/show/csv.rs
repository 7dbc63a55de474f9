//! Comma-separated values.

/// A text as a cell: in quotes where it needs them.
pub(crate) fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
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
}
