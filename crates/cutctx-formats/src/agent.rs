//! What agents write about their sessions, one module a tool.

mod antigravity;
mod blocks;
mod claude_code;
mod cline;
mod codex_rollout;
mod copilot_cli;
mod cursor;
mod droid;
mod earlier_summary;
mod fresh_id;
mod gemini_cli;
mod gemini_parts;
mod goose;
mod happy_trace;
mod hermes;
mod kimi_cli;
mod made_ids;
mod opencode;
mod parent_links;
mod pi;
mod qwen_code;
mod records;
mod split_result;

pub use antigravity::Antigravity;
pub use claude_code::ClaudeCode;
pub use cline::Cline;
pub use codex_rollout::CodexRollout;
pub use copilot_cli::CopilotCli;
pub use cursor::Cursor;
pub use droid::Droid;
pub use gemini_cli::GeminiCli;
pub use goose::Goose;
pub use happy_trace::HappyTrace;
pub use hermes::Hermes;
pub use kimi_cli::KimiCli;
pub use opencode::Opencode;
pub use pi::Pi;
pub use qwen_code::QwenCode;

pub(crate) use blocks::{Blocks, call_at, medium, result_content, with_source};
pub(crate) use fresh_id::{Stamps, fresh_id, short, uuid};
pub(crate) use gemini_parts::Parts;
pub(crate) use made_ids::MadeIds;
pub(crate) use records::{array_in, object_in};
pub(crate) use split_result::SplitResult;
