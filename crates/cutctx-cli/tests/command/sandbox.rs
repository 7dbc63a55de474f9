//! A folder of its own for each test, with the command at hand.

use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::{JoinHandle, spawn};

/// A temporary folder in which the command runs.
pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
}

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A sandbox with the chat of these tests in it, as `chat.json`.
    pub(crate) fn with_chat() -> Self {
        let sandbox = Self::new();
        sandbox.write("chat.json", &fs::read(data("chat.json")).unwrap());
        sandbox
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.bytes(name)).unwrap()
    }

    /// The names of all files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command with these words, ready to be changed further.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cutctx"));
        command
            .args(words)
            .current_dir(self.folder.path())
            .env_remove("COLUMNS")
            .env_remove("CLICOLOR_FORCE");
        command
    }

    /// Runs a line of words separated by spaces.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_with(line, b"")
    }

    /// Runs a line with this on standard input.
    pub(crate) fn run_with(&self, line: &str, input: &[u8]) -> Ran {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut command = self.command(&words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // A command that ends without reading closes the pipe, which is its right.
        let writer = spawn(move || stdin.write_all(&input).is_ok());
        let ran = Ran::of(child.wait_with_output().unwrap());
        writer.join().unwrap();
        ran
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Asserts the exit code, showing everything where it is another.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// The error on standard error as JSON.
    #[track_caller]
    pub(crate) fn error(&self) -> Value {
        let value: Value =
            serde_json::from_str(&self.err).unwrap_or_else(|error| panic!("{error}: {self:#?}"));
        value["error"].clone()
    }
}

/// A session of Claude Code that tells what its requests cost: 5,000 tokens, and 1,000 for each turn.
pub(crate) fn counted_session() -> String {
    let said = "The pump in hall two runs dry at night, and nobody knows why it does. ".repeat(40);
    let line = |number: u64| {
        let parent = number.checked_sub(1).map_or("null".to_owned(), |before| format!("\"a{before}\""));
        let read = number.saturating_mul(2_000).saturating_add(5_000);
        format!(
            r#"{{"type":"user","uuid":"u{number}","parentUuid":{parent},"message":{{"role":"user","content":"{said}"}}}}
{{"type":"assistant","uuid":"a{number}","parentUuid":"u{number}","message":{{"id":"m{number}","role":"assistant","model":"claude-sonnet-4-5","content":[{{"type":"text","text":"{said}"}}],"usage":{{"input_tokens":4,"cache_creation_input_tokens":996,"cache_read_input_tokens":{read},"output_tokens":1000}}}}}}
"#
        )
    };
    (0..10).map(line).collect()
}

/// A file of the tests' data.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The session files of the workspace's examples.
pub(crate) fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json" || ending == "jsonl"));
    files.sort();
    files
}

/// Answers one request with a body; gives what was asked.
pub(crate) fn answering(status: &'static str, body: &'static str) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let served = spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let asked = read(&mut stream);
        let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close", body.len());
        stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
        asked
    });
    (url, served)
}

fn read(stream: &mut TcpStream) -> String {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut chunk).unwrap();
        bytes.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = text.split_once("\r\n\r\n").map(|(_, body)| body);
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
        if let (Some(body), Some(length)) = (body, length)
            && body.len() >= length.trim().parse::<usize>().unwrap()
        {
            return text;
        }
    }
}
