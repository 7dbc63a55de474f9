//! What is read: a file, or standard input.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

/// How many bytes of a stream are held in memory. What is longer goes into a temporary file.
const HELD: u64 = 8 << 20;

/// Bytes to read, in memory or in a file that can be read twice.
#[derive(Debug)]
pub(crate) enum Opened {
    /// In memory.
    Bytes(Vec<u8>),
    /// In a file.
    File(File),
}

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

    /// The file, or what a stream has to say.
    pub(crate) fn open(&self) -> Result<Opened, Failure> {
        let opened = match self {
            Self::Stdin => spooled(io::stdin().lock()),
            Self::File(path) => File::open(path).and_then(|file| match file.metadata() {
                Ok(metadata) if !metadata.is_file() => spooled(file),
                _ => Ok(Opened::File(file)),
            }),
        };
        opened.map_err(|error| Failure::io("read", self.path(), &error))
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

/// All of a stream.
fn spooled(mut stream: impl Read) -> io::Result<Opened> {
    let mut bytes = Vec::new();
    stream.by_ref().take(HELD).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length < HELD) {
        return Ok(Opened::Bytes(bytes));
    }
    let mut file = tempfile::tempfile()?;
    io::copy(&mut bytes.as_slice().chain(stream), &mut file)?;
    file.rewind()?;
    Ok(Opened::File(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_stream_goes_into_a_file_and_a_short_one_does_not() {
        let long = usize::try_from(HELD).unwrap();
        for length in [0, 1, long - 1, long, long + 1, 2 * long] {
            let bytes = vec![b'x'; length];
            match spooled(bytes.as_slice()).unwrap() {
                Opened::Bytes(read) => assert!(read == bytes && length < long),
                Opened::File(mut file) => {
                    let mut read = Vec::new();
                    file.read_to_end(&mut read).unwrap();
                    assert!(read == bytes && length >= long);
                }
            }
        }
    }
}
