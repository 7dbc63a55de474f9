mod container;
pub(crate) use container::{Container, splice_records};
