//! Tokens of one message, part by part.

use alloc::string::String;

use cutctx_messages::{AttachmentKind, DurableObject, FileAttachment, Message, MessageError, MessagePart};

use super::super::overhead::AttachmentFloors;
use super::super::text;
use super::{ObservedDeltaContextEstimator, object_tokens, sum};

/// Bytes of an image for each token.
const IMAGE_BYTES: u64 = 16;

impl ObservedDeltaContextEstimator {
    /// Tokens of a message without its files. Role, ids and framing cost nothing, nor do a result's object and
    /// artifacts.
    #[must_use]
    pub fn estimate_message_tokens(&self, message: &Message) -> u64 {
        sum(message.content().iter().map(|part| self.part_tokens(part)))
    }

    /// Tokens of the files in a message.
    ///
    /// # Errors
    ///
    /// [`MessageError`] when an artifact says that it is a file and is none.
    pub fn estimate_message_attachment_tokens(
        &self,
        message: &Message,
        floors: &AttachmentFloors,
    ) -> Result<u64, MessageError> {
        let mut tokens = 0_u64;
        for part in message.content() {
            tokens = tokens.saturating_add(match part {
                MessagePart::File(file) => self.file_tokens(&file.attachment, floors),
                MessagePart::ToolResult(result) => {
                    let files = result.artifacts.attachments();
                    let tokens = files.map(|file| Ok(self.file_tokens(&file?, floors)));
                    tokens.sum::<Result<u64, MessageError>>()?
                }
                MessagePart::Text(_)
                | MessagePart::ToolCall(_)
                | MessagePart::ProviderState(_)
                | MessagePart::Thinking(_)
                | MessagePart::StructuredOutput(_)
                | MessagePart::HostedToolCall(_)
                | MessagePart::Citation(_)
                | MessagePart::PeerContent(_)
                | _ => 0,
            });
        }
        Ok(tokens)
    }

    fn part_tokens(&self, part: &MessagePart) -> u64 {
        let json = |object: &DurableObject| object_tokens(object, self.json_chars);
        match part {
            MessagePart::Text(part) => self.estimate_text_tokens(&part.text),
            MessagePart::ToolCall(part) => {
                self.estimate_text_tokens(&part.tool_name).saturating_add(json(&part.arguments))
            }
            MessagePart::ToolResult(part) => self.estimate_text_tokens(&part.content),
            MessagePart::ProviderState(part) => {
                self.estimate_text_tokens(&part.provider).saturating_add(json(&part.state))
            }
            MessagePart::Thinking(part) => {
                let state = part.provider_state.as_ref().map_or(0, json);
                self.estimate_text_tokens(&part.text).saturating_add(state)
            }
            MessagePart::File(_) | MessagePart::StructuredOutput(_) => 0,
            MessagePart::HostedToolCall(_) | MessagePart::Citation(_) | MessagePart::PeerContent(_) | _ => {
                text::chars(&json_of(part)).div_ceil(self.json_chars.get())
            }
        }
    }

    fn file_tokens(&self, file: &FileAttachment, floors: &AttachmentFloors) -> u64 {
        let size = file.size_bytes();
        let payload = match file.kind() {
            AttachmentKind::Image => size.div_ceil(IMAGE_BYTES).max(floors.image_min_tokens),
            AttachmentKind::Document => {
                size.div_ceil(floors.document_bytes_per_token.get()).max(floors.document_min_tokens)
            }
            _ => size.div_ceil(self.binary_bytes.get()),
        };
        let name = self.estimate_text_tokens(file.filename());
        name.saturating_add(self.estimate_text_tokens(file.content_type())).saturating_add(payload)
    }
}

/// The JSON of a whole part, with numbers spelled as stored values spell them.
fn json_of(part: &MessagePart) -> String {
    let json = serde_json::to_string(part).unwrap_or_default();
    serde_json::from_str::<DurableObject>(&json).map_or(json, |object| object.to_json())
}
