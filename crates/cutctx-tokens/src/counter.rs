//! Tokens of messages as a provider bills them.

use alloc::borrow::Cow;
use alloc::format;
use core::fmt;

use cutctx_messages::{CallView, Media, MessageEstimator};
use cutctx_types::{Role, TokenEstimator};

use crate::accuracy::{Accuracy, Estimate};
use crate::cache::Cached;
use crate::error::TokenizerError;
use crate::framing::{Framing, HiddenRule};
use crate::tokenizer::Tokenizer;

/// Counts messages: their texts with a tokenizer, and around them what the provider adds.
///
/// Counts of longer texts are remembered by content ([`Cached`]), so measuring a session again after a turn was appended
/// costs that turn. One counter can serve many sessions and threads.
///
/// ```
/// use cutctx_messages::{Media, MediaKind, MessageEstimator};
/// use cutctx_tokens::MessageCounter;
/// use cutctx_types::Role;
///
/// let counter = MessageCounter::named("claude-sonnet-4-5")?;
/// assert_eq!(counter.framing(Role::User), 4);
/// // Base64 of a million bytes is an image, not a million bytes of text.
/// let image = Media::new(MediaKind::Image).with_base64_data("A".repeat(1_000_000));
/// assert!(counter.media(&image) < 2_000);
/// # Ok::<(), cutctx_tokens::TokenizerError>(())
/// ```
pub struct MessageCounter {
    texts: Cached<Tokenizer>,
    framing: Option<Framing>,
}

impl MessageCounter {
    /// The counter of this name, with the framing of its provider. Names are those of [`Tokenizer::named`]; `chars/N`
    /// and `file:PATH` tell no provider, so nothing is added.
    ///
    /// # Errors
    ///
    /// [`TokenizerError`] as for [`Tokenizer::named`].
    pub fn named(name: &str) -> Result<Self, TokenizerError> {
        let tokenizer = Tokenizer::named(name)?;
        let framing = tokenizer.family().map(|family| Framing::of(family, name));
        Ok(Self { texts: Cached::new(tokenizer), framing })
    }

    /// A counter of texts alone: nothing is added around them, media cost a flat rate.
    #[must_use]
    pub fn of_texts(tokenizer: Tokenizer) -> Self {
        Self { texts: Cached::new(tokenizer), framing: None }
    }

    /// With this framing in place of its own.
    #[must_use]
    pub const fn with_framing(mut self, framing: Framing) -> Self {
        self.framing = Some(framing);
        self
    }

    /// The tokenizer of texts.
    #[must_use]
    pub const fn tokenizer(&self) -> &Tokenizer {
        self.texts.estimator()
    }

    /// What is added around texts, where a provider is known.
    #[must_use]
    pub const fn added(&self) -> Option<&Framing> {
        self.framing.as_ref()
    }

    /// How far its counts of texts were off where the truth was known.
    #[must_use]
    pub const fn accuracy(&self) -> Accuracy {
        self.tokenizer().accuracy()
    }

    /// What a request costs besides its messages: the fixed part of a budget.
    #[must_use]
    pub fn overhead(&self, system: &str, tools: &[ToolSchema<'_>]) -> Overhead {
        let answer = self.framing.map_or(0, |framing| framing.answer);
        let once = self.framing.filter(|_| !tools.is_empty()).map_or(0, |framing| framing.tools);
        let tools = tools.iter().map(|tool| self.tool(tool)).fold(once, u64::saturating_add);
        Overhead { system: self.system(system), tools, answer }
    }

    fn system(&self, text: &str) -> u64 {
        let around = if text.is_empty() { 0 } else { self.framing(Role::System) };
        self.text(text).saturating_add(around)
    }

    fn tool(&self, tool: &ToolSchema<'_>) -> u64 {
        let around = self.framing.map_or(0, |framing| framing.tool);
        let texts = [tool.name, tool.description, tool.parameters];
        texts.iter().map(|text| self.text(text)).fold(around, u64::saturating_add)
    }
}

impl MessageEstimator for MessageCounter {
    fn text(&self, text: &str) -> u64 {
        self.texts.estimate(text)
    }

    fn label(&self) -> Cow<'_, str> {
        match (self.framing, self.tokenizer().family()) {
            (Some(_), Some(family)) => Cow::Owned(format!("{}+{family}", self.tokenizer().name())),
            _ => self.tokenizer().name(),
        }
    }

    fn call(&self, call: &CallView<'_>) -> u64 {
        let around = self.framing.map_or(0, |framing| framing.call);
        around.saturating_add(self.text(&call.name)).saturating_add(self.text(&call.arguments))
    }

    fn media(&self, media: &Media<'_>) -> u64 {
        self.framing.map_or_else(|| media.default_tokens(), |framing| framing.media.tokens(media))
    }

    fn hidden(&self, characters: u64) -> u64 {
        self.framing.map_or(HiddenRule::PLAIN, |framing| framing.hidden).tokens(characters)
    }

    fn framing(&self, role: Role) -> u64 {
        let Some(framing) = self.framing else { return 0 };
        if role == Role::Tool { framing.result } else { framing.message }
    }

    fn chars_per_token(&self) -> Option<f64> {
        self.texts.ratio()
    }
}

impl fmt::Debug for MessageCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageCounter")
            .field("tokenizer", self.tokenizer())
            .field("framing", &self.framing)
            .finish_non_exhaustive()
    }
}

/// The definition of a tool, as a request carries it.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolSchema<'a> {
    /// What the model calls it.
    pub name: &'a str,
    /// What it is for.
    pub description: &'a str,
    /// Its parameters as JSON text.
    pub parameters: &'a str,
}

impl<'a> ToolSchema<'a> {
    /// A definition.
    #[must_use]
    pub const fn new(name: &'a str, description: &'a str, parameters: &'a str) -> Self {
        Self { name, description, parameters }
    }
}

impl fmt::Debug for ToolSchema<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolSchema({} bytes)", self.parameters.len())
    }
}

/// What a request costs besides its messages, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Overhead {
    /// The system prompt, where it is no message of the transcript.
    pub system: u64,
    /// The definitions of all tools and what introduces them.
    pub tools: u64,
    /// The start of the answer.
    pub answer: u64,
}

impl Overhead {
    /// All of it.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.system.saturating_add(self.tools).saturating_add(self.answer)
    }

    /// It as a number with how far that may be off.
    #[must_use]
    pub const fn estimate(&self, accuracy: &Accuracy) -> Estimate {
        accuracy.estimate(self.total())
    }
}
