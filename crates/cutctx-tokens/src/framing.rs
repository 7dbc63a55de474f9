//! What providers put around texts.

use crate::family::Family;
use crate::media::billing::{ImageRule, MediaRules};
use crate::models::model;

/// What a provider adds to the tokens of texts, in tokens.
///
/// Sources, as known on 2026-11-30 (Anthropic's 346 from what others say of the page):
///
/// * OpenAI: the message form of <https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken> (three marks
///   and the role for a message, three for the start of the answer) and, for calls and their results, the form that
///   <https://cookbook.openai.com/articles/openai-harmony> shows.
/// * Anthropic: 346 tokens where there are tools, from
///   <https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview>; a tool step adds 92 tokens beside its
///   texts, measured over 518 steps of real sessions, and how they split between call and result is our guess.
/// * Google publishes nothing, and what real sessions carry is too little to measure; the figures are those of OpenAI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Framing {
    /// Around every message.
    pub message: u64,
    /// Around every tool call, beside its name and arguments.
    pub call: u64,
    /// Around every tool result.
    pub result: u64,
    /// Around every tool definition, beside its name, description and schema.
    pub tool: u64,
    /// Once, where there is a tool at all.
    pub tools: u64,
    /// Once, for the start of the answer.
    pub answer: u64,
    /// Images, documents and sounds.
    pub media: MediaRules,
    /// Encrypted reasoning.
    pub hidden: HiddenRule,
}

/// What encrypted reasoning costs, which is told by its length alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct HiddenRule {
    /// Characters of base64 that every item has whatever was thought: envelope, names, padding.
    pub envelope: u64,
    /// Tokens for ten thousand of the other characters.
    pub per_ten_thousand: u64,
}

impl HiddenRule {
    /// A token for four bytes of what base64 decodes to: where nothing was measured.
    pub const PLAIN: Self = Self { envelope: 0, per_ten_thousand: 1_875 };

    /// OpenAI's, fitted to the reasoning tokens that Codex wrote down beside its items.
    pub const OPENAI: Self = Self { envelope: 830, per_ten_thousand: 1_690 };

    /// The tokens of an item of so many characters of base64.
    #[must_use]
    pub const fn tokens(self, characters: u64) -> u64 {
        let said = characters.saturating_sub(self.envelope);
        said.saturating_mul(self.per_ten_thousand).div_ceil(10_000)
    }
}

impl Framing {
    /// What the provider of a family adds for a model. Where a name is no model's, the family's current rules hold.
    #[must_use]
    pub fn of(family: Family, name: &str) -> Self {
        let model = model(name);
        match family {
            Family::OpenAi => Self::openai(model),
            Family::Anthropic => Self::anthropic(model),
            Family::Google => Self::google(model),
        }
    }

    fn openai(model: &str) -> Self {
        let media = MediaRules::new(ImageRule::of_openai(model)).with_seconds(10, 263);
        Self {
            message: 4,
            call: 10,
            result: 11,
            tool: 8,
            tools: 12,
            answer: 3,
            media,
            hidden: HiddenRule::OPENAI,
        }
    }

    fn anthropic(model: &str) -> Self {
        let media = MediaRules::new(ImageRule::of_anthropic(model));
        Self {
            message: 4,
            call: 44,
            result: 40,
            tool: 12,
            tools: 346,
            answer: 0,
            media,
            hidden: HiddenRule::PLAIN,
        }
    }

    fn google(model: &str) -> Self {
        let image = ImageRule::of_google(model);
        let (page, film) = if image == ImageRule::GoogleTiles { (258, 263) } else { (560, 102) };
        let media = MediaRules::new(image).with_page(page).with_seconds(32, film);
        Self {
            message: 4,
            call: 10,
            result: 11,
            tool: 8,
            tools: 0,
            answer: 0,
            media,
            hidden: HiddenRule::PLAIN,
        }
    }
}
