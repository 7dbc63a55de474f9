//! Damaged files of JSON Lines: what can be had of them, and an account of the rest.
//!
//! Session files are written line by line by programs that are stopped, crash, or run twice at once. What that leaves
//! is not random. A record breaks off and a whole one follows, on its line or on the next one. Two records share a
//! line. A string holds raw line ends, so that one record takes up many lines; or somebody wrote it prettily. The disk
//! gives back zeros. [`salvage()`] undoes these and nothing else: it never makes up text, and every byte that is not in
//! its result is in a [`Finding`].
//!
//! ```
//! use cutctx_formats::salvage::{Damage, Remedy, salvage};
//!
//! let file = b"{\"n\":1}\n{\"n\":2,\"text\":\"half of i{\"n\":3}\n{\"n\":4}{\"n\":5}\n";
//! let salvaged = salvage(file);
//! assert_eq!(salvaged.bytes(), b"{\"n\":1}\n{\"n\":3}\n{\"n\":4}\n{\"n\":5}\n");
//!
//! let [torn, glued] = salvaged.findings() else { return };
//! assert_eq!((torn.kind, torn.remedy, torn.at.line, torn.bytes), (Damage::Torn, Remedy::Skipped, 2, 24));
//! assert_eq!((glued.kind, glued.remedy, glued.at.line), (Damage::Glued, Remedy::Split, 3));
//! ```
//!
//! # What is kept
//!
//! * A file that is sound comes back as it is, borrowed. So does one JSON document over many lines, and several of them
//!   one after the other: they are no JSON Lines.
//! * Blank lines, comments (`//`, `#`), a byte order mark and the kind of line end stay.
//! * An object on a line of its own is never lost, whatever stands around it.
//! * A document that breaks off is reported and left alone; so is a file in which too little looks like records.
//!
//! # What cannot be known
//!
//! A torn record may end just where a value is due: then the record after it looks like that value. It counts as a
//! record of its own if it begins with the keys with which the file's whole records begin. A record over several lines is
//! not found where it begins on the line of a torn one.

mod finding;
mod log;
mod recovery;
mod scan;
mod stretch;

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

pub use finding::{Damage, Damaged, Edit, Finding, Remedy};

/// What was had of a file.
#[derive(Clone)]
pub struct Salvaged<'a> {
    bytes: Cow<'a, [u8]>,
    edits: Vec<Edit>,
    findings: Vec<Finding>,
    work: usize,
}

impl fmt::Debug for Salvaged<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Salvaged({} bytes, {:?})", self.bytes.len(), self.findings)
    }
}

/// Recovers the records of a file of JSON Lines.
///
/// It takes time in proportion to the file's size, whatever is in it.
#[must_use]
pub fn salvage(bytes: &[u8]) -> Salvaged<'_> {
    let recovered = recovery::recover(bytes);
    let (edits, findings) = recovered.log.finish(bytes);
    Salvaged { bytes: log::edited(bytes, &edits), edits, findings, work: recovered.steps }
}

impl<'a> Salvaged<'a> {
    /// The recovered file; the file itself when nothing was to be done.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The recovered file, to be kept.
    #[must_use]
    pub fn into_bytes(self) -> Cow<'a, [u8]> {
        self.bytes
    }

    /// The damaged places, in the order of the file.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The edits that make the recovered file out of the damaged one, in the order of the file; they do not overlap.
    /// Every byte outside of them is untouched.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty()
    }

    /// The file, if nothing is wrong with it: for readers that want no guesses.
    ///
    /// # Errors
    ///
    /// The first damaged place.
    pub fn strict(self) -> Result<Cow<'a, [u8]>, Damaged> {
        match self.findings.first() {
            Some(finding) => Err(Damaged { kind: finding.kind, at: finding.at }),
            None => Ok(self.bytes),
        }
    }

    /// How many bytes were looked at to find this out, each as often as it was looked at. Another measure of the time it
    /// took, the same on every machine.
    #[must_use]
    pub const fn work(&self) -> usize {
        self.work
    }
}
