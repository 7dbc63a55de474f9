//! What each kind of character costs.

use super::kind::Kind;
use crate::family::Family;

/// What each kind of character costs, in thousandths of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights([u32; Kind::ALL.len()]);

impl Weights {
    /// Weights in the order of [`Kind::ALL`], in thousandths of a token.
    #[must_use]
    pub const fn new(weights: [u32; Kind::ALL.len()]) -> Self {
        Self(weights)
    }

    /// The weight of one kind, in thousandths of a token.
    #[must_use]
    pub fn of(&self, kind: Kind) -> u32 {
        self.0.get(kind.index()).copied().unwrap_or_default()
    }

    /// The weights of a family.
    pub(super) const fn of_family(family: Family) -> &'static Self {
        match family {
            Family::OpenAi => &OPENAI,
            Family::Anthropic => &ANTHROPIC,
            Family::Google => &GOOGLE,
        }
    }
}

/// Fitted to `o200k_base`, by `cargo xtask tokens fit`.
const OPENAI: Weights = Weights([
    523, 300, 1_241, 1_276, 549, 84, 116, 430, 942, 789, 939, 61, 25, 360, 1_208, 1_050, 906, 50, 727, 589,
    211, 603, 8, 923, 63, 224, 1_026, 518, 230, 325, 600, 856, 220, 100, 449, 414, 404, 414, 356, 410, 327,
    358, 518, 395, 1_174, 304, 423, 334, 307, 627, 408, 1_858, 1_469, 511, 2_076, 628, 852, 678, 445, 762,
    1_000, 856, 979, 448, 2_100, 2_100, 795, 2_064, 1_500, 2_936, 2_800,
]);

/// Those of OpenAI times 1.085: by so much the counts of sessions with Claude models grew for a token of the estimate for
/// OpenAI. That is 1.151 for a token of `o200k_base`, of which the estimate for OpenAI gives some too many in such
/// sessions.
const ANTHROPIC: Weights = Weights([
    567, 326, 1_346, 1_384, 596, 91, 126, 467, 1_022, 856, 1_019, 66, 27, 391, 1_311, 1_139, 983, 54, 789,
    639, 229, 654, 9, 1_001, 68, 243, 1_113, 562, 250, 353, 651, 929, 239, 109, 487, 449, 438, 449, 386, 445,
    355, 388, 562, 429, 1_274, 330, 459, 362, 333, 680, 443, 2_016, 1_594, 554, 2_252, 681, 924, 736, 483,
    827, 1_085, 929, 1_062, 486, 2_279, 2_279, 863, 2_239, 1_628, 3_186, 3_038,
]);

/// Fitted to the vocabulary of Gemma 3, which Google's own local tokenizer uses for the Gemini models.
const GOOGLE: Weights = Weights([
    508, 448, 885, 1_089, 540, 167, 174, 400, 943, 680, 765, 90, 65, 360, 871, 1_157, 1_245, 1_026, 749, 566,
    0, 755, 37, 1_285, 297, 529, 986, 852, 161, 296, 652, 770, 336, 100, 509, 447, 445, 557, 595, 519, 333,
    302, 603, 458, 878, 248, 382, 327, 333, 596, 337, 626, 647, 423, 781, 518, 720, 424, 402, 765, 1_000,
    820, 838, 327, 2_100, 2_200, 700, 1_400, 1_500, 2_100, 2_800,
]);
