//! How results look to people.

mod bars;
mod fates;
mod ids;
mod number;
mod table;

pub(crate) use bars::{Bar, bars};
pub(crate) use fates::{fate_name, reason};
pub(crate) use ids::ShortIds;
pub(crate) use number::{grouped, share};
pub(crate) use table::{Column, table};
