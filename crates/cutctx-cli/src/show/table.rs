//! Tables that fit the terminal.

use super::printable::visible;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

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

/// Without the margin on the left and white space at the ends of lines.
fn trimmed(text: &str) -> String {
    text.lines().flat_map(|line| [line.strip_prefix(' ').unwrap_or(line).trim_end(), "\n"]).collect()
}
