//! The README's transcript is a real one. `CUTCTX_BLESS=1` writes it anew.

use crate::sandbox::{Ran, Sandbox, examples};
use std::fs;
use std::path::Path;

const BEGIN: &str = "```console\n";
const END: &str = "```";

#[test]
fn the_transcript_of_the_readme_is_what_the_command_prints() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(&file).unwrap();
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (transcript, after) = rest.split_once(END).unwrap();
    let commands: Vec<&str> = transcript.lines().filter_map(|line| line.strip_prefix("$ cutctx ")).collect();
    assert!(commands.len() >= 3, "the README shows the main job");
    let real = run(&commands);
    if std::env::var_os("CUTCTX_BLESS").is_some() {
        fs::write(&file, format!("{before}{BEGIN}{real}{END}{after}")).unwrap();
    } else {
        assert_eq!(transcript, real, "CUTCTX_BLESS=1 writes the transcript anew");
    }
}

/// Runs commands in a folder with the examples, as a reader of the README would.
fn run(commands: &[&str]) -> String {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("examples")).unwrap();
    for example in examples() {
        fs::copy(&example, sandbox.path("examples").join(example.file_name().unwrap())).unwrap();
    }
    let shown = commands.iter().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let ran = Ran::of(sandbox.command(&words).env("COLUMNS", "100").output().unwrap());
        let exit = if ran.code == 0 { String::new() } else { format!("(exit code {})\n", ran.code) };
        format!("$ cutctx {line}\n{}{}{exit}", ran.out, ran.err)
    });
    shown.collect::<Vec<_>>().join("\n")
}
