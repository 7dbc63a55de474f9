//! How many tokens texts and messages have.
//!
//! [`Tokenizer::named`] gives a counter for a model, a family of models or a vocabulary:
//!
//! * **exact**, with the vocabularies of OpenAI (features `openai` and `openai-legacy`) or a `tokenizer.json` given as
//!   a file (feature `huggingface`);
//! * **by rule of thumb** ([`Heuristic`]) where a provider keeps its tokenizer to itself: one pass over the characters,
//!   with weights for OpenAI, Anthropic and Google, and with its measured error beside it ([`Accuracy`]);
//! * **by a ratio**, `chars/4`, as the Python package does.
//!
//! [`MessageCounter`] adds what providers put around texts: messages, calls and results, tool definitions, images by
//! their pixels, documents by their pages. It is the [`MessageEstimator`](cutctx_messages::MessageEstimator) to give to
//! a format, and it remembers what it counted.
//!
//! ```
//! use cutctx_tokens::{MessageCounter, ToolSchema};
//! use cutctx_messages::MessageEstimator;
//!
//! let counter = MessageCounter::named("gemini-2.5-pro")?;
//! let schema = ToolSchema::new("measure", "How tall a pole is.", r#"{"type":"object"}"#);
//! let overhead = counter.overhead("You measure poles.", &[schema]);
//! assert!(overhead.tools > overhead.system);
//! assert_eq!(counter.label(), "heuristic:google+google");
//! # Ok::<(), cutctx_tokens::TokenizerError>(())
//! ```
//!
//! # Features
//!
//! * `openai`: `o200k_base`, `o200k_harmony` and `cl100k_base`; about 4 MB in the program.
//! * `openai-legacy`: `p50k_base` and `r50k_base`; about 3 MB.
//! * `huggingface`: any `tokenizer.json`; about 2 MB, no vocabulary.
//! * `rayon`: `estimate_all`, many texts on all cores.
//!
//! A name whose feature is missing is refused ([`TokenizerError::NotBuilt`]); a feature never changes what a name means.
//!
//! `docs/tokens.md` in the repository has the measured errors, the speeds and every rule with its source.

extern crate alloc;

mod accuracy;
mod cache;
mod counter;
mod error;
#[cfg(feature = "openai")]
mod exact;
mod family;
mod framing;
mod heuristic;
#[cfg(feature = "huggingface")]
mod huggingface;
#[cfg(feature = "rayon")]
mod many;
mod media;
mod models;
mod tokenizer;

pub use accuracy::{Accuracy, Estimate};
pub use cache::Cached;
pub use counter::{MessageCounter, Overhead, ToolSchema};
pub use error::TokenizerError;
#[cfg(feature = "openai")]
pub use exact::Encoding;
pub use family::Family;
pub use framing::{Framing, HiddenRule};
pub use heuristic::{Heuristic, Kind, Weights, profile};
#[cfg(feature = "huggingface")]
pub use huggingface::TokenizerFile;
#[cfg(feature = "rayon")]
pub use many::estimate_all;
pub use media::billing::{ImageRule, MediaRules};
pub use media::image::Pixels;
pub use tokenizer::Tokenizer;
