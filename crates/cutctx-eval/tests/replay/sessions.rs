//! Sessions of agents, invented.

use cutctx::{Part, PartKind, Role, Transcript, TranscriptTurn};
use cutctx_eval::EvalSession;

/// A user's turn of so many tokens.
pub(crate) fn user(id: &str, text: &str, tokens: u64) -> TranscriptTurn {
    TranscriptTurn::new(id, Role::User, text, tokens).unwrap()
}

/// A model's turn of so many tokens.
pub(crate) fn assistant(id: &str, text: &str, tokens: u64) -> TranscriptTurn {
    TranscriptTurn::new(id, Role::Assistant, text, tokens).unwrap()
}

pub(crate) fn session(turns: Vec<TranscriptTurn>) -> EvalSession {
    EvalSession::new("invented", "nothing", Transcript::new(turns).unwrap())
}

/// A session of an agent that calls a tool at each of so many steps and now and then comes back to an earlier result.
/// `seed` chooses the sizes of the results.
pub(crate) fn agent(steps: u64, seed: u64) -> EvalSession {
    let mut turns = vec![
        TranscriptTurn::new("s", Role::System, "be careful", 50).unwrap(),
        user("u", "mend src/pump/valve.rs", 20),
    ];
    let mut state = seed;
    for step in 0..steps {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let size = ((state >> 33) % 400).saturating_add(20);
        let earlier = step.saturating_sub((state >> 40) % 30);
        let (call, exchange) = (
            format!("[call read {{\"path\":\"src/hall_{earlier}/part_{earlier}.rs\"}}]"),
            format!("c{step}"),
        );
        let parts = vec![Part::new(PartKind::CallArguments, call.len(), 12)];
        let asked = assistant(&format!("a{step}"), &call, 12).with_tool_call_id(exchange.as_str());
        turns.push(asked.with_parts(parts).unwrap());
        let text = format!(
            "src/hall_{step}/part_{step}.rs holds pump_{step}\n{}",
            "a plain line\n".repeat(usize::try_from(size / 4).unwrap())
        );
        let result = TranscriptTurn::new(format!("t{step}"), Role::Tool, text, size).unwrap();
        turns.push(result.with_tool_call_id(exchange.as_str()).with_tool_name("read"));
    }
    turns.push(assistant("end", "done", 5));
    session(turns)
}
