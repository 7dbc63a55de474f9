//! Span readers over JSON text: the engine under every format.
//!
//! A lens must change only what it was asked to change. So nothing here builds a value tree: an object is its
//! members in file order, an array its elements, each a [`Node`] that knows where its text stands in the file.
//! Values are unescaped only when somebody asks for their text. Edits are [`Splices`]: byte ranges and what
//! stands there instead; everything else is copied as it was, with its spacing, number spellings and key order.
//!
//! ```
//! use cutctx_formats::raw::{Node, Splices, quoted};
//!
//! let text = r#"{ "n": 1.50, "text": "old" }"#;
//! let node = Node::parse(text, 0)?;
//! let object = node.object()?.unwrap_or_default();
//! let value = object.get("text").ok_or("no text")?;
//!
//! let mut splices = Splices::new();
//! splices.replace(value.span(), quoted("new"));
//! assert_eq!(splices.apply(text)?, r#"{ "n": 1.50, "text": "new" }"#);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod array_edit;
mod check;
mod ends;
mod lines;
mod memo;
mod nested;
mod node;
mod parse;
mod splices;
mod unescape;
mod walk;
mod write;

pub use array_edit::ArrayEdit;
pub use lines::{Line, Lines};
pub(crate) use memo::Memo;
pub use node::{Kind, Listed, Member, Nested, Node, Object};
pub use parse::SyntaxError;
pub(crate) use splices::Remark;
pub use splices::{Span, SpliceError, Splices};
pub(crate) use walk::string_end;
pub use write::{compact, quoted};
