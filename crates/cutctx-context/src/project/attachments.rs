//! Files that were answered are named instead of sent again.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{
    Artifacts, DurableObject, FileAttachment, Message, MessageError, MessagePart, RoundMessage as _,
    TextPart, ToolResultPart, check_context,
};
use cutctx_types::Role;

use super::error::ProjectionError;
use super::note;

/// The messages without files that have been answered: a note stands in their place.
///
/// * Of the tool results that hold files, the last `max_attachment_results` keep them. Another gets a note behind its
///   text, the list of the files in its object, and keeps its other artifacts.
/// * A message of the user keeps its files until somebody answered it and the user has spoken again; then a note
///   stands behind its other parts.
///
/// Linear in messages; messages that stay share their content.
///
/// # Errors
///
/// [`ProjectionError::Context`] when the messages are not well formed, [`ProjectionError::Message`] when an artifact
/// says that it is a file and is none.
pub fn strip_old_file_attachments(
    messages: &[Message],
    max_attachment_results: usize,
) -> Result<Vec<Message>, ProjectionError> {
    check_context(messages)?;
    let answered = Answered::of(messages);
    let mut stripped = Stripped::of(messages, &answered, max_attachment_results)?;
    Ok(stripped.take_all(messages))
}

/// Where the user spoke last, and how many of the model and its tools spoke before each message.
#[derive(Debug)]
pub(crate) struct Answered {
    /// For each message, how many before it are the assistant's or a tool's.
    before: Vec<usize>,
    last_user: Option<usize>,
}

impl Answered {
    pub(crate) fn of(messages: &[Message]) -> Self {
        let mut count = 0_usize;
        let before = messages.iter().map(|message| {
            let before = count;
            count = count.saturating_add(usize::from(answers(message)));
            before
        });
        let before = before.collect();
        let last_user = messages.iter().rposition(|message| message.role() == Role::User);
        Self { before, last_user }
    }

    /// Whether somebody answered between this message and the last of the user.
    pub(crate) fn is_answered_from(&self, first: usize) -> bool {
        let count = |at: usize| self.before.get(at).copied().unwrap_or(0);
        self.last_user.is_some_and(|last| last > first && count(last) > count(first))
    }
}

fn answers(message: &Message) -> bool {
    matches!(message.role(), Role::Assistant | Role::Tool)
}

/// For each message what stands in its place, where something does.
#[derive(Debug)]
pub(crate) struct Stripped(Vec<Option<Message>>);

impl Stripped {
    /// What stands in place of messages that are known to be well formed.
    pub(crate) fn of(
        messages: &[Message],
        answered: &Answered,
        max_attachment_results: usize,
    ) -> Result<Self, ProjectionError> {
        let mut left = max_attachment_results;
        let mut stripped: Vec<Option<Message>> = Vec::with_capacity(messages.len());
        for (at, message) in messages.iter().enumerate().rev() {
            stripped.push(match message.role() {
                Role::Tool => tool_message(message, &mut left)?,
                Role::User if answered.is_answered_from(at) => without_prompt_files(message)?,
                Role::User | Role::Assistant | Role::System => None,
            });
        }
        stripped.reverse();
        Ok(Self(stripped))
    }

    /// The message that is shown at this place.
    pub(crate) fn shown<'m>(&'m self, messages: &'m [Message], at: usize) -> Option<&'m Message> {
        self.0.get(at).and_then(Option::as_ref).or_else(|| messages.get(at))
    }

    fn take_all(&mut self, messages: &[Message]) -> Vec<Message> {
        let replaced = self.0.iter_mut().map(Option::take);
        replaced
            .zip(messages)
            .map(|(replaced, message)| replaced.unwrap_or_else(|| message.clone()))
            .collect()
    }
}

