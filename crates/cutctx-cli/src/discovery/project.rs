//! Which project a session is about.

use super::{FoundSession, Tool};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// How much of a file is looked at, in bytes: the first records of some tools hold long instructions.
const MOST_BYTES: u64 = 1 << 20;

/// The folder that the session was held in, from its first records; failing that, the name of the folder that it is
/// kept in, which most tools derive from the other. `None` where neither says anything.
pub(crate) fn project_of(session: &FoundSession) -> Option<String> {
    let recorded = match session.tool {
        Tool::ClaudeCode | Tool::Codex | Tool::Pi => from_lines(&session.path),
        Tool::Gemini => from_marker(&session.path),
        Tool::Opencode => from_document(&session.path),
    };
    recorded.or_else(|| from_folder(session))
}

/// What the first records may say about the folder.
#[derive(Deserialize)]
struct Record {
    cwd: Option<String>,
    directory: Option<String>,
    payload: Option<Payload>,
}

#[derive(Deserialize)]
struct Payload {
    cwd: Option<String>,
}

impl Record {
    fn folder(self) -> Option<String> {
        let folder = self.cwd.or(self.directory).or_else(|| self.payload?.cwd);
        folder.filter(|folder| !folder.is_empty())
    }
}

/// The first line that names a folder. Lines that cannot be read are passed over.
fn from_lines(path: &Path) -> Option<String> {
    let lines = BufReader::new(File::open(path).ok()?.take(MOST_BYTES)).split(b'\n');
    let folder = |line: Vec<u8>| serde_json::from_slice::<Record>(&line).ok()?.folder();
    lines.map_while(Result::ok).find_map(folder)
}

fn from_document(path: &Path) -> Option<String> {
    if path.extension().is_none_or(|ending| ending != "json") {
        return None;
    }
    let file = BufReader::new(File::open(path).ok()?.take(MOST_BYTES));
    serde_json::from_reader::<_, Record>(file).ok()?.folder()
}

/// Gemini CLI writes the folder into a file of its own, beside the folder of chats.
fn from_marker(path: &Path) -> Option<String> {
    let marker = path.parent()?.parent()?.join(".project_root");
    let is_plain = fs::metadata(&marker).is_ok_and(|metadata| metadata.is_file());
    let mut folder = String::new();
    File::open(marker).ok().filter(|_| is_plain)?.take(MOST_BYTES).read_to_string(&mut folder).ok()?;
    Some(folder.trim().to_owned()).filter(|folder| !folder.is_empty())
}

fn from_folder(session: &FoundSession) -> Option<String> {
    let folder = session.path.parent()?;
    let folder = match session.tool {
        Tool::ClaudeCode | Tool::Pi => folder,
        Tool::Gemini => folder.parent()?,
        // Folders by day, and hashes.
        Tool::Codex | Tool::Opencode => return None,
    };
    Some(folder.file_name()?.to_string_lossy().into_owned())
}
