//! The names of counters.

use super::read;
use cutctx::Coded;
use cutctx::counting::{Counter, Scale};

#[test]
fn the_session_decides_which_counter_is_taken() {
    let claude_code = r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"hi"}}
{"type":"user","uuid":"u2","parentUuid":"u1","message":{"role":"user","content":"hi"}}
"#;
    let files = [
        (
            r#"{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"hi"}]}"#,
            "heuristic:anthropic@claude-sonnet-4-5",
        ),
        (
            r#"{"model":"gemini-2.5-pro","messages":[{"role":"user","content":"hi"}]}"#,
            "heuristic:google@gemini-2.5-pro",
        ),
        (r#"{"model":"a-model-of-mine","messages":[{"role":"user","content":"hi"}]}"#, "heuristic:openai"),
        (r#"{"messages":[{"role":"user","content":"hi"}]}"#, "heuristic:openai"),
        (r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#, "heuristic:google@google"),
        (r#"{"turns":[{"turn_id":"a","role":"user","content":"hi","token_estimate":3}]}"#, "own+chars/4"),
        (claude_code, "heuristic:anthropic@anthropic"),
    ];
    for (file, name) in files {
        let counter = Counter::auto();
        read(file, &counter).unwrap();
        assert_eq!(counter.name(), name, "{file}");
    }
}

#[test]
fn a_name_gives_the_same_counter_again() {
    for name in ["claude-opus-4-5", "heuristic:google", "chars/4", "chars/3.5", "google", "own+chars/4"] {
        let (counter, scale) = Counter::named(name).unwrap();
        assert_eq!(scale, Scale::ONE);
        for scale in [Scale::ONE, Scale::LEAST, "1.083".parse().unwrap()] {
            let said = counter.name_scaled_by(scale);
            let (again, same) = Counter::named(&said).unwrap();
            assert_eq!((again.name_scaled_by(same), same), (said, scale), "{name}");
        }
    }
}

#[test]
fn names_of_nothing_are_refused_with_a_code() {
    for (name, code) in
        [("gpt-4u", "TOKENIZER_UNKNOWN"), ("claude*9", "TOKENIZER_SCALE"), ("claude*", "TOKENIZER_SCALE")]
    {
        assert_eq!(Counter::named(name).map(|_| ()).unwrap_err().code().as_str(), code, "{name}");
    }
}
