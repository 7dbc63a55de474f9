//! Sessions where the tools that people use keep them.
//!
//! Nothing is opened here: places are listed, by name and depth, and files come with their size and time.

mod moment;
mod places;
mod project;
mod tool;
mod walk;

pub(crate) use moment::Moment;
pub(crate) use places::{Place, places};
pub(crate) use project::project_of;
pub(crate) use tool::Tool;

use core::cmp::Reverse;
use std::path::PathBuf;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Discovery {
    /// The sessions, the newest first; those of one moment by path.
    pub(crate) sessions: Vec<FoundSession>,
    /// Where something may be that could not be looked at.
    pub(crate) unread: Vec<Unread>,
}

/// A session in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundSession {
    pub(crate) tool: Tool,
    pub(crate) path: PathBuf,
    /// The size of the file.
    pub(crate) bytes: u64,
    /// When it was written last; `None` where the system does not know.
    pub(crate) modified: Option<Moment>,
}

/// A place that could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unread {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
}

impl FoundSession {
    /// Why this file cannot be opened as a session, where its place already says so.
    pub(crate) fn obstacle(&self) -> Option<&'static str> {
        let name = self.path.to_string_lossy();
        match self.tool {
            Tool::Opencode if name.ends_with(".db") => Some(
                "opencode keeps all its sessions in this database; `opencode export ID > FILE` writes one out",
            ),
            Tool::Opencode => Some(
                "opencode spreads a session over many files; `opencode export ID > FILE` writes it into one",
            ),
            Tool::Codex if name.ends_with(".zst") => Some("it is compressed; unpack it with `zstd -d` first"),
            Tool::ClaudeCode | Tool::Codex | Tool::Gemini | Tool::Pi => None,
        }
    }
}

/// Looks through these places.
pub(crate) fn discover(places: &[Place]) -> Discovery {
    let mut found = Discovery::default();
    for place in places {
        walk::walk(place, &mut found);
    }
    found.sessions.sort_by(|left, right| {
        let key = |session: &FoundSession| Reverse(session.modified);
        key(left).cmp(&key(right)).then_with(|| left.path.cmp(&right.path))
    });
    found.unread.sort_by(|left, right| left.path.cmp(&right.path));
    found
}
