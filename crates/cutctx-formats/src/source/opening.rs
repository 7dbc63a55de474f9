//! Opening a file: small ones and whole documents go into memory, large files of lines are abridged.

use alloc::vec::Vec;
use core::fmt;
use std::fs::File;
use std::io::Read;

use super::Source;
use super::abridged::{Abridged, Abridger};
use super::disk::{Disk, source_error};
use super::large::Large;
use super::worth::Worth;
use crate::detect::detect;
use crate::document::{Document, Shape};
use crate::error::{FormatError, Place};
use crate::format::Format;
use crate::raw::Span;

/// Files of up to this many bytes go into memory as they are; and by its first bytes, as many as these, a larger file
/// is recognised.
const SMALL: usize = 8 << 20;

/// How a file is opened.
#[derive(Clone, Copy)]
pub struct OpenOptions<'o> {
    small: usize,
    progress: Option<&'o dyn Fn(usize, usize)>,
}

impl Default for OpenOptions<'_> {
    fn default() -> Self {
        Self { small: SMALL, progress: None }
    }
}

impl fmt::Debug for OpenOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenOptions").field("small", &self.small).finish_non_exhaustive()
    }
}

impl<'o> OpenOptions<'o> {
    /// Up to how many bytes a file is simply read into memory. Of a larger one as many bytes are read to recognise it.
    /// The default is 8 MiB.
    #[must_use]
    pub const fn with_small_bytes(mut self, bytes: usize) -> Self {
        self.small = bytes;
        self
    }

    /// Tells how many bytes of how many have been read, time and again.
    #[must_use]
    pub const fn with_progress(mut self, progress: &'o dyn Fn(usize, usize)) -> Self {
        self.progress = Some(progress);
        self
    }

    fn tell(&self, done: usize, all: usize) {
        if let Some(progress) = self.progress {
            progress(done, all);
        }
    }
}

/// Opens a file as one of this format, or of the one that its beginning shows.
pub(crate) fn open(
    mut file: File,
    format: Option<&'static dyn Format>,
    options: &OpenOptions<'_>,
) -> Result<(Source, Option<&'static dyn Format>), FormatError> {
    let length = file.metadata().map_err(|error| source_error(&error))?.len();
    if usize::try_from(length).is_ok_and(|length| length <= options.small) {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| source_error(&error))?;
        return Ok((Source::of_bytes(bytes)?, format));
    }
    let disk = Disk::new(file)?;
    if let Some((format, worth)) = lines_of(&disk, format, options)?
        && let Some(abridged) = abridge(&disk, &worth, options)?
    {
        disk.check()?;
        return Ok((Source::Large(Large { abridged, worth, disk }), Some(format)));
    }
    Ok((Source::of_bytes(disk.bytes(Span { start: 0, end: disk.length() })?)?, format))
}

/// The format of a file of lines, and what a line is worth to it; `None` where the file must be read whole.
fn lines_of(
    disk: &Disk,
    format: Option<&'static dyn Format>,
    options: &OpenOptions<'_>,
) -> Result<Option<(&'static dyn Format, Worth)>, FormatError> {
    let head = disk.bytes(Span { start: 0, end: options.small.min(disk.length()) })?;
    let end = memchr::memrchr(b'\n', &head).map_or(0, |feed| feed.saturating_add(1));
    let Some(Ok(head)) = head.get(..end).map(str::from_utf8) else { return Ok(None) };
    let Ok(document) = Document::parse(head) else { return Ok(None) };
    if !matches!(document.shape(), Shape::Lines) {
        return Ok(None);
    }
    let format = format.or_else(|| detect(&document).ok());
    Ok(format.and_then(|format| Some((format, format.worth()?))))
}

/// The abridged text; `None` where the file must be read whole.
fn abridge(disk: &Disk, worth: &Worth, options: &OpenOptions<'_>) -> Result<Option<Abridged>, FormatError> {
    let mut abridger = Abridger::new(worth);
    let (mut number, mut done, mut whole) = (0_usize, 0_usize, false);
    disk.lines(|line| {
        number = number.saturating_add(1);
        let text = str::from_utf8(line).map_err(|error| FormatError::NotUtf8 {
            at: Place { line: number, offset: done.saturating_add(error.valid_up_to()) },
        })?;
        done = done.saturating_add(line.len());
        whole = !abridger.push(text);
        if number.is_multiple_of(1 << 10) {
            options.tell(done, disk.length());
        }
        Ok(!whole)
    })?;
    options.tell(done, disk.length());
    Ok((!whole).then(|| abridger.finish()))
}
