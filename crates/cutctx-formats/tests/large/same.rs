//! A file read both ways.

use std::fs::File;
use std::io::Write;

use cutctx_formats::{Fate, FormatError, OpenOptions, ReadRequest, Rendered, Session, SummaryText};
use cutctx_types::{CharRatioEstimator, KeptPart, TranscriptTurn, Trim};

/// A new file with this content.
pub(crate) fn file_of(content: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(content).unwrap();
    std::io::Seek::rewind(&mut file).unwrap();
    file
}

/// Opens a file, holding only a part of it where it has more bytes than these.
pub(crate) fn opened(file: File, small: usize) -> Result<Session, FormatError> {
    let estimator = CharRatioEstimator::default();
    let options = OpenOptions::default().with_small_bytes(small);
    Session::open(None, file, &ReadRequest::new(&estimator), &options)
}

pub(crate) fn read(content: &[u8]) -> Result<Session, FormatError> {
    Session::read(content, &CharRatioEstimator::default())
}

/// What happens to the turns, drawn from a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawn(pub(crate) u64);

impl Drawn {
    fn next(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// Trims for all turns: of each part its first half stays, or nothing.
    fn trims(&mut self, turns: &[TranscriptTurn]) -> Vec<Trim> {
        turns.iter().map(|turn| self.trim(turn)).collect()
    }

    fn trim(&mut self, turn: &TranscriptTurn) -> Trim {
        let content = turn.content();
        let mut ends: Vec<usize> = turn.parts().iter().map(|part| part.end).collect();
        if ends.is_empty() {
            ends.push(content.len());
        }
        let (mut kept, mut start) = (Vec::new(), 0);
        for (part, end) in ends.into_iter().enumerate() {
            let half =
                (start..=usize::midpoint(start, end)).rev().find(|place| content.is_char_boundary(*place));
            match self.next(3) {
                0 => {}
                1 => kept.push(KeptPart::new(part, vec![start..half.unwrap_or(end)])),
                _ => kept.push(KeptPart::new(part, vec![start..end])),
            }
            start = end;
        }
        kept.retain(|part| part.ranges.iter().all(|range| !range.is_empty()));
        Trim::new(kept, 1)
    }

    fn fates<'f>(&mut self, trims: &'f [Trim]) -> Vec<Fate<'f>> {
        let mut kept_in_a_row = 0;
        trims
            .iter()
            .map(|trim| {
                kept_in_a_row = if kept_in_a_row == 0 { self.next(6) } else { kept_in_a_row - 1 };
                match self.next(9) {
                    _ if kept_in_a_row > 2 => Fate::Kept,
                    0 | 1 => Fate::Masked("[gone]"),
                    2 | 3 => Fate::Dropped,
                    4 | 5 => Fate::Trimmed(trim),
                    6 => Fate::SummarizedInto("group-1"),
                    7 => Fate::SummarizedInto("group-2"),
                    _ => Fate::Kept,
                }
            })
            .collect()
    }
}

const SUMMARIES: [SummaryText<'static>; 2] = [
    SummaryText { group: "group-1", text: "What went before, in short: \"done\"." },
    SummaryText { group: "group-2", text: "And what came then." },
];

/// That a file gives the same both ways. Says whether only a part of it was held.
pub(crate) fn check(content: &[u8], small: usize, seeds: &[u64]) -> bool {
    let (whole, part) = (read(content), opened(file_of(content), small));
    let (whole, part) = match (whole, part) {
        (Ok(whole), Ok(part)) => (whole, part),
        (whole, part) => {
            assert_eq!(part.err(), whole.err());
            return false;
        }
    };
    assert_eq!(part.format().name(), whole.format().name());
    for (part, whole) in part.transcript().turns().iter().zip(whole.transcript().turns()) {
        assert!(part == whole, "{part:?} should be {whole:?}");
    }
    assert_eq!(part.transcript().len(), whole.transcript().len());
    assert_eq!(part.violations(), whole.violations());
    assert_eq!((part.file_bytes(), part.context_bytes()), (content.len(), whole.context_bytes()));
    let kept = vec![Fate::Kept; whole.transcript().len()];
    assert!(written(&part, &kept).unwrap() == content, "untouched files stay as they are");
    for seed in seeds {
        let mut drawn = Drawn(*seed);
        let trims = drawn.trims(whole.transcript().turns());
        let fates = drawn.fates(&trims);
        let (part, whole) = (written(&part, &fates), written(&whole, &fates));
        assert!(part == whole, "with seed {seed} both ways give the same");
    }
    part.is_abridged()
}

/// The file with these fates, as a writer gets it.
fn written(session: &Session, fates: &[Fate<'_>]) -> Result<Vec<u8>, FormatError> {
    let rendered = session.render(fates, &SUMMARIES)?;
    let mut out = Vec::new();
    rendered.write_to(&mut out).unwrap();
    check_first_change(&rendered, out.len(), session.file_bytes());
    Ok(out)
}

fn check_first_change(rendered: &Rendered<'_>, written: usize, read: usize) {
    let first = rendered.first_changed_byte();
    assert_eq!(rendered.is_unchanged(), first.is_none());
    assert!(first.is_none_or(|first| first <= written.min(read)));
}
