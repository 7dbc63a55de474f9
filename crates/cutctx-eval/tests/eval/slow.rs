//! The measure once more, told as its definition and without any cleverness.

use cutctx::{Role, Transcript, TranscriptTurn};
use cutctx_eval::{Reference, Share, references_in};

/// What a view has of the targets of a session that is cut at a position, with a tail of some turns: bare, ctx3, step,
/// block, placebo, words.
pub(crate) fn recall(
    transcript: &Transcript,
    position: usize,
    tail: usize,
    view: &[TranscriptTurn],
    words: &[&str],
) -> [Option<Share>; 6] {
    let (before, after) = transcript.turns().split_at(position);
    let body: Vec<&TranscriptTurn> =
        before[..position.saturating_sub(tail)].iter().filter(|turn| turn.role() != Role::System).collect();
    let held =
        |turns: &[&TranscriptTurn], name: Reference| turns.iter().any(|turn| names(turn).contains(&name));
    let view: Vec<&TranscriptTurn> = view.iter().collect();

    let mut targets: Vec<(usize, Reference)> = Vec::new();
    let mut wanted_words: Vec<&str> = Vec::new();
    for (step, turn) in after.iter().enumerate().filter(|(_, turn)| speaks(turn)) {
        let earlier = &after[..step];
        let fresh = |held: &dyn Fn(&TranscriptTurn) -> bool| {
            !earlier.iter().any(|turn| turn.role() != Role::System && held(turn))
        };
        for name in names(turn) {
            if fresh(&|turn| names(turn).contains(&name)) && held(&body, name) {
                targets.push((step, name));
            }
        }
        let said = words.iter().filter(|word| says(turn, word) && body.iter().any(|turn| says(turn, word)));
        wanted_words.extend(said.filter(|word| fresh(&|turn| says(turn, word))));
    }
    let made = |name: Reference| after.iter().any(|turn| speaks(turn) && names(turn).contains(&name));
    let mut unused: Vec<Reference> =
        body.iter().flat_map(|turn| names(turn)).filter(|name| !made(*name)).collect();
    unused.sort_unstable();
    unused.dedup();

    let mut steps: Vec<usize> = targets.iter().map(|(step, _)| *step).collect();
    steps.dedup();
    let whole = |step: &usize| targets.iter().all(|(of, name)| of != step || held(&view, *name));
    let there = blocks(&body, after)
        .into_iter()
        .map(|block| block.iter().all(|three| view.iter().any(|turn| triples(turn).contains(three))));
    [
        share(targets.iter().map(|(_, name)| held(&view, *name))),
        share(targets.iter().map(|(_, name)| in_context(&body, &view, *name))),
        share(steps.iter().map(whole)),
        share(there),
        share(unused.iter().map(|name| held(&view, *name))),
        share(wanted_words.iter().map(|word| view.iter().any(|turn| says(turn, word)))),
    ]
}

fn share(found: impl Iterator<Item = bool>) -> Option<Share> {
    let found: Vec<bool> = found.collect();
    Share::of(found.iter().filter(|found| **found).count(), found.len())
}

fn speaks(turn: &TranscriptTurn) -> bool {
    matches!(turn.role(), Role::User | Role::Assistant)
}

fn names(turn: &TranscriptTurn) -> Vec<Reference> {
    references_in(turn.content())
}

fn says(turn: &TranscriptTurn, word: &str) -> bool {
    turn.content().split_whitespace().any(|said| said == word)
}

fn lines(turn: &TranscriptTurn) -> Vec<&str> {
    turn.content().split('\n').map(str::trim_end).collect()
}

/// Whether a line with the name stands in both, with the same lines around it.
fn in_context(body: &[&TranscriptTurn], view: &[&TranscriptTurn], name: Reference) -> bool {
    let around = |turns: &[&TranscriptTurn]| -> Vec<[String; 3]> {
        let mut all = Vec::new();
        for turn in turns {
            let lines = lines(turn);
            for (n, line) in lines.iter().enumerate().filter(|(_, line)| references_in(line).contains(&name))
            {
                let beside =
                    |n: Option<usize>| n.and_then(|n| lines.get(n)).map_or("\0", |line| *line).to_owned();
                all.push([beside(n.checked_sub(1)), (*line).to_owned(), beside(n.checked_add(1))]);
            }
        }
        all
    };
    let view = around(view);
    around(body).iter().any(|three| view.contains(three))
}

/// Three full lines in a row with enough letters.
fn triples(turn: &TranscriptTurn) -> Vec<[&str; 3]> {
    let full: Vec<&str> = lines(turn).into_iter().filter(|line| !line.is_empty()).collect();
    let letters = |three: &[&str]| three.concat().bytes().filter(u8::is_ascii_alphanumeric).count();
    full.windows(3).filter(|three| letters(three) >= 24).map(|three| [three[0], three[1], three[2]]).collect()
}

/// The longest runs of lines that a speaker repeats for the first time.
fn blocks<'t>(body: &[&'t TranscriptTurn], after: &'t [TranscriptTurn]) -> Vec<Vec<[&'t str; 3]>> {
    let mut blocks: Vec<Vec<[&str; 3]>> = Vec::new();
    let mut done: Vec<[&str; 3]> = Vec::new();
    for turn in after {
        let mut run = Vec::new();
        for three in triples(turn).into_iter().filter(|_| speaks(turn)) {
            if !done.contains(&three) && body.iter().any(|turn| triples(turn).contains(&three)) {
                run.push(three);
            } else {
                blocks.push(core::mem::take(&mut run));
            }
            done.push(three);
        }
        blocks.push(run);
        if turn.role() == Role::Tool {
            done.extend(triples(turn));
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}
