//! What formats of different families share: contents as typed blocks or Gemini parts, files as records, and ids where
//! a file has none.

pub(crate) mod blocks;
mod fresh_id;
pub(crate) mod gemini_parts;
mod made_ids;
mod records;

pub(crate) use blocks::{Blocks, call_at, medium, result_content, with_source};
pub(crate) use fresh_id::{Stamps, fresh_id, short, uuid};
pub(crate) use gemini_parts::{Parts, Said, medium_of, said_by};
pub(crate) use made_ids::MadeIds;
pub(crate) use records::{Records, array_in, object_in, records};
