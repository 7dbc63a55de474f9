//! What providers bill for images, documents and sounds.
//!
//! Where the rules are published, as known on 2026-11-30; `docs/tokens.md` has them in words and says which of the
//! pages were not read themselves but in what others say of them:
//!
//! * OpenAI: <https://platform.openai.com/docs/guides/images-vision> (tiles, patches, multipliers) and
//!   <https://platform.openai.com/docs/guides/audio>.
//! * Anthropic: <https://platform.claude.com/docs/en/build-with-claude/vision> (visual tokens of 28 by 28 pixels) and
//!   <https://platform.claude.com/docs/en/build-with-claude/pdf-support> (each page as an image and as its text;
//!   about 7,000 tokens for three pages).
//! * Google: <https://ai.google.dev/gemini-api/docs/tokens> (tiles of 768 pixels, seconds of sound) and
//!   <https://ai.google.dev/gemini-api/docs/media-resolution> (Gemini 3).

use cutctx_messages::{Detail, Media, MediaKind};

use super::image::Pixels;
use super::{pages, seconds};
use crate::models::begins;

/// A page as an image at the resolution that providers render it with.
const PAGE: Pixels = Pixels { width: 1_240, height: 1_754 };

/// Tokens of the text of a page, where a provider sends it beside the image of the page: what Anthropic's 7,000 for three
/// pages leave beside three images.
const PAGE_TEXT: u64 = 770;

/// The size that an image is taken to have where it cannot be seen.
const UNSEEN: Pixels = Pixels { width: 1_024, height: 1_024 };

/// How images are billed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageRule {
    /// OpenAI: scaled into a square of 2,048 pixels and then to a shorter edge of 768, covered by tiles of 512.
    Tiles {
        /// Tokens of an image.
        base: u64,
        /// Tokens of a tile.
        tile: u64,
    },
    /// OpenAI: scaled until at most so many patches of 32 pixels cover it.
    Patches {
        /// The most patches.
        most: u64,
        /// Thousandths of a token for a patch.
        permille: u64,
    },
    /// Anthropic: scaled to a longest edge and a most of patches of 28 pixels, a token each.
    VisualTokens {
        /// The longest edge in pixels.
        edge: u64,
        /// The most patches.
        most: u64,
    },
    /// Google: 258 tokens for each tile of 768 pixels; one tile for an image of at most 384 pixels each way.
    GoogleTiles,
    /// The same for every image.
    Flat {
        /// Tokens of an image.
        tokens: u64,
    },
    /// Some proxies hand the base64 on as text and bill it so.
    AsText,
}

impl ImageRule {
    /// OpenAI's rule for a model. What is not named here is billed in tiles as GPT-4o is.
    #[must_use]
    pub fn of_openai(model: &str) -> Self {
        const RULES: &[(&str, ImageRule)] = &[
            ("gpt-4o-mini", ImageRule::Tiles { base: 2_833, tile: 5_667 }),
            ("gpt-4.1-mini", ImageRule::Patches { most: 1_536, permille: 1_620 }),
            ("gpt-4.1-nano", ImageRule::Patches { most: 1_536, permille: 2_460 }),
            ("o4-mini", ImageRule::Patches { most: 1_536, permille: 1_720 }),
            ("gpt-5-mini", ImageRule::Patches { most: 1_536, permille: 1_620 }),
            ("gpt-5-nano", ImageRule::Patches { most: 1_536, permille: 2_460 }),
            ("gpt-5", ImageRule::Tiles { base: 70, tile: 140 }),
            ("o1", ImageRule::Tiles { base: 75, tile: 150 }),
            ("o3", ImageRule::Tiles { base: 75, tile: 150 }),
            ("computer-use-preview", ImageRule::Tiles { base: 65, tile: 129 }),
        ];
        let rule = RULES.iter().find(|(prefix, _)| begins(model, prefix));
        rule.map_or(Self::Tiles { base: 85, tile: 170 }, |(_, rule)| *rule)
    }

    /// Anthropic's rule for a model: Claude Opus from 4.7 on sees more.
    #[must_use]
    pub fn of_anthropic(model: &str) -> Self {
        const SHARP: &[&str] = &["claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5"];
        if SHARP.iter().any(|prefix| begins(model, prefix)) {
            Self::VisualTokens { edge: 2_576, most: 4_784 }
        } else {
            Self::VisualTokens { edge: 1_568, most: 1_568 }
        }
    }

