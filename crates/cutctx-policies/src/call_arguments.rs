//! Long texts in the arguments of calls.

use crate::arguments::clipped;
use crate::clip::Limits;
use crate::shortening::{Common, Shorten, shortening_policy};
use crate::trimming::{Trimming, parts_of};
use alloc::boxed::Box;
use cutctx_invariants::Survey;
use cutctx_types::{Action, InvalidValue, PartKind, TranscriptTurn};

/// Cuts long texts in the arguments of calls to their beginning and their end; the arguments stay sound JSON.
///
/// What an agent wrote in its own calls is what it comes back to most: of all that can be shortened this costs the
/// most for what it saves. Use it only where everything else has been done.
///
/// A call that the provider runs itself is not cut, and a turn that calls without an exchange ([`tool_call_id`]) is one.
///
/// [`tool_call_id`]: TranscriptTurn::tool_call_id
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::CallArgumentsPolicy;
/// use cutctx_types::{CompactionBudget, Part, PartKind, Role, Transcript, TranscriptTurn};
///
/// let call = format!(r#"[call Write {{"file_path":"a.txt","content":"{}"}}]"#, "word ".repeat(800));
/// let parts = vec![Part::new(PartKind::CallArguments, call.len(), 1000)];
/// let turn = TranscriptTurn::new("a", Role::Assistant, call, 1000)?.with_tool_call_id("c");
/// let turns = vec![turn.with_parts(parts)?];
/// let budget = CompactionBudget::new(500).with_protected_recent_turns(0);
/// let plan = CallArgumentsPolicy::new().decide(&Transcript::new(turns)?, &budget)?;
/// assert!(plan.tokens_after_estimate() < 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct CallArgumentsPolicy {
    limits: Limits,
    pub(crate) common: Common,
}

impl CallArgumentsPolicy {
    /// The policy at version 2.0.0: texts of more than 1,000 characters to 200 and 100.
    #[must_use]
    pub const fn new() -> Self {
        Self { limits: Limits::known(1_000, 200, 100), common: Common::new() }
    }

    /// The limits that were not named: the defaults.
    pub(crate) const DEFAULTS: [u64; 3] = [1_000, 200, 100];

    /// The policy with other limits, in characters: how long a text may be, and how much of its beginning and of its
    /// end stays when it is longer.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] where nothing would stay, and where the pieces are no shorter than what they are
    /// cut from.
    pub fn with_limits(
        mut self,
        max_chars: u64,
        head_chars: u64,
        tail_chars: u64,
    ) -> Result<Self, InvalidValue> {
        self.limits = Limits::new(max_chars, head_chars, tail_chars)?;
        Ok(self)
    }

    fn prepare<'s>(&'s self, survey: &'s Survey<'_>) -> Shorten<'s> {
        Box::new(|position| survey.turns().get(position).map_or(Ok(None), |turn| self.shortened(turn)))
    }

    fn shortened(&self, turn: &TranscriptTurn) -> Result<Option<Action>, InvalidValue> {
        let mut is_cut = false;
        let parts = parts_of(turn);
        let kept = parts.iter().map(|part| {
            let cut = if part.kind == PartKind::CallArguments { clipped(part, &self.limits) } else { None };
            is_cut |= cut.is_some();
            cut.unwrap_or_else(|| part.whole())
        });
        let kept = kept.collect();
        if !is_cut {
            return Ok(None);
        }
        Ok(Trimming::measured_by(&self.common.estimator).keeping(turn, kept)?.map(Action::Trim))
    }
}

shortening_policy!(CallArgumentsPolicy, "call_arguments", CallArgumentsPolicy::prepare);
