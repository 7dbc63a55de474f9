//! A session as a request to another provider, and everything that could not be carried over.
//!
//! What a provider can be given is what everybody understands: system prompts, texts, tool calls with their results, and
//! media whose data or link is in the file. It is brought into the order that the target wants: parallel calls in one
//! message, every call answered, results where the target looks for them. The names of tools and the JSON of arguments
//! stay as they are; arguments that are no object stand under the key `unparsed_arguments` of one. Ids of calls are kept
//! where the target takes them.
//!
//! The rest is listed as [`Loss`]es with their places: signed and plain reasoning, tools that the provider ran itself,
//! media that the target does not take, cache marks, and what had to be made up or put elsewhere.
//!
//! ```
//! use cutctx_formats::convert::{LossKind, Target, convert};
//! use cutctx_messages::{CallView, MessageView, PartView, ResultView};
//! use cutctx_types::Role;
//!
//! let messages = [
//!     MessageView::new(Role::User, vec![PartView::text("how tall?")]),
//!     MessageView::new(Role::Assistant, vec![
//!         PartView::Reasoning("they want a height".into()),
//!         PartView::ToolCall(CallView::new("c.1", "measure", "{\"pole\":7}")),
//!     ]),
//!     MessageView::new(Role::Tool, vec![PartView::ToolResult(ResultView::new("c.1", "4.2"))]),
//! ];
//! let converted = convert(&messages, Target::AnthropicMessages);
//! assert!(converted.text.contains(r#""type":"tool_use","id":"c_1","name":"measure","input":{"pole":7}"#));
//! let kinds: Vec<LossKind> = converted.losses.iter().map(|loss| loss.kind).collect();
//! assert_eq!(kinds, [LossKind::Reasoning, LossKind::RespelledId]);
//! ```

mod anthropic_messages;
mod bedrock_converse;
mod content;
mod gemini_contents;
mod ids;
mod loss;
mod neutral;
mod openai_chat;
mod openai_responses;
mod owned;
mod turns;

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::MessageView;
use cutctx_types::CharRatioEstimator;

use crate::error::FormatError;
use crate::format::Dialect;
use crate::request::ReadRequest;
use crate::session::Session;
use neutral::Neutral;
use owned::Collector;

pub use loss::{Loss, LossKind, Losses};

/// What a session is converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Target {
    /// A chat completions request: `{"messages": […]}`.
    OpenAiChat,
    /// A Responses request: `{"input": […]}`.
    OpenAiResponses,
    /// An Anthropic Messages request: `{"system": …, "messages": […]}`.
    AnthropicMessages,
    /// A Bedrock Converse request: `{"system": […], "messages": […]}`.
    BedrockConverse,
    /// A Gemini request: `{"systemInstruction": …, "contents": […]}`.
    GeminiContents,
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 5] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::AnthropicMessages,
        Self::BedrockConverse,
        Self::GeminiContents,
    ];

    /// The name of its format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::AnthropicMessages => "anthropic-messages",
            Self::BedrockConverse => "bedrock-converse",
            Self::GeminiContents => "gemini-contents",
        }
    }

    /// The target whose format has this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    const fn dialect(self) -> Dialect {
        match self {
            Self::OpenAiChat => Dialect::OpenAiChat,
            Self::OpenAiResponses => Dialect::OpenAiResponses,
            Self::AnthropicMessages => Dialect::Anthropic,
            Self::BedrockConverse => Dialect::Bedrock,
            Self::GeminiContents => Dialect::Gemini,
        }
    }

    /// Whether the target has two sides that take turns, so that neighbours are joined.
    const fn joins(self) -> bool {
        !matches!(self, Self::OpenAiChat | Self::OpenAiResponses)
    }
}

/// A converted session.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Converted {
    /// The request, as JSON.
    pub text: String,
    /// What could not be carried over, in the order of the messages.
    pub losses: Vec<Loss>,
}

/// Converts messages.
#[must_use]
pub fn convert(messages: &[MessageView<'_>], target: Target) -> Converted {
    let mut losses = Losses::default();
    let neutral = Neutral::new(messages, target, &mut losses);
    let text = match target {
        Target::OpenAiChat => openai_chat::write(&neutral, &mut losses),
        Target::OpenAiResponses => openai_responses::write(&neutral, &mut losses),
        Target::AnthropicMessages => anthropic_messages::write(&neutral, &mut losses),
        Target::BedrockConverse => bedrock_converse::write(&neutral, &mut losses),
        Target::GeminiContents => gemini_contents::write(&neutral, &mut losses),
    };
    Converted { text, losses: losses.into_list() }
}

impl Session {
    /// The session as a request to another provider. Of a session that was opened abridged the whole file is read. The
    /// losses have the lines of the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read any more.
    pub fn convert(&self, target: Target) -> Result<Converted, FormatError> {
        let text = self.whole_text()?;
        let collector = Collector::default();
        let estimator = CharRatioEstimator::default();
        let mut request = ReadRequest::new(&estimator).observed_by(&collector);
        request.conversation = self.conversation();
        Self::read_with(Some(self.format()), text.as_ref(), &request)?;
        let (messages, offsets) = collector.collected();
        let mut converted = convert(&messages, target);
        for key in ["cache_control", "cachePoint"] {
            let count = text.matches(&[r#"""#, key, r#"""#].concat()).count();
            converted.losses.extend(Loss::of_file(LossKind::CacheMark, count));
        }
        loss::give_lines(&mut converted.losses, &offsets, &text);
        Ok(converted)
    }
}
