//! Session files and provider messages as lenses: read, compact, write back, byte for byte where nothing changed.
//!
//! A [`Session`] is a file with an index over it. Its format is recognised from its content, never from its name. It
//! gives a [`Transcript`](cutctx_types::Transcript) to plan over, and takes back one [`Fate`] a turn:
//!
//! ```
//! use cutctx_formats::{Fate, Session};
//! use cutctx_types::CharRatioEstimator;
//!
//! let file = br#"[
//!   {"role": "user", "content": "how tall is pole 7?"},
//!   {"role": "assistant", "content": null, "tool_calls": [
//!     {"id": "c1", "type": "function", "function": {"name": "measure", "arguments": "{\"pole\": 7}"}}]},
//!   {"role": "tool", "tool_call_id": "c1", "content": "a very long protocol of the measurement"},
//!   {"role": "assistant", "content": "4.2 metres."}
//! ]"#;
//! let session = Session::read(file.to_vec(), &CharRatioEstimator::default())?;
//! assert_eq!(session.format().name(), "openai-chat");
//! assert_eq!(session.transcript().turns().len(), 4);
//!
//! let fates = [Fate::Kept, Fate::Kept, Fate::Masked("[gone]"), Fate::Kept];
//! let rendered = session.render(&fates, &[])?;
//! let text = rendered.to_text();
//! assert!(text.contains(r#""tool_call_id": "c1", "content": "[gone]""#));
//!
//! let untouched = session.render(&[Fate::Kept; 4], &[])?;
//! assert_eq!(untouched.to_text().as_bytes(), file);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # What a lens promises
//!
//! * **get-put**: rendering with every turn kept gives the bytes that were read;
//! * **put-get**: reading what was rendered gives the turns of the view;
//! * only the records that a fate touches change; unknown fields, number spellings and the order of keys stay;
//! * a document that its provider accepts stays one that it accepts ([`Session::violations`] lists what it would
//!   refuse). Signed reasoning and JSON arguments are kept whole or go.
//!
//! # Formats
//!
//! [`formats`] lists them. Anything else is refused with a [`FormatError`] that names the line, the reason and, where
//! the structure gives it away, what the file looks like. A format is anything that implements [`Format`] and gives a
//! [`Lens`]; [`raw`] holds the span readers that all of them are made of. [`Session::read_as`] takes a format that is
//! not on the list.

extern crate alloc;

mod agent;
mod ballast;
pub mod convert;
mod dataset;
mod declared;
mod detect;
mod document;
mod error;
mod format;
mod fresh_ids;
mod injected;
mod inventory;
pub mod layout;
mod marker;
mod native;
mod note;
mod opening;
mod outcome;
mod provider;
pub mod raw;
mod rendering;
pub mod repair;
mod request;
mod rules;
pub mod salvage;
mod session;
mod shapes;
mod side;
mod signed_reasoning;
mod source;
mod standing;
mod unsigning;
mod usage;
mod view;
mod violation;

pub use agent::{
    Antigravity, ClaudeCode, Cline, CodexRollout, CopilotCli, Cursor, Droid, GeminiCli, Goose, HappyTrace,
    Hermes, KimiCli, Opencode, Pi, QwenCode,
};
pub use ballast::{Ballast, BallastGroup};
pub use cutctx_exec::Fate;
pub use dataset::{
    Atif, AutoGen, GoogleAdk, Inspect, IronClaw, LangChain, Letta, MiniSweAgent, OpenHands, OtelGenAi,
    ShareGpt, SweAgent, Tau2, ToolBench, TraeAgent,
};
pub use declared::DeclaredTool;
pub use detect::{detect, format_named, formats};
pub use document::{Document, Shape};
pub use error::{FormatError, Place, RecordFault};
pub use format::{About, Confidence, Dialect, Evidence, Format, Lens, Reading};
pub use inventory::{FoundMarker, Inventory, OpenCall};
pub use marker::Marker;
pub use native::Native;
pub use note::{Note, NoteKind};
pub use opening::Opening;
pub use provider::{AnthropicMessages, BedrockConverse, GeminiContents, OpenAiChat, OpenAiResponses};
pub use rendering::RenderRequest;
pub use request::{Observer, ReadRequest, Seen};
pub use rules::{Rule, Severity, rules};
pub use session::{Rendered, Session, SummaryText};
pub use signed_reasoning::{SignedReasoning, UnknownSignedReasoning};
pub use source::{OpenOptions, Worth};
pub use standing::Standing;
pub use usage::Usage;
pub use view::{Kept, View};
pub use violation::Violation;
