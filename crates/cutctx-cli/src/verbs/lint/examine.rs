//! Reading a file leniently and collecting what is wrong with it.

use super::Report;
use super::finding::Finding;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Input;
use crate::loaded::{estimator, known_format, of_conversation};
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
    let read = read_all(format, salvaged.bytes(), conversation);
    let sessions = match read {
        Ok(sessions) => sessions,
        // Why it cannot be read is among the findings.
        Err(_) if !findings.is_empty() => Vec::new(),
        Err(error) => return Err(Failure::of(&error, Exit::Refused).file(input.path())),
    };
    for (number, session) in &sessions {
        let number = number.filter(|_| session.conversations() > 1);
        let offsets =
            session.lint().into_iter().map(|violation| (places.in_file(violation.offset), violation));
        findings.extend(offsets.map(|(place, violation)| {
            let line = if salvaged.edits().is_empty() { violation.line } else { places.line(place) };
            Finding::of_rule(violation, line, place, number)
        }));
    }
    findings.sort_by_key(|finding| (finding.conversation, finding.offset));
    let first = sessions.first().map(|(_, session)| session);
    Ok(Report {
        session: input.path().display().to_string(),
        format: first.map(|session| session.format().name()),
        conversations: first.map_or(0, Session::conversations),
        findings,
    })
}

/// The conversation that is asked for, or all of them.
fn read_all(
    format: Option<&'static dyn Format>,
    bytes: &[u8],
    conversation: Option<usize>,
) -> Result<Vec<(Option<usize>, Session)>, FormatError> {
    let read = |number: Option<usize>| {
        let estimator = estimator();
        let request = ReadRequest::new(&estimator);
        let request = of_conversation(request, number);
        Session::read_with(format, bytes, &request).map(|session| (number, session))
    };
    match read(conversation) {
        Err(FormatError::SeveralConversations { conversations, .. }) if conversation.is_none() => {
            (0..conversations).map(|number| read(Some(number))).collect()
        }
        session => session.map(|session| vec![session]),
    }
}

/// Where bytes of a recovered text stand in the damaged file.
pub(in crate::verbs) struct Places<'f> {
    edits: &'f [Edit],
    /// The offset of every line feed.
    feeds: Vec<usize>,
}

impl<'f> Places<'f> {
    pub(in crate::verbs) fn new(file: &[u8], edits: &'f [Edit]) -> Self {
        let feeds = file.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(place, _)| place);
        let feeds = if edits.is_empty() { Vec::new() } else { feeds.collect() };
        Self { edits, feeds }
    }

    /// The line and the byte of the file for those of the recovered text.
    pub(in crate::verbs) fn of(&self, line: usize, offset: usize) -> (usize, usize) {
        if self.edits.is_empty() {
            return (line, offset);
        }
        let place = self.in_file(offset);
        (self.line(place), place)
    }

    /// The byte of the file for a byte of the recovered text.
    fn in_file(&self, offset: usize) -> usize {
        let (mut place, mut recovered) = (0_usize, 0_usize);
        for edit in self.edits {
            let kept = edit.span.start.saturating_sub(place);
            if recovered.saturating_add(kept) > offset {
                break;
            }
            recovered = recovered.saturating_add(kept).saturating_add(edit.text.len());
            place = edit.span.end;
        }
        place.saturating_add(offset.saturating_sub(recovered))
    }

    /// The line of a byte of the file, from 1.
    fn line(&self, offset: usize) -> usize {
        self.feeds.partition_point(|feed| *feed < offset).saturating_add(1)
    }
}
