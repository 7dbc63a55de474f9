//! Every entry of the list of odd files.

use alloc::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cutctx_formats::{Fate, ReadRequest, Session, Severity};
use cutctx_types::{CharRatioEstimator, Coded};

/// What must come of a file.
enum Outcome {
    /// It is read as this format, with so many turns, calls that are open, and breaches of the provider's rules.
    Read { format: &'static str, turns: usize, open: Open, breaches: &'static [(&'static str, usize)] },
    /// It is refused with this code, and words that say what it is.
    Refused { code: &'static str, says: &'static str },
    /// It is not in the folder; `kinds` has an example of ours.
    NotHere,
}

/// How many calls are in which state.
type Open = &'static [(&'static str, usize)];

/// A row: the number of the entry in the list, the file, and which of its conversations.
struct Entry(usize, &'static str, Option<usize>, Outcome);

const fn sound(format: &'static str, turns: usize) -> Outcome {
    Outcome::Read { format, turns, open: &[], breaches: &[] }
}

const fn open(format: &'static str, turns: usize, open: Open) -> Outcome {
    Outcome::Read { format, turns, open, breaches: &[] }
}

const FLIGHT: &str = "InFlight";

const ENTRIES: [Entry; 49] = [
    Entry(1, "openai-chat/tau__gpt-4o-airline.json", None, Outcome::NotHere),
    Entry(2, "openhands/tls_scanner__trajectory.json", None, Outcome::NotHere),
    Entry(3, "openhands/OpenHands__output.jsonl", Some(0), sound("openhands", 8)),
    Entry(3, "openhands/OpenHands__output.jsonl", Some(1), sound("openhands", 44)),
    Entry(
        3,
        "openhands/OpenHands__output.jsonl",
        None,
        Outcome::Refused { code: "FORMAT_SEVERAL_CONVERSATIONS", says: "2 conversations" },
    ),
    Entry(
        4,
        "anthropic-messages/pydantic-ai__der_capability_replay_openai-responses-gpt-5.4-anthropic-claude-sonnet-4-5___req4.json",
        None,
        sound("anthropic-messages", 12),
    ),
    Entry(
        5,
        "claude-code/session-share__general-tool-calls.jsonl",
        None,
        open("claude-code", 123, &[(FLIGHT, 1)]),
    ),
    Entry(
        6,
        "claude-code/claude-code-log__edge_cases.jsonl",
        None,
        Outcome::Read {
            format: "claude-code",
            turns: 11,
            open: &[("Dangling", 1), (FLIGHT, 1)],
            breaches: &[("unanswered_call", 1)],
        },
    ),
    Entry(7, "pi/pi-mono__large-session.jsonl", None, sound("pi", 892)),
    Entry(8, "openai-chat/pharma__trajectory-1.json", None, Outcome::NotHere),
    Entry(9, "gemini-cli-stream/figma", None, Outcome::NotHere),
    Entry(
        10,
        "claude-code/agentcmd__full-session-three.jsonl",
        None,
        open("claude-code", 32, &[(FLIGHT, 3)]),
    ),
    Entry(
        11,
        "anthropic-messages/pydantic-ai__test_pause_turn_web_search_vcr__req1.json",
        None,
        sound("anthropic-messages", 2),
    ),
    Entry(12, "gemini-cli/stage0__gemini__schema_drift.json", None, sound("gemini-cli", 2)),
    Entry(13, "codex-rollout/stage0__codex__small.jsonl", None, Outcome::NotHere),
    Entry(14, "openai-chat/pharma__trajectory-1.json", None, Outcome::NotHere),
    Entry(
        15,
        "claude-code/claude-code-viewer__fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl",
        None,
        sound("claude-code", 23),
    ),
    Entry(
        16,
        "openai-responses/pydantic-ai__test_reused_tool_call_ids_gpt_5_5__req3.json",
        None,
        sound("openai-responses", 7),
    ),
    Entry(
        16,
        "openai-responses/pydantic-ai__test_deepseek_responses_replay_unsent_item_ids__req0.json",
        None,
        sound("openai-responses", 6),
    ),
    Entry(17, "mini-swe-agent/mini__psf__requests-1142.traj.json", None, sound("mini-swe-agent", 144)),
    Entry(
        18,
        "claude-code/session-share__0ccf1a04-1b4c-43b6-8aa5-79e41db43a68.jsonl",
        None,
        sound("claude-code", 33),
    ),
    Entry(18, "claude-code/session-share__read-tool-variants.jsonl", None, sound("claude-code", 10)),
    Entry(
        18,
        "claude-code/session-share__edit-tool-variants.jsonl",
        None,
        Outcome::Read { format: "claude-code", turns: 8, open: &[], breaches: &[("first_not_user", 1)] },
    ),
    Entry(19, "claude-code/happy-cli__duplicate-assistant-response-2.jsonl", None, Outcome::NotHere),
    Entry(20, "gemini-cli/xor__gemini-gemini-3-pro-preview.jsonl", None, sound("gemini-cli", 63)),
    Entry(20, "opencode/xor__opencode-gpt-5-2-codex.jsonl", Some(0), sound("opencode", 61)),
    Entry(
        20,
        "opencode/xor__opencode-gpt-5-2-codex.jsonl",
        None,
        Outcome::Refused { code: "FORMAT_SEVERAL_CONVERSATIONS", says: "7 conversations" },
    ),
    Entry(21, "opencode/xor__opencode-claude-opus-4-5.jsonl", Some(0), sound("opencode", 22)),
    Entry(21, "opencode/xor__opencode-claude-opus-4-5.jsonl", Some(1), sound("opencode", 240)),
    Entry(
        22,
        "qwen-code/stage0__qwen__019f0000-0000-7000-8000-000000000005.jsonl",
        None,
        sound("qwen-code", 2),
    ),
    Entry(22, "gemini-cli/stage0__gemini__schema_drift.json", None, sound("gemini-cli", 2)),
    Entry(22, "codex-rollout/stage0__codex__schema_drift.jsonl", None, Outcome::NotHere),
    Entry(23, "claude-code/spotter__sub_agent-acompact-70d8e7.jsonl", None, sound("claude-code", 2)),
    Entry(23, "claude-code/spotter__sub_agent-acompact-946d2b.jsonl", None, sound("claude-code", 2)),
    Entry(23, "claude-code/spotter__sub_agent-acompact-f46190.jsonl", None, sound("claude-code", 2)),
    Entry(
        24,
        "claude-code/claude-code-viewer__fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl",
        None,
        sound("claude-code", 23),
    ),
    Entry(25, "claude-code/spotter__sub_agent-a93ccab.jsonl", None, sound("claude-code", 37)),
    Entry(
        25,
        "claude-code/stage0__claude__large.jsonl",
        None,
        Outcome::Read {
            format: "claude-code",
            turns: 10,
            open: &[],
            breaches: &[("call_id_spelling", 1), ("signature_missing", 1)],
        },
    ),
    Entry(26, "claude-code/session-share__images-in-tool-results.jsonl", None, Outcome::NotHere),
    Entry(
        27,
        "codex-rollout/agentcmd__rollout-2025-09-24T19-22-20-01997e76-d124-7592-9cac-2ec05abbca08.jsonl",
        None,
        sound("codex-rollout", 270),
    ),
    Entry(
        27,
        "codex-rollout/agentcmd__rollout-2025-09-24T20-12-23-01997ea4-a70d-7da3-8c20-c736db82a7c5.jsonl",
        None,
        sound("codex-rollout", 37),
    ),
    Entry(28, "letta-af/agent-file__memgpt_agent_with_convo.af", None, sound("letta", 1)),
    Entry(29, "sharegpt/reason_tool_use_demo_50.jsonl", None, Outcome::NotHere),
    Entry(30, "cursor/stage0__cursor__schema_drift.jsonl", None, sound("cursor", 4)),
    Entry(30, "cursor/xor__cursor-gpt-5-2.jsonl", None, sound("cursor", 17)),
    Entry(30, "cursor/xor__cursor-gpt-5-3-codex.jsonl", None, sound("cursor", 11)),
    Entry(
        31,
        "gemini-cli-responses/gemini-cli__hooks-system.multiple-events.responses",
        None,
        Outcome::Refused { code: "FORMAT_UNRECOGNIZED", says: "recorded responses" },
    ),
    Entry(
        32,
        "claude-code/stage0__claude__agent-a0ad4f44468bdf20d.meta.json",
        None,
        Outcome::Refused { code: "FORMAT_UNRECOGNIZED", says: "sub-agent" },
    ),
    Entry(32, "openclaw", None, Outcome::NotHere),
];

fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join("corpus");
    let there = folder.is_dir();
    if !there {
        eprintln!("SKIPPED: no test data at {} (set CUTCTX_SHARED)", folder.display());
    }
    there.then_some(folder)
}

#[test]
fn every_entry_of_the_list_has_a_row() {
    let Some(list) = corpus().map(|folder| folder.join("ODD.md")) else { return };
    let Ok(list) = std::fs::read_to_string(&list) else {
        return eprintln!("SKIPPED: no list at {}", list.display());
    };
    let entries = list.lines().filter(|line| line.starts_with("- ")).count();
    let rows: BTreeSet<usize> = ENTRIES.iter().map(|Entry(number, ..)| *number).collect();
    assert_eq!(rows, (1..=entries).collect(), "the list has {entries} entries");
}

#[test]
fn every_odd_file_is_read_or_refused_as_its_row_says() {
    let Some(folder) = corpus() else { return };
    let mut checked = 0;
    for Entry(number, file, conversation, outcome) in &ENTRIES {
        let path = folder.join(file);
        if let Outcome::NotHere = outcome {
            assert!(!path.is_file(), "entry {number}: {file} is there and wants a row that says what it is");
            continue;
        }
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("entry {number}: {file}: {error}"));
        check(&format!("entry {number}: {file}"), &bytes, *conversation, outcome);
        checked += 1;
    }
    assert!(checked > 30, "{checked}");
}

