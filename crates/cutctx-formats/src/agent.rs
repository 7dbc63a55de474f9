//! What agents write about their sessions, one module a tool.

mod antigravity;
mod claude_code;
mod cline;
mod codex_rollout;
mod copilot_cli;
mod cursor;
mod droid;
mod earlier_summary;
mod gemini_cli;
mod goose;
mod happy_trace;
mod hermes;
mod kimi_cli;
mod opencode;
mod parent_links;
mod pi;
mod qwen_code;

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
