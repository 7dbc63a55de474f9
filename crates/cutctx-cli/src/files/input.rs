//! What is read: a file, or standard input.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file to read; `-` is standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl From<&OsStr> for Input {
    fn from(argument: &OsStr) -> Self {
        if argument == "-" { Self::Stdin } else { Self::File(argument.into()) }
    }
}

impl Input {
    /// Refuses command lines that would read standard input twice.
    #[expect(single_use_lifetimes, reason = "an elided lifetime is not allowed in this place")]
    pub(crate) fn at_most_one_stdin<'i>(inputs: impl IntoIterator<Item = &'i Self>) -> Result<(), Failure> {
        if inputs.into_iter().filter(|input| **input == Self::Stdin).count() < 2 {
            return Ok(());
        }
        let message = "several inputs would come from standard input";
        Err(Failure::usage(message, "read all but one of them from files"))
    }

    /// How messages name it.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("standard input"),
            Self::File(path) => path,
        }
    }

    /// All its bytes.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        self.read().map_err(|error| Failure::io("read", self.path(), &error))
    }

    /// All its text.
    pub(crate) fn text(&self) -> Result<String, Failure> {
        let read = self.bytes()?;
        String::from_utf8(read).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            let message = format!("the bytes from offset {offset} on are no UTF-8 text");
            Failure::new(crate::exit::Exit::Refused, "NOT_UTF8", message).file(self.path())
        })
    }

    fn read(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::File(path) => fs::read(path),
            Self::Stdin => {
                let mut bytes = Vec::new();
                io::stdin().lock().read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }
}
