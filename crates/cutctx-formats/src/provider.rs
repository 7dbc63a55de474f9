//! What providers are sent, one module a wire format.

mod anthropic_messages;
mod blocks;
mod message_list;
mod openai_chat;

pub use anthropic_messages::AnthropicMessages;
pub use openai_chat::OpenAiChat;

pub(crate) use anthropic_messages::Groups;
pub(crate) use blocks::{Content, edit_block, read_content, text_block};
pub(crate) use message_list::{MessageList, find_list};
