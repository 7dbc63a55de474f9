//! What is said in place of a file that is not shown any more.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use cutctx_messages::{DurableError, DurableObject, DurableValue, FileAttachment};

/// The first line for the files of a tool's result.
const OF_RESULT: &str =
    "The files that came with this earlier tool result have been left out of this request.";

/// The first line for the files of a message of the user.
const OF_PROMPT: &str = "The files of this earlier message have been left out of this, a later request.";

/// The member of a result's object that lists the files: what stored messages of the reference have.
pub(super) const STRIPPED: &str = "cayu_file_attachments_stripped";

/// The note for the files of a tool's result.
pub(super) fn of_result(files: &[FileAttachment]) -> String {
    listed(OF_RESULT, files)
}

/// The note for the files of a message of the user.
pub(super) fn of_prompt(files: &[FileAttachment]) -> String {
    listed(OF_PROMPT, files)
}

fn listed(header: &str, files: &[FileAttachment]) -> String {
    let lines = files.iter().map(|file| {
        let (name, media, size, id) =
            (file.filename(), file.content_type(), file.size_bytes(), file.artifact_id());
        format!("\n- {} ({media}, {size} bytes, artifact_id={})", &**name, &**id)
    });
    let mut note = String::from(header);
    note.extend(lines);
    note
}

/// The files as values, for programs.
pub(super) fn records(files: &[FileAttachment]) -> Result<DurableValue, DurableError> {
    let records: Result<Vec<DurableValue>, DurableError> = files.iter().map(record).collect();
    DurableValue::array(records?)
}

fn record(file: &FileAttachment) -> Result<DurableValue, DurableError> {
    let size = i64::try_from(file.size_bytes()).unwrap_or(i64::MAX);
    let object = DurableObject::new(vec![
        ("artifact_id".into(), DurableValue::text(file.artifact_id().shared().clone())?),
        ("filename".into(), DurableValue::text(file.filename().shared().clone())?),
        ("content_type".into(), DurableValue::text(file.content_type())?),
        ("size_bytes".into(), size.into()),
        ("kind".into(), DurableValue::text(file.kind().as_str())?),
    ])?;
    Ok(object.into())
}
