//! A file read both ways.

use alloc::borrow::Cow;
use core::cell::RefCell;
use std::fs::File;
use std::io::Write;

use cutctx_formats::{Fate, FormatError, OpenOptions, Opening, ReadRequest, Rendered, Session, SummaryText};
use cutctx_messages::{Media, MediaSource, MessageEstimator};
use cutctx_types::{CharRatioEstimator, Coded, KeptPart, TranscriptTurn, Trim};

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

/// Counts so that no two texts and no two media are likely to count the same.
struct Exact;

fn mixed(text: &str) -> u64 {
    text.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(0x0100_0000_01B3) ^ u64::from(byte)) % 1_000_003
}

impl MessageEstimator for Exact {
    fn text(&self, text: &str) -> u64 {
        mixed(text)
    }

    fn label(&self) -> Cow<'_, str> {
        "exact".into()
    }

    fn media(&self, media: &Media<'_>) -> u64 {
        let data = match &media.source {
            MediaSource::Base64(data) | MediaSource::Url(data) | MediaSource::File(data) => mixed(data),
            MediaSource::Elsewhere | _ => 0,
        };
        data + mixed(media.label.as_deref().unwrap_or_default()) + media.bytes.unwrap_or(1)
    }
}

/// A session, and the model that the file names.
type Read = (Result<Session, FormatError>, Option<String>);

/// Reads a file whole, and holding only a part of it where it has more bytes than these.
fn both_ways(content: &[u8], small: usize, conversation: Option<usize>) -> [Read; 2] {
    let reading = |read: &dyn Fn(&ReadRequest<'_>) -> Result<Session, FormatError>| {
        let model = RefCell::new(None);
        let note = |opening: &Opening<'_>| {
            *model.borrow_mut() = opening.model.as_ref().map(|model| String::from(&**model));
        };
        let mut request = ReadRequest::new(&Exact).opened_before(&note);
        request.conversation = conversation;
        let session = read(&request);
        (session, model.take())
    };
    let options = OpenOptions::default().with_small_bytes(small);
    [
        reading(&|request| Session::read_with(None, content, request)),
        reading(&|request| Session::open(None, file_of(content), request, &options)),
    ]
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
    check_of(content, small, seeds, None)
}

/// As [`check`], for a conversation of the file.
pub(crate) fn check_of(content: &[u8], small: usize, seeds: &[u64], conversation: Option<usize>) -> bool {
    let [(whole, named), (part, model)] = both_ways(content, small, conversation);
    assert_eq!(model, named);
    let (whole, part) = match (whole, part) {
        (Ok(whole), Ok(part)) => (whole, part),
        (whole, part) => {
            assert_eq!(part.err(), whole.err());
            return false;
        }
    };
    let name = whole.format().name();
    assert_eq!(part.format().name(), name);
    for (part, whole) in part.transcript().turns().iter().zip(whole.transcript().turns()) {
        assert!(part == whole, "{name}: {part:?} should be {whole:?}");
    }
    assert_eq!(part.transcript().len(), whole.transcript().len());
    assert_eq!(part.lint(), whole.lint());
    assert_eq!(part.usages(), whole.usages());
    assert_eq!((part.file_bytes(), part.context_bytes()), (content.len(), whole.context_bytes()));
    let kept = vec![Fate::Kept; whole.transcript().len()];
    assert!(written(&part, &kept).unwrap() == content, "untouched files stay as they are");
    for seed in seeds {
        let mut drawn = Drawn(*seed);
        let trims = drawn.trims(whole.transcript().turns());
        let fates = drawn.fates(&trims);
        let (part, whole) = (written(&part, &fates), written(&whole, &fates));
        assert!(is_same(&part, &whole), "{name} with seed {seed}: {}", first_difference(&part, &whole));
    }
    part.is_abridged()
}

/// What writing gives.
type Written = Result<Vec<u8>, FormatError>;

/// Whether both ways wrote the same, or failed for the same reason; its place in the text may be another one.
fn is_same(part: &Written, whole: &Written) -> bool {
    match (part, whole) {
        (Ok(part), Ok(whole)) => part == whole,
        (Err(part), Err(whole)) => part.code() == whole.code(),
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    }
}

/// What each way wrote around the first byte in which they differ.
fn first_difference(part: &Written, whole: &Written) -> String {
    let (Ok(part), Ok(whole)) = (part, whole) else {
        return format!("{:?} should be {:?}", part.as_ref().err(), whole.as_ref().err());
    };
    let place = part.iter().zip(whole).position(|(one, other)| one != other).unwrap_or(0);
    let around = |bytes: &[u8]| {
        let end = bytes.len().min(place + 200);
        String::from_utf8_lossy(&bytes[place.saturating_sub(200)..end]).into_owned()
    };
    format!("{}\nshould be\n{}", around(part), around(whole))
}

/// The file with these fates, as a writer gets it.
fn written(session: &Session, fates: &[Fate<'_>]) -> Written {
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

/// How many bytes of a file are held.
pub(crate) fn held(content: &[u8], small: usize, conversation: Option<usize>) -> usize {
    let [_, (part, _)] = both_ways(content, small, conversation);
    part.map_or(content.len(), |part| part.text().len())
}
