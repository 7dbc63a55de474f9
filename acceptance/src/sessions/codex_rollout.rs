//! A session as a rollout of the Codex CLI: items, and events that repeat them for the screen.

use super::quoted;
use super::story::{Call, Step, steps};
use std::io;

/// Writes lines until there are this many bytes.
pub(super) fn write(bytes: usize, out: &mut impl io::Write) -> io::Result<()> {
    let mut rollout = Rollout { out, written: 0, lines: 0 };
    rollout.line(
        "session_meta",
        r#"{"id":"6f1d2c3b","cwd":"/home/dev/bridge","originator":"codex_cli_rs","base_instructions":{"text":"You look after bridges."}}"#,
    )?;
    for step in steps() {
        if rollout.written >= bytes {
            break;
        }
        rollout.step(&step)?;
    }
    Ok(())
}

struct Rollout<'o, W> {
    out: &'o mut W,
    written: usize,
    /// How many lines were written.
    lines: u64,
}

impl<W: io::Write> Rollout<'_, W> {
    fn step(&mut self, step: &Step) -> io::Result<()> {
        if let Some(request) = &step.request {
            self.request(&quoted(request))?;
        }
        let (thinking, remark) = (quoted(&step.thinking), quoted(&step.remark));
        self.event(&format!(r#""type":"agent_reasoning","text":{thinking}"#))?;
        self.item(&format!(
            r#""type":"reasoning","summary":[{{"type":"summary_text","text":{thinking}}}],"content":null,"encrypted_content":"{}""#,
            format!("{:016x}", step.number).repeat(48)
        ))?;
        self.event(&format!(r#""type":"agent_message","message":{remark}"#))?;
        self.item(&format!(
            r#""type":"message","role":"assistant","content":[{{"type":"output_text","text":{remark}}}]"#
        ))?;
        for call in &step.calls {
            let (id, tool, arguments) = (&call.id, call.tool, quoted(&call.arguments));
            self.item(&format!(
                r#""type":"function_call","name":"{tool}","arguments":{arguments},"call_id":"{id}""#
            ))?;
        }
        step.calls.iter().try_for_each(|call| self.answered(call))?;
        self.counted(step.number)
    }

    fn request(&mut self, said: &str) -> io::Result<()> {
        self.line(
            "turn_context",
            r#"{"cwd":"/home/dev/bridge","approval_policy":"on-request","sandbox_policy":{"mode":"workspace-write"},"model":"gpt-5-codex","effort":"medium","summary":"auto"}"#,
        )?;
        self.item(&format!(
            r#""type":"message","role":"user","content":[{{"type":"input_text","text":{said}}}]"#
        ))?;
        self.event(&format!(r#""type":"user_message","message":{said},"images":[]"#))
    }

    /// What a command wrote, for the screen and for the model.
    fn answered(&mut self, call: &Call) -> io::Result<()> {
        let (id, result) = (&call.id, quoted(&call.result));
        self.event(&format!(
            r#""type":"exec_command_end","call_id":"{id}","command":["bash","-lc","run"],"aggregated_output":{result},"exit_code":0,"duration":{{"secs":0,"nanos":1}}"#
        ))?;
        let framed = quoted(&format!("Exit code: 0\nWall time: 0.1 seconds\nOutput:\n{}", call.result));
        self.item(&format!(r#""type":"function_call_output","call_id":"{id}","output":{framed}"#))
    }

    fn counted(&mut self, number: u64) -> io::Result<()> {
        let usage = format!(
            r#"{{"input_tokens":{},"cached_input_tokens":48211,"output_tokens":164,"reasoning_output_tokens":80,"total_tokens":57384}}"#,
            number.saturating_add(57_000)
        );
        self.event(&format!(
            r#""type":"token_count","info":{{"total_token_usage":{usage},"last_token_usage":{usage},"model_context_window":272000}},"rate_limits":null"#
        ))
    }

    fn item(&mut self, members: &str) -> io::Result<()> {
        self.line("response_item", &format!("{{{members}}}"))
    }

    fn event(&mut self, members: &str) -> io::Result<()> {
        self.line("event_msg", &format!("{{{members}}}"))
    }

    fn line(&mut self, kind: &str, payload: &str) -> io::Result<()> {
        let (minute, second) = (self.lines / 60 % 60, self.lines % 60);
        let line = format!(
            r#"{{"timestamp":"2026-02-03T10:{minute:02}:{second:02}.000Z","type":"{kind}","payload":{payload}}}"#
        );
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")?;
        self.written = self.written.saturating_add(line.len()).saturating_add(1);
        self.lines = self.lines.saturating_add(1);
        Ok(())
    }
}
