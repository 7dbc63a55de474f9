//! Session files made up in memory, as large as one likes.
//!
//! Real sessions are private, so the figures of speed are taken on invented ones. They have the proportions of real
//! sessions: short requests, thinking with a signature, parallel calls, tool results from one line to several
//! hundred, and in the files of agents also what is no context: progress, snapshots of files, counts, and a second copy
//! of each result for the user interface. The same size gives the same bytes, everywhere and always.

mod anthropic_messages;
mod claude_code;
mod codex_rollout;
mod grown;
mod openai_chat;
mod pi;
mod story;

use std::io;

pub use grown::grown;

/// A format that sessions can be made up in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionKind {
    /// A session of Claude Code, one record a line.
    ClaudeCode,
    /// A request of the chat completions API.
    OpenAiChat,
    /// A request of the messages API.
    AnthropicMessages,
    /// A rollout of the Codex CLI.
    CodexRollout,
    /// A session of pi.
    Pi,
}

impl SessionKind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::ClaudeCode, Self::OpenAiChat, Self::AnthropicMessages, Self::CodexRollout, Self::Pi];

    /// The name that the format goes by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::OpenAiChat => "openai-chat",
            Self::AnthropicMessages => "anthropic-messages",
            Self::CodexRollout => "codex-rollout",
            Self::Pi => "pi",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Writes a session that ends with the first step at or after this many bytes.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(self, bytes: usize, out: &mut impl io::Write) -> io::Result<()> {
        match self {
            Self::ClaudeCode => claude_code::write(bytes, out),
            Self::OpenAiChat => openai_chat::write(bytes, out),
            Self::AnthropicMessages => anthropic_messages::write(bytes, out),
            Self::CodexRollout => codex_rollout::write(bytes, out),
            Self::Pi => pi::write(bytes, out),
        }
    }

    /// A session that ends with the first step at or after this many bytes.
    ///
    /// # Errors
    ///
    /// None in practice: writing to memory does not fail.
    pub fn bytes(self, bytes: usize) -> io::Result<Vec<u8>> {
        let mut out = Vec::with_capacity(bytes.saturating_add(bytes / 8));
        self.write(bytes, &mut out)?;
        Ok(out)
    }
}

/// A text as it stands in JSON, quotes included.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutctx_formats::Session;
    use cutctx_types::CharRatioEstimator;

    #[test]
    fn every_made_up_session_is_read_as_its_format_and_valid() {
        for kind in SessionKind::ALL {
            let bytes = kind.bytes(200_000).unwrap();
            let session = Session::read(bytes, &CharRatioEstimator::default()).unwrap();
            assert_eq!(session.format().name(), kind.name());
            assert_eq!(session.violations(), [], "{}", kind.name());
            assert!(session.transcript().len() > 20, "{}", kind.name());
        }
    }

    #[test]
    fn the_same_size_gives_the_same_bytes() {
        for kind in SessionKind::ALL {
            assert_eq!(kind.bytes(50_000).unwrap(), kind.bytes(50_000).unwrap());
        }
    }

    #[test]
    fn a_session_is_about_as_large_as_asked_for() {
        for kind in SessionKind::ALL {
            let bytes = kind.bytes(1_000_000).unwrap().len();
            assert!((1_000_000..1_200_000).contains(&bytes), "{}: {bytes}", kind.name());
        }
    }
}
