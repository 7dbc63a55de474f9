//! The laws on the examples, and the turns that they are read as.

use cutctx_formats::Session;
use cutctx_types::Role;

use crate::laws::{check_laws, read};

/// The examples: format, name, text, and their turns: a letter for the role, capital where the turn is pinned.
pub(crate) const EXAMPLES: [(&str, &str, &str, &str); 17] = [
    (
        "antigravity",
        "antigravity.jsonl",
        include_str!("../../../../examples/antigravity.jsonl"),
        "uuattuataUA",
    ),
    ("cline", "cline.json", include_str!("../../../../examples/cline.json"), "UattuatUA"),
    ("cline", "cline-session.json", include_str!("../../../../examples/cline-session.json"), "UatauaU"),
    (
        "copilot-cli",
        "copilot-cli.jsonl",
        include_str!("../../../../examples/copilot-cli.jsonl"),
        "suuattauaUA",
    ),
    ("cursor", "cursor.jsonl", include_str!("../../../../examples/cursor.jsonl"), "UattauaUA"),
    ("droid", "droid.jsonl", include_str!("../../../../examples/droid.jsonl"), "UUattauaUA"),
    ("gemini-cli", "gemini-cli.json", include_str!("../../../../examples/gemini-cli.json"), "UatttatttaUA"),
    ("gemini-cli", "gemini-cli.jsonl", include_str!("../../../../examples/gemini-cli.jsonl"), "UatttatttaUA"),
    ("goose", "goose.jsonl", include_str!("../../../../examples/goose.jsonl"), "UattauaUA"),
    ("happy-trace", "happy-trace.json", include_str!("../../../../examples/happy-trace.json"), "UaattuuaUA"),
    ("hermes", "hermes.json", include_str!("../../../../examples/hermes.json"), "sUattauaUA"),
    ("kimi-cli", "kimi-cli.jsonl", include_str!("../../../../examples/kimi-cli.jsonl"), "sUuuattUatauaUA"),
    ("opencode", "opencode.json", include_str!("../../../../examples/opencode.json"), "UauattattauaUA"),
    (
        "opencode",
        "opencode-storage.json",
        include_str!("../../../../examples/opencode-storage.json"),
        "UattattauaUA",
    ),
    ("opencode", "opencode-run.jsonl", include_str!("../../../../examples/opencode-run.jsonl"), "attattaaaa"),
    ("pi", "pi.jsonl", include_str!("../../../../examples/pi.jsonl"), "uauatttuuUA"),
    ("qwen-code", "qwen-code.jsonl", include_str!("../../../../examples/qwen-code.jsonl"), "UAuatttauaUA"),
];

/// The example with this name.
pub(crate) fn example(wanted: &str) -> &'static str {
    EXAMPLES.iter().find(|(_, name, _, _)| *name == wanted).unwrap().2
}

/// A letter for every turn's role, capital where it is pinned.
pub(crate) fn outline(session: &Session) -> String {
    let letters = session.transcript().turns().iter().map(|turn| {
        let letter = match turn.role() {
            Role::System => 's',
            Role::User => 'u',
            Role::Assistant => 'a',
            Role::Tool => 't',
        };
        if turn.pinned() { letter.to_ascii_uppercase() } else { letter }
    });
    letters.collect()
}

#[test]
fn every_example_is_recognised_and_keeps_the_laws() {
    for (format, name, text, turns) in EXAMPLES {
        let session = read(text);
        assert_eq!(session.format().name(), format, "{name}");
        assert_eq!(outline(&session), turns, "{name}");
        check_laws(&session, 0..200, name);
    }
}

#[test]
fn calls_meet_their_results() {
    for (_, name, text, _) in EXAMPLES {
        let session = read(text);
        let turns = session.transcript().turns();
        for (index, turn) in turns.iter().enumerate().filter(|(_, turn)| turn.role() == Role::Tool) {
            let exchange = turn.tool_call_id().unwrap_or_else(|| panic!("{name}: {index} answers nothing"));
            let caller = turns.iter().find(|turn| turn.turn_id().as_ref() == exchange).unwrap();
            assert_eq!(caller.role(), Role::Assistant, "{name}");
        }
    }
}
