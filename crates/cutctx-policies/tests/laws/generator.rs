//! Transcripts and budgets that are as odd as they may be.

use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
use proptest::prelude::*;

/// Something to decide.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) transcript: Transcript,
    pub(crate) budget: CompactionBudget,
}

/// What a turn is made from.
#[derive(Debug, Clone)]
struct Seed {
    flavour: u8,
    role: Role,
    tokens: u64,
    call: Option<u8>,
    pinned: bool,
    tool: Option<u8>,
    is_stub: bool,
}

pub(crate) fn cases() -> impl Strategy<Value = Case> {
    transcripts().prop_flat_map(|transcript| {
        budgets(transcript.token_estimate())
            .prop_map(move |budget| Case { transcript: transcript.clone(), budget })
    })
}

/// Up to two dozen turns: parallel and interleaved calls, empty call ids, pins, system turns anywhere,
/// turns of no tokens, results that are stubs already, summaries of earlier rounds, odd ids.
fn transcripts() -> impl Strategy<Value = Transcript> {
    prop::collection::vec(seeds(), 0..24).prop_map(|seeds| {
        let turns = seeds.iter().enumerate().map(|(position, seed)| turn(position, seed));
        Transcript::new(turns.collect()).unwrap()
    })
}

fn seeds() -> impl Strategy<Value = Seed> {
    let role = prop_oneof![
        1 => Just(Role::System),
        4 => Just(Role::User),
        6 => Just(Role::Assistant),
        8 => Just(Role::Tool),
    ];
    let tokens = prop_oneof![1 => Just(0_u64), 1 => 1_u64..4, 3 => 4_u64..40, 4 => 40_u64..400];
    let call = prop_oneof![3 => Just(None), 4 => (0_u8..5).prop_map(Some)];
    let parts = (0_u8..8, role, tokens, call, prop::bool::weighted(0.06));
    (parts, prop::option::of(0_u8..3), prop::bool::weighted(0.1)).prop_map(
        |((flavour, role, tokens, call, pinned), tool, is_stub)| Seed {
            flavour,
            role,
            tokens,
            call,
            pinned,
            tool,
            is_stub,
        },
    )
}

fn turn(position: usize, seed: &Seed) -> TranscriptTurn {
    let content = if seed.is_stub { stub(position) } else { format!("content of {position}") };
    let turn = TranscriptTurn::new(id(position, seed.flavour), seed.role, content, seed.tokens).unwrap();
    let turn = turn.with_pinned(seed.pinned);
    let turn = match seed.tool {
        Some(tool) => turn.with_tool_name(format!("tool{tool}")),
        None => turn,
    };
    match seed.call {
        Some(0) => turn.with_tool_call_id(""),
        Some(call) => turn.with_tool_call_id(format!("call\0{call}")),
        None => turn,
    }
}

fn id(position: usize, flavour: u8) -> String {
    match flavour {
        0 => format!("summary:{position}"),
        1 => format!("summary:span-{position:016x}"),
        2 => format!("a\0{position}"),
        3 => format!("日本🙂{position}"),
        _ => format!("t{position}"),
    }
}

fn stub(position: usize) -> String {
    format!("[tool result masked by cutctx] (original: {position} tokens, sha256:{})", "0a".repeat(32))
}

/// Budgets from nothing to a bit more than everything, some with a target below.
fn budgets(total: u64) -> impl Strategy<Value = CompactionBudget> {
    let share = prop_oneof![1 => Just(0_u64), 8 => 10_u64..100, 1 => Just(105_u64)];
    (share, 0_u64..7, prop::option::of(0_u64..=100)).prop_map(move |(share, protected, target)| {
        let max_tokens = total * share / 100;
        let budget = CompactionBudget::new(max_tokens).with_protected_recent_turns(protected);
        match target {
            Some(share) => budget.with_target(max_tokens * share / 100).unwrap(),
            None => budget,
        }
    })
}

/// The same turns under other ids, calls included.
pub(crate) fn renamed(transcript: &Transcript) -> Transcript {
    let turns = transcript.turns().iter().enumerate().map(|(position, turn)| {
        let renamed = with_id(turn, &format!("renamed-{position}"));
        match turn.tool_call_id() {
            Some(call) => renamed.with_tool_call_id(format!("other-{call}")),
            None => renamed,
        }
    });
    Transcript::new(turns.collect()).unwrap()
}

/// The same turn under another id.
pub(crate) fn with_id(turn: &TranscriptTurn, id: &str) -> TranscriptTurn {
    let content = turn.content().clone();
    let renamed = TranscriptTurn::new(id, turn.role(), content, turn.token_estimate()).unwrap();
    let renamed = renamed.with_pinned(turn.pinned());
    let renamed = match turn.tool_name() {
        Some(name) => renamed.with_tool_name(name),
        None => renamed,
    };
    match turn.tool_call_id() {
        Some(call) => renamed.with_tool_call_id(call),
        None => renamed,
    }
}
