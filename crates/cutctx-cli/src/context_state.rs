//! What a context policy remembers of a session, in a file of its own.

use crate::failure::Failure;
use crate::files::{Input, Output, can_write_beside, keep_aside, put};
use cutctx::messages::DurableObject;
use cutctx::types::Sha256Digest;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The version of the file that is written, and the only one that is read.
const VERSION: u64 = 1;

/// The file.
#[derive(Debug)]
pub(crate) struct StateFile<'p> {
    path: &'p Path,
}

/// What a state file holds.
#[derive(Debug)]
pub(crate) enum Remembered {
    /// Nothing yet.
    Nothing,
    /// A checkpoint for sessions of this format.
    Checkpoint(DurableObject),
    /// Something that is of no use here.
    Useless(Useless),
}

/// Why a state file is of no use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Useless {
    /// It was edited, cut short, or never was one.
    Damaged,
    /// A newer version of this command wrote it.
    NewerVersion,
    /// It is about a session of another format.
    OtherFormat,
    /// What it says cannot be done to the session.
    Inapplicable,
}

impl Useless {
    /// A short stable name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::NewerVersion => "newer_version",
            Self::OtherFormat => "other_format",
            Self::Inapplicable => "inapplicable",
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Document {
    state_version: u64,
    format: String,
    checkpoint: DurableObject,
    /// Of the checkpoint's durable JSON.
    checkpoint_sha256: String,
}

/// What any version of the file says.
#[derive(Debug, Deserialize)]
struct AnyDocument {
    state_version: u64,
}

impl<'p> StateFile<'p> {
    /// The file of this name. It must be a plain file, or none yet in a folder that is there, and neither what is read
    /// nor what is written.
    pub(crate) fn new(
        path: &'p Path,
        session: &Input,
        policy: Option<&Input>,
        output: &Output,
    ) -> Result<Self, Failure> {
        let own = Output::File(PathBuf::from(path));
        if policy.is_some_and(|policy| own.is(policy)) {
            let remedy = "give --state a name of its own";
            return Err(Failure::usage("the state would take the place of the policy", remedy).file(path));
        }
        if own.is(session) || own.clash(output).is_some() {
            let message = "the state would take the place of the session or of the context";
            return Err(Failure::usage(message, "give --state a name of its own").file(path));
        }
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            let remedy = "give --state the name of a file";
            return Err(Failure::usage("only a plain file can hold the state", remedy).file(path));
        }
        own.check(session, true)?;
        Ok(Self { path })
    }

    /// Finds out before anything is paid for whether a file can be written there.
    pub(crate) fn check_writable(&self) -> Result<(), Failure> {
        can_write_beside(self.path).map_err(|error| Failure::io("write beside", self.path, &error))
    }

    /// Its name.
    pub(crate) const fn path(&self) -> &'p Path {
        self.path
    }

    /// What it holds for sessions of a format.
    pub(crate) fn read(&self, format: &str) -> Result<Remembered, Failure> {
        match fs::read(self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Remembered::Nothing),
            Err(error) => Err(Failure::io("read", self.path, &error)),
            Ok(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => Ok(Remembered::Nothing),
            Ok(bytes) => Ok(remembered(&bytes, format)),
        }
    }

    /// Keeps the file as it is under another name beside it, which is given.
    pub(crate) fn keep_aside(&self) -> Result<PathBuf, Failure> {
        keep_aside(self.path)
    }

    /// Takes it away.
    pub(crate) fn remove(&self) -> Result<(), Failure> {
        match fs::remove_file(self.path) {
            // Another run was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(|error| Failure::io("remove", self.path, &error)),
        }
    }

    /// Replaces it.
    pub(crate) fn write(&self, format: &str, checkpoint: &DurableObject) -> Result<(), Failure> {
        let document = Document {
            state_version: VERSION,
            format: format.to_owned(),
            checkpoint_sha256: digest(checkpoint),
            checkpoint: checkpoint.clone(),
        };
        put(self.path, |out| {
            serde_json::to_writer(&mut *out, &document).map_err(io::Error::from)?;
            out.write_all(b"\n")
        })
    }
}

