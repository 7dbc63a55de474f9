//! A budget that is admitted is met, whatever the members of a chain leave to each other.

use super::session::tokens;
use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError};
use cutctx_policies::{
    BoxedPolicy, CallArgumentsPolicy, ClipPolicy, CoverPolicy, DropOldestPolicy, FailedResultsPolicy,
    LatestStatePolicy, ObservationMaskingPolicy, OldReasoningPolicy, OpaqueReasoningPolicy, PolicyChain,
    RepeatedResultsPolicy, StaleBy, StaleReadsPolicy, StubForm,
};
use cutctx_types::{CompactionBudget, Part, PartKind, Role, Transcript, TranscriptTurn};
use proptest::prelude::*;

/// What texts are made of: words, and what borders are hard to find in.
const WORDS: [&str; 12] = [
    "cut ",
    "…\n",
    "[cut 1f2e3d4c]",
    "src/a.rs\n",
    "\u{301}",
    "\u{200d}",
    "\u{1f600}",
    "\u{1b}[31m",
    "```\n",
    "\n\n",
    "error: exit code 1",
    "{\"a\":1}",
];

fn text(words: &[usize]) -> String {
    words.iter().map(|word| WORDS[word % WORDS.len()]).collect()
}

/// One step of an agent: what it thought, what it calls, what comes back, and which result is pinned.
#[derive(Debug, Clone)]
struct Step {
    thought: Option<(bool, Vec<usize>)>,
    calls: Vec<(u8, Vec<usize>)>,
    results: Vec<Vec<usize>>,
    pinned: Option<usize>,
    framing: u64,
}

fn words(most: usize) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0_usize..WORDS.len(), 0..most)
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let thought = prop::option::weighted(0.6, (any::<bool>(), words(12)));
    let calls = prop::collection::vec((0_u8..5, words(40)), 0..4);
    let results = prop::collection::vec(words(60), 4);
    let step = (thought, calls, results, prop::option::weighted(0.5, 0_usize..3), 0_u64..4);
    let step = step.prop_map(|(thought, calls, results, pinned, framing)| Step {
        thought,
        calls,
        results,
        pinned,
        framing,
    });
    prop::collection::vec(step, 1..5)
}

