//! Where documents go: each to a file of its own, and nothing is written when one of them has no place.

use crate::sandbox::Sandbox;

#[test]
fn two_documents_do_not_go_to_one_file() {
    let sandbox = Sandbox::with_chat();
    for outputs in
        ["-o x --plan x", "-o x --report ./x", "-o y --plan x --account x", "--in-place --plan x --report x"]
    {
        let line = format!("compact chat.json --max-tokens 500 {outputs} --force --json");
        let error = sandbox.run(&line).exits(2).error();
        assert_eq!(error["message"], "two documents would go to one file", "{outputs}");
    }
    assert_eq!(sandbox.names(), ["chat.json"]);
}

#[test]
fn nothing_is_written_when_one_document_has_no_place() {
    let sandbox = Sandbox::with_chat();
    let chat = sandbox.bytes("chat.json");
    for outputs in ["--in-place --report nowhere/x", "-o y --account nowhere/x", "-o nowhere/x --plan y"] {
        let error =
            sandbox.run(&format!("compact chat.json --max-tokens 500 {outputs} --json")).exits(6).error();
        assert_eq!(error["code"], "IO", "{outputs}");
    }
    assert_eq!((sandbox.names(), sandbox.bytes("chat.json")), (vec!["chat.json".to_owned()], chat));
}

#[cfg(unix)]
#[test]
fn answers_to_jobs_that_cannot_be_read_leave_no_file() {
    let sandbox = Sandbox::with_chat();
    let error = sandbox.run("batch . -o answers --json").exits(6).error();
    assert_eq!(error["code"], "IO");
    assert_eq!(sandbox.names(), ["chat.json"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_is_not_there_is_followed_when_forced() {
    let sandbox = Sandbox::with_chat();
    std::os::unix::fs::symlink("later.json", sandbox.path("link")).unwrap();
    let error = sandbox.run("compact chat.json --max-tokens 500 -o link --json").exits(6).error();
    assert_eq!(error["code"], "OUTPUT_EXISTS");
    sandbox.run("compact chat.json --max-tokens 500 -o link --force").exits(0);
    assert!(sandbox.path("link").is_symlink() && sandbox.path("later.json").is_file());
}

#[cfg(unix)]
#[test]
fn one_device_takes_several_documents() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("compact chat.json --max-tokens 500 -o x --report /dev/null --account /dev/null").exits(0);
}

#[cfg(unix)]
#[test]
fn names_of_files_and_words_of_the_line_do_not_command_the_terminal() {
    let sandbox = Sandbox::with_chat();
    let hostile = "ev\u{1b}[35m\nil\u{7}\u{202e}.json";
    sandbox.write(hostile, &sandbox.bytes("chat.json"));
    for words in [
        &["inspect", hostile][..],
        &["inspect", "none\u{1b}[35m"],
        &["compact", hostile, "--max-tokens", "500", "-o", "out\u{1b}[35m"],
        &["compact", hostile, "--max-tokens", "500", "--in-place"],
        &["restore", hostile],
        &["compact", "chat.json", "--max-tokens", "\u{1b}[35m"],
        &["compact", "chat.json", "--max-tokens", "500", "--pin", "zz\u{1b}[35m"],
        &["plan", hostile, "--max-tokens", "450", "--policy", "default", "-o", "p\u{1b}.json"],
    ] {
        let output = sandbox.command(words).env("CLICOLOR_FORCE", "1").output().unwrap();
        for stream in [&output.stdout, &output.stderr] {
            // The styles of our own words are as on a terminal; the names ask for another one.
            let own = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[4m", "\u{1b}[31m", "\u{1b}[33m"];
            let text = String::from_utf8_lossy(stream).into_owned();
            let text = own.iter().fold(text, |text, style| text.replace(style, ""));
            let active = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
            assert!(!text.chars().any(active), "{words:?}: {text:?}");
        }
        assert!(!String::from_utf8_lossy(&output.stderr).contains("\nil"), "{words:?}");
    }
}

#[test]
fn only_verbs_that_can_replace_a_session_advise_it() {
    let sandbox = Sandbox::with_chat();
    for (line, in_place) in [
        ("compact chat.json --max-tokens 900 -o chat.json --force", true),
        ("repair chat.json -o chat.json --force", true),
        ("convert chat.json --to openai-chat -o chat.json --force", false),
        ("plan chat.json --max-tokens 900 -o chat.json --force", false),
        ("compact chat.json --max-tokens 900 -o x.json --plan chat.json --force", false),
    ] {
        let error = sandbox.run(&format!("{line} --json")).exits(2).error();
        assert_eq!(error["message"], "the output is the input", "{line}");
        assert_eq!(error["remedy"].as_str().unwrap().contains("--in-place"), in_place, "{line}");
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_is_overwritten_keeps_its_permissions() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with_chat();
    sandbox.write("out.json", b"of nobody's business");
    set_permissions(sandbox.path("out.json"), Permissions::from_mode(0o600)).unwrap();
    sandbox.run("compact chat.json --max-tokens 900 -o out.json --force").exits(0);
    assert_eq!(metadata(sandbox.path("out.json")).unwrap().permissions().mode() & 0o777, 0o600);
}
