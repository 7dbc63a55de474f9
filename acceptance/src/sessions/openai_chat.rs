//! A session as one request of the chat completions API.

use super::quoted;
use super::story::{Step, steps};
use std::io;

/// Writes messages until there are this many bytes, and closes the document.
pub(super) fn write(bytes: usize, out: &mut impl io::Write) -> io::Result<()> {
    let head = r#"{"model":"gpt-5","messages":[{"role":"system","content":"You look after bridges."}"#;
    out.write_all(head.as_bytes())?;
    let mut written = head.len();
    for step in steps() {
        if written >= bytes {
            break;
        }
        let text = messages(&step);
        written = written.saturating_add(text.len());
        out.write_all(text.as_bytes())?;
    }
    out.write_all(b"],\"temperature\":0.2}\n")
}

/// The messages of a step, each with a comma before it.
fn messages(step: &Step) -> String {
    let request = step.request.iter().map(|text| format!(r#",{{"role":"user","content":{}}}"#, quoted(text)));
    let results = step.calls.iter().map(|call| {
        format!(r#",{{"role":"tool","tool_call_id":"{}","content":{}}}"#, call.id, quoted(&call.result))
    });
    request.chain([assistant(step)]).chain(results).collect()
}

fn assistant(step: &Step) -> String {
    let calls: Vec<String> = step
        .calls
        .iter()
        .map(|call| {
            let (id, tool, arguments) = (&call.id, call.tool, quoted(&call.arguments));
            format!(
                r#"{{"id":"{id}","type":"function","function":{{"name":"{tool}","arguments":{arguments}}}}}"#
            )
        })
        .collect();
    format!(
        r#",{{"role":"assistant","content":{},"tool_calls":[{}]}}"#,
        quoted(&step.remark),
        calls.join(",")
    )
}
