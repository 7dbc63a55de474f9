//! Sizes as people write them: tokens, or a share.

use super::parse_tokens;
use cutctx_eval::{Limit, Share};

/// A number of tokens such as `100k`, or a share such as `50%`.
pub(crate) fn parse(text: &str) -> Result<Limit, String> {
    if text.ends_with('%') {
        return share(text).map(Limit::Share);
    }
    parse_tokens(text).map(Limit::Tokens).map_err(|said| format!("{said}, or a share such as 50%"))
}

/// As [`parse`], of what is to hold anything.
pub(crate) fn positive(text: &str) -> Result<Limit, String> {
    let size = parse(text)?;
    if size == Limit::Tokens(0) { Err("expected more than 0 tokens".to_owned()) } else { Ok(size) }
}

/// A share such as `35%`, `35` or `2.5%`.
pub(crate) fn share(text: &str) -> Result<Share, String> {
    let number = text.strip_suffix('%').unwrap_or(text);
    let millionths = i64::try_from(thousandths(number)?.saturating_mul(1_000));
    millionths.map(Share::millionths).map_err(|_| expected())
}

/// A share of the target below the whole, such as `60%`, in thousandths.
pub(crate) fn head(text: &str) -> Result<u64, String> {
    let number = text.strip_suffix('%').unwrap_or(text);
    let share = thousandths(number)?;
    if share < 1_000 { Ok(share) } else { Err("expected a share below 100%".to_owned()) }
}

/// A number of per cent with at most one digit behind the point, in thousandths of the whole.
fn thousandths(number: &str) -> Result<u64, String> {
    let (whole, tenth) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = (is_number(whole) && is_number(tenth) && tenth.len() == 1)
        .then(|| format!("{whole}{tenth}"))
        .and_then(|digits| digits.parse().ok());
    parsed.filter(|thousandths| (1..=1_000).contains(thousandths)).ok_or_else(expected)
}

fn expected() -> String {
    "expected a share such as 35% or 2.5%, above 0% and at most 100%".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_in_per_cent() {
        for (text, millionths) in [("35%", 350_000), ("35", 350_000), ("2.5%", 25_000), ("100%", 1_000_000)] {
            assert_eq!(share(text), Ok(Share::millionths(millionths)), "{text}");
        }
        assert!(share("+5").is_err() && share("a").is_err());
    }

    #[test]
    fn sizes_are_tokens_or_shares() {
        assert_eq!(parse("100k"), Ok(Limit::Tokens(100_000)));
        assert_eq!(parse("50%"), Ok(Limit::Share(Share::percent(50))));
        assert_eq!(parse("2.5%"), Ok(Limit::Share(Share::millionths(25_000))));
        assert_eq!((head("60%"), head("60")), (Ok(600), Ok(600)));
        assert_eq!((parse("0"), positive("1k")), (Ok(Limit::Tokens(0)), Ok(Limit::Tokens(1_000))));
        assert!(positive("0").is_err() && positive("0k").is_err() && positive("x").is_err());
        for text in ["", "%", "0%", "101%", "-1%", "1.55%", "5.%", "50%%", "half", "99999999999999999999%"] {
            assert!(parse(text).is_err(), "{text}");
            assert!(share(text).is_err(), "{text}");
        }
        assert!(head("100%").is_err() && head("0%").is_err());
    }
}
