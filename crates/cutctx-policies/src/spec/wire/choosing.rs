//! The members of the policies that choose by value.

use super::{Key, Kind, Members};
use crate::spec::{CoverSpec, RecommendedSpec};

impl Kind {
    /// Whether it has a member that only such policies have.
    pub(super) const fn has_of_choosing(self, key: Key) -> bool {
        matches!(
            (self, key),
            (Self::Cover | Self::Recommended, Key::WholeItems)
                | (Self::Cover, Key::ChunkLines | Key::ChunkChars | Key::ContextLines)
                | (Self::Recommended, Key::Target)
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
}
