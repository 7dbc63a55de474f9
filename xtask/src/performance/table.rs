//! Markdown tables and the numbers in them.

/// A table in Markdown. The first column is text, the others are numbers.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let rule = head.iter().enumerate().map(|(column, _)| if column == 0 { "---" } else { "---:" });
    let mut text = line(head.to_vec());
    text.push_str(&line(rule.collect()));
    for row in rows {
        text.push_str(&line(row.iter().map(String::as_str).collect()));
    }
    text
}

/// Microseconds as milliseconds, with three digits that mean something.
pub(super) fn millis(micros: u64) -> String {
    let digits = match micros {
        0..10_000 => 2,
        10_000..100_000 => 1,
        _ => 0,
    };
    format!("{:.digits$}", as_f64(micros) / 1_000.0)
}

/// How many times one number is another.
pub(super) fn times(one: u64, other: u64) -> String {
    if other == 0 { "–".to_owned() } else { format!("{:.2}", as_f64(one) / as_f64(other)) }
}

/// The middle one of some numbers.
pub(super) fn median(numbers: &[u64]) -> u64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "figures are shown with three digits")]
pub(crate) fn as_f64(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_right_aligned() {
        let text = table(&["case", "ms"], &[vec!["hash".to_owned(), "7.1".to_owned()]]);
        assert_eq!(text, "| case | ms |\n| --- | ---: |\n| hash | 7.1 |\n");
    }

    #[test]
    fn large_times_have_no_digits_behind_the_point_and_small_ones_two() {
        assert_eq!([1_234, 12_345, 123_456].map(millis), ["1.23", "12.3", "123"]);
    }

    #[test]
    fn a_ratio_to_nothing_is_a_dash() {
        assert_eq!(times(3, 2), "1.50");
        assert_eq!(times(3, 0), "–");
    }

    #[test]
    fn the_median_does_not_mind_the_order() {
        assert_eq!(median(&[9, 1, 5]), 5);
        assert_eq!(median(&[]), 0);
    }
}
