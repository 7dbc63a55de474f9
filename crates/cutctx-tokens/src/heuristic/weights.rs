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

/// Those of OpenAI times 1.151, the slope of what sessions with Claude models were billed over `o200k_base`.
const ANTHROPIC: Weights = Weights([
    602, 346, 1_429, 1_469, 632, 97, 134, 495, 1_085, 909, 1_081, 71, 29, 415, 1_391, 1_209, 1_043, 58, 837,
    678, 243, 695, 10, 1_063, 73, 258, 1_181, 597, 265, 375, 691, 986, 254, 116, 517, 477, 466, 477, 410,
    472, 377, 413, 597, 455, 1_352, 350, 487, 385, 354, 722, 470, 2_139, 1_691, 589, 2_390, 723, 981, 781,
    513, 878, 1_151, 986, 1_127, 516, 2_418, 2_418, 916, 2_376, 1_727, 3_380, 3_223,
]);

/// Fitted to the vocabulary of Gemma 3, which Google's own local tokenizer uses for the Gemini models.
const GOOGLE: Weights = Weights([
    508, 448, 885, 1_089, 540, 167, 174, 400, 943, 680, 765, 90, 65, 360, 871, 1_157, 1_245, 1_026, 749, 566,
    0, 755, 37, 1_285, 297, 529, 986, 852, 161, 296, 652, 770, 336, 100, 509, 447, 445, 557, 595, 519, 333,
    302, 603, 458, 878, 248, 382, 327, 333, 596, 337, 626, 647, 423, 781, 518, 720, 424, 402, 765, 1_000,
    820, 838, 327, 2_100, 2_200, 700, 1_400, 1_500, 2_100, 2_800,
]);