    /// Google's rule for a model: from Gemini 3 on every image costs the same.
    #[must_use]
    pub fn of_google(model: &str) -> Self {
        let tiles = ["gemini-1.5", "gemini-2.0", "gemini-2.5"].iter().any(|prefix| begins(model, prefix));
        if tiles { Self::GoogleTiles } else { Self::Flat { tokens: 1_120 } }
    }

    /// The tokens of an image of this size that the model is to glance at: OpenAI shows it a version of 512 pixels,
    /// which costs the base where images are billed in tiles. Elsewhere there is no such thing.
    #[must_use]
    pub fn tokens_at_low_detail(self, size: Pixels) -> u64 {
        match self {
            Self::Tiles { base, .. } => base,
            Self::Patches { .. } => self.tokens(size.within(512)),
            Self::VisualTokens { .. } | Self::GoogleTiles | Self::Flat { .. } | Self::AsText => {
                self.tokens(size)
            }
        }
    }

    /// The tokens of an image of this size. Of [`ImageRule::AsText`] it says nothing.
    #[must_use]
    pub fn tokens(self, size: Pixels) -> u64 {
        match self {
            Self::Tiles { base, tile } => {
                let tiles = size.within(2_048).shorter_within(768).squares(512);
                base.saturating_add(tiles.saturating_mul(tile))
            }
            Self::Patches { most, permille } => {
                let patches = size.within_squares(32, most).squares(32);
                patches.saturating_mul(permille).div_ceil(1_000)
            }
            Self::VisualTokens { edge, most } => size.within(edge).within_squares(28, most).squares(28),
            Self::GoogleTiles if size.width <= 384 && size.height <= 384 => 258,
            Self::GoogleTiles => size.squares(768).saturating_mul(258),
            Self::Flat { tokens } => tokens,
            Self::AsText => 0,
        }
    }
}

/// How media are billed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MediaRules {
    /// Images.
    pub image: ImageRule,
    /// Tokens of a page of a document; none where a page is billed as an image and as its text.
    pub page: Option<u64>,
    /// Tokens of a second of sound.
    pub second: u64,
    /// Tokens of a second of film.
    pub film: u64,
}

impl MediaRules {
    /// Rules with this one for images, and a page as an image and its text.
    #[must_use]
    pub const fn new(image: ImageRule) -> Self {
        Self { image, page: None, second: 10, film: 263 }
    }

    /// With so many tokens for a page of a document.
    #[must_use]
    pub const fn with_page(mut self, tokens: u64) -> Self {
        self.page = Some(tokens);
        self
    }

    /// With so many tokens for a second of sound, and of film.
    #[must_use]
    pub const fn with_seconds(mut self, sound: u64, film: u64) -> Self {
        self.second = sound;
        self.film = film;
        self
    }

    /// The tokens of a medium that is no text.
    pub(crate) fn tokens(&self, media: &Media<'_>) -> u64 {
        let is_film = media.label.as_deref().is_some_and(|label| label.starts_with("video/"));
        match media.kind {
            _ if is_film => self.film(media),
            MediaKind::Image => self.image(media),
            MediaKind::Document => pages::pages(media).saturating_mul(self.page()),
            MediaKind::Audio => seconds::seconds(media).saturating_mul(self.second),
            MediaKind::Other | _ => media.default_tokens(),
        }
    }

    fn image(&self, media: &Media<'_>) -> u64 {
        if self.image == ImageRule::AsText {
            return super::data(media).map_or_else(|| media.default_tokens(), as_text);
        }
        let size = Pixels::of(media).unwrap_or(UNSEEN);
        match media.detail {
            Detail::Low => self.image.tokens_at_low_detail(size),
            Detail::Automatic | Detail::High | _ => self.image.tokens(size),
        }
    }

    fn page(&self) -> u64 {
        self.page.unwrap_or_else(|| self.image.tokens(PAGE).saturating_add(PAGE_TEXT))
    }

    /// A film of two megabits a second, as most are that are sent to a model.
    fn film(&self, media: &Media<'_>) -> u64 {
        media.bytes.unwrap_or(0).div_ceil(250_000).max(1).saturating_mul(self.film)
    }
}

/// Base64 has about four tokens for every five or six characters: 0.7 a character in all vocabularies measured.
fn as_text(data: &str) -> u64 {
    u64::try_from(data.len()).unwrap_or(u64::MAX).saturating_mul(7).div_ceil(10)
}
