//! The tools whose sessions are looked for.

use clap::ValueEnum;
use core::fmt;

/// A tool that keeps its sessions in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tool {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    #[value(alias = "gemini-cli")]
    Gemini,
    /// opencode.
    Opencode,
    /// pi.
    Pi,
}

impl Tool {
    /// The name, as it is given on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Pi => "pi",
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_given_by_its_name() {
        for tool in Tool::value_variants() {
            assert_eq!(Tool::from_str(tool.name(), false).as_ref(), Ok(tool));
        }
    }
}
