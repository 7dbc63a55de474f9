//! The workload that all figures of speed are measured on.
//!
//! One system turn, then blocks of five turns: user, assistant, tool, tool, assistant, the last four
//! under one call id. 64 distinct contents, estimates of a token for every four characters, four turns
//! protected, a budget of half the total. It is the workload that the reference was measured on.

use alloc::sync::Arc;
use cutctx_types::{
    CharRatioEstimator, CompactionBudget, Role, TokenEstimator, Transcript, TranscriptError, TranscriptTurn,
};

/// How many different contents the turns have.
const CONTENTS: usize = 64;

/// How many turns a block has.
const BLOCK_TURNS: usize = 5;

/// A block's roles.
const BLOCK: [Role; BLOCK_TURNS] = [Role::User, Role::Assistant, Role::Tool, Role::Tool, Role::Assistant];

/// How many turns at the end are protected.
const PROTECTED: u64 = 4;

/// A transcript of this many turns of this many characters.
///
/// # Errors
///
/// None in practice: ids are distinct and totals small.
pub fn transcript(turns: usize, characters: usize) -> Result<Transcript, TranscriptError> {
    Transcript::new(plain_turns(turns, characters)?)
}

/// A transcript whose turns, but for the first, are all one exchange.
///
/// # Errors
///
/// None in practice.
pub fn one_exchange(turns: usize, characters: usize) -> Result<Transcript, TranscriptError> {
    let turns = plain_turns(turns, characters)?.into_iter();
    let tied = |(position, turn): (usize, TranscriptTurn)| {
        if position == 0 { turn } else { turn.with_tool_call_id("all") }
    };
    Transcript::new(turns.enumerate().map(tied).collect())
}

/// A transcript with the user's turn of every second block pinned: thousands of stretches between them.
///
/// # Errors
///
/// None in practice.
pub fn pinned(turns: usize, characters: usize) -> Result<Transcript, TranscriptError> {
    let turns = plain_turns(turns, characters)?.into_iter();
    let pinned = turns.enumerate().map(|(position, turn)| turn.with_pinned(position % 10 == 1));
    Transcript::new(pinned.collect())
}

/// A transcript whose ids are in no order, as digests and random ids are.
///
/// # Errors
///
/// None in practice.
pub fn scattered(turns: usize, characters: usize) -> Result<Transcript, TranscriptError> {
    let plain = plain_turns(turns, characters)?;
    let renamed = plain.into_iter().enumerate().map(|(position, turn)| {
        let (role, content) = (turn.role(), turn.content().clone());
        let renamed = TranscriptTurn::new(scatter(position), role, content, turn.token_estimate())?;
        Ok(match turn.tool_call_id() {
            Some(call) => renamed.with_tool_call_id(call),
            None => renamed,
        })
    });
    Transcript::new(renamed.collect::<Result<_, TranscriptError>>()?)
}

/// A transcript of which every turn says something else, with paths, names and numbers that come again elsewhere, for
/// policies that read.
///
/// # Errors
///
/// None in practice.
pub fn telling(turns: usize, characters: usize) -> Result<Transcript, TranscriptError> {
    let telling = |position| {
        let content = telling_content(position, characters);
        let tokens = CharRatioEstimator::default().estimate(&content);
        turn(position, content, tokens)
    };
    Transcript::new((0..turns).map(telling).collect::<Result<_, TranscriptError>>()?)
}

