//! What each format's reader tells of usage: once a request, and only of the context as it is.

use super::read;
use cutctx::counting::Counter;
use cutctx::formats::Usage;

/// The first turn, the input and the output of each request that a file tells of.
fn told(file: &str) -> Vec<(usize, u64, u64)> {
    let session = read(file, &Counter::auto()).unwrap();
    let figures = |usage: &Usage| (usage.first_turn, usage.input(), usage.output);
    session.usages().iter().map(figures).collect()
}

#[test]
fn claude_code_counts_once_a_message_and_its_last_line_counts() {
    let file = r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"look"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"I look."}],"usage":{"input_tokens":3,"cache_creation_input_tokens":40,"cache_read_input_tokens":500,"output_tokens":1}}}
{"type":"assistant","uuid":"a2","parentUuid":"a1","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"t1","name":"Read","input":{}}],"usage":{"input_tokens":3,"cache_creation_input_tokens":40,"cache_read_input_tokens":500,"output_tokens":27}}}
{"type":"user","uuid":"u2","parentUuid":"a2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ten pages"}]}}
{"type":"assistant","uuid":"a3","parentUuid":"u2","message":{"id":"m2","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"Ten."}],"usage":{"input_tokens":3,"cache_read_input_tokens":600,"output_tokens":5}}}
"#;
    assert_eq!(told(file), [(1, 543, 27), (3, 603, 5)]);
}

#[test]
fn claude_code_counts_from_before_a_compaction_are_void() {
    let file = r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"look"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I look."}],"usage":{"input_tokens":150000,"output_tokens":1}}}
{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"a1","compactMetadata":{"trigger":"auto","preTokens":150000}}
{"type":"user","uuid":"u2","parentUuid":"b1","isCompactSummary":true,"message":{"role":"user","content":"they looked"}}
{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"I go on."}],"usage":{"input_tokens":900,"output_tokens":4}}}
"#;
    assert_eq!(told(file), [(1, 900, 4)]);
}

const CODEX: &str = r#"{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"list it"}]}}
{"timestamp":"2026-01-01T00:00:01Z","type":"event_msg","payload":{"type":"token_count","info":null}}
{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"gAAA"}}
{"timestamp":"2026-01-01T00:00:03Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}}
COUNT
{"timestamp":"2026-01-01T00:00:05Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"a.rs"}}
COUNT
{"timestamp":"2026-01-01T00:00:07Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"One file."}]}}
{"timestamp":"2026-01-01T00:00:08Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":2100,"total_tokens":2140},"last_token_usage":{"input_tokens":1100,"cached_input_tokens":900,"output_tokens":9}}}}
"#;

const COUNT: &str = r#"{"timestamp":"2026-01-01T00:00:04Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":1000,"total_tokens":1031},"last_token_usage":{"input_tokens":1000,"cached_input_tokens":200,"output_tokens":31,"reasoning_output_tokens":20}}}}"#;

#[test]
fn codex_counts_may_stand_before_or_after_outputs_and_twice() {
    let both = CODEX.replace("COUNT", COUNT);
    let early = CODEX.replacen("COUNT", COUNT, 1).replace("COUNT\n", "");
    let late = CODEX.replacen("COUNT\n", "", 1).replace("COUNT", COUNT);
    for file in [both, early, late] {
        assert_eq!(told(&file), [(1, 1_000, 31), (3, 1_100, 9)], "{file}");
    }
}

#[test]
fn codex_counts_from_before_a_compaction_are_void() {
    let compacted = r#"{"timestamp":"2026-01-01T00:00:09Z","type":"compacted","payload":{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"list it"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"they listed it"}]}]}}
{"timestamp":"2026-01-01T00:00:10Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":9100},"last_token_usage":{"input_tokens":7000,"output_tokens":9}}}}
"#;
    assert_eq!(told(&(CODEX.replace("COUNT", COUNT) + compacted)), []);
}

