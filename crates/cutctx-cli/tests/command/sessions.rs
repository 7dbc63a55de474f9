//! `cutctx sessions` and `--latest`, in a made-up home folder.
#![expect(clippy::disallowed_types, reason = "ages are what is tested")]

use crate::sandbox::{Ran, Sandbox};
use core::time::Duration;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::Path;
use std::time::SystemTime;

/// A home folder with sessions of all tools, each a minute older than the one before.
struct Home {
    sandbox: Sandbox,
    minutes: u64,
}

/// What each tool writes first, as far as it tells the project.
const CLAUDE: &str = r#"{"type":"summary","summary":"x","leafUuid":"u"}
{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"sessionId":"s","cwd":"/home/me/kiln","message":{"role":"user","content":"glaze the tiles"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","isSidechain":false,"sessionId":"s","cwd":"/home/me/kiln","message":{"id":"msg_1","role":"assistant","content":[{"type":"text","text":"they are glazed"}]}}
"#;
const CODEX: &str = r#"{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x","cwd":"/home/me/press"}}
"#;
const PI: &str = r#"{"type":"session","id":"p","timestamp":"2026-01-01T00:00:00Z","cwd":"/home/me/loom"}
"#;
const OPENCODE: &str = "{\n  \"id\": \"ses_1\",\n  \"directory\": \"/home/me/mill\"\n}\n";

const VARIABLES: [&str; 7] = [
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
    "PI_CODING_AGENT_DIR",
    "PI_CODING_AGENT_SESSION_DIR",
];

impl Home {
    fn empty() -> Self {
        Self { sandbox: Sandbox::new(), minutes: 0 }
    }

    /// One session of each tool, and files beside them that are none.
    fn full() -> Self {
        let mut home = Self::empty();
        home.put(".claude/projects/-home-me-kiln/0f0e.jsonl", CLAUDE);
        home.put(".codex/sessions/2026/01/01/rollout-2026-01-01-x.jsonl", CODEX);
        home.put(".gemini/tmp/press-1/chats/session-2026-x.json", "{}");
        home.put(".local/share/opencode/storage/session/global/ses_1.json", OPENCODE);
        home.put(".pi/agent/sessions/--home-me-loom--/2026_p.jsonl", PI);
        fs::write(home.path(".gemini/tmp/press-1/.project_root"), "/home/me/press\n").unwrap();
        for other in [
            ".claude/projects/-home-me-kiln/agent-1.jsonl",
            ".claude/projects/-home-me-kiln/0f0e/subagents/agent-2.jsonl",
            ".claude/history.jsonl",
            ".codex/history.jsonl",
            ".codex/sessions/2026/notes.txt",
            ".gemini/tmp/press-1/logs.json",
            ".gemini/tmp/press-1/other/session-1.json",
            ".local/share/opencode/storage/message/ses_1/msg_1.json",
        ] {
            home.put(other, "{}");
        }
        home
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.sandbox.path(name)
    }

    /// Writes a file that is a minute older than the last one.
    fn put(&mut self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        self.minutes = self.minutes.saturating_add(1);
        let age = Duration::from_secs(self.minutes.saturating_mul(60));
        let time = SystemTime::now().checked_sub(age).unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    }

    fn run_with(&self, line: &str, variables: &[(&str, &Path)]) -> Ran {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut command = self.sandbox.command(&words);
        command.env("HOME", self.path("")).env("USERPROFILE", self.path(""));
        for name in VARIABLES {
            command.env_remove(name);
        }
        Ran::of(command.envs(variables.iter().copied()).output().unwrap())
    }

    fn run(&self, line: &str) -> Ran {
        self.run_with(line, &[])
    }

    fn list(&self, line: &str) -> Value {
        self.run(&format!("sessions --json {line}")).exits(0).json()
    }
}

/// One member of every session.
fn each(listing: &Value, member: &str) -> Vec<Value> {
    listing["sessions"].as_array().unwrap().iter().map(|session| session[member].clone()).collect()
}

#[test]
fn sessions_of_all_tools_are_listed_with_their_projects_the_newest_first() {
    let home = Home::full();
    let listing = home.list("");
    assert_eq!(each(&listing, "tool"), ["claude-code", "codex", "gemini", "opencode", "pi"]);
    let folders = ["kiln", "press", "press", "mill", "loom"].map(|name| format!("/home/me/{name}"));
    assert_eq!(each(&listing, "project"), folders);
    assert_eq!((&listing["left_out"], &listing["not_looked_at"]), (&json!(0), &json!([])));
    let first = &listing["sessions"][0];
    assert_eq!((&first["format"], &first["turns"]), (&json!("claude-code"), &json!(2)));
    assert_eq!(
        (&first["tokens"], &first["estimator"]),
        (&json!(18), &json!("heuristic:anthropic@anthropic"))
    );
    assert_eq!(first["bytes"], CLAUDE.len());
    assert_eq!(first["reason"], Value::Null);
    assert!((60..90).contains(&first["age_seconds"].as_u64().unwrap()), "{first}");
    let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(first["modified"].as_u64().unwrap());
    assert!(SystemTime::now().duration_since(modified).unwrap() < Duration::from_secs(90));
}

#[test]
fn what_cannot_be_read_is_listed_with_the_reason() {
    let mut home = Home::full();
    home.put(".claude/projects/-home-me-kiln/torn.jsonl", CLAUDE.trim_end().trim_end_matches('}'));
    home.put(".local/share/opencode/opencode.db", "SQLite format 3\0");
    home.put(".codex/sessions/2026/01/02/rollout-2026-01-02-y.jsonl.zst", "(/");
    let listing = home.list("");
    for session in listing["sessions"].as_array().unwrap() {
        assert_eq!(session["tokens"].is_null(), session["reason"].is_string(), "{session}");
    }
    let reason = |ending: &str| {
        let sessions = listing["sessions"].as_array().unwrap().iter();
        let mut found = sessions.filter(|session| session["path"].as_str().unwrap().ends_with(ending));
        found.next().unwrap()["reason"].as_str().unwrap().to_owned()
    };
    assert!(reason("torn.jsonl").contains("incomplete JSON"), "{}", reason("torn.jsonl"));
    assert!(reason("opencode.db").contains("database"));
    assert!(reason("ses_1.json").contains("opencode export"));
    assert!(reason(".zst").contains("zstd"));
    let text = home.run("sessions").exits(0).out;
    assert!(text.contains("not counted: opencode keeps"), "{text}");
}

#[test]
fn a_list_is_for_one_tool_of_limited_length_and_without_tokens_where_that_is_asked_for() {
    let home = Home::full();
    assert_eq!(each(&home.list("--tool pi"), "tool"), ["pi"]);
    assert_eq!(each(&home.list("--tool gemini-cli"), "tool"), ["gemini"]);
    let two = home.list("--limit 2 --no-tokens");
    assert_eq!((each(&two, "tool").len(), &two["left_out"]), (2, &json!(3)));
    assert_eq!((&two["sessions"][0]["tokens"], &two["sessions"][0]["reason"]), (&Value::Null, &Value::Null));
    let ran = home.run("sessions --limit 2").exits(0);
    assert!(ran.err.contains("3 older ones are left out"), "{}", ran.err);
    home.run("sessions --tool emacs").exits(2);
}

#[test]
fn people_see_a_path_on_a_line_of_its_own() {
    let home = Home::full();
    let text = home.run("sessions --limit 1").exits(0).out;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    for words in ["s ago", "claude-code", "8 tokens", " B", "/home/me/kiln"] {
        assert!(lines[0].contains(words), "{words}: {text}");
    }
    assert_eq!(lines[1].trim(), home.path(".claude/projects/-home-me-kiln/0f0e.jsonl").to_str().unwrap());
}

#[test]
fn variables_of_the_tools_are_honoured() {
    let mut home = Home::empty();
    home.put("a/projects/-x/1.jsonl", CLAUDE);
    home.put("b/sessions/rollout-old.json", "{}");
    home.put("c/.gemini/tmp/h4sh/chats/session-1.jsonl", "{}");
    home.put("d/opencode/storage/session/p/ses_2.json", OPENCODE);
    home.put("e/sessions/--x--/1.jsonl", "");
    home.put("f/2.jsonl", PI);
    assert_eq!(each(&home.list(""), "tool"), json!([]).as_array().unwrap().clone());
    let paths = ["a", "b", "c", "d", "e", "f"].map(|name| home.path(name));
    let names = [VARIABLES[0], VARIABLES[1], VARIABLES[2], VARIABLES[3], VARIABLES[5], VARIABLES[6]];
    let variables: Vec<(&str, &Path)> =
        names.into_iter().zip(paths.iter().map(std::path::PathBuf::as_path)).collect();
    let all = home.run_with("sessions --json", &variables).exits(0).json();
    assert_eq!(each(&all, "tool"), ["claude-code", "codex", "gemini", "opencode", "pi"]);
    assert_eq!(each(&all, "project")[2], "h4sh");
    let without_session_folder = home.run_with("sessions --json --tool pi", &variables[..5]).exits(0).json();
    assert_eq!(each(&without_session_folder, "project"), ["--x--"]);
}

#[test]
fn an_empty_machine_is_no_error_and_says_where_was_looked() {
    let ran = Home::empty().run("sessions").exits(0);
    assert!(ran.out.is_empty() && ran.err.contains("no sessions were found; looked in"), "{ran:?}");
    let error = Home::empty().run("inspect --latest --json").exits(6).error();
    assert_eq!(error["code"], "NO_SESSION");
    assert!(error["remedy"].as_str().unwrap().contains(".codex"), "{error}");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_in_circles_and_pipes_are_not_opened() {
    use std::os::unix::fs::symlink;
    let mut home = Home::empty();
    home.put(".codex/sessions/2026/01/01/rollout-1.jsonl", CODEX);
    symlink(home.path(".codex/sessions"), home.path(".codex/sessions/2026/loop")).unwrap();
    symlink(
        home.path(".codex/sessions/2026/01/01/rollout-1.jsonl"),
        home.path(".codex/sessions/rollout-2.jsonl"),
    )
    .unwrap();
    symlink("nowhere", home.path(".codex/sessions/rollout-3.jsonl")).unwrap();
    let pipe = home.path(".codex/sessions/rollout-4.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::write(home.path(".codex/archived_sessions"), "a file where a folder should be").unwrap();
    let listing = home.list("--tool codex");
    assert_eq!(each(&listing, "path").len(), 2, "{listing}");
    let unread = listing["not_looked_at"].as_array().unwrap();
    let names: Vec<&str> =
        unread.iter().map(|one| one["path"].as_str().unwrap().rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["archived_sessions", "loop", "rollout-3.jsonl", "rollout-4.jsonl"]);
    assert!(unread.iter().all(|one| one["reason"].is_string()), "{listing}");
    let text = home.run("sessions").exits(0).out;
    assert!(text.contains("could not be looked at: a link to a folder is not followed"), "{text}");
}

#[test]
fn the_newest_session_stands_in_for_session() {
    let mut home = Home::full();
    home.put(".claude/projects/-home-me-kiln/older.jsonl", CLAUDE);
    let newest = home.path(".claude/projects/-home-me-kiln/0f0e.jsonl");
    for line in ["inspect --latest", "inspect --latest claude-code", "inspect --latest=claude-code"] {
        let ran = home.run(&format!("{line} --json")).exits(0).json();
        assert_eq!(ran["session"], newest.to_str().unwrap(), "{line}");
    }
    let ran = home.run("inspect --latest claude-code").exits(0);
    assert!(ran.err.starts_with("the newest session: "), "{}", ran.err);
    home.run("plan --latest claude-code --max-tokens 100 -o p.json").exits(0);
    home.run("verify --latest --plan p.json").exits(0);
    home.run("apply --latest --plan p.json -o out.jsonl").exits(0);
    assert_eq!(home.sandbox.bytes("out.jsonl"), CLAUDE.as_bytes());
    home.run("compact --latest --max-tokens 100 --in-place").exits(0);
}

#[test]
fn a_tool_whose_sessions_are_no_files_of_their_own_is_passed_over_or_told_about() {
    let mut home = Home::empty();
    home.put(".local/share/opencode/opencode.db", "SQLite format 3\0");
    home.put(".claude/projects/-x/1.jsonl", CLAUDE);
    let ran = home.run("inspect --latest --json").exits(0).json();
    assert!(ran["session"].as_str().unwrap().ends_with("1.jsonl"));
    let error = home.run("inspect --latest opencode --json").exits(6).error();
    assert_eq!(error["code"], "NO_SESSION");
    assert!(error["remedy"].as_str().unwrap().contains("opencode export"), "{error}");
    assert!(error["file"].as_str().unwrap().ends_with("opencode.db"));
}

#[test]
fn session_and_latest_exclude_each_other_and_one_is_needed() {
    let home = Home::full();
    home.sandbox.write("s.jsonl", CLAUDE.as_bytes());
    home.run("inspect s.jsonl --latest").exits(2);
    home.run("inspect --latest s.jsonl").exits(2);
    let error = home.run("inspect --json").exits(2).error();
    assert!(error["message"].as_str().unwrap().contains("SESSION"), "{error}");
    home.run("inspect s.jsonl").exits(0);
}
