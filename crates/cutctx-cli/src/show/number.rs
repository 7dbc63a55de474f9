//! Numbers for people.

/// A number with a comma between groups of three digits.
pub(crate) fn grouped(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let count = digits.len();
    let mut text = String::with_capacity(count.saturating_add(count / 3));
    for (place, digit) in digits.chars().enumerate() {
        let left = count.saturating_sub(place);
        if place > 0 && left.is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many of a thing: `1 session`, `2 sessions`.
pub(crate) fn counted(number: impl TryInto<u64>, thing: &str) -> String {
    let number = grouped(number);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// Thousandths in per cent, rounded to the nearest, and never to nothing.
pub(crate) fn percent(thousandths: u64) -> u64 {
    (thousandths.saturating_add(5) / 10).max(u64::from(thousandths > 0))
}

/// A part of a whole in whole per cent, rounded down.
pub(crate) fn share(part: u64, whole: u64) -> u64 {
    let percent = u128::from(part).saturating_mul(100).checked_div(u128::from(whole)).unwrap_or(0);
    u64::try_from(percent).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        let said = [0_u64, 1, 1_000].map(|number| counted(number, "turn"));
        assert_eq!(said, ["0 turns", "1 turn", "1,000 turns"]);
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn a_share_of_nothing_is_nothing() {
        assert_eq!((share(1, 0), share(1, 3), share(u64::MAX, u64::MAX)), (0, 33, 100));
    }
}
