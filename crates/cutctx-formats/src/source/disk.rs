//! The file that a session was read from.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use crate::error::FormatError;
use crate::raw::Span;

/// How much is copied at once.
const BLOCK: usize = 1 << 16;

/// An open file, and what it looked like when it was opened.
pub(super) struct Disk {
    file: Mutex<File>,
    stamp: Stamp,
}

/// By what a change of a file shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: usize,
    /// In nanoseconds since 1970; none where the system does not tell.
    modified: Option<u128>,
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Disk({} bytes)", self.length())
    }
}

impl Disk {
    pub(super) fn new(file: File) -> Result<Self, FormatError> {
        let stamp = Stamp::of(&file).map_err(|error| source_error(&error))?;
        Ok(Self { file: Mutex::new(file), stamp })
    }

    /// How many bytes the file has.
    pub(super) const fn length(&self) -> usize {
        self.stamp.length
    }

    /// That the file is as long and as old as it was.
    pub(super) fn check(&self) -> Result<(), FormatError> {
        let same = self.looks_like(&self.file()).map_err(|error| source_error(&error))?;
        if same { Ok(()) } else { Err(FormatError::SourceChanged) }
    }

    /// Whether a file is as long and as old as this one was.
    pub(super) fn looks_like(&self, file: &File) -> io::Result<bool> {
        Ok(Stamp::of(file)? == self.stamp)
    }

    /// The text of a stretch.
    pub(super) fn text(&self, span: Span) -> Result<String, FormatError> {
        String::from_utf8(self.bytes(span)?).map_err(|_| FormatError::SourceChanged)
    }

    /// The bytes of a stretch.
    pub(super) fn bytes(&self, span: Span) -> Result<Vec<u8>, FormatError> {
        let mut bytes = vec![0; span.len()];
        let mut file = self.file();
        seek(&mut file, span.start)?;
        file.read_exact(&mut bytes).map_err(|error| source_error(&error))?;
        Ok(bytes)
    }

    /// Writes a stretch.
    pub(super) fn copy(&self, span: Span, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        let mut file = self.file();
        seek(&mut file, span.start).map_err(io::Error::other)?;
        let mut block = vec![0; BLOCK.min(span.len())];
        let mut left = span.len();
        while left > 0 {
            let length = left.min(block.len());
            let part = block.get_mut(..length).unwrap_or_default();
            file.read_exact(part).map_err(|error| io::Error::other(source_error(&error)))?;
            out.write_all(part)?;
            left = left.saturating_sub(length);
        }
        Ok(())
    }

    /// Gives line after line to `each`, from the first one on, until it says no.
    pub(super) fn lines(
        &self,
        mut each: impl FnMut(&[u8]) -> Result<bool, FormatError>,
    ) -> Result<(), FormatError> {
        let mut file = self.file();
        seek(&mut file, 0)?;
        let mut reader = BufReader::with_capacity(BLOCK, &mut *file);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).map_err(|error| source_error(&error))? > 0 {
            if !each(&line)? {
                break;
            }
            line.clear();
        }
        Ok(())
    }

    fn file(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stamp {
    fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        let length = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
        let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Ok(Self { length, modified: since.map(|since| since.as_nanos()) })
    }
}

fn seek(file: &mut File, place: usize) -> Result<(), FormatError> {
    let place = u64::try_from(place).unwrap_or(u64::MAX);
    file.seek(SeekFrom::Start(place)).map(drop).map_err(|error| source_error(&error))
}

/// What a failed read means: a file that ends early is another one than it was.
pub(super) fn source_error(error: &io::Error) -> FormatError {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return FormatError::SourceChanged;
    }
    FormatError::Source { kind: error.kind() }
}