/// Sixteen hex digits, other ones for every number.
fn scatter(number: usize) -> String {
    format!("{:016x}", (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// A budget of half of a transcript's total, with four turns protected.
#[must_use]
pub const fn half_of(transcript: &Transcript) -> CompactionBudget {
    CompactionBudget::new(transcript.token_estimate() / 2).with_protected_recent_turns(PROTECTED)
}

fn plain_turns(turns: usize, characters: usize) -> Result<Vec<TranscriptTurn>, TranscriptError> {
    let contents: Vec<(Arc<str>, u64)> = (0..CONTENTS).map(|seed| measured(seed, characters)).collect();
    let content_of = |position: usize| contents.get(position % CONTENTS).cloned().unwrap_or_default();
    (0..turns)
        .map(|position| {
            let (content, tokens) = content_of(position);
            turn(position, content, tokens)
        })
        .collect()
}

fn turn(position: usize, content: Arc<str>, tokens: u64) -> Result<TranscriptTurn, TranscriptError> {
    let Some(place) = position.checked_sub(1) else {
        return Ok(TranscriptTurn::new("system", Role::System, content, tokens)?);
    };
    let (block, in_block) = (place / BLOCK_TURNS, place % BLOCK_TURNS);
    let role = BLOCK.get(in_block).copied().unwrap_or(Role::User);
    let turn = TranscriptTurn::new(format!("turn-{position}"), role, content, tokens)?;
    Ok(if in_block > 0 { turn.with_tool_call_id(format!("call-{block}")) } else { turn })
}

/// A content with its estimate in tokens.
fn measured(seed: usize, characters: usize) -> (Arc<str>, u64) {
    let content = content(seed, characters);
    let tokens = CharRatioEstimator::default().estimate(&content);
    (content, tokens)
}

/// Words, paths and quotes, as long as asked for.
fn content(seed: usize, characters: usize) -> Arc<str> {
    const COUNT: usize = 10;
    const WORDS: [&str; COUNT] =
        ["read", "src/main.rs", "the", "build", "failed", "at", "line", "and", "then", "\"ok\""];
    let mut text = format!("{seed}:");
    let mut next = seed;
    while text.len() < characters {
        next = next.wrapping_mul(31).wrapping_add(7) % 997;
        text.push(' ');
        text.push_str(WORDS.get(next % COUNT).copied().unwrap_or_default());
    }
    text.truncate(characters);
    text.into()
}

/// Lines with words, paths, names and numbers, as long as asked for.
fn telling_content(seed: usize, characters: usize) -> Arc<str> {
    let mut text = String::new();
    let mut next = seed.wrapping_mul(7_919);
    while text.len() < characters {
        next = next.wrapping_mul(1_103_515_245).wrapping_add(12_345) % 0x7FFF_FFFF;
        let number = next / 64;
        let piece = match next / 8 % 6 {
            0 => format!("src/module{}/file{}.rs:{} ", number % 40, number % 307, number % 911),
            1 => format!("some_name{} ", number % 5_003),
            2 => format!("value {} ", number % 100_003),
            3 => "is it so or not\n".to_owned(),
            4 => "they measure the different sentences ".to_owned(),
            _ => "a compact transcript in its budget\n".to_owned(),
        };
        text.push_str(&piece);
    }
    text.truncate(characters);
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_a_user_turn_and_four_turns_of_one_exchange() {
        let transcript = transcript(11, 40).unwrap();
        let calls: Vec<Option<&str>> = transcript.turns().iter().map(TranscriptTurn::tool_call_id).collect();
        assert_eq!(calls[..2], [None, None]);
        assert_eq!(calls[2..6], [Some("call-0"); 4]);
        assert_eq!(calls[6..], [None, Some("call-1"), Some("call-1"), Some("call-1"), Some("call-1")]);
    }

    #[test]
    fn every_turn_has_its_characters_and_a_token_for_four_of_them() {
        let transcript = transcript(100, 201).unwrap();
        assert!(transcript.turns().iter().all(|turn| turn.content().len() == 201));
        assert!(transcript.turns().iter().all(|turn| turn.token_estimate() == 51));
        assert_eq!(half_of(&transcript).max_tokens(), 2_550);
    }

    #[test]
    fn there_are_sixty_four_contents() {
        let transcript = transcript(200, 200).unwrap();
        let distinct: alloc::collections::BTreeSet<_> =
            transcript.turns().iter().map(TranscriptTurn::content).collect();
        assert_eq!(distinct.len(), 64);
    }
}
