//! Lists of things to do, and other states that a later call tells anew.

mod todo_tools;

pub use todo_tools::TODO_TOOLS;

use crate::arguments::emptied;
use crate::calls::Calls;
use crate::masking::MaskStub;
use crate::short_stub::{ShortStubs, StubWord};
use crate::shortening::{Common, Shorten, shortening_policy};
use crate::trimming::{Trimming, parts_of};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_invariants::Survey;
use cutctx_types::{Action, InvalidValue, Role, TranscriptTurn};

/// Keeps the newest call and result of tools that tell a whole state each time, as lists of things to do, and
/// shortens the older ones: results to short stubs, arguments to nothing.
///
/// Tools are recognised by name ([`TODO_TOOLS`] and those that it is told), and each has a state of its own. A call that failed tells none.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::LatestStatePolicy;
/// use cutctx_types::{Action, CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let list = |id: &str, done: u64| {
///     let text = format!("{done} of 40 things are done\n").repeat(40);
///     TranscriptTurn::new(id, Role::Tool, text, 300).map(|turn| turn.with_tool_name("TodoWrite"))
/// };
/// let budget = CompactionBudget::new(400).with_protected_recent_turns(0);
/// let plan = LatestStatePolicy::new().decide(&Transcript::new(vec![list("t1", 1)?, list("t2", 2)?])?, &budget)?;
/// assert!(matches!(&plan.actions()[0].action, Action::Mask(stub) if stub.content.starts_with("[later ")));
/// assert_eq!(plan.actions()[1].action, Action::Keep);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LatestStatePolicy {
    tools: BTreeSet<Arc<str>>,
    pub(crate) common: Common,
}

impl LatestStatePolicy {
    /// The policy at version 2.0.0.
    #[must_use]
    pub const fn new() -> Self {
        Self { tools: BTreeSet::new(), common: Common::new() }
    }

    /// The policy knowing further tools that tell a whole state with every call.
    #[must_use]
    pub fn with_state_tools<T: Into<Arc<str>>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.tools.extend(names.into_iter().map(Into::into));
        self
    }

    fn prepare<'s>(&'s self, survey: &'s Survey<'_>) -> Shorten<'s> {
        let outdated = self.outdated(survey);
        let mut stubs = ShortStubs::measured_by(&self.common.estimator);
        Box::new(move |position| match outdated.get(&position) {
            None => Ok(None),
            Some(Outdated::Result) => {
                let original = survey.original(position);
                original.map(|turn| stubs.stub_of(StubWord::Outdated, turn).map(Action::Mask)).transpose()
            }
            Some(Outdated::Calls(calls)) => {
                survey.turns().get(position).map_or(Ok(None), |turn| self.without(turn, calls))
            }
        })
    }

    /// By position: what is outdated there.
    fn outdated(&self, survey: &Survey<'_>) -> BTreeMap<usize, Outdated> {
        let calls = Calls::of(survey);
        let mut told: BTreeSet<&str> = BTreeSet::new();
        let mut outdated = BTreeMap::new();
        for (position, turn) in survey.turns().iter().enumerate().rev() {
            let Some(tool) = self.state_tool(turn) else { continue };
            if !told.contains(tool) {
                if !turn.failed() {
                    told.insert(tool);
                }
                continue;
            }
            if MaskStub::parse(turn.content()).is_none() {
                outdated.insert(position, Outdated::Result);
            }
            if let Some(call) = calls.answered_by(position) {
                match outdated.entry(call.turn).or_insert_with(|| Outdated::Calls(BTreeSet::new())) {
                    Outdated::Calls(parts) => {
                        parts.insert(call.part);
                    }
                    Outdated::Result => {}
                }
            }
        }
        outdated
    }

    /// The tool that tells a state with this result.
    fn state_tool<'t>(&self, turn: &'t TranscriptTurn) -> Option<&'t str> {
        let tool = turn.tool_name().filter(|_| turn.role() == Role::Tool)?;
        (TODO_TOOLS.contains(&tool) || self.tools.contains(tool)).then_some(tool)
    }

    /// A turn with some of its calls emptied.
    fn without(
        &self,
        turn: &TranscriptTurn,
        calls: &BTreeSet<usize>,
    ) -> Result<Option<Action>, InvalidValue> {
        let parts = parts_of(turn);
        let empty: Vec<_> =
            parts.iter().map(|part| calls.get(&part.index).and_then(|_| emptied(part))).collect();
        if empty.iter().all(Option::is_none) {
            return Ok(None);
        }
        let kept =
            parts.iter().zip(empty).map(|(part, empty)| empty.unwrap_or_else(|| part.whole())).collect();
        Ok(Trimming::measured_by(&self.common.estimator).keeping(turn, kept)?.map(Action::Trim))
    }
}

shortening_policy!(LatestStatePolicy, "latest_state", LatestStatePolicy::prepare);

/// What of a turn is outdated.
#[derive(Debug)]
enum Outdated {
    /// A result.
    Result,
    /// The calls in these parts.
    Calls(BTreeSet<usize>),
}
