//! The members of the policies that shorten turns one by one.

use super::{Key, Kind, Members};
use crate::spec::{
    ClipSpec, FailedResultsSpec, LatestStateSpec, OldReasoningSpec, OpaqueReasoningSpec, RepeatedResultsSpec,
    ShorteningSpec, StaleReadsSpec,
};

impl Kind {
    /// Whether it shortens turns one by one.
    pub(super) const fn shortens(self) -> bool {
        matches!(
            self,
            Self::RepeatedResults
                | Self::StaleReads
                | Self::FailedResults
                | Self::Clip
                | Self::CallArguments
                | Self::OpaqueReasoning
                | Self::OldReasoning
                | Self::LatestState
        )
    }

    /// Whether it has a member that only such policies have.
    pub(super) const fn has_of_shortening(self, key: Key) -> bool {
        let clips = matches!(self, Self::Clip | Self::CallArguments);
        let reads = matches!(self, Self::StaleReads);
        matches!(key, Key::MinChars) && matches!(self, Self::RepeatedResults)
            || matches!(key, Key::MaxChars) && clips
            || matches!(key, Key::HeadChars | Key::TailChars)
                && (clips || matches!(self, Self::FailedResults))
            || matches!(key, Key::KeepRecentTurns) && matches!(self, Self::OldReasoning)
            || matches!(key, Key::StaleBy | Key::ReadTools | Key::WriteTools | Key::ShellTools) && reads
            || matches!(key, Key::StateTools) && matches!(self, Self::LatestState)
    }
}

impl Members {
    pub(super) fn shortening(&mut self) -> ShorteningSpec {
        ShorteningSpec {
            version: self.version.take(),
            estimator: self.estimator.take(),
            exemptions: self.exemptions(),
        }
    }

    pub(super) fn repeated_results(mut self) -> RepeatedResultsSpec {
        RepeatedResultsSpec { common: self.shortening(), min_chars: self.min_chars }
    }

    pub(super) fn stale_reads(mut self) -> StaleReadsSpec {
        StaleReadsSpec {
            common: self.shortening(),
            stale_by: self.stale_by,
            read_tools: self.read_tools.unwrap_or_default(),
            write_tools: self.write_tools.unwrap_or_default(),
            shell_tools: self.shell_tools.unwrap_or_default(),
        }
    }

    pub(super) fn failed_results(mut self) -> FailedResultsSpec {
        FailedResultsSpec {
            common: self.shortening(),
            head_chars: self.head_chars,
            tail_chars: self.tail_chars,
        }
    }

    pub(super) fn clip(mut self) -> ClipSpec {
        ClipSpec {
            common: self.shortening(),
            max_chars: self.max_chars,
            head_chars: self.head_chars,
            tail_chars: self.tail_chars,
        }
    }

    pub(super) fn opaque_reasoning(mut self) -> OpaqueReasoningSpec {
        OpaqueReasoningSpec { common: self.shortening() }
    }

    pub(super) fn old_reasoning(mut self) -> OldReasoningSpec {
        OldReasoningSpec { common: self.shortening(), keep_recent_turns: self.keep_recent_turns }
    }

    pub(super) fn latest_state(mut self) -> LatestStateSpec {
        LatestStateSpec { common: self.shortening(), state_tools: self.state_tools.unwrap_or_default() }
    }
}
