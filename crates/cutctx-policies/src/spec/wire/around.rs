//! The members of the policies around another one.

use super::{Key, Kind, Members};
use crate::spec::{ClipActiveSpec, FrozenHeadSpec, MinimumGainSpec, PaysBackSpec, ProtectedTailSpec};

impl Kind {
    /// Whether it is about other policies, its members.
    pub(super) const fn has_members(self) -> bool {
        matches!(
            self,
            Self::Chain
                | Self::PaysBack
                | Self::FrozenHead
                | Self::ProtectedTail
                | Self::ClipActive
                | Self::MinimumGain
        )
    }

    /// Whether it has a member that only such policies have.
    pub(super) const fn has_of_around(self, key: Key) -> bool {
        matches!(
            (self, key),
            (Self::PaysBack, Key::WithinSteps | Key::Prices | Key::WindowTokens)
                | (Self::FrozenHead, Key::HeadShare)
                | (Self::ProtectedTail, Key::TailTokens)
                | (Self::MinimumGain, Key::GainTokens | Key::GainShare | Key::WindowTokens)
        )
    }
}

impl Members {
    pub(super) fn pays_back(self) -> PaysBackSpec {
        PaysBackSpec {
            version: self.version,
            members: self.members.unwrap_or_default(),
            within_steps: self.within_steps,
            window_tokens: self.window_tokens,
            prices: self.prices,
        }
    }

    pub(super) fn frozen_head(self) -> FrozenHeadSpec {
        FrozenHeadSpec {
            version: self.version,
            members: self.members.unwrap_or_default(),
            head_share: self.head_share,
        }
    }

    pub(super) fn protected_tail(self) -> ProtectedTailSpec {
        ProtectedTailSpec {
            version: self.version,
            members: self.members.unwrap_or_default(),
            tail_tokens: self.tail_tokens,
        }
    }

    pub(super) fn clip_active(mut self) -> ClipActiveSpec {
        let exemptions = self.exemptions();
        ClipActiveSpec {
            version: self.version,
            members: self.members.unwrap_or_default(),
            estimator: self.estimator,
            exemptions,
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
}
