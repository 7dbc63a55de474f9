//! What providers are sent, one module a wire format.

pub(crate) mod active_turn;
mod anthropic_messages;
mod bedrock_converse;
pub(crate) mod blocks;
mod conversations;
pub(crate) mod data_link;
mod gemini_contents;
mod message_list;
mod openai_chat;
mod openai_responses;

pub use anthropic_messages::AnthropicMessages;
pub use bedrock_converse::BedrockConverse;
pub use gemini_contents::GeminiContents;
pub use openai_chat::OpenAiChat;
pub use openai_responses::OpenAiResponses;

pub(crate) use active_turn::{Outline, pin};
pub(crate) use blocks::{Content, edit_block, read_content, text_block};
pub(crate) use message_list::{MessageList, find_list};
pub(crate) use openai_responses::{Gatherer, Item, ItemKind, item_kind, tail};
