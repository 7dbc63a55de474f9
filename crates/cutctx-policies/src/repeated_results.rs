//! Results that say what a later result says again.

use crate::masking::MaskStub;
use crate::short_stub::{ShortStubs, StubWord};
use crate::shortening::{Common, Shorten, shortening_policy};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use cutctx_invariants::Survey;
use cutctx_types::{Action, InvalidValue, PartKind, Role, TranscriptTurn, classify};

/// How short a result may be and still be worth a stub, in characters.
const DEFAULT_MIN_CHARS: u64 = 200;

/// Replaces tool results that a later result repeats byte for byte by short stubs; the last copy stays.
///
/// The last copy, because it is the one that the model asked for when it worked on, because it stays
/// longest with policies that forget the oldest first, and because it may stand in the protected tail.
/// The prefix up to the first copy stays what it was.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::RepeatedResultsPolicy;
/// use cutctx_types::{Action, CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let log = "line\n".repeat(80);
/// let result = |id| TranscriptTurn::new(id, Role::Tool, log.as_str(), 100);
/// let budget = CompactionBudget::new(120).with_protected_recent_turns(0);
/// let plan = RepeatedResultsPolicy::new().decide(&Transcript::new(vec![result("t1")?, result("t2")?])?, &budget)?;
/// assert!(matches!(&plan.actions()[0].action, Action::Mask(stub) if stub.content.starts_with("[again ")));
/// assert_eq!(plan.actions()[1].action, Action::Keep);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct RepeatedResultsPolicy {
    min_chars: u64,
    pub(crate) common: Common,
}

impl RepeatedResultsPolicy {
    /// The policy at version 2.0.0, for results of 200 characters or more.
    #[must_use]
    pub const fn new() -> Self {
        Self { min_chars: DEFAULT_MIN_CHARS, common: Common::new() }
    }

    /// The policy for results of at least this many characters.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] for none: empty results do not repeat each other.
    pub fn with_min_chars(mut self, characters: u64) -> Result<Self, InvalidValue> {
        if characters == 0 {
            let value = Some(characters.into());
            return Err(InvalidValue::Setting { setting: "min_chars", value, reason: "is zero" });
        }
        self.min_chars = characters;
        Ok(self)
    }

    fn prepare<'s>(&'s self, survey: &'s Survey<'_>) -> Shorten<'s> {
        let repeated = repeated(survey, usize::try_from(self.min_chars).unwrap_or(usize::MAX));
        let mut stubs = ShortStubs::measured_by(&self.common.estimator);
        Box::new(move |position| {
            if !repeated.get(position).is_some_and(|repeated| *repeated) {
                return Ok(None);
            }
            let original = survey.original(position);
            original.map(|turn| stubs.stub_of(StubWord::Repeated, turn).map(Action::Mask)).transpose()
        })
    }
}

shortening_policy!(RepeatedResultsPolicy, "repeated_results", RepeatedResultsPolicy::prepare);

/// By position: whether a later result says the same.
fn repeated(survey: &Survey<'_>, min_chars: usize) -> Vec<bool> {
    let texts: Vec<Option<&str>> = survey.turns().iter().map(|turn| text_of(turn, min_chars)).collect();
    let classes = classify(texts.iter().copied());
    let mut last: Vec<Option<usize>> = vec![None; texts.len()];
    let mut repeated = vec![false; texts.len()];
    let results = classes.into_iter().enumerate().zip(&texts).filter(|(_, text)| text.is_some());
    for ((position, class), _) in results {
        let earlier = last.get_mut(class).and_then(|last| last.replace(position));
        if let Some(earlier) = earlier.and_then(|earlier| repeated.get_mut(earlier)) {
            *earlier = true;
        }
    }
    repeated
}

/// The text of a result that is long enough and no stub, and shows nothing but text.
fn text_of(turn: &TranscriptTurn, min_chars: usize) -> Option<&str> {
    let text: &str = turn.content();
    let is_long = turn.role() == Role::Tool && text.chars().nth(min_chars.saturating_sub(1)).is_some();
    let is_text = turn.parts().iter().all(|part| part.kind != PartKind::Media);
    (is_long && is_text && MaskStub::parse(text).is_none()).then_some(text)
}
