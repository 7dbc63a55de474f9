//! Fates as a checkpoint holds them: a text for each run of equal ones.
//!
//! `keep 40`, `drop 12`, `into 7 GROUP`, `mask TOKENS TEXT`, `trim TOKENS PART:START-END,START-END;PART:…`; `clip`
//! in place of `trim` where the marks tell how much was cut out.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::ops::Range;

use cutctx_messages::{DurableError, DurableValue};
use cutctx_types::{Action, KeptPart, Trim, TurnReplacement};

/// Fates as a list of texts.
pub(super) fn written(actions: &[Action]) -> Result<DurableValue, DurableError> {
    let runs = actions.chunk_by(|left, right| left == right && !is_own(left));
    let texts = runs.filter_map(|run| Some(text_of(run.first()?, run.len())));
    let values = texts.map(|text| {
        let text = if text.contains('\0') { text.replace('\0', "\u{FFFD}") } else { text };
        DurableValue::text(text)
    });
    DurableValue::array(values.collect::<Result<Vec<DurableValue>, DurableError>>()?)
}

/// Whether a fate is of one turn alone.
const fn is_own(action: &Action) -> bool {
    matches!(action, Action::Mask(_) | Action::Trim(_))
}

fn text_of(action: &Action, count: usize) -> String {
    match action {
        Action::Keep => format!("keep {count}"),
        Action::Drop => format!("drop {count}"),
        Action::Summarize { group } => format!("into {count} {group}"),
        Action::Mask(stub) => format!("mask {} {}", stub.token_estimate, stub.content),
        Action::Trim(trim) => trim_text(trim),
    }
}

fn trim_text(trim: &Trim) -> String {
    let kind = if trim.counted { "clip" } else { "trim" };
    let mut text = format!("{kind} {} ", trim.token_estimate);
    for (kept, at) in trim.kept.iter().zip(0_usize..) {
        let between = if at == 0 { "" } else { ";" };
        // Writing into a string cannot fail.
        write!(text, "{between}{}:", kept.part).unwrap_or_default();
        for (range, at) in kept.ranges.iter().zip(0_usize..) {
            let between = if at == 0 { "" } else { "," };
            write!(text, "{between}{}-{}", range.start, range.end).unwrap_or_default();
        }
    }
    text
}

/// A fate, and how many turns in a row have it.
pub(in super::super) type Run = (Action, usize);

/// The runs that a list of texts holds; `None` where one is none.
pub(super) fn read(runs: &[DurableValue]) -> Option<Vec<Run>> {
    runs.iter().map(|run| run_of(run.as_text()?).filter(|(_, count)| *count > 0)).collect()
}

fn run_of(text: &str) -> Option<Run> {
    let (kind, rest) = text.split_once(' ')?;
    let (number, rest) = rest.split_once(' ').map_or((rest, None), |(number, rest)| (number, Some(rest)));
    let count = || number.parse::<usize>().ok();
    let tokens = || number.parse::<u64>().ok();
    match (kind, rest) {
        ("keep", None) => Some((Action::Keep, count()?)),
        ("drop", None) => Some((Action::Drop, count()?)),
        ("into", Some(group)) => Some((Action::Summarize { group: Arc::from(group) }, count()?)),
        ("mask", Some(stub)) => Some((Action::Mask(TurnReplacement::new(stub, tokens()?)), 1)),
        ("trim" | "clip", Some(parts)) => {
            let trim = Trim::new(kept(parts)?, tokens()?).with_counts(kind == "clip");
            Some((Action::Trim(trim), 1))
        }
        _ => None,
    }
}

fn kept(parts: &str) -> Option<Vec<KeptPart>> {
    let part = |text: &str| {
        let (part, ranges) = text.split_once(':')?;
        let ranges: Option<Vec<Range<usize>>> = ranges.split(',').map(range).collect();
        Some(KeptPart::new(part.parse().ok()?, ranges?))
    };
    parts.split(';').map(part).collect()
}

fn range(text: &str) -> Option<Range<usize>> {
    let (start, end) = text.split_once('-')?;
    let (start, end) = (start.parse().ok()?, end.parse().ok()?);
    (start <= end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::iter::repeat_n;

    #[test]
    fn what_is_written_is_read_back() {
        let (head, middle, tail) = (0..4, 4..9, 9..12);
        let actions = [
            Action::Keep,
            Action::Keep,
            Action::Drop,
            Action::Summarize { group: "a group, with a space".into() },
            Action::Summarize { group: "a group, with a space".into() },
            Action::Mask(TurnReplacement::new("a stub of\ntwo lines", 7)),
            Action::Mask(TurnReplacement::new("a stub of\ntwo lines", 7)),
            Action::Trim(Trim::new(
                alloc::vec![
                    KeptPart::new(0, alloc::vec![head, tail.clone()]),
                    KeptPart::new(2, alloc::vec![tail])
                ],
                3,
            )),
            Action::Trim(Trim::new(alloc::vec![KeptPart::new(0, alloc::vec![middle])], 3).with_counts(true)),
            Action::Summarize { group: "".into() },
        ];
        let written = written(&actions).unwrap();
        let runs = super::super::list(&written).unwrap();
        assert_eq!(runs.len(), 8);
        let read: Vec<Action> =
            read(runs).unwrap().into_iter().flat_map(|(action, count)| repeat_n(action, count)).collect();
        assert_eq!(read, actions);
    }

    #[test]
    fn what_nobody_wrote_is_no_fate() {
        for text in ["", "keep", "keep x", "keep 0", "into 4", "trim 4 0:9-4", "mask x y", "lose 4"] {
            let run = DurableValue::text(text).unwrap();
            assert!(read(&[run]).is_none(), "{text}");
        }
    }
}
