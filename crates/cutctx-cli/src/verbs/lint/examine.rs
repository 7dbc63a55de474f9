//! Reading a file leniently and collecting what is wrong with it.

use super::Report;
use super::finding::Finding;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Input;
use crate::loaded::{estimator, known_format, of_conversation};
use crate::session_files::each_conversation;
use cutctx::formats::salvage::{Edit, salvage};
use cutctx::formats::{Format, FormatError, ReadRequest, Session};

/// Examines a file: its damage, and the rules of its conversations.
pub(super) fn examine(
    input: &Input,
    format: Option<&str>,
    conversation: Option<usize>,
) -> Result<Report, Failure> {
    let format = format.map(known_format).transpose()?;
    let bytes = input.bytes()?;
    let salvaged = salvage(&bytes);
    let mut findings: Vec<Finding> = salvaged.findings().iter().map(Finding::of_damage).collect();
    let places = Places::new(&bytes, salvaged.edits());
    let mut first = None;
    let read = each_conversation(format, salvaged.bytes(), conversation, &read_one, |piece| {
        first.get_or_insert(piece.held.format().name());
        findings.extend(piece.held.lint().into_iter().map(|violation| {
            let offset = violation.offset.saturating_add(piece.offset);
            let line = violation.line.saturating_add(piece.lines);
            let (line, place) = places.of(line, offset);
            Finding::of_rule(violation, line, place, piece.number)
        }));
    });
    let conversations = match read {
        Ok(conversations) => conversations,
        // Why it cannot be read is among the findings.
        Err(_) if !salvaged.findings().is_empty() => 0,
        Err(error) => return Err(Failure::of(&error, Exit::Refused).file(input.path())),
    };
    findings.sort_by_key(|finding| (finding.conversation, finding.offset));
    Ok(Report { session: input.path().display().to_string(), format: first, conversations, findings })
}

fn read_one(
    format: Option<&'static dyn Format>,
    bytes: &[u8],
    conversation: Option<usize>,
) -> Result<Session, FormatError> {
    let estimator = estimator();
    Session::read_with(format, bytes, &of_conversation(ReadRequest::new(&estimator), conversation))
}

/// Where bytes of a recovered text stand in the damaged file.
pub(in crate::verbs) struct Places {
    /// Where the text goes on behind each edit: its byte there, and that of the file.
    resumed: Vec<(usize, usize)>,
    /// The offset of every line feed.
    feeds: Vec<usize>,
}

impl Places {
    pub(in crate::verbs) fn new(file: &[u8], edits: &[Edit]) -> Self {
        let feeds = file.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(place, _)| place);
        let feeds = if edits.is_empty() { Vec::new() } else { feeds.collect() };
        let (mut place, mut recovered) = (0_usize, 0_usize);
        let resumed = edits.iter().map(|edit| {
            let kept = edit.span.start.saturating_sub(place);
            recovered = recovered.saturating_add(kept).saturating_add(edit.text.len());
            place = edit.span.end;
            (recovered, place)
        });
        Self { resumed: resumed.collect(), feeds }
    }

    /// The line and the byte of the file for those of the recovered text.
    pub(in crate::verbs) fn of(&self, line: usize, offset: usize) -> (usize, usize) {
        if self.resumed.is_empty() {
            return (line, offset);
        }
        let place = self.in_file(offset);
        (self.line(place), place)
    }

    /// The byte of the file for a byte of the recovered text.
    fn in_file(&self, offset: usize) -> usize {
        let after = self.resumed.partition_point(|(recovered, _)| *recovered <= offset);
        let (recovered, place) =
            after.checked_sub(1).and_then(|last| self.resumed.get(last)).copied().unwrap_or_default();
        place.saturating_add(offset.saturating_sub(recovered))
    }

    /// The line of a byte of the file, from 1.
    fn line(&self, offset: usize) -> usize {
        self.feeds.partition_point(|feed| *feed < offset).saturating_add(1)
    }
}
