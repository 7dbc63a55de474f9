//! The laws that a good policy keeps, as a test of one line (feature `proptest1`).
//!
//! A policy of your own is tested like this; a broken law panics with its name, the reason, and the
//! smallest scenario that shows it (ids, roles and tokens, never text):
//!
//! ```
//! # use cutctx_invariants::{CompactionPolicy, PolicyError, Survey};
//! # use cutctx_types::{Action, PlanDraft, TurnAction};
//! # struct Forget;
//! # impl CompactionPolicy for Forget {
//! #     fn name(&self) -> std::borrow::Cow<'_, str> { "forget".into() }
//! #     fn version(&self) -> &str { "1.0.0" }
//! #     fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
//! #         let over = survey.goal().is_some();
//! #         let actions = survey.turns().iter().enumerate().map(|(position, turn)| {
//! #             let drop = over && survey.is_removable(position);
//! #             TurnAction::new(turn.turn_id().clone(), if drop { Action::Drop } else { Action::Keep })
//! #         });
//! #         Ok(PlanDraft::new(self.name(), self.version(), actions.collect()))
//! #     }
//! # }
//! use cutctx_invariants::conformance::assert_conforms;
//!
//! # /*
//! #[test]
//! # */
//! fn it_keeps_the_laws() {
//!     assert_conforms(&Forget);
//! }
//! # it_keeps_the_laws();
//! ```
//!
//! [`Conformance`] chooses laws and the number of cases, and returns the broken law instead of
//! panicking. A policy that reproduces the oddities of an older version says which laws it does not
//! keep:
//!
//! ```
//! # use cutctx_invariants::{CompactionPolicy, PolicyError, Survey};
//! # use cutctx_types::{Action, PlanDraft, TurnAction, TurnReplacement};
//! use cutctx_invariants::conformance::{Conformance, Law};
//! # struct Chatty;
//! # impl CompactionPolicy for Chatty {
//! #     fn name(&self) -> std::borrow::Cow<'_, str> { "chatty".into() }
//! #     fn version(&self) -> &str { "1.0.0" }
//! #     fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
//! #         let over = survey.goal().is_some();
//! #         let actions = survey.turns().iter().enumerate().map(|(position, turn)| {
//! #             let mask = over && !survey.is_untouchable(position);
//! #             let stub = TurnReplacement::new("[a stub of great length]", 6);
//! #             TurnAction::new(turn.turn_id().clone(), if mask { Action::Mask(stub) } else { Action::Keep })
//! #         });
//! #         Ok(PlanDraft::new(self.name(), self.version(), actions.collect()))
//! #     }
//! # }
//!
//! let broken = Conformance::of(&Chatty).check().unwrap_err();
//! assert_eq!(broken.law(), Law::NoGrowth);
//!
//! Conformance::of(&Chatty).without(Law::NoGrowth).with_cases(64).check()?;
//! # Ok::<(), cutctx_invariants::conformance::LawBroken>(())
//! ```
//!
//! The scenarios come from [`crate::strategy`], from a fixed seed: a run is repeatable on any machine.

mod apply;
mod disguise;
mod law;
mod law_broken;
mod simpler;
mod verdict;

pub use apply::applied;
pub use law::Law;
pub use law_broken::LawBroken;

use crate::policy::CompactionPolicy;
use crate::strategy::{Scenario, scenarios};
use alloc::vec::Vec;
use proptest::strategy::{Just, Strategy};
use proptest::test_runner::{Config, Reason, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use simpler::simpler;

/// How many scenarios each law is tried on when nobody says otherwise.
const DEFAULT_CASES: u32 = 128;

/// Panics when a policy breaks one of the laws of [`Law::GENERAL`].
///
/// # Panics
///
/// With the [`LawBroken`] as its message.
#[expect(clippy::panic, reason = "it is an assertion for tests")]
pub fn assert_conforms(policy: &dyn CompactionPolicy) {
    if let Err(broken) = check_policy(policy) {
        panic!("{broken}");
    }
}

/// Tries the laws of [`Law::GENERAL`] on a policy.
///
/// # Errors
///
/// [`LawBroken`] with the first law that it breaks.
pub fn check_policy(policy: &dyn CompactionPolicy) -> Result<(), LawBroken> {
    Conformance::of(policy).check()
}

/// A trial of a policy: which laws, and on how many scenarios each.
pub struct Conformance<'p> {
    policy: &'p dyn CompactionPolicy,
    laws: Vec<Law>,
    cases: u32,
}

impl core::fmt::Debug for Conformance<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Conformance")
            .field("policy", &self.policy.name())
            .field("laws", &self.laws)
            .field("cases", &self.cases)
            .finish()
    }
}

impl<'p> Conformance<'p> {
    /// A trial by the laws of [`Law::GENERAL`], 128 scenarios each.
    #[must_use]
    pub fn of(policy: &'p dyn CompactionPolicy) -> Self {
        Self { policy, laws: Law::GENERAL.to_vec(), cases: DEFAULT_CASES }
    }

    /// The trial on this many scenarios a law.
    #[must_use]
    pub const fn with_cases(mut self, cases: u32) -> Self {
        self.cases = cases;
        self
    }

    /// The trial by one law more.
    #[must_use]
    pub fn with(mut self, law: Law) -> Self {
        self.laws.push(law);
        self
    }

    /// The trial without a law that the policy does not claim to keep.
    #[must_use]
    pub fn without(mut self, law: Law) -> Self {
        self.laws.retain(|kept| *kept != law);
        self
    }

    /// The trial by this law alone.
    #[must_use]
    pub fn only(mut self, law: Law) -> Self {
        self.laws = alloc::vec![law];
        self
    }

    /// Tries each law in turn.
    ///
    /// # Errors
    ///
    /// [`LawBroken`] with the first law that is broken, and the smallest scenario found for it.
    pub fn check(&self) -> Result<(), LawBroken> {
        self.laws.iter().try_for_each(|law| self.try_law(*law))
    }

    fn try_law(&self, law: Law) -> Result<(), LawBroken> {
        match self.run(law, &scenarios(), self.cases) {
            Ok(()) => Ok(()),
            Err(TestError::Fail(reason, scenario)) => Err(self.minimise(law, reason, scenario)),
            Err(TestError::Abort(reason)) => Err(LawBroken::new(law, reason.message().into(), None)),
        }
    }

    /// A panic of the policy counts as a broken law.
    fn run<S>(&self, law: Law, scenarios: &S, cases: u32) -> Result<(), TestError<Scenario>>
    where
        S: Strategy<Value = Scenario>,
    {
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let trial = |scenario| law.check(self.policy, &scenario).map_err(TestCaseError::fail);
        TestRunner::new_with_rng(config, rng).run(scenarios, trial)
    }

    /// Simplifies a scenario as long as it still breaks the law. The strategies shrink their seeds; this
    /// works on what was made of them, where more can go.
    fn minimise(&self, law: Law, mut reason: Reason, mut scenario: Scenario) -> LawBroken {
        let smaller_failure = |scenario: &Scenario| {
            simpler(scenario).find_map(|simpler| match self.run(law, &Just(simpler), 1) {
                Err(TestError::Fail(reason, simpler)) => Some((reason, simpler)),
                Ok(()) | Err(TestError::Abort(_)) => None,
            })
        };
        while let Some((smaller_reason, smaller)) = smaller_failure(&scenario) {
            (reason, scenario) = (smaller_reason, smaller);
        }
        LawBroken::new(law, reason.message().into(), Some(scenario))
    }
}
