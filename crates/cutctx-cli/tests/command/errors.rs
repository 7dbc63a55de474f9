//! Wrong usage, unreadable input: a code, a place, a remedy, and no text of the session.

use crate::sandbox::Sandbox;

/// A text that stands in every input of these tests and must not come out.
const SECRET: &str = "SECRET-OF-THE-SESSION";

#[test]
fn wrong_usage_exits_with_2_and_help_with_0() {
    let sandbox = Sandbox::with_chat();
    for line in [
        "",
        "nonsense",
        "compact",
        "compact chat.json",
        "compact chat.json --max-tokens many",
        "compact chat.json --max-tokens -5",
        "compact chat.json --max-tokens 500 --policy best",
        "compact chat.json --max-tokens 500 --target-tokens 600",
        "compact chat.json --max-tokens 500 --pin nobody",
        "compact chat.json --max-tokens 500 --format prose",
        "compact chat.json --max-tokens 500 -o out --in-place",
        "man --verb nonsense",
    ] {
        let ran = sandbox.run(line).exits(2);
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "{line}: {ran:?}");
    }
    let error = sandbox.run("compact chat.json --max-tokens many --json").exits(2).error();
    assert_eq!((error["code"].as_str(), error["exit_code"].as_u64()), (Some("USAGE"), Some(2)));
    for line in ["--help", "compact --help", "help plan", "--version", "batch -h"] {
        sandbox.run(line).exits(0);
    }
    assert_eq!(sandbox.names(), ["chat.json"]);
}

#[test]
fn wrong_usage_says_as_json_what_is_missing() {
    let sandbox = Sandbox::with_chat();
    let message = |line: &str| sandbox.run(line).exits(2).error()["message"].as_str().unwrap().to_owned();
    assert!(message("compact chat.json --json").ends_with("--max-tokens <N>"));
    assert_eq!(message("--json"), "no verb is given");
}

#[test]
fn standard_input_is_read_once() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o plan.json").exits(0);
    let chat = sandbox.bytes("chat.json");
    for line in [
        "apply - --plan -",
        "apply - --plan plan.json --summaries -",
        "apply chat.json --plan - --summaries -",
        "compact - --max-tokens 500 --summaries -",
        "compact - --max-tokens 500 --policy @-",
        "plan - --max-tokens 500 --policy @-",
        "requests - --plan -",
        "verify - --plan -",
        "explain - --plan -",
        "diff - -",
    ] {
        let error = sandbox.run_with(&format!("{line} --json"), &chat).exits(2).error();
        assert_eq!(error["message"], "several inputs would come from standard input", "{line}");
    }
    let plan = sandbox.bytes("plan.json");
    sandbox.run_with("verify chat.json --plan -", &plan).exits(0);
    sandbox.run_with("verify - --plan plan.json", &chat).exits(0);
    sandbox.run_with("plan chat.json --max-tokens 500 --policy @-", br#"{"kind": "drop_oldest"}"#).exits(0);
}

#[test]
fn a_remedy_fits_what_is_wrong_with_a_session() {
    let sandbox = Sandbox::new();
    for (bytes, remedy) in
        [("", "the agent's program"), ("{\"turns\": [", "half a line"), ("{\"what\": 1}", "cutctx formats")]
    {
        sandbox.write("session", bytes.as_bytes());
        let error = sandbox.run("inspect session --json").exits(6).error();
        assert!(error["remedy"].as_str().unwrap().contains(remedy), "{bytes}: {error}");
    }
}

#[test]
fn every_verb_says_how_to_use_it_with_an_example() {
    let sandbox = Sandbox::new();
    for verb in [
        "compact",
        "plan",
        "apply",
        "requests",
        "verify",
        "explain",
        "diff",
        "inspect",
        "sessions",
        "restore",
        "batch",
        "completions",
        "man",
    ] {
        let help = sandbox.run(&format!("{verb} --help")).exits(0).out;
        assert!(help.contains(&format!("cutctx {verb}")) && help.contains("Example"), "{verb}: {help}");
    }
}

#[test]
fn unreadable_sessions_exit_with_6_and_say_where_and_what_to_do() {
    let sandbox = Sandbox::new();
    let deep = "[".repeat(100_000);
    let cases: [(&str, Vec<u8>); 9] = [
        ("empty", Vec::new()),
        ("not_utf8", [b"{\"turns\": \"".as_slice(), &[0xff], SECRET.as_bytes()].concat()),
        ("truncated", format!("{{\"messages\": [{{\"role\": \"user\", \"content\": \"{SECRET}").into_bytes()),
        ("prose", format!("Dear {SECRET},\n").into_bytes()),
        ("number", b"42".to_vec()),
        ("unknown", format!("{{\"{SECRET}\": 1}}").into_bytes()),
        ("nul", format!("\0\0{SECRET}").into_bytes()),
        ("deep", deep.into_bytes()),
        ("bad_turn", format!("{{\"turns\": [{{\"turn_id\": \"\", \"role\": \"{SECRET}\"}}]}}").into_bytes()),
    ];
    for (name, bytes) in cases {
        sandbox.write(name, &bytes);
        let error = sandbox.run(&format!("inspect {name} --json")).exits(6).error();
        assert_eq!(error["file"], name, "{error}");
        assert!(error["remedy"].is_string() && error["code"].is_string(), "{error}");
        assert!(!error.to_string().contains(SECRET), "{error}");
        let human = sandbox.run(&format!("compact {name} --max-tokens 10")).exits(6).err;
        assert!(human.contains("code: ") && human.contains("remedy: ") && !human.contains(SECRET), "{human}");
    }
}