fn remembered(bytes: &[u8], format: &str) -> Remembered {
    if serde_json::from_slice(bytes).is_ok_and(|any: AnyDocument| any.state_version > VERSION) {
        return Remembered::Useless(Useless::NewerVersion);
    }
    match serde_json::from_slice::<Document>(bytes) {
        Ok(read) if read.state_version != VERSION || read.checkpoint_sha256 != digest(&read.checkpoint) => {
            Remembered::Useless(Useless::Damaged)
        }
        Ok(read) if read.format != format => Remembered::Useless(Useless::OtherFormat),
        Ok(read) => Remembered::Checkpoint(read.checkpoint),
        Err(_) => Remembered::Useless(Useless::Damaged),
    }
}

fn digest(checkpoint: &DurableObject) -> String {
    Sha256Digest::of_bytes(checkpoint.durable_json().as_bytes()).to_hex()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(folder: &tempfile::TempDir, bytes: &[u8]) -> PathBuf {
        let path = folder.path().join("state.json");
        fs::write(&path, bytes).unwrap();
        path
    }

    fn state(path: &Path) -> StateFile<'_> {
        StateFile::new(path, &Input::Stdin, None, &Output::Stdout).unwrap()
    }

    fn checkpoint() -> DurableObject {
        serde_json::from_str(r#"{"budgeted_context":{"version":2,"b":"text \u00e9","a":[1,2.5]}}"#).unwrap()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let state = state(&path);
        assert!(matches!(state.read("native"), Ok(Remembered::Nothing)));
        state.write("native", &checkpoint()).unwrap();
        let Ok(Remembered::Checkpoint(read)) = state.read("native") else { panic!("no checkpoint") };
        assert_eq!(read, checkpoint());
        assert!(matches!(state.read("codex"), Ok(Remembered::Useless(Useless::OtherFormat))));
    }

    #[test]
    fn damage_of_any_kind_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        state(&path).write("native", &checkpoint()).unwrap();
        let whole = String::from_utf8(fs::read(&path).unwrap()).unwrap();
        let read = |text: &str| {
            let path = stored(&folder, text.as_bytes());
            let Ok(Remembered::Useless(useless)) = state(&path).read("native") else { panic!("{text}") };
            useless
        };
        for place in 1..whole.len() - 1 {
            if let Some(beginning) = whole.get(..place) {
                assert_eq!(read(beginning), Useless::Damaged, "{place}");
            }
        }
        for (from, to) in
            [("text", "test"), ("2.5", "2.6"), ("\"native\"", "7"), ("n\":1", "n\":0"), ("{", "[")]
        {
            assert_eq!(read(&whole.replacen(from, to, 1)), Useless::Damaged, "{from}");
        }
        assert_eq!(read(r#"{"state_version": 2}"#), Useless::NewerVersion);
        assert!(matches!(state(&stored(&folder, b" \n")).read("native"), Ok(Remembered::Nothing)));
    }

    #[test]
    fn what_is_no_plain_file_or_taken_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = stored(&folder, b"");
        let file = Input::File(path.clone());
        assert!(StateFile::new(folder.path(), &Input::Stdin, None, &Output::Stdout).is_err());
        assert!(StateFile::new(&path, &file, None, &Output::Stdout).is_err());
        assert!(StateFile::new(&path, &Input::Stdin, Some(&file), &Output::Stdout).is_err());
        assert!(StateFile::new(&path, &Input::Stdin, None, &Output::File(path.clone())).is_err());
        assert!(StateFile::new(&folder.path().join("no/s"), &Input::Stdin, None, &Output::Stdout).is_err());
        assert!(StateFile::new(&path, &Input::Stdin, None, &Output::Stdout).is_ok());
    }
}
