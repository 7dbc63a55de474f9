//! Exact counts: byte-pair encoders with the vocabularies of OpenAI's models.
//!
//! The vocabularies come from crates that carry them; splitting and merging are written here. `docs/dependencies.md`
//! says which crates were compared and why none of them does it all: one panics on a megabyte of spaces, one puts
//! 47 MB into the program, one brings a second engine for regular expressions.

mod class;
#[cfg(feature = "openai-legacy")]
mod legacy;
mod merge;
mod packed;
mod ranks;
mod run;
mod split;

use alloc::vec::Vec;
use core::fmt;
use std::sync::LazyLock;

use merge::Merger;
use ranks::{NONE, Ranks};
use split::Pattern;

/// A vocabulary of OpenAI with its encoder.
///
/// ```
/// use cutctx_tokens::Encoding;
/// assert_eq!(Encoding::O200kBase.encode("hello world"), [24912, 2375]);
/// assert_eq!(Encoding::O200kBase.count("<|endoftext|>"), 7); // a text, not a mark
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Encoding {
    /// Of GPT-4o and all later models.
    O200kBase,
    /// Of the open gpt-oss models. Its texts are encoded as in `o200k_base`; it has more marks for framing.
    O200kHarmony,
    /// Of GPT-4, GPT-3.5 and the embedding models.
    Cl100kBase,
    /// Of retired code models.
    #[cfg(feature = "openai-legacy")]
    P50kBase,
    /// Of GPT-2 and the first GPT-3.
    #[cfg(feature = "openai-legacy")]
    R50kBase,
}

impl Encoding {
    /// Those of this build, in the order of their age.
    pub const ALL: &[Self] = &[
        Self::O200kBase,
        Self::O200kHarmony,
        Self::Cl100kBase,
        #[cfg(feature = "openai-legacy")]
        Self::P50kBase,
        #[cfg(feature = "openai-legacy")]
        Self::R50kBase,
    ];

    /// Its name, as OpenAI spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
            Self::Cl100kBase => "cl100k_base",
            #[cfg(feature = "openai-legacy")]
            Self::P50kBase => "p50k_base",
            #[cfg(feature = "openai-legacy")]
            Self::R50kBase => "r50k_base",
        }
    }

    /// How many tokens a text has. Marks such as `<|endoftext|>` are text like any other.
    ///
    /// The first call unpacks the vocabulary, which takes some milliseconds.
    #[must_use]
    pub fn count(self, text: &str) -> u64 {
        let mut tokens = 0_u64;
        self.encoder().each(text, |_, _| tokens = tokens.saturating_add(1));
        tokens
    }

    /// The ids of a text's tokens.
    #[must_use]
    pub fn encode(self, text: &str) -> Vec<u32> {
        let encoder = self.encoder();
        let mut ids = Vec::new();
        encoder
            .each(text, |bytes, rank| ids.push(if rank == NONE { encoder.ranks.rank(bytes) } else { rank }));
        ids
    }

    fn encoder(self) -> &'static Encoder {
        match self {
            Self::O200kBase | Self::O200kHarmony => &O200K,
            Self::Cl100kBase => &CL100K,
            #[cfg(feature = "openai-legacy")]
            Self::P50kBase => &P50K,
            #[cfg(feature = "openai-legacy")]
            Self::R50kBase => &R50K,
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

static O200K: LazyLock<Encoder> = LazyLock::new(|| Encoder {
    ranks: packed::ranks(splintr_vocab_o200k::O200K_BASE_VOCAB_PACKED),
    pattern: Pattern::O200k,
});

static CL100K: LazyLock<Encoder> = LazyLock::new(|| Encoder {
    ranks: packed::ranks(splintr_vocab_cl100k::CL100K_BASE_VOCAB_PACKED),
    pattern: Pattern::Cl100k,
});

#[cfg(feature = "openai-legacy")]
static P50K: LazyLock<Encoder> = LazyLock::new(|| Encoder { ranks: legacy::p50k(), pattern: Pattern::Gpt2 });

#[cfg(feature = "openai-legacy")]
static R50K: LazyLock<Encoder> = LazyLock::new(|| Encoder { ranks: legacy::r50k(), pattern: Pattern::Gpt2 });

/// A vocabulary and the way to split that belongs to it.
struct Encoder {
    ranks: Ranks,
    pattern: Pattern,
}

impl Encoder {
    /// Gives every token of the text to `take`: its bytes, and its rank where that is known already.
    fn each<'t>(&self, text: &'t str, mut take: impl FnMut(&'t [u8], ranks::Rank)) {
        let mut merger = Merger::default();
        for piece in self.pattern.pieces(text) {
            let bytes = piece.as_bytes();
            match self.ranks.rank(bytes) {
                NONE => merger.merge(&self.ranks, bytes, |token| take(token, NONE)),
                rank => take(bytes, rank),
            }
        }
    }
}
