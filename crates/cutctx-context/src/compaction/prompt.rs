//! The prompt that a model is asked for a summary with.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::SpokenText;

use super::message_digest::digests;
use super::request::CompactionRequest;
use crate::setting::{SettingError, SettingFault};

/// A prompt, and how many messages it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactionPrompt {
    prompt: SpokenText,
    covered_message_count: usize,
}

impl CompactionPrompt {
    /// A prompt that shows so many messages.
    ///
    /// # Errors
    ///
    /// [`SettingError`] when the prompt is blank or shows no messages.
    pub fn new(prompt: String, covered_message_count: usize) -> Result<Self, SettingError> {
        let prompt = SpokenText::new(prompt).map_err(|_| SettingFault::BadText.of("prompt"))?;
        if covered_message_count == 0 {
            return Err(SettingFault::MustBePositive.of("covered_message_count"));
        }
        Ok(Self { prompt, covered_message_count })
    }

    /// The prompt.
    #[must_use]
    pub const fn prompt(&self) -> &SpokenText {
        &self.prompt
    }

    /// How many messages it shows.
    #[must_use]
    pub const fn covered_message_count(&self) -> usize {
        self.covered_message_count
    }
}

/// What the model is asked, in three sentences.
const INSTRUCTIONS: [&str; 3] = [
    "Summarize the session below so that work can go on from the summary alone, without the source.",
    "Keep what was asked and decided, names of files, results of tools, errors, numbers, and what is still to be done.",
    "Add nothing that is not there. Be brief and still concrete.",
];

/// The prompt for all messages of a request: what to do, whose session it is, the summary before, what the caller adds,
/// and the messages as text. Nothing is cut.
///
/// # Errors
///
/// [`SettingError`] when there are no messages.
pub fn default_compaction_prompt(request: &CompactionRequest) -> Result<CompactionPrompt, SettingError> {
    let mut sections: Vec<String> = INSTRUCTIONS.iter().map(|sentence| (*sentence).into()).collect();
    sections.push(format!("Session: {}", &*request.session.session_id));
    sections.push(format!("Agent: {}", &*request.session.agent_name));
    sections
        .extend(request.existing_summary.as_deref().map(|summary| format!("Existing summary:\n{summary}")));
    let added = request.instructions.as_deref();
    sections.extend(added.map(|text| format!("Additional compaction instructions:\n{text}")));
    sections.push(format!("Transcript to compact:\n{}", digests(&request.messages)));
    CompactionPrompt::new(sections.join("\n\n"), request.messages.len())
}