/// The message without files beyond the results that may keep theirs, counted from its end.
fn tool_message(message: &Message, left: &mut usize) -> Result<Option<Message>, ProjectionError> {
    let mut changed = false;
    let mut parts: Vec<MessagePart> = Vec::with_capacity(message.content().len());
    for part in message.content().iter().rev() {
        let result = if let MessagePart::ToolResult(result) = part { Some(result) } else { None };
        let files = result.map(files_of).transpose()?.unwrap_or_default();
        match result {
            Some(result) if !files.is_empty() && *left == 0 => {
                parts.push(without_files(result, &files)?.into());
                changed = true;
            }
            _ => {
                *left = left.saturating_sub(usize::from(!files.is_empty()));
                parts.push(part.clone());
            }
        }
    }
    parts.reverse();
    Ok(changed.then(|| Message::from_pieces(Role::Tool, parts)))
}

fn files_of(result: &ToolResultPart) -> Result<Vec<FileAttachment>, MessageError> {
    result.artifacts.attachments().collect()
}

fn without_files(result: &ToolResultPart, files: &[FileAttachment]) -> Result<ToolResultPart, MessageError> {
    let note = note::of_result(files);
    let content = if result.content.is_empty() { note } else { format!("{}\n\n{note}", &*result.content) };
    let artifacts = kept_artifacts(&result.artifacts, |_| false);
    let shown = ToolResultPart::new(
        result.tool_call_id.shared().clone(),
        result.tool_name.shared().clone(),
        content,
    )?
    .with_error(result.is_error);
    listing(result, shown, files, artifacts)
}

/// The result as it is shown, with these artifacts and the list of these files in its object.
fn listing(
    result: &ToolResultPart,
    mut shown: ToolResultPart,
    files: &[FileAttachment],
    artifacts: Vec<DurableObject>,
) -> Result<ToolResultPart, MessageError> {
    let structured = result.structured.clone().unwrap_or_default();
    shown.structured = Some(structured.with(note::STRIPPED, note::records(files)?)?);
    shown.artifacts = Artifacts::new(artifacts)?;
    shown.identity.clone_from(&result.identity);
    Ok(shown)
}

/// The artifacts that are no files, and the files that are kept by their number among files.
fn kept_artifacts(artifacts: &Artifacts, keeps: impl Fn(usize) -> bool) -> Vec<DurableObject> {
    let mut files = 0_usize;
    let stays = |object: &&DurableObject| {
        let is_file = FileAttachment::from_artifact(object).is_some();
        let number = files;
        files = files.saturating_add(usize::from(is_file));
        !is_file || keeps(number)
    };
    artifacts.as_slice().iter().filter(stays).cloned().collect()
}

/// The result with the files that are kept by their number among its files, and the note about the others. Its text is
/// as it was.
pub(crate) fn leaving_files_out(
    result: &ToolResultPart,
    keeps: impl Fn(usize) -> bool,
) -> Result<(ToolResultPart, Option<String>), MessageError> {
    let files = files_of(result)?;
    let numbered = files.into_iter().zip(0_usize..);
    let gone: Vec<FileAttachment> =
        numbered.filter(|(_, number)| !keeps(*number)).map(|(file, _)| file).collect();
    if gone.is_empty() {
        return Ok((result.clone(), None));
    }
    let artifacts = kept_artifacts(&result.artifacts, keeps);
    let shown = listing(result, result.clone(), &gone, artifacts)?;
    Ok((shown, Some(note::of_result(&gone))))
}

/// The note that stands in place of the files of a request.
pub(crate) fn request_note(files: &[FileAttachment]) -> String {
    note::of_prompt(files)
}

/// The message with a note in place of its files; `None` where it has none.
pub(crate) fn without_prompt_files(message: &Message) -> Result<Option<Message>, MessageError> {
    let files: Vec<FileAttachment> = message.content().iter().filter_map(file_of).collect();
    if files.is_empty() {
        return Ok(None);
    }
    let mut parts: Vec<MessagePart> =
        message.content().iter().filter(|part| file_of(part).is_none()).cloned().collect();
    parts.push(TextPart::new(note::of_prompt(&files))?.into());
    Ok(Some(Message::from_pieces(message.role(), parts)))
}

fn file_of(part: &MessagePart) -> Option<FileAttachment> {
    if let MessagePart::File(file) = part { Some(file.attachment.clone()) } else { None }
}
