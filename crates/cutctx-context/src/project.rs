//! What of a transcript is shown: windows, turns, and files that are left out.

mod attachments;
mod error;
mod note;
mod window;

pub use attachments::strip_old_file_attachments;
pub(crate) use attachments::{Answered, Stripped, leaving_files_out, request_note, without_prompt_files};
pub use error::ProjectionError;
pub(crate) use window::recent_turns;
pub use window::{trim_context_messages, trim_context_turns};
