//! The members of the policies that choose by value, and of those around others.

use super::{Key, Kind, Members};
use crate::spec::{CoverSpec, MinimumGainSpec, ProtectedTailSpec, RecommendedSpec, RollingSummarySpec};

impl Kind {
    /// Whether it has a member that only such policies have.
    pub(super) const fn has_of_choosing(self, key: Key) -> bool {
        matches!(
            (self, key),
            (Self::Cover | Self::Recommended, Key::WholeItems)
                | (Self::Cover, Key::ChunkLines | Key::ChunkChars | Key::ContextLines)
                | (Self::Recommended, Key::Target)
                | (Self::ProtectedTail, Key::TailTokens)
                | (Self::MinimumGain, Key::GainTokens | Key::GainShare)
                | (Self::RollingSummary, Key::SummaryTokens)
        )
    }
}

impl Members {
    pub(super) fn cover(mut self) -> CoverSpec {
        CoverSpec {
            common: self.shortening(),
            whole_items: self.whole_items,
            chunk_lines: self.chunk_lines,
            chunk_chars: self.chunk_chars,
            context_lines: self.context_lines,
        }
    }

    pub(super) fn recommended(mut self) -> RecommendedSpec {
        RecommendedSpec { common: self.shortening(), target: self.target, whole_items: self.whole_items }
    }

    pub(super) fn protected_tail(self) -> ProtectedTailSpec {
        ProtectedTailSpec {
            version: self.version,
            members: self.members.unwrap_or_default(),
            tail_tokens: self.tail_tokens,
        }
    }

    pub(super) fn minimum_gain(self) -> MinimumGainSpec {
        MinimumGainSpec {
            version: self.version,
            members: self.members.unwrap_or_default(),
            gain_tokens: self.gain_tokens,
            gain_share: self.gain_share,
            window_tokens: self.window_tokens,
        }
    }

    pub(super) fn rolling_summary(mut self) -> RollingSummarySpec {
        let exemptions = self.exemptions();
        RollingSummarySpec {
            version: self.version,
            prompt_id: self.prompt_id,
            summary_tokens: self.summary_tokens,
            min_span_turns: self.min_span_turns,
            exemptions,
        }
    }
}
