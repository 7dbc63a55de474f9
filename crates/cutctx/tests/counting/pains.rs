//! Cases from the field that are about counting: groups F and I.

use super::read;
use alloc::sync::Arc;
use cutctx::counting::{Counter, Measure, Scale, anchored};
use cutctx::formats::Session;
use cutctx::messages::MessageEstimator;
use cutctx::session::compact_session;
use cutctx::{
    ActionKind, CompactionBudget, CompactionPlan, CompactionPolicy, DropOldestPolicy,
    ObservationMaskingPolicy, Role, Summaries, TokenEstimator, Transcript,
};

fn session_of(file: &str, tokenizer: &str) -> Session {
    read(file, &Counter::named(tokenizer).unwrap().0).unwrap()
}

fn tokens(file: &str, tokenizer: &str) -> u64 {
    session_of(file, tokenizer).transcript().token_estimate()
}

fn kept(plan: &CompactionPlan) -> usize {
    plan.actions().iter().filter(|turn| turn.action.kind() == ActionKind::Keep).count()
}

#[test]
fn f70_f73_f74_an_image_is_not_its_base64() {
    // What follows the mark of a PNG file claims a size of billions of pixels, which is not believed.
    let data = "iVBORw0KGgo".repeat(40_000);
    let chat = format!(
        r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"what is it?"}},{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{data}"}}}}]}}]}}"#
    );
    let items = format!(
        r#"[{{"type":"message","role":"user","content":[{{"type":"input_image","image_url":"data:image/png;base64,{data}"}}]}}]"#
    );
    for file in [chat, items] {
        for tokenizer in ["heuristic:openai", "claude-sonnet-4-5", "gemini-2.5-pro", "chars/4"] {
            let tokens = tokens(&file, tokenizer);
            assert!((200..4_000).contains(&tokens), "{tokenizer}: {tokens}");
        }
    }
}

#[test]
fn f76_chinese_is_neither_a_third_nor_twice_of_what_it_costs() {
    let text = "这个文件有一个问题，".repeat(50);
    let file = format!(r#"{{"messages":[{{"role":"user","content":"{text}"}}]}}"#);
    let estimate = tokens(&file, "heuristic:openai");
    assert!((250..600).contains(&estimate), "{estimate} for 500 characters");
    assert!(estimate > 2 * tokens(&file, "chars/4"));
}

/// A session of Claude Code in which turns cost three times what `chars/4` says: 600 tokens each.
fn undercounted() -> String {
    let said = "河水从山上流下来".repeat(100);
    let turns = (0..12_u64).map(|turn| {
        let parent = turn.checked_sub(1).map_or("null".to_owned(), |before| format!("\"a{before}\""));
        let input = 9_000 + 600 + turn * 1_200;
        format!(
            r#"{{"type":"user","uuid":"u{turn}","parentUuid":{parent},"message":{{"role":"user","content":"{said}"}}}}
{{"type":"assistant","uuid":"a{turn}","parentUuid":"u{turn}","message":{{"id":"m{turn}","role":"assistant","content":[{{"type":"text","text":"{said}"}}],"usage":{{"input_tokens":{input},"output_tokens":600}}}}}}
"#
        )
    });
    turns.collect()
}

/// How many turns are left when the oldest are dropped.
fn left(transcript: &Transcript, max_tokens: u64) -> usize {
    let budget = CompactionBudget::new(max_tokens).with_protected_recent_turns(1);
    kept(&DropOldestPolicy::new().decide(transcript, &budget).unwrap())
}

#[test]
fn f77_parts_are_scaled_to_the_count_before_anything_is_chosen() {
    let session = session_of(&undercounted(), "chars/4");
    let found = anchored(session.transcript(), session.usages(), None).unwrap();
    assert_eq!(found.scale.thousandths(), 3_000);
    assert_eq!(found.expected(&found.anchor), Some(found.anchor.counted));
    let scaled = found.scale.scaled(session.transcript()).unwrap();
    assert_eq!((left(session.transcript(), 6_000), left(&scaled, 6_000)), (24, 10));
}

#[test]
fn f83_a_session_that_was_compacted_is_not_scaled_by_its_old_size() {
    let session = session_of(&undercounted(), "chars/4");
    let budget = CompactionBudget::new(1_500).with_protected_recent_turns(1);
    let done = compact_session(&session, &budget, &DropOldestPolicy::new(), &Summaries::none()).unwrap();
    let smaller = session_of(&done.rendered.to_text(), "chars/4");
    assert!(smaller.transcript().len() < 10);
    let found = anchored(smaller.transcript(), smaller.usages(), None).unwrap();
    assert_eq!(found.scale.thousandths(), 3_000, "growth is what it was");
}

#[test]
fn f73_stubs_and_summaries_are_measured_by_the_counter_of_the_session() {
    let (counter, scale) = Counter::named("claude-sonnet-4-5*2").unwrap();
    let counter = Arc::new(counter);
    let stub = "[tool result masked by cutctx] 9f86d081884c7d659a2feaa0c55ad015";
    let alone = counter.text(stub) + counter.framing(Role::Tool);
    let measure = Measure::new(counter, scale, Role::Tool);
    assert_eq!(measure.estimate(stub), 2 * alone);
    assert_eq!(measure.name(), "heuristic:anthropic@claude-sonnet-4-5*2.000");
    assert_eq!(measure.ratio(), None);
    let quarter = Arc::new(Counter::named("chars/4").unwrap().0);
    assert_eq!(Measure::new(quarter, Scale::ONE, Role::Tool).ratio(), Some(4.0));
}

#[test]
fn i97_a_masked_view_is_planned_again_without_a_change() {
    let log = "a line of the log, ".repeat(200);
    let call = |n: usize| {
        format!(
            r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"c{n}","type":"function","function":{{"name":"log","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"c{n}","content":"{log}"}}"#
        )
    };
    let calls: Vec<String> = (0..8).map(call).collect();
    let calls = calls.join(",");
    let file = format!(r#"{{"model":"gpt-4.1","messages":[{{"role":"user","content":"go"}},{calls}]}}"#);
    let counter = Arc::new(Counter::quick());
    let session = read(file, &counter).unwrap();
    let measure = Measure::new(Arc::clone(&counter), Scale::ONE, Role::Tool);
    let policy =
        ObservationMaskingPolicy::new().with_keep_recent_results(1).with_estimator(Arc::new(measure));
    let budget = CompactionBudget::new(4_000).with_protected_recent_turns(2);
    let done = compact_session(&session, &budget, &policy, &Summaries::none()).unwrap();
    let again = read(done.rendered.to_text(), &counter).unwrap();
    let after = done.outcome.applied.account.tokens_after_measured;
    assert!(after <= 4_000 && after < session.transcript().token_estimate());
    assert_eq!(again.transcript().token_estimate(), after, "read again it costs what was said");
    assert_eq!(kept(&policy.decide(again.transcript(), &budget).unwrap()), again.transcript().len());
}

#[test]
fn the_tools_of_a_request_are_counted() {
    let schema = r#"{"type":"object","properties":{"path":{"type":"string","description":"The file to read, from the root of the project."}}}"#;
    let file = format!(
        r#"{{"model":"claude-sonnet-4-5","tools":[{{"name":"read","description":"Reads a file.","input_schema":{schema}}}],"messages":[{{"role":"user","content":"hi"}}]}}"#
    );
    let counter = Counter::auto();
    let session = read(file, &counter).unwrap();
    let tools = counter.tools(&session.declared_tools());
    assert!((380..500).contains(&tools), "{tools}");
}
