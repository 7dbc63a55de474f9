//! How results look to people.

mod bars;
mod cache;
mod csv;
mod fates;
mod ids;
mod measured;
mod number;
mod printable;
mod table;
mod words;

pub(crate) use bars::{Bar, bars};
pub(crate) use cache::{cache_line, ratio};
pub(crate) use csv::csv_cell;
pub(crate) use fates::{fate_name, reason};
pub(crate) use ids::ShortIds;
pub(crate) use measured::{figure, interval, mean};
pub(crate) use number::{counted, grouped, percent, share};
pub(crate) use printable::{visible, visible_json, visible_lines};
pub(crate) use table::{Column, table, tables};
pub(crate) use words::shell_word;
