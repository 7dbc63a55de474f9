//! A session as one request of the messages API.

use super::quoted;
use super::story::{Step, steps};
use std::io;

/// Writes messages until there are this many bytes, and closes the document.
pub(super) fn write(bytes: usize, out: &mut impl io::Write) -> io::Result<()> {
    let head = r#"{"model":"claude-sonnet-4-5","max_tokens":8192,"system":"You look after bridges.","tools":[{"name":"Read","input_schema":{"type":"object"}}],"messages":["#;
    out.write_all(head.as_bytes())?;
    let mut written = head.len();
    // Results and the user's next words stand in one message.
    let mut open: Vec<String> = Vec::new();
    for step in steps() {
        open.extend(step.request.iter().map(|text| format!(r#"{{"type":"text","text":{}}}"#, quoted(text))));
        let comma = if written > head.len() { "," } else { "" };
        let text = format!(r#"{comma}{{"role":"user","content":[{}]}}"#, open.join(","));
        written = written.saturating_add(text.len());
        out.write_all(text.as_bytes())?;
        if written >= bytes {
            break;
        }
        let text = assistant(&step);
        written = written.saturating_add(text.len());
        out.write_all(text.as_bytes())?;
        open = results(&step);
    }
    out.write_all(b"]}\n")
}

fn results(step: &Step) -> Vec<String> {
    let results = step.calls.iter().map(|call| {
        let (id, result) = (&call.id, quoted(&call.result));
        format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":{result}}}"#)
    });
    results.collect()
}

fn assistant(step: &Step) -> String {
    let calls = step.calls.iter().map(|call| {
        let (id, tool, arguments) = (&call.id, call.tool, &call.arguments);
        format!(r#",{{"type":"tool_use","id":"{id}","name":"{tool}","input":{arguments}}}"#)
    });
    format!(
        r#",{{"role":"assistant","content":[{{"type":"thinking","thinking":{},"signature":"c2lnbmVk"}},{{"type":"text","text":{}}}{}]}}"#,
        quoted(&step.thinking),
        quoted(&step.remark),
        calls.collect::<String>()
    )
}
