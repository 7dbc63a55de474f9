//! What changes outside of the turns that change is noted.

use core::cell::RefCell;
use std::path::Path;

use cutctx_formats::raw::Span;
use cutctx_formats::{Fate, Observer, ReadRequest, Seen, Session};
use cutctx_types::CharRatioEstimator;

use crate::dice::Dice;
use crate::fates::legal;

/// Where each message stands, and its first turn.
#[derive(Default)]
struct Places(RefCell<Vec<(Span, usize)>>);

impl Observer for Places {
    fn message(&self, seen: &Seen<'_>) {
        self.0.borrow_mut().push((seen.span, seen.first_turn));
    }
}

/// Whether a line belongs to a message of which a turn changes. An observer is told of the first record of a message
/// alone; those of opencode's output stream stand in one row.
fn is_about_a_change(places: &[(Span, usize)], fates: &[Fate<'_>], line: Span, in_a_row: bool) -> bool {
    places.iter().enumerate().any(|(index, (span, first))| {
        let next = places.get(index + 1).map_or(usize::MAX, |(next, _)| next.start);
        let span = Span { start: span.start, end: if in_a_row { next } else { span.end } };
        let end = places.get(index + 1).map_or(fates.len(), |(_, first)| *first);
        let changes = fates[*first..end].iter().any(|fate| *fate != Fate::Kept);
        changes && span.start < line.end && line.start < span.end
    })
}

/// The lines that are not in the output as they are, nor about a turn that changes.
fn changed_aside(session: &Session, places: &[(Span, usize)], fates: &[Fate<'_>], output: &str) -> usize {
    let in_a_row = session.format().name() == "opencode";
    let mut start = 0;
    let mut changed = 0;
    let lines: Vec<&str> = output.split_inclusive('\n').collect();
    for line in session.text().split_inclusive('\n') {
        let span = Span { start, end: start + line.len() };
        start = span.end;
        changed += usize::from(!lines.contains(&line) && !is_about_a_change(places, fates, span, in_a_row));
    }
    changed
}

#[test]
fn a_line_that_changes_beside_those_of_the_turns_is_noted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("SKIPPED: no examples beside the crate; the test runs in the workspace");
        return;
    };
    let (mut aside, mut noted) = (0, 0);
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")) {
        let text = std::fs::read_to_string(path).unwrap();
        let (places, estimator) = (Places::default(), CharRatioEstimator::default());
        let request = ReadRequest::new(&estimator).observed_by(&places);
        let Ok(session) = Session::read_with(None, text, &request) else { continue };
        let places = places.0.into_inner();
        for seed in 0..40 {
            let fates = legal(session.transcript(), &mut Dice::new("notes", seed));
            let rendered = session.render(&fates, &[]).unwrap();
            let changed = changed_aside(&session, &places, &fates, &rendered.to_text());
            assert!(changed == 0 || !rendered.notes().is_empty(), "{} with seed {seed}", path.display());
            aside += usize::from(changed > 0);
            noted += usize::from(!rendered.notes().is_empty());
        }
    }
    assert!(aside > 20 && noted >= aside, "{aside} cases changed other lines, {noted} have notes");
}