fn check(what: &str, bytes: &[u8], conversation: Option<usize>, outcome: &Outcome) {
    let estimator = CharRatioEstimator::default();
    let mut request = ReadRequest::new(&estimator);
    request.conversation = conversation;
    let read = Session::read_with(None, bytes, &request);
    match outcome {
        Outcome::NotHere => {}
        Outcome::Refused { code, says } => {
            let error = read.expect_err(what);
            assert_eq!(error.code().as_str(), *code, "{what}");
            assert!(error.to_string().contains(says), "{what}: {error}");
        }
        Outcome::Read { format, turns, open, breaches } => {
            let session = read.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(
                (session.format().name(), session.transcript().turns().len()),
                (*format, *turns),
                "{what}"
            );
            assert_eq!(open_calls(&session), counted(open), "{what}");
            assert_eq!(refused(&session), counted(breaches), "{what}");
            comes_back(&session, bytes, what);
        }
    }
}

fn counted(pairs: &[(&str, usize)]) -> BTreeMap<String, usize> {
    pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

fn tally(names: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    names.fold(BTreeMap::new(), |mut tally, name| {
        *tally.entry(name).or_default() += 1;
        tally
    })
}

fn open_calls(session: &Session) -> BTreeMap<String, usize> {
    tally(session.inventory().unwrap().open_calls.iter().map(|call| format!("{:?}", call.state)))
}

fn refused(session: &Session) -> BTreeMap<String, usize> {
    let found = session.lint();
    let refused = found.iter().filter(|violation| violation.rule.severity == Severity::Refused);
    tally(refused.map(|violation| violation.rule.name.to_owned()))
}

fn comes_back(session: &Session, bytes: &[u8], what: &str) {
    let kept = vec![Fate::Kept; session.transcript().turns().len()];
    assert!(session.render(&kept, &[]).unwrap().to_text().as_bytes() == bytes, "{what}: untouched");
}
