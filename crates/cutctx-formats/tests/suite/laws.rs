//! The laws that every format keeps, checked for one file and one seed, against a slow and separate account of what
//! the turns must say afterwards.

use alloc::collections::BTreeMap;
use core::ops::Range;

use cutctx_formats::{Fate, FormatError, ReadRequest, Session, SummaryText};
use cutctx_types::{CharRatioEstimator, KeptPart, PartKind, Role, Transcript, TranscriptTurn, Trim};

/// What a test decides about a turn, owned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decision {
    Keep,
    Mask(String),
    Trim(Trim),
    Fold(String),
    Drop,
}

pub(crate) fn fates(decisions: &[Decision]) -> Vec<Fate<'_>> {
    decisions
        .iter()
        .map(|decision| match decision {
            Decision::Keep => Fate::Kept,
            Decision::Mask(text) => Fate::Masked(text),
            Decision::Trim(trim) => Fate::Trimmed(trim),
            Decision::Fold(group) => Fate::SummarizedInto(group),
            Decision::Drop => Fate::Dropped,
        })
        .collect()
}

pub(crate) fn read(bytes: impl Into<Vec<u8>>) -> Session {
    Session::read(bytes, &CharRatioEstimator::default()).unwrap()
}

pub(crate) fn contents(session: &Session) -> Vec<String> {
    session.transcript().turns().iter().map(|turn| turn.content().to_string()).collect()
}

/// A small generator of numbers; the same seed gives the same numbers everywhere.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap() % sides
    }
}

/// Decisions that a legal plan could hold: the last turns, system turns and pins stay, exchanges stay whole.
pub(crate) fn legal_decisions(transcript: &Transcript, seed: u64) -> Vec<Decision> {
    let mut dice = Dice::new(seed);
    let turns = transcript.turns();
    let keep_last = dice.roll(4);
    let untouchable = |index: usize, turn: &TranscriptTurn| {
        turn.role() == Role::System || turn.pinned() || index + keep_last >= turns.len()
    };
    let mut exchanges: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, turn) in turns.iter().enumerate() {
        let key =
            turn.tool_call_id().map_or_else(|| format!("turn {}", turn.turn_id()), |id| format!("call {id}"));
        exchanges.entry(key).or_default().push(index);
    }
    let mut exchanges: Vec<Vec<usize>> = exchanges.into_values().collect();
    exchanges.sort();
    let mut decisions = vec![Decision::Keep; turns.len()];
    let mut group = 0;
    for members in exchanges {
        let locked = members.iter().any(|index| untouchable(*index, &turns[*index]));
        match dice.roll(if locked { 2 } else { 5 }) {
            0 => {}
            1 | 2 => {
                for index in members.into_iter().filter(|index| !untouchable(*index, &turns[*index])) {
                    decisions[index] = change_in_place(&turns[index], &mut dice);
                }
            }
            3 => {
                for index in members {
                    decisions[index] = Decision::Drop;
                }
            }
            _ => {
                group += dice.roll(2);
                for index in members {
                    decisions[index] = Decision::Fold(format!("g{group}"));
                }
            }
        }
    }
    decisions
}

/// Signed reasoning and blocks that providers take all or none of have tests of their own.
fn change_in_place(turn: &TranscriptTurn, dice: &mut Dice) -> Decision {
    let signed = turn.parts().iter().any(|part| part.kind == PartKind::OpaqueReasoning);
    let media =
        turn.role() == Role::Assistant && turn.parts().iter().any(|part| part.kind == PartKind::Media);
    match dice.roll(3) {
        0 if !signed => Decision::Mask(format!("[masked {}]", dice.roll(1000))),
        1 if !signed && !media => random_trim(turn, dice).map_or(Decision::Keep, Decision::Trim),
        _ => Decision::Keep,
    }
}

