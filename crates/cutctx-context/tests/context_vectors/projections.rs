//! Windows, turns, files, coverage.

use cutctx_context::{
    ProjectionError, context_input_coverage, strip_old_file_attachments, trim_context_messages,
    trim_context_turns,
};
use cutctx_messages::Message;
use serde_json::Value;

use crate::case::{expanded, messages, projection_category, same_error, size};
use crate::tally::{Verdict, same};

pub(crate) fn window(input: &Value, output: &Value) -> Verdict {
    projected(input, output, "max_messages", |messages, most| {
        trim_context_messages(messages, most, input["preserve_system"] != false)
    })
}

pub(crate) fn turns(input: &Value, output: &Value) -> Verdict {
    projected(input, output, "max_user_turns", |messages, most| {
        trim_context_turns(messages, most, input["preserve_system"] != false)
    })
}

pub(crate) fn files(input: &Value, output: &Value) -> Verdict {
    projected(input, output, "max_attachment_results", strip_old_file_attachments)
}

fn projected(
    input: &Value,
    output: &Value,
    setting: &str,
    function: impl Fn(&[Message], usize) -> Result<Vec<Message>, ProjectionError>,
) -> Verdict {
    let messages = messages(&input["messages"]);
    let most = match size(&input[setting]) {
        Ok(most) => most.unwrap(),
        Err(verdict) => return verdict,
    };
    match function(&messages, most) {
        Ok(shown) if output["messages"].is_array() => same(&shown, &expanded(&output["messages"], &messages)),
        Ok(_) => Verdict::Failed(format!("no error, but {output}")),
        Err(error) => match output.get("error") {
            Some(wanted) => same_error(wanted, &projection_category(&error)),
            None => Verdict::Failed(format!("{error}")),
        },
    }
}

pub(crate) fn coverage(input: &Value, output: &Value) -> Verdict {
    let cursor = input["transcript_cursor"].as_u64().unwrap();
    let coverage = context_input_coverage(&messages(&input["messages"]), cursor);
    same(&serde_json::to_value(coverage).unwrap(), output)
}