#[test]
fn missing_files_and_folders_exit_with_6_and_name_the_path() {
    let sandbox = Sandbox::with_chat();
    for line in [
        "inspect nowhere.json",
        "compact chat.json --max-tokens 500 -o nowhere/out.json",
        "compact chat.json --max-tokens 500 --policy @nowhere.json",
        "compact chat.json --max-tokens 500 --summaries nowhere.json",
        "apply chat.json --plan nowhere.json",
        "batch nowhere.jsonl",
        "compact . --max-tokens 500",
    ] {
        let error = sandbox.run(&format!("{line} --json")).exits(6).error();
        assert_eq!(error["code"], "IO", "{line}");
        assert!(error["file"].is_string() && error["remedy"].is_string(), "{line}: {error}");
    }
}

#[test]
fn documents_beside_a_session_are_refused_without_repeating_them() {
    let sandbox = Sandbox::with_chat();
    sandbox.write("policy.json", format!("{{\"kind\": \"masking\", \"{SECRET}\": 1}}").as_bytes());
    sandbox.write("texts.json", format!("{{\"{SECRET}\": 1}}").as_bytes());
    sandbox.write("plan.json", format!("{{\"record_version\": \"{SECRET}\"}}").as_bytes());
    for (line, code) in [
        ("compact chat.json --max-tokens 500 --policy @policy.json", "POLICY_UNREADABLE"),
        ("compact chat.json --max-tokens 500 --summaries texts.json", "SUMMARIES_UNREADABLE"),
        ("apply chat.json --plan plan.json", "RECORD_UNREADABLE"),
    ] {
        let error = sandbox.run(&format!("{line} --json")).exits(6).error();
        assert_eq!(error["code"], code);
        assert!(!error.to_string().contains(SECRET), "{error}");
        assert!(error["remedy"].is_string());
    }
}

#[test]
fn a_policy_with_a_bad_setting_is_refused_with_its_details() {
    let sandbox = Sandbox::with_chat();
    sandbox.write("policy.json", br#"{"kind": "masking", "keep_recent_results": -1}"#);
    let error = sandbox.run("plan chat.json --max-tokens 500 --policy @policy.json --json").exits(6).error();
    assert_eq!(error["code"], "VALIDATION_ERROR");
    assert_eq!(error["details"]["keep_recent_results"], -1);
}

#[test]
fn formats_completions_and_man_pages_are_printed() {
    let sandbox = Sandbox::new();
    let formats = sandbox.run("formats --json").exits(0).json();
    let names: Vec<&str> = formats["formats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|format| format["name"].as_str().unwrap())
        .collect();
    for name in ["native", "openai-chat", "anthropic-messages", "claude-code"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(sandbox.run(&format!("completions {shell}")).exits(0).out.contains("cutctx"), "{shell}");
    }
    assert!(sandbox.run("man").exits(0).out.contains(".TH cutctx"));
    assert!(sandbox.run("man --verb compact").exits(0).out.contains("max\\-tokens"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_devices_are_not_replaced() {
    let sandbox = Sandbox::with_chat();
    let error = sandbox.run("compact chat.json --max-tokens 500 -o /dev/full --json").exits(6).error();
    assert_eq!((error["code"].as_str(), error["file"].as_str()), (Some("IO"), Some("/dev/full")));
    sandbox.run("compact chat.json --max-tokens 500 -o /dev/null --force").exits(0);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = sandbox.command(&["compact", "chat.json", "--max-tokens", "500"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(6));
    assert!(String::from_utf8(output.stderr).unwrap().contains("standard output: cannot write"));
}

#[test]
fn every_code_of_the_command_is_documented_with_its_exit_code() {
    let documented = include_str!("../../../../docs/cli.md");
    for code in [
        "USAGE",
        "IO",
        "NOT_UTF8",
        "SUMMARIES_UNREADABLE",
        "POLICY_UNREADABLE",
        "OUTPUT_EXISTS",
        "SESSION_CHANGED",
        "NO_BACKUP",
        "NO_SESSION",
        "VERIFICATION_FAILED",
        "BUG",
    ] {
        assert!(documented.contains(&format!("| `{code}` |")), "{code}");
    }
    let help = Sandbox::new().run("--help").exits(0).out;
    for exit in 0..=7 {
        assert!(help.contains(&format!("\n  {exit}  ")), "{exit}");
        assert!(documented.contains(&format!("\n| {exit} | ")), "{exit}");
    }
}

#[test]
fn a_conversation_that_is_not_there_is_refused_in_every_format() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("inspect chat.json --conversation 0").exits(0);
    for example in crate::sandbox::examples() {
        let path = example.display().to_string();
        for verb in ["inspect", "count", "lint", "compact --max-tokens 9000"] {
            let error = sandbox.run(&format!("{verb} {path} --conversation 99 --json")).exits(6).error();
            assert_eq!(error["code"], "FORMAT_NO_SUCH_CONVERSATION", "{verb} {path}");
        }
    }
}

#[test]
fn a_format_that_a_file_is_not_says_so() {
    let sandbox = Sandbox::with_chat();
    for format in ["claude-code", "native", "gemini-contents"] {
        let error = sandbox.run(&format!("inspect chat.json --format {format} --json")).exits(6).error();
        assert!(error["remedy"].as_str().unwrap().contains("leave --format out"), "{format}: {error}");
    }
}

#[test]
fn a_negative_number_of_tokens_is_no_option() {
    let ran = Sandbox::with_chat().run("compact chat.json --max-tokens -5").exits(2);
    assert!(ran.err.contains("expected a number of tokens"), "{}", ran.err);
}