fn random_trim(turn: &TranscriptTurn, dice: &mut Dice) -> Option<Trim> {
    let parts = bounds(turn);
    let mut kept = Vec::new();
    for (index, (start, end, kind)) in parts.iter().copied().enumerate() {
        if start == end {
            continue;
        }
        let divisible = matches!(kind, PartKind::Text | PartKind::Reasoning | PartKind::Result);
        match dice.roll(3) {
            0 => kept.push(KeptPart::new(index, vec![start..end])),
            1 if divisible => kept
                .extend(pieces(turn.content(), start, end, dice).map(|ranges| KeptPart::new(index, ranges))),
            1 if kind == PartKind::CallArguments => kept.extend(
                argument_pieces(turn.content(), start, end).map(|ranges| KeptPart::new(index, ranges)),
            ),
            _ => {}
        }
    }
    let all = kept.len() == parts.iter().filter(|(start, end, _)| start < end).count()
        && kept.iter().all(|part| part.ranges == [parts[part.part].0..parts[part.part].1]);
    let counted = kept.len() % 2 == 1;
    (!kept.is_empty() && !all).then(|| Trim::new(kept, turn.token_estimate()).with_counts(counted))
}

fn pieces(content: &str, start: usize, end: usize, dice: &mut Dice) -> Option<Vec<Range<usize>>> {
    let mut cuts: Vec<usize> = (0..4).map(|_| start + dice.roll(end - start + 1)).collect();
    for cut in &mut cuts {
        *cut = content.floor_char_boundary(*cut).max(start);
    }
    cuts.sort_unstable();
    let ranges: Vec<_> =
        [cuts[0]..cuts[1], cuts[2]..cuts[3]].into_iter().filter(|range| range.start < range.end).collect();
    let touching = ranges.len() == 2 && ranges[0].end >= ranges[1].start;
    (!ranges.is_empty() && !touching).then_some(ranges)
}

/// A call in which one long word of its arguments, which are an object, loses its middle.
fn argument_pieces(content: &str, start: usize, end: usize) -> Option<Vec<Range<usize>>> {
    let object = start + content.get(start..end)?.find(" {")?;
    let mut first = object;
    for (at, byte) in content.bytes().enumerate().take(end).skip(object) {
        if byte.is_ascii_alphabetic() {
            continue;
        }
        if at - first > 12 {
            return Some(vec![start..first + 4, at - 3..end]);
        }
        first = at + 1;
    }
    None
}

/// Start, end and kind of each part of a turn.
fn bounds(turn: &TranscriptTurn) -> Vec<(usize, usize, PartKind)> {
    if turn.parts().is_empty() {
        return vec![(0, turn.content().len(), PartKind::Text)];
    }
    let mut start = 0;
    let mut found = Vec::new();
    for part in turn.parts() {
        found.push((start, part.end, part.kind));
        start = part.end;
    }
    found
}

/// What a trimmed turn says: byte by byte, every stretch that is not kept becomes a line with a mark.
fn trimmed(turn: &TranscriptTurn, trim: &Trim) -> String {
    let parts = bounds(turn);
    let kept_media = trim.kept.iter().any(|kept| parts[kept.part].2 == PartKind::Media);
    if turn.role() == Role::Tool && !kept_media {
        return marked(turn.content(), &parts, &trim.kept.iter().collect::<Vec<_>>(), trim.counted);
    }
    let part_text = |kept: &KeptPart| match (parts[kept.part].2, kept.ranges.as_slice()) {
        (PartKind::CallArguments, [head, tail]) => {
            let piece = |range: &Range<usize>| turn.content().get(range.clone()).unwrap();
            [piece(head), "…", piece(tail)].concat()
        }
        _ => marked(turn.content(), &parts[kept.part..=kept.part], &[kept], trim.counted),
    };
    trim.kept.iter().map(part_text).collect()
}

/// Parts of a text with a line for every stretch of them that is not kept. How much went is told of what is cut within a
/// part, not of whole parts.
fn marked(content: &str, parts: &[(usize, usize, PartKind)], kept: &[&KeptPart], counted: bool) -> String {
    let is_kept = |at: usize| kept.iter().any(|kept| kept.ranges.iter().any(|range| range.contains(&at)));
    let mut text = String::new();
    let mut gone = String::new();
    let mut is_marked = false;
    for (start, end, _) in parts {
        let stays =
            kept.iter().any(|kept| kept.ranges.iter().any(|range| (*start..*end).contains(&range.start)));
        for (offset, character) in content.get(*start..*end).unwrap().char_indices() {
            if is_kept(start + offset) {
                close(&mut text, &mut gone, &mut is_marked, counted && stays);
                text.push(character);
                is_marked = false;
            } else {
                gone.push(character);
            }
        }
        close(&mut text, &mut gone, &mut is_marked, counted && stays);
    }
    if is_marked { text.strip_suffix('\n').unwrap().to_owned() } else { text }
}

