//! A curve on one line.

/// Eight heights.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The values as bars of at most `width` columns, the highest for `top`. Where there are more values than columns, a
/// column shows the largest of its own.
pub(super) fn sparkline(values: &[u64], top: u64, width: usize) -> String {
    let each = values.len().div_ceil(width.max(1)).max(1);
    values.chunks(each).map(|chunk| bar(chunk.iter().copied().max().unwrap_or(0), top)).collect()
}

fn bar(value: u64, top: u64) -> char {
    let height = u128::from(value).saturating_mul(8).div_ceil(u128::from(top).max(1)).saturating_sub(1);
    let height = usize::try_from(height).unwrap_or(usize::MAX).min(7);
    BARS.get(height).copied().unwrap_or('█')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_is_the_highest_bar_and_columns_show_their_largest_value() {
        assert_eq!(sparkline(&[0, 1, 50, 100, 200], 100, 10), "▁▁▄██");
        assert_eq!(sparkline(&[10, 100, 10, 20], 100, 2), "█▂");
        assert_eq!(sparkline(&[], 0, 0), "");
        assert_eq!(sparkline(&[u64::MAX], u64::MAX, 5), "█");
    }
}
