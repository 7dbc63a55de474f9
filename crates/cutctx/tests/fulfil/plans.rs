//! A plan that asks for summaries.

use cutctx::types::{Part, PartKind};
use cutctx::{
    CompactionBudget, CompactionPlan, CompactionPolicy, Role, SummarizingPolicy, Transcript, TranscriptTurn,
};

/// Words that stand in every text of a turn and must not be printed.
pub(crate) const SECRET: &str = "xylophone";

/// Rounds of a question, a call and its result, with one pinned turn in the middle: two spans to summarize.
pub(crate) fn transcript() -> Transcript {
    let mut turns = Vec::new();
    for round in 0..12 {
        let id = |kind: &str| format!("{kind}{round}");
        let ask = format!("question {round} about the {SECRET}, please look it up in file{round}.rs");
        turns.push(TranscriptTurn::new(id("u"), Role::User, ask, 20).unwrap());
        let (text, arguments) =
            (format!("I look at file{round}.rs."), format!(r#"{{"path":"file{round}.rs"}}"#));
        let ends = [text.len(), text.len().saturating_add(arguments.len())];
        let parts =
            vec![Part::new(PartKind::Text, ends[0], 10), Part::new(PartKind::CallArguments, ends[1], 10)];
        let call = TranscriptTurn::new(id("a"), Role::Assistant, format!("{text}{arguments}"), 20).unwrap();
        turns.push(call.with_parts(parts).unwrap().with_tool_call_id(id("a")).with_tool_name("read_file"));
        let result = format!("line of the {SECRET} {round}\n").repeat(40);
        let result = TranscriptTurn::new(id("t"), Role::Tool, result, 300).unwrap();
        turns.push(result.with_tool_call_id(id("a")).with_tool_name("read_file").with_pinned(round == 5));
    }
    Transcript::new(turns).unwrap()
}

pub(crate) fn plan(transcript: &Transcript) -> CompactionPlan {
    let policy = SummarizingPolicy::new("cutctx/summary-v1").unwrap();
    let plan = policy.decide(transcript, &CompactionBudget::new(1500)).unwrap();
    assert_eq!(plan.summarization_requests().len(), 2);
    plan
}
