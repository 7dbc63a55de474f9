//! Bars that fit the terminal.

use super::number::grouped;
use super::printable::visible;

/// One bar: what it is about and how long it is.
#[derive(Debug, Clone)]
pub(crate) struct Bar {
    pub(crate) label: String,
    pub(crate) tokens: u64,
}

/// The widest label, in columns.
const WIDEST_LABEL: usize = 32;
/// What stands between and after label, figure and bar, in columns.
const GAPS: usize = 4;

/// Bars of at most `width` columns, the longest one for the largest figure.
pub(crate) fn bars(width: u16, bars: &[Bar]) -> String {
    let label = bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0).min(WIDEST_LABEL);
    let figure = bars.iter().map(|bar| grouped(bar.tokens).len()).max().unwrap_or(0);
    let taken = label.saturating_add(figure).saturating_add(GAPS);
    let room = usize::from(width).saturating_sub(taken).max(8);
    let most = bars.iter().map(|bar| bar.tokens).max().unwrap_or(0);
    let line = |bar: &Bar| {
        let name: String = visible(&bar.label).chars().take(WIDEST_LABEL).collect();
        let drawn = "#".repeat(length(bar.tokens, most, room));
        let text = format!("{name:<label$}  {:>figure$}  {drawn}", grouped(bar.tokens));
        format!("{}\n", text.trim_end())
    };
    bars.iter().map(line).collect()
}

/// At least one column for whatever is not nothing.
fn length(tokens: u64, most: u64, room: usize) -> usize {
    let room = u128::try_from(room).unwrap_or(0);
    let columns = u128::from(tokens).saturating_mul(room).checked_div(u128::from(most)).unwrap_or(0);
    let columns = usize::try_from(columns).unwrap_or(0);
    columns.max(usize::from(tokens > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_figure_has_the_longest_bar_and_no_line_is_wider_than_the_terminal() {
        let bar = |label: &str, tokens| Bar { label: label.to_owned(), tokens };
        let text = bars(40, &[bar("user", 10), bar("tool", 2_000), bar("none", 0)]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.iter().all(|line| line.len() <= 40), "{text}");
        assert!(lines[1].matches('#').count() == 40 - 4 - 5 - 4);
        assert!(lines[0].ends_with("  #") && !lines[2].contains('#'));
    }
}
