//! Numbers of tokens as people write them.

/// A number of tokens: `4000`, `4_000`, `100k` or `1m`.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.to_ascii_lowercase() {
        lower if lower.ends_with('k') => (lower.trim_end_matches('k').to_owned(), 1_000),
        lower if lower.ends_with('m') => (lower.trim_end_matches('m').to_owned(), 1_000_000),
        lower => (lower, 1_u64),
    };
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit());
    let number: Option<u64> = digits.replace('_', "").parse().ok().filter(|_| is_number);
    let tokens = number.and_then(|number| number.checked_mul(factor));
    tokens.ok_or_else(|| "expected a number of tokens such as 4000, 4_000, 100k or 1m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tokens_are_read_as_people_write_them() {
        for (text, tokens) in
            [("0", 0), ("4000", 4_000), ("4_000", 4_000), ("100k", 100_000), ("2M", 2_000_000)]
        {
            assert_eq!(parse(text), Ok(tokens), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_of_tokens_is_refused() {
        for text in
            ["", "k", "-1", "1.5k", "kk", "_1", "1g", "99999999999999999999", "18446744073709551615k", "+5"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