/// Writes the line for what was gone, unless one has just been written.
fn close(text: &mut String, gone: &mut String, is_marked: &mut bool, counted: bool) {
    let gone = core::mem::take(gone);
    if gone.is_empty() || *is_marked {
        return;
    }
    let inner = gone.strip_prefix('\n').unwrap_or(&gone);
    let lines = inner.strip_suffix('\n').unwrap_or(inner).matches('\n').count() + 1;
    let characters = gone.chars().count();
    let mark = match (counted, lines, characters) {
        (true, 10.., 400..) => format!("… {lines} lines …"),
        (true, _, 400..) => format!("… {characters} characters …"),
        _ => "…".to_owned(),
    };
    text.push_str(if text.is_empty() { "" } else { "\n" });
    text.push_str(&mark);
    text.push('\n');
    *is_marked = true;
}

/// The text of a group's summary; that of some groups is blank.
pub(crate) fn summary_of(group: &str) -> String {
    if group.ends_with('3') { " ".to_owned() } else { format!("What \"{group}\" was about.\n\u{1F9ED}") }
}

/// What the turns must say afterwards, in order.
pub(crate) fn expected(session: &Session, decisions: &[Decision]) -> Vec<String> {
    let mut seen: Vec<&str> = Vec::new();
    let mut texts = Vec::new();
    for (turn, decision) in session.transcript().turns().iter().zip(decisions) {
        match decision {
            Decision::Keep => texts.push(turn.content().to_string()),
            Decision::Mask(text) => texts.push(text.clone()),
            Decision::Trim(trim) if session.format().name() == "native" => {
                let kept: Vec<_> = trim.kept.iter().collect();
                texts.push(marked(turn.content(), &bounds(turn), &kept, trim.counted));
            }
            Decision::Trim(trim) => texts.push(trimmed(turn, trim)),
            Decision::Fold(group) if !seen.contains(&group.as_str()) => {
                seen.push(group);
                texts.push(summary_of(group));
            }
            Decision::Fold(_) | Decision::Drop => {}
        }
    }
    if session.format().name() != "native" {
        texts.retain(|text| text != " ");
    }
    texts
}

pub(crate) fn render(session: &Session, decisions: &[Decision]) -> String {
    let groups: Vec<&String> = decisions
        .iter()
        .filter_map(|decision| if let Decision::Fold(group) = decision { Some(group) } else { None })
        .collect();
    let texts: Vec<String> = groups.iter().map(|group| summary_of(group)).collect();
    let summaries: Vec<SummaryText<'_>> =
        groups.iter().zip(&texts).map(|(group, text)| SummaryText { group, text }).collect();
    session.render(&fates(decisions), &summaries).unwrap().to_text()
}

fn by_rule(session: &Session) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for violation in session.violations() {
        *counts.entry(violation.rule.name).or_default() += 1;
    }
    counts
}

/// Rendering an untouched session gives the bytes that were read.
pub(crate) fn check_get_put(session: &Session) {
    let kept = vec![Fate::Kept; session.transcript().turns().len()];
    let rendered = session.render(&kept, &[]).unwrap();
    assert!(rendered.is_unchanged());
    let mut written = Vec::new();
    rendered.write_to(&mut written).unwrap();
    assert_eq!(written, session.text().as_bytes());
}

/// The same conversation of a file that was written.
fn read_again(session: &Session, written: String) -> Result<Session, FormatError> {
    let estimator = CharRatioEstimator::default();
    let request = ReadRequest::new(&estimator);
    let request = match session.conversation() {
        Some(conversation) => request.of_conversation(conversation),
        None => request,
    };
    Session::read_with(Some(session.format()), written, &request)
}

