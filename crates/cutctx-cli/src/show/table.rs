//! Tables that fit the terminal.

use super::printable::visible;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use core::ops::Range;

/// A column's title and how its cells are set.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Column {
    /// Set from the left.
    Text(&'static str),
    /// Set from the right.
    Number(&'static str),
}

impl Column {
    const fn title(self) -> &'static str {
        match self {
            Self::Text(title) | Self::Number(title) => title,
        }
    }

    const fn alignment(self) -> CellAlignment {
        match self {
            Self::Text(_) => CellAlignment::Left,
            Self::Number(_) => CellAlignment::Right,
        }
    }
}

/// A table of at most `width` columns of the terminal, ending in a line feed.
pub(crate) fn table(width: u16, columns: &[Column], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    table
        .set_header(columns.iter().map(|column| Cell::new(column.title()).set_alignment(column.alignment())));
    for row in rows {
        let cells = row.into_iter().zip(columns);
        table
            .add_row(cells.map(|(cell, column)| Cell::new(visible(&cell)).set_alignment(column.alignment())));
    }
    trimmed(&table.to_string())
}

/// Tables of figures, whose columns stay whole: those for which there is no room stand in a further table below, behind
/// the first column again.
pub(crate) fn tables(width: u16, columns: &[Column], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let groups = groups(usize::from(width), &widths(columns, &rows));
    let shown = groups
        .iter()
        .map(|group| table(width, &first_and(group, columns), rows.iter().map(|row| first_and(group, row))));
    shown.collect::<Vec<_>>().join("\n")
}

/// How wide each column is, with the space around it.
fn widths(columns: &[Column], rows: &[Vec<String>]) -> Vec<usize> {
    let wide = |text: &str| text.chars().count().saturating_add(2);
    let cells = |at: usize| rows.iter().filter_map(move |row| row.get(at));
    let widest = |(at, column): (usize, &Column)| {
        cells(at).map(|cell| wide(cell)).fold(wide(column.title()), usize::max)
    };
    columns.iter().enumerate().map(widest).collect()
}

/// Which columns behind the first one stand together. A first one that is very wide is broken instead.
fn groups(width: usize, widths: &[usize]) -> Vec<Range<usize>> {
    let first = widths.first().copied().unwrap_or(0).min(width / 2);
    let mut groups = Vec::new();
    let (mut start, mut taken) = (1, first);
    for (at, column) in widths.iter().enumerate().skip(1) {
        if at > start && taken.saturating_add(*column) > width {
            groups.push(start..at);
            (start, taken) = (at, first);
        }
        taken = taken.saturating_add(*column);
    }
    groups.push(start..widths.len());
    groups
}

fn first_and<T: Clone>(group: &Range<usize>, all: &[T]) -> Vec<T> {
    all.iter().take(1).chain(all.get(group.clone()).unwrap_or_default()).cloned().collect()
}

/// Without the margin on the left and white space at the ends of lines.
fn trimmed(text: &str) -> String {
    text.lines().flat_map(|line| [line.strip_prefix(' ').unwrap_or(line).trim_end(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURES: [Column; 4] =
        [Column::Text("policy"), Column::Number("Q"), Column::Number("interval"), Column::Number("tokens")];

    fn shown(width: u16) -> String {
        tables(width, &FIGURES, [["drop-oldest", "95.1", "90.0…99.5", "49.4"].map(str::to_owned).to_vec()])
    }

    #[test]
    fn columns_without_room_stand_in_a_further_table_behind_the_first_one() {
        assert_eq!(shown(80), "policy          Q   interval  tokens\ndrop-oldest  95.1  90.0…99.5    49.4\n");
        assert_eq!(
            shown(32),
            "policy          Q   interval\ndrop-oldest  95.1  90.0…99.5\n\npolicy       tokens\ndrop-oldest    49.4\n"
        );
    }

    #[test]
    fn no_figure_is_broken_and_none_is_lost_in_any_width() {
        for width in 24..90 {
            let shown = shown(width);
            assert!(shown.lines().all(|line| line.chars().count() <= usize::from(width)), "{width}: {shown}");
            for figure in ["95.1", "90.0…99.5", "49.4"] {
                assert_eq!(shown.matches(figure).count(), 1, "{width}: {shown}");
            }
        }
    }
}
