//! Every file of these agents in an optional folder of test data: read with the laws, or refused by name.

use std::path::{Path, PathBuf};

use cutctx_formats::{FormatError, ReadRequest, Session};
use cutctx_types::CharRatioEstimator;

use crate::laws::check_laws;

/// The folder `corpus` of the test data, or a loud note that there is none.
fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("corpus");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no test data at {} (set CUTCTX_SHARED)", folder.display());
    None
}

/// What a file is: a format with the turns of each of its conversations, or a refusal with these words.
enum Expected {
    Read(&'static str, &'static [usize]),
    Refused(&'static str),
}

use Expected::{Read, Refused};

const A_RECORD: Expected = Refused("it looks like a single record of an opencode session");

/// The folders of these agents with all of their files.
const FILES: &[(&str, &str, Expected)] = &[
    ("antigravity", "stage0__antigravity__cli_small.jsonl", Read("antigravity", &[12])),
    ("copilot-cli", "stage0__copilot__events.jsonl", Read("copilot-cli", &[4])),
    ("copilot-cli", "stage0__copilot__large.jsonl", Read("copilot-cli", &[9])),
    ("cursor", "stage0__cursor__parent.jsonl", Read("cursor", &[2])),
    ("cursor", "stage0__cursor__schema_drift.jsonl", Read("cursor", &[4])),
    ("cursor", "xor__cursor-gpt-5-2.jsonl", Read("cursor", &[17])),
    ("cursor", "xor__cursor-gpt-5-3-codex.jsonl", Read("cursor", &[11])),
    ("droid", "stage0__droid__session_store_schema_drift.jsonl", Read("droid", &[2])),
    ("droid", "stage0__droid__session_store_small.jsonl", Read("droid", &[3])),
    ("droid", "stage0__droid__stream_json_schema_drift.jsonl", Read("droid", &[3])),
    ("gemini-cli", "agentcmd__session-2025-10-29T10-36-453aa339.json", Read("gemini-cli", &[8])),
    ("gemini-cli", "agentcmd__session-2025-10-29T10-36-9c9a14e1.json", Read("gemini-cli", &[4])),
    ("gemini-cli", "agentcmd__session-2025-10-29T10-36-f96c76b0.json", Read("gemini-cli", &[4])),
    ("gemini-cli", "stage0__gemini__jsonl_v040.jsonl", Read("gemini-cli", &[4])),
    ("gemini-cli", "stage0__gemini__schema_drift.json", Read("gemini-cli", &[2])),
    ("gemini-cli", "xor__gemini-gemini-3-pro-preview.jsonl", Read("gemini-cli", &[63])),
    (
        "gemini-cli-responses",
        "gemini-cli__browser-agent.persistent-session.responses",
        Refused("line 1: this is no session in a known format; it looks like recorded responses of a model"),
    ),
    (
        "gemini-cli-responses",
        "gemini-cli__hooks-system.multiple-events.responses",
        Refused("line 1: this is no session in a known format; it looks like recorded responses of a model"),
    ),
    ("grok", "stage0__grok__summary.json", Refused("it looks like the summary of a Grok session")),
    (
        "happy-trace",
        "happy__trace_1.json",
        Refused(
            "line 1391: incomplete JSON at byte 238695; it looks like a trace of Happy, an app for Claude Code",
        ),
    ),
    ("hermes", "stage0__hermes__large.json", Read("hermes", &[5])),
    ("hermes", "stage0__hermes__small.json", Read("hermes", &[2])),
    ("kimi-cli", "stage0__kimi__assistant_tools.jsonl", Read("kimi-cli", &[10])),
    (
        "kimi-cli",
        "stage0__kimi__state.json",
        Refused("it looks like the state of a Kimi CLI session, which is no session"),
    ),
    ("kimi-cli", "stage0__kimi__subagent_agent-0.jsonl", Read("kimi-cli", &[7])),
    ("openclaw", "stage0__openclaw__large.jsonl", Read("pi", &[6])),
    ("openclaw", "stage0__openclaw__small.jsonl", Read("pi", &[3])),
    ("opencode", "stage0__opencode__002.json", A_RECORD),
    ("opencode", "stage0__opencode__004.json", A_RECORD),
    ("opencode", "stage0__opencode__005.json", A_RECORD),
    ("opencode", "stage0__opencode__008.json", A_RECORD),
    ("opencode", "stage0__opencode__msg_0002.json", A_RECORD),
    ("opencode", "stage0__opencode__msg_0004.json", A_RECORD),
    ("opencode", "stage0__opencode__prt_0001.json", A_RECORD),
    ("opencode", "stage0__opencode__ses_s_stage0_drift.json", A_RECORD),
    // Records of the storage with lists of differences between them.
    ("opencode", "xor__opencode-claude-opus-4-5.jsonl", Read("opencode", &[22, 240])),
    ("opencode", "xor__opencode-gpt-5-2-codex.jsonl", Read("opencode", &[61, 52, 18, 36, 12, 23, 97])),
    // 21 messages that were aborted or failed, one of them with 16 calls, are not counted.
    ("pi", "pi-mono__large-session.jsonl", Read("pi", &[892])),
    ("qwen-code", "stage0__qwen__019f0000-0000-7000-8000-000000000002.jsonl", Read("qwen-code", &[1])),
    // A branch that was rewound, records of one id, a call without a result.
    ("qwen-code", "stage0__qwen__019f0000-0000-7000-8000-000000000004.jsonl", Read("qwen-code", &[3])),
    // Two records on one line.
    ("qwen-code", "stage0__qwen__019f0000-0000-7000-8000-000000000005.jsonl", Read("qwen-code", &[2])),
];

#[test]
fn every_file_is_read_as_what_it_is_or_refused_by_name() {
    let Some(corpus) = corpus() else { return };
    for (folder, name, expected) in FILES {
        let path = corpus.join(folder).join(name);
        let Ok(bytes) = std::fs::read(&path) else {
            eprintln!("SKIPPED: {} is not there", path.display());
            continue;
        };
        match expected {
            Refused(words) => {
                let error = Session::read(bytes, &CharRatioEstimator::default()).unwrap_err().to_string();
                assert!(error.contains(words), "{name}: {error}");
            }
            Read(format, turns) => check_conversations(&bytes, name, format, turns),
        }
    }
}

fn check_conversations(bytes: &[u8], name: &str, format: &str, turns: &[usize]) {
    let estimator = CharRatioEstimator::default();
    if turns.len() > 1 {
        let error = Session::read(bytes, &estimator).unwrap_err();
        let counted = matches!(error, FormatError::SeveralConversations { conversations, .. } if conversations == turns.len());
        assert!(counted, "{name}: {error}");
    }
    for (conversation, count) in turns.iter().enumerate() {
        let request = ReadRequest::new(&estimator);
        let request = if turns.len() > 1 { request.of_conversation(conversation) } else { request };
        let session = Session::read_with(None, bytes, &request).unwrap();
        assert_eq!(session.format().name(), format, "{name}");
        assert_eq!(session.transcript().turns().len(), *count, "{name}, conversation {conversation}");
        assert_eq!(session.conversations(), turns.len(), "{name}");
        check_laws(&session, 0..40, name);
    }
}

#[test]
fn no_file_of_the_folders_is_left_out() {
    let Some(corpus) = corpus() else { return };
    let mut folders: Vec<&str> = FILES.iter().map(|(folder, _, _)| *folder).collect();
    folders.dedup();
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(corpus.join(folder)) else { continue };
        for entry in entries {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            assert!(FILES.iter().any(|(of, file, _)| of == &folder && *file == name), "{folder}/{name}");
        }
    }
}