/// Put-get, validity, and a second pass that finds nothing to do.
pub(crate) fn check_decisions(session: &Session, decisions: &[Decision], name: &str) {
    let written = render(session, decisions);
    if expected(session, decisions).is_empty() && !written.contains('[') {
        return; // Lines without a line: nothing is left to read.
    }
    let again = read_again(session, written.clone())
        .unwrap_or_else(|error| panic!("{name}: the output cannot be read: {error}\n{written}"));
    let (found, wanted) = (contents(&again), expected(session, decisions));
    let (found, wanted) = match session.format().name() {
        "bedrock-converse" | "gemini-contents" => {
            let wild = name.starts_with("wild");
            (run_together(&found, wild), run_together(&wanted, wild))
        }
        _ => (found, wanted),
    };
    let joins = matches!(session.format().name(), "openai-responses" | "codex-rollout");
    let found = if joins { parted(found, &wanted) } else { found };
    assert_says(&found, &wanted, &format!("{name}: {decisions:?}\n{written}"));
    let (before, after) = (by_rule(session), by_rule(&again));
    for (rule, count) in after {
        let old = before.get(rule).copied().unwrap_or(0);
        if name.starts_with("wild") && !before.is_empty() {
            // Where ids repeat and results are out of place, taking one exchange out can undo an accidental match.
            continue;
        }
        assert!(count <= old, "{name}: {rule} {count} times, {old} before; {decisions:?}\n{written}");
    }
    check_get_put(&again);
}

/// Where messages of one side that come to touch are made one: all texts as one, and the summaries.
/// Where results do not come first, they change places with the texts of a message before them.
fn run_together(texts: &[String], in_any_order: bool) -> Vec<String> {
    let mut text = texts.concat();
    let mut summaries = Vec::new();
    while let Some(start) = text.find("What \"g") {
        let end = start + text.get(start..).unwrap().find('\u{1F9ED}').unwrap() + '\u{1F9ED}'.len_utf8();
        summaries.push(text.drain(start..end).collect());
    }
    summaries.sort();
    if in_any_order {
        let mut characters: Vec<char> = text.chars().collect();
        characters.sort_unstable();
        text = characters.into_iter().collect();
    }
    summaries.insert(0, text);
    summaries
}

/// Where a format does not say where one response ends, two that touch after an edit are read as one: parts such turns
/// as the wanted ones are.
fn parted(found: Vec<String>, wanted: &[String]) -> Vec<String> {
    let mut wanted = wanted.iter().filter(|text| !text.starts_with("What \"g")).peekable();
    let mut parts = Vec::new();
    for text in found {
        if text.starts_with("What \"g") || wanted.peek().is_none_or(|next| !text.starts_with(*next)) {
            parts.push(text);
            continue;
        }
        let mut rest = text.as_str();
        while let Some(part) = wanted.next_if(|next| rest.starts_with(next.as_str())) {
            parts.push(part.clone());
            rest = rest.strip_prefix(part.as_str()).unwrap();
            if rest.is_empty() {
                break;
            }
        }
        if !rest.is_empty() {
            parts.push(rest.to_owned());
        }
    }
    parts
}

/// The same texts in the same order; only a summary may stand earlier, before a call whose results must follow it.
fn assert_says(found: &[String], wanted: &[String], note: &str) {
    if found == wanted {
        return;
    }
    let summary = |text: &&String| text.starts_with("What \"g");
    let without = |texts: &[String]| texts.iter().filter(|text| !summary(text)).cloned().collect::<Vec<_>>();
    let (said, meant) = (without(found), without(wanted));
    let differs = said.iter().zip(&meant).position(|(said, meant)| said != meant);
    assert_eq!(said, meant, "from turn {differs:?} of {} and {} on: {note}", said.len(), meant.len());
    let places = |texts: &[String]| {
        let found = texts.iter().enumerate().filter(|(_, text)| summary(text));
        found.map(|(place, text)| (text.clone(), place)).collect::<BTreeMap<_, _>>()
    };
    let (found, wanted) = (places(found), places(wanted));
    assert!(found.keys().eq(wanted.keys()), "{found:?} {wanted:?} {note}");
    assert!(found.iter().all(|(text, place)| place <= &wanted[text]), "{found:?} {wanted:?} {note}");
}

/// All laws for some seeds.
pub(crate) fn check_laws(session: &Session, seeds: Range<u64>, name: &str) {
    check_get_put(session);
    for seed in seeds {
        check_decisions(session, &legal_decisions(session.transcript(), seed), name);
    }
    let masked: Vec<Decision> = session
        .transcript()
        .turns()
        .iter()
        .map(|turn| {
            if turn.role() == Role::Tool && !turn.pinned() {
                Decision::Mask("[gone]".to_owned())
            } else {
                Decision::Keep
            }
        })
        .collect();
    check_decisions(session, &masked, name);
}
