//! Reading a file leniently and collecting what is wrong with it.

use super::Report;
use super::finding::Finding;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Input;
use crate::loaded::{estimator, known_format, of_conversation};
use crate::session_files::each_conversation;
use crate::verbs::recovered::RecoveredPlaces;
use cutctx::formats::salvage::salvage;
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
    let places = RecoveredPlaces::new(&bytes, salvaged.edits());
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
