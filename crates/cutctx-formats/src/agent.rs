//! What agents write about their sessions, one module a tool.

mod claude_code;

pub use claude_code::ClaudeCode;
