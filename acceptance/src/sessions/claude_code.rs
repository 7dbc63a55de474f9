//! A session in the records of Claude Code: one block of a message a line, linked by `parentUuid`.

use super::quoted;
use super::story::{Call, Step, steps};
use std::io;

/// Writes records until there are this many bytes.
pub(super) fn write(bytes: usize, out: &mut impl io::Write) -> io::Result<()> {
    let mut log = Log { out, written: 0, record: 0, parent: None };
    for step in steps() {
        if log.written >= bytes {
            break;
        }
        log.step(&step)?;
    }
    Ok(())
}

struct Log<'o, W> {
    out: &'o mut W,
    written: usize,
    /// How many records were written.
    record: u64,
    /// The record that the next one follows.
    parent: Option<String>,
}

impl<W: io::Write> Log<'_, W> {
    fn step(&mut self, step: &Step) -> io::Result<()> {
        if let Some(request) = &step.request {
            self.snapshot()?;
            self.linked("user", &format!(r#""message":{{"role":"user","content":{}}}"#, quoted(request)))?;
        }
        let thinking = format!(
            r#"{{"type":"thinking","thinking":{},"signature":"{}"}}"#,
            quoted(&step.thinking),
            signature(step.number)
        );
        self.assistant(step, &thinking)?;
        self.assistant(step, &format!(r#"{{"type":"text","text":{}}}"#, quoted(&step.remark)))?;
        for call in &step.calls {
            let block = format!(
                r#"{{"type":"tool_use","id":"{}","name":"{}","input":{}}}"#,
                call.id, call.tool, call.arguments
            );
            self.assistant(step, &block)?;
        }
        step.calls.iter().try_for_each(|call| self.answered(call))
    }

    /// One block of the step's message.
    fn assistant(&mut self, step: &Step, block: &str) -> io::Result<()> {
        let number = step.number;
        self.linked(
            "assistant",
            &format!(
                r#""requestId":"req_{number:012}","message":{{"model":"claude-sonnet-4-5","id":"msg_{number:012}","type":"message","role":"assistant","content":[{block}],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":9,"cache_creation_input_tokens":812,"cache_read_input_tokens":48211,"output_tokens":164,"service_tier":"standard"}}}}"#
            ),
        )
    }

    /// Two lines of progress and the result, with its copy for the user interface.
    fn answered(&mut self, call: &Call) -> io::Result<()> {
        for seconds in 1..=2 {
            self.progress(call, seconds)?;
        }
        let result = quoted(&call.result);
        let lines = call.result.lines().count();
        self.linked(
            "user",
            &format!(
                r#""message":{{"role":"user","content":[{{"tool_use_id":"{}","type":"tool_result","content":{result}}}]}},"toolUseResult":{{"stdout":{result},"stderr":"","interrupted":false,"numLines":{lines}}}"#,
                call.id
            ),
        )
    }

    fn progress(&mut self, call: &Call, seconds: u64) -> io::Result<()> {
        self.linked(
            "progress",
            &format!(
                r#""data":{{"type":"bash_progress","output":"","fullOutput":"","elapsedTimeSeconds":{seconds},"totalLines":0}},"toolUseID":"bash-progress-{seconds}","parentToolUseID":"{}""#,
                call.id
            ),
        )
    }

    /// A record without links.
    fn snapshot(&mut self) -> io::Result<()> {
        let (id, time) = (uuid(self.record), timestamp(self.record));
        self.line(&format!(
            r#"{{"type":"file-history-snapshot","messageId":"{id}","snapshot":{{"messageId":"{id}","trackedFileBackups":{{"src/lib.rs":{{"backupFileName":"{id}@v1","version":1,"backupTime":"{time}"}}}},"timestamp":"{time}"}},"isSnapshotUpdate":false}}"#
        ))
    }

    /// A record that follows the one before it.
    fn linked(&mut self, kind: &str, members: &str) -> io::Result<()> {
        let parent = self.parent.take().map_or_else(|| "null".to_owned(), |id| format!("\"{id}\""));
        let (id, time) = (uuid(self.record), timestamp(self.record));
        self.line(&format!(
            r#"{{"parentUuid":{parent},"isSidechain":false,"userType":"external","cwd":"/home/dev/bridge","sessionId":"6f1d2c3b-0000-4000-8000-5e55105e5510","version":"2.1.39","gitBranch":"main","type":"{kind}",{members},"uuid":"{id}","timestamp":"{time}"}}"#
        ))?;
        self.parent = Some(id);
        Ok(())
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")?;
        self.written = self.written.saturating_add(line.len()).saturating_add(1);
        self.record = self.record.saturating_add(1);
        Ok(())
    }
}

fn uuid(record: u64) -> String {
    let mixed = record.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    format!("{:08x}-{:04x}-4{:03x}-8000-{record:012x}", mixed >> 32, (mixed >> 16) & 0xFFFF, mixed & 0xFFF)
}

fn timestamp(record: u64) -> String {
    let seconds = record / 4;
    let (day, hour) = (seconds / 86_400 % 28, seconds / 3_600 % 24);
    let (minute, second) = (seconds / 60 % 60, seconds % 60);
    let (day, millis) = (day.saturating_add(1), (record % 4).saturating_mul(250));
    format!("2026-02-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// As opaque as a real one, and of the same length.
fn signature(number: u64) -> String {
    format!("{number:016x}").repeat(24)
}
