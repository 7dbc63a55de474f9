//! Whether a compactor's answer is accepted.

use alloc::sync::Arc;

use cutctx_types::Sha256Digest;

use super::stored::Stored;
use crate::compaction::CompactionResult;
use crate::policy::CompactionFault;

/// What was asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// How many messages were given.
    pub(crate) given: usize,
    /// What earlier builds left.
    pub(crate) stored: &'a Stored,
    /// Where the transcript may be cut.
    pub(crate) boundaries: &'a [usize],
    /// The compactor's progress key.
    pub(crate) progress_key: Option<&'a Arc<str>>,
}

impl Asked<'_> {
    /// What an answer leaves, where it keeps the contract.
    pub(crate) fn accept(self, result: &CompactionResult) -> Result<Stored, CompactionFault> {
        let cursor = self.covered_up_to(result.covered_message_count)?;
        self.check_progress(result)?;
        self.check_represented(result)?;
        let progressed = result.covered_message_count > 0 || self.stored.summary.is_some();
        Ok(Stored {
            cursor,
            summary: progressed.then(|| result.summary.clone()),
            exhausted: result.progress_key().map(|key| key.as_str().into()),
        })
    }

    fn covered_up_to(self, covered: usize) -> Result<usize, CompactionFault> {
        if covered > self.given {
            return Err(CompactionFault::CoverageBeyondRange { covered, given: self.given });
        }
        let cursor = self.stored.cursor.saturating_add(covered);
        match self.boundaries.binary_search(&cursor) {
            Ok(_) => Ok(cursor),
            Err(_) => Err(CompactionFault::CoverageSplitsRound { covered }),
        }
    }

    fn check_progress(self, result: &CompactionResult) -> Result<(), CompactionFault> {
        let nothing = result.covered_message_count == 0;
        if nothing && !result.is_progress_exhausted() {
            return Err(CompactionFault::ZeroCoverageWithoutExhaustion);
        }
        let key = result.progress_key();
        if key.is_some_and(|key| self.progress_key.is_none_or(|own| **own != *key.as_str())) {
            return Err(CompactionFault::ProgressKeyMismatch);
        }
        let changed = self.stored.summary.as_ref().is_some_and(|summary| *summary != result.summary);
        if nothing && changed {
            return Err(CompactionFault::ZeroCoverageChangedSummary);
        }
        Ok(())
    }

    fn check_represented(self, result: &CompactionResult) -> Result<(), CompactionFault> {
        let proof = result.represented_existing_summary_sha256.as_deref();
        match (&self.stored.summary, result.covered_message_count) {
            (Some(summary), 1..) => {
                let wanted = Sha256Digest::of_bytes(summary.as_bytes()).to_hex();
                if proof == Some(&wanted) {
                    Ok(())
                } else {
                    Err(CompactionFault::MissingOrWrongRepresentedHash)
                }
            }
            _ if proof.is_some() => Err(CompactionFault::UnexpectedRepresentedHash),
            _ => Ok(()),
        }
    }
}