#[test]
fn pi_counts_of_entries_that_a_compaction_keeps_are_void() {
    let head = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/x"}
{"type":"message","id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"look"}}
{"type":"message","id":"e2","parentId":"e1","timestamp":"2026-01-01T00:00:02Z","message":{"role":"assistant","content":[{"type":"text","text":"I look."}],"usage":{"input":10,"output":4,"cacheRead":9000,"cacheWrite":90}}}
"#;
    let marker = r#"{"type":"compaction","id":"e3","parentId":"e2","timestamp":"2026-01-01T00:00:03Z","summary":"they looked","firstKeptEntryId":"e2","tokensBefore":9100}
"#;
    let tail = r#"{"type":"message","id":"e4","parentId":"PARENT","timestamp":"2026-01-01T00:00:04Z","message":{"role":"user","content":"go on"}}
{"type":"message","id":"e5","parentId":"e4","timestamp":"2026-01-01T00:00:05Z","message":{"role":"assistant","content":[{"type":"text","text":"I do."}],"usage":{"input":10,"output":4,"cacheRead":300,"cacheWrite":90}}}
"#;
    let compacted = [head, marker, &tail.replace("PARENT", "e3")].concat();
    assert_eq!(told(&compacted), [(3, 400, 4)]);
    let whole = [head, &tail.replace("PARENT", "e2")].concat();
    assert_eq!(told(&whole), [(1, 9_100, 4), (3, 400, 4)]);
}

#[test]
fn opencode_counts_each_step_and_none_from_before_an_output_was_cleared() {
    let file = r#"{"info":{"id":"ses_1"},"messages":[
{"info":{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":10}},"parts":[{"id":"prt_1","type":"text","text":"look"}]},
{"info":{"id":"msg_2","sessionID":"ses_1","role":"assistant","time":{"created":20},"tokens":{"input":7,"output":7,"reasoning":0,"cache":{"read":7,"write":7}}},"parts":[
 {"id":"prt_2","type":"step-start"},{"id":"prt_3","type":"tool","callID":"c1","tool":"read","state":{"status":"completed","input":{},"output":"ten pages","time":{"start":21,"end":22COMPACTED}}},
 {"id":"prt_4","type":"step-finish","tokens":{"input":5,"output":3,"reasoning":0,"cache":{"read":100,"write":20}}},
 {"id":"prt_5","type":"step-start"},{"id":"prt_6","type":"text","text":"Ten."},
 {"id":"prt_7","type":"step-finish","tokens":{"input":5,"output":2,"reasoning":0,"cache":{"read":140,"write":20}}}]},
{"info":{"id":"msg_3","sessionID":"ses_1","role":"user","time":{"created":40}},"parts":[{"id":"prt_8","type":"text","text":"sure?"}]},
{"info":{"id":"msg_4","sessionID":"ses_1","role":"assistant","time":{"created":50},"tokens":{"input":9,"output":1,"reasoning":0,"cache":{"read":200,"write":0}}},"parts":[{"id":"prt_9","type":"text","text":"Yes."}]}]}"#;
    let plain = file.replace("COMPACTED", "");
    assert_eq!(told(&plain), [(1, 125, 3), (3, 165, 2), (5, 209, 1)]);
    let cleared = file.replace("COMPACTED", ",\"compacted\":45");
    assert_eq!(told(&cleared), [(1, 125, 3), (5, 209, 1)], "the second step was sent with the output");
}

#[test]
fn the_gemini_cli_tells_input_that_contains_the_cache() {
    let file = r#"{"sessionId":"s","projectHash":"p","messages":[
{"id":"m1","type":"user","content":"look"},
{"id":"m2","type":"gemini","content":"","toolCalls":[{"id":"ls-1","name":"ls","args":{},"status":"success","result":[{"functionResponse":{"id":"ls-1","name":"ls","response":{"output":"a"}}}]}],"tokens":{"input":500,"output":2,"cached":400,"thoughts":6,"tool":0,"total":508}},
{"id":"m3","type":"gemini","content":"One.","tokens":{"input":530,"output":1,"cached":0,"thoughts":0,"total":531}}]}"#;
    assert_eq!(told(file), [(1, 500, 8), (3, 530, 1)]);
}