fn call(kind: u8, words: &[usize]) -> (&'static str, String) {
    let text = text(words);
    let quoted = serde_json::to_string(&text).unwrap();
    match kind {
        0 => ("read", r#"[call read {"path":"x"}]"#.to_owned()),
        1 => ("bash", r#"[call bash {"command":"cat x"}]"#.to_owned()),
        2 => ("write", format!(r#"[call write {{"path":"x","text":{quoted}}}]"#)),
        3 => ("todo", format!("[call todo {text}]")),
        _ => ("TodoWrite", format!(r#"[call TodoWrite {{"todos":[{quoted}]}}]"#)),
    }
}

fn session(steps: &[Step]) -> Transcript {
    let turns = steps.iter().enumerate().flat_map(|(number, step)| turns_of(number, step));
    Transcript::new(turns.collect()).unwrap()
}

fn turns_of(number: usize, step: &Step) -> Vec<TranscriptTurn> {
    let thought = step.thought.iter().map(|(opaque, words)| {
        (if *opaque { PartKind::OpaqueReasoning } else { PartKind::Reasoning }, text(words))
    });
    let calls: Vec<(&str, String)> = step.calls.iter().map(|(kind, words)| call(*kind, words)).collect();
    let spelled = calls.iter().map(|(_, call)| (PartKind::CallArguments, call.clone()));
    let (mut content, mut parts, mut cost) = (String::new(), Vec::new(), step.framing);
    for (kind, text) in thought.chain(spelled) {
        content.push_str(&text);
        cost += tokens(&text);
        parts.push(Part::new(kind, content.len(), tokens(&text)));
    }
    let exchange = format!("a{number}");
    let turn = TranscriptTurn::new(exchange.as_str(), Role::Assistant, content, cost).unwrap();
    let first = parts.len() - calls.len();
    let mut turns = vec![turn.with_parts(parts).unwrap().with_tool_call_id(exchange.as_str())];
    for (index, ((tool, _), words)) in calls.iter().zip(&step.results).enumerate() {
        let text = text(words);
        let result =
            TranscriptTurn::new(format!("r{number}.{index}"), Role::Tool, text.as_str(), tokens(&text));
        let result = result.unwrap().with_tool_call_id(exchange.as_str()).with_tool_name(*tool);
        let result = result.with_answers(u32::try_from(first + index).unwrap());
        turns.push(result.with_pinned(step.pinned == Some(index)));
    }
    turns
}

/// Every policy of the kind at limits as small as they can be, and others.
fn member(kind: u8) -> BoxedPolicy {
    match kind {
        0 => Box::new(ClipPolicy::new().with_limits(10, 4, 4).unwrap()),
        1 => Box::new(ClipPolicy::new().with_limits(100, 40, 20).unwrap()),
        2 => Box::new(CallArgumentsPolicy::new().with_limits(3, 1, 1).unwrap()),
        3 => Box::new(CallArgumentsPolicy::new().with_limits(60, 20, 20).unwrap()),
        4 => Box::new(OldReasoningPolicy::new().with_keep_recent_turns(0)),
        5 => Box::new(OpaqueReasoningPolicy::new()),
        6 => Box::new(LatestStatePolicy::new()),
        7 => Box::new(StaleReadsPolicy::new().with_stale_by(StaleBy::PathOrWrite)),
        8 => Box::new(FailedResultsPolicy::new()),
        9 => Box::new(RepeatedResultsPolicy::new()),
        10 => {
            let masking = ObservationMaskingPolicy::new().with_keep_recent_results(0);
            Box::new(masking.with_stub(StubForm::Short).unwrap())
        }
        11 => Box::new(ObservationMaskingPolicy::new().with_keep_recent_results(2)),
        _ => Box::new(CoverPolicy::new()),
    }
}

fn chain(kinds: &[u8]) -> PolicyChain {
    let mut members: Vec<BoxedPolicy> = kinds.iter().map(|kind| member(*kind)).collect();
    members.push(Box::new(DropOldestPolicy::new()));
    PolicyChain::new(members).unwrap()
}

/// The plan of a chain at so many tokens above the least budget that it admits.
fn at_the_floor(chain: &PolicyChain, transcript: &Transcript, above: u64, protected: u64) -> CompactionPlan {
    let budget = |max| CompactionBudget::new(max).with_protected_recent_turns(protected);
    match chain.decide(transcript, &budget(0)) {
        Err(PolicyError::Unsatisfiable(refusal)) => {
            let decision = match chain.decide(transcript, &budget(refusal.floor.untouchable())) {
                Err(PolicyError::Unsatisfiable(refusal)) => {
                    chain.decide(transcript, &budget(refusal.floor.total() + above))
                }
                decision => decision,
            };
            decision.unwrap()
        }
        decision => decision.unwrap(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_chain_meets_every_budget_that_it_admits(
        steps in steps(),
        kinds in prop::collection::vec(0_u8..13, 1..7),
        above in 0_u64..4,
        protected in 0_u64..3,
    ) {
        let transcript = session(&steps);
        let plan = at_the_floor(&chain(&kinds), &transcript, above, protected);
        prop_assert!(!plan.budget_unmet(), "{} of {}", plan.tokens_after_estimate(), plan.budget().max_tokens());
    }
}

#[test]
fn what_was_cut_before_cannot_keep_a_later_member_from_what_was_promised() {
    // Alone the last member leaves no more than names; behind the others it is shown a turn whose cut calls seem to
    // cost less than they do, and whose rest it cannot cut.
    let step = Step {
        thought: Some((false, vec![0; 14])),
        calls: vec![(3, vec![10; 12]), (1, vec![]), (1, vec![])],
        results: vec![vec![3; 20], vec![11], vec![0]],
        pinned: Some(2),
        framing: 0,
    };
    let transcript = session(&[step]);
    let plan = at_the_floor(&chain(&[0, 2, 4, 12]), &transcript, 0, 0);
    assert_eq!(plan.tokens_after_estimate(), plan.budget().max_tokens());
}
