//! A session in the entries of pi: a message a line, linked by `parentId`.

use super::quoted;
use super::story::{Call, Step, steps};
use std::io;

/// Writes entries until there are this many bytes.
pub(super) fn write(bytes: usize, out: &mut impl io::Write) -> io::Result<()> {
    let mut log = Log { out, written: 0, entries: 0 };
    log.line(r#"{"type":"session","version":3,"id":"6f1d2c3b","timestamp":"2026-02-03T10:00:00.000Z","cwd":"/home/dev/bridge"}"#)?;
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
    /// How many entries were written.
    entries: u64,
}

impl<W: io::Write> Log<'_, W> {
    fn step(&mut self, step: &Step) -> io::Result<()> {
        if let Some(request) = &step.request {
            self.message(&format!(
                r#""role":"user","content":[{{"type":"text","text":{}}}]"#,
                quoted(request)
            ))?;
        }
        let mut content = vec![
            format!(
                r#"{{"type":"thinking","thinking":{},"thinkingSignature":"{}"}}"#,
                quoted(&step.thinking),
                format!("{:016x}", step.number).repeat(24)
            ),
            format!(r#"{{"type":"text","text":{}}}"#, quoted(&step.remark)),
        ];
        content.extend(step.calls.iter().map(|call| {
            let (id, tool, arguments) = (&call.id, call.tool, &call.arguments);
            format!(r#"{{"type":"toolCall","id":"{id}","name":"{tool}","arguments":{arguments}}}"#)
        }));
        self.message(&format!(
            r#""role":"assistant","content":[{}],"api":"anthropic-messages","provider":"anthropic","model":"claude-sonnet-4-5","usage":{{"input":9,"output":164,"cacheRead":48211,"cacheWrite":812,"totalTokens":49196}},"stopReason":"toolUse""#,
            content.join(",")
        ))?;
        step.calls.iter().try_for_each(|call| self.answered(call))
    }

    /// The result, with its details for the user interface.
    fn answered(&mut self, call: &Call) -> io::Result<()> {
        let (id, tool, result) = (&call.id, call.tool, quoted(&call.result));
        self.message(&format!(
            r#""role":"toolResult","toolCallId":"{id}","toolName":"{tool}","content":[{{"type":"text","text":{result}}}],"details":{{"fullOutput":{result}}},"isError":false"#
        ))
    }

    /// An entry that follows the one before it.
    fn message(&mut self, members: &str) -> io::Result<()> {
        let own = self.entries;
        let parent =
            own.checked_sub(1).map_or_else(|| "null".to_owned(), |before| format!("\"{before:08x}\""));
        let (minute, second) = (own / 60 % 60, own % 60);
        self.entries = own.saturating_add(1);
        self.line(&format!(
            r#"{{"type":"message","id":"{own:08x}","parentId":{parent},"timestamp":"2026-02-03T10:{minute:02}:{second:02}.000Z","message":{{{members},"timestamp":{own}}}}}"#
        ))
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")?;
        self.written = self.written.saturating_add(line.len()).saturating_add(1);
        Ok(())
    }
}
