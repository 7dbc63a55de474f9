//! The cases that figures of speed are taken on: the same for the benches and for `cargo xtask performance`.
//!
//! A [`Case`] prepares its input and gives rounds: a round owns what it works on, so that preparing and freeing are
//! not measured, and what it returns is freed outside as well.

mod fold_blocks;

use crate::workload;
use alloc::sync::Arc;
use core::any::Any;
use cutctx_exec::{CompactionExecutor, Summaries};
use cutctx_invariants::{CompactionPlan, CompactionPolicy, Survey};
use cutctx_policies::{
    BoxedPolicy, CoverPolicy, DefaultChainSettings, DropOldestPolicy, ObservationMaskingPolicy, PolicyChain,
    PolicyVersion, SummarizingPolicy, recommended,
};
use cutctx_types::{CompactionBudget, Transcript};
use fold_blocks::FoldBlocks;

/// Why a case could not be prepared.
pub type Failure = Box<dyn core::error::Error + Send + Sync>;

/// One measured run; its result is only to be freed.
pub type Round = Box<dyn FnOnce() -> Box<dyn Any>>;

/// Makes as many rounds as wanted.
pub type Rounds = Box<dyn Fn() -> Round>;

/// Something to be measured.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Case {
    /// Its name, as on the command line.
    pub name: &'static str,
    /// What it does, as in a table.
    pub what: &'static str,
    prepare: fn(usize, usize) -> Result<Rounds, Failure>,
}

impl Case {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self { name: "transcript", what: "`Transcript::new`", prepare: transcript },
        Self { name: "survey", what: "`Survey::new`", prepare: survey },
        Self {
            name: "drop_oldest",
            what: "decide: drop oldest 2.0.0",
            prepare: |turns, characters| decide(Setting::blocks(turns, characters)?, drop_oldest()),
        },
        Self {
            name: "masking",
            what: "decide: masking 2.0.0",
            prepare: |turns, characters| decide(Setting::blocks(turns, characters)?, masking()),
        },
        Self {
            name: "summarizing",
            what: "decide: summarizing 2.0.0",
            prepare: |turns, characters| decide(Setting::blocks(turns, characters)?, summarizing()?),
        },
        Self {
            name: "chain",
            what: "decide: default chain 2.0.0",
            prepare: |turns, characters| {
                decide(Setting::blocks(turns, characters)?, chain(PolicyVersion::V2)?)
            },
        },
        Self {
            name: "chain_v1",
            what: "decide: default chain 1.0.0",
            prepare: |turns, characters| {
                decide(Setting::blocks(turns, characters)?, chain(PolicyVersion::V1)?)
            },
        },
        Self {
            name: "chain_scattered",
            what: "decide: default chain 2.0.0, ids in no order",
            prepare: |turns, characters| {
                decide(Setting::scattered(turns, characters)?, chain(PolicyVersion::V2)?)
            },
        },
        Self {
            name: "cover",
            what: "decide: cover",
            prepare: |turns, characters| {
                decide(Setting::telling(turns, characters)?, Box::new(CoverPolicy::new()))
            },
        },
        Self {
            name: "cover_whole_items",
            what: "decide: cover, whole items",
            prepare: |turns, characters| {
                decide(Setting::telling(turns, characters)?, Box::new(CoverPolicy::whole_items()))
            },
        },
        Self {
            name: "recommended",
            what: "decide: recommended",
            prepare: |turns, characters| {
                decide(Setting::telling(turns, characters)?, Box::new(recommended()))
            },
        },
        Self { name: "hash", what: "`plan_hash` of the chain's plan", prepare: hash },
        Self {
            name: "apply",
            what: "apply the chain's plan, strict, one hash included",
            prepare: |turns, characters| {
                apply(CompactionExecutor::new(), Setting::blocks(turns, characters)?)
            },
        },
        Self {
            name: "apply_reference",
            what: "apply the chain's plan, as the reference, one hash included",
            prepare: |turns, characters| {
                apply(CompactionExecutor::reference(), Setting::blocks(turns, characters)?)
            },
        },
        Self {
            name: "one_exchange",
            what: "one exchange of all turns: decide, default chain 2.0.0",
            prepare: |turns, characters| {
                decide(Setting::one_exchange(turns, characters)?, chain(PolicyVersion::V2)?)
            },
        },
        Self {
            name: "groups",
            what: "a group for every block: decide",
            prepare: |turns, characters| decide(Setting::blocks(turns, characters)?, Box::new(FoldBlocks)),
        },
        Self {
            name: "groups_chain",
            what: "a group for every block, then drop: decide, chain 2.0.0",
            prepare: |turns, characters| {
                decide(Setting::blocks(turns, characters)?, fold_then_drop(PolicyVersion::V2)?)
            },
        },
        Self {
            name: "groups_chain_v1",
            what: "a group for every block, then drop: decide, chain 1.0.0",
            prepare: |turns, characters| {
                decide(Setting::blocks(turns, characters)?, fold_then_drop(PolicyVersion::V1)?)
            },
        },
        Self {
            name: "groups_apply",
            what: "a group for every block: apply, strict, one hash included",
            prepare: apply_groups,
        },
        Self {
            name: "pins",
            what: "a pin in every second block: decide, summarizing 2.0.0",
            prepare: |turns, characters| decide(Setting::pinned(turns, characters)?, summarizing()?),
        },
    ];

    /// The case of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|case| case.name == name)
    }

    /// Prepares the case for this many turns of this many characters.
    ///
    /// # Errors
    ///
    /// When the case cannot do its work once; that would be a fault in the crates measured.
    pub fn prepare(&self, turns: usize, characters: usize) -> Result<Rounds, Failure> {
        (self.prepare)(turns, characters)
    }
}

/// A transcript and a budget, shared by all rounds.
#[derive(Clone)]
struct Setting {
    transcript: Transcript,
    budget: CompactionBudget,
}

impl Setting {
    fn blocks(turns: usize, characters: usize) -> Result<Self, Failure> {
        let transcript = workload::transcript(turns, characters)?;
        Ok(Self { budget: workload::half_of(&transcript), transcript })
    }

    /// Nothing is protected, or the one exchange could not go.
    fn one_exchange(turns: usize, characters: usize) -> Result<Self, Failure> {
        let transcript = workload::one_exchange(turns, characters)?;
        let budget = workload::half_of(&transcript).with_protected_recent_turns(0);
        Ok(Self { transcript, budget })
    }

    fn telling(turns: usize, characters: usize) -> Result<Self, Failure> {
        let transcript = workload::telling(turns, characters)?;
        Ok(Self { budget: workload::half_of(&transcript), transcript })
    }

    fn pinned(turns: usize, characters: usize) -> Result<Self, Failure> {
        let transcript = workload::pinned(turns, characters)?;
        Ok(Self { budget: workload::half_of(&transcript), transcript })
    }

    fn scattered(turns: usize, characters: usize) -> Result<Self, Failure> {
        let transcript = workload::scattered(turns, characters)?;
        Ok(Self { budget: workload::half_of(&transcript), transcript })
    }

    fn decided_by(&self, policy: &dyn CompactionPolicy) -> Result<CompactionPlan, Failure> {
        Ok(policy.decide(&self.transcript, &self.budget)?)
    }
}

fn drop_oldest() -> BoxedPolicy {
    Box::new(DropOldestPolicy::new())
}

fn masking() -> BoxedPolicy {
    Box::new(ObservationMaskingPolicy::new())
}

fn summarizing() -> Result<BoxedPolicy, Failure> {
    Ok(Box::new(SummarizingPolicy::new("bench/prompt")?))
}

fn chain(version: PolicyVersion) -> Result<BoxedPolicy, Failure> {
    let mut settings = DefaultChainSettings::new("bench/prompt");
    settings.version = version;
    Ok(Box::new(settings.build()?))
}

fn fold_then_drop(version: PolicyVersion) -> Result<BoxedPolicy, Failure> {
    let members: Vec<BoxedPolicy> = vec![Box::new(FoldBlocks), Box::new(DropOldestPolicy::at(version))];
    Ok(Box::new(PolicyChain::at(version, members)?))
}

fn transcript(turns: usize, characters: usize) -> Result<Rounds, Failure> {
    let turns = workload::transcript(turns, characters)?.turns().to_vec();
    Ok(Box::new(move || {
        let turns = turns.clone();
        Box::new(move || Box::new(Transcript::new(turns)))
    }))
}

/// The survey borrows its transcript, so its floor is what comes out.
fn survey(turns: usize, characters: usize) -> Result<Rounds, Failure> {
    let setting = Setting::blocks(turns, characters)?;
    Ok(Box::new(move || {
        let Setting { transcript, budget } = setting.clone();
        Box::new(move || Box::new(Survey::new(&transcript, &budget).map(|survey| survey.floor())))
    }))
}

fn decide(setting: Setting, policy: BoxedPolicy) -> Result<Rounds, Failure> {
    setting.decided_by(policy.as_ref())?;
    let policy = Arc::<dyn CompactionPolicy + Send + Sync>::from(policy);
    Ok(Box::new(move || {
        let (setting, policy) = (setting.clone(), Arc::clone(&policy));
        Box::new(move || Box::new(policy.decide(&setting.transcript, &setting.budget)))
    }))
}

fn hash(turns: usize, characters: usize) -> Result<Rounds, Failure> {
    let plan = Setting::blocks(turns, characters)?.decided_by(chain(PolicyVersion::V2)?.as_ref())?;
    let plan = Arc::new(plan);
    Ok(Box::new(move || {
        let plan = Arc::clone(&plan);
        Box::new(move || Box::new(plan.plan_hash()))
    }))
}

fn apply(executor: CompactionExecutor, setting: Setting) -> Result<Rounds, Failure> {
    let plan = setting.decided_by(chain(PolicyVersion::V2)?.as_ref())?;
    apply_plan(executor, setting, plan)
}

fn apply_groups(turns: usize, characters: usize) -> Result<Rounds, Failure> {
    let setting = Setting::blocks(turns, characters)?;
    let plan = setting.decided_by(&FoldBlocks)?;
    apply_plan(CompactionExecutor::new(), setting, plan)
}

fn apply_plan(
    executor: CompactionExecutor,
    setting: Setting,
    plan: CompactionPlan,
) -> Result<Rounds, Failure> {
    let groups = plan.summarization_requests().iter().map(|request| request.group_id().clone());
    let summaries: Summaries = groups.map(|group| (group, "they looked at the third cable")).collect();
    executor.apply(&setting.transcript, &plan, &summaries)?;
    let shared = Arc::new((executor, setting, plan, summaries));
    Ok(Box::new(move || {
        let shared = Arc::clone(&shared);
        Box::new(move || {
            let (executor, setting, plan, summaries) = shared.as_ref();
            Box::new(executor.apply(&setting.transcript, plan, summaries))
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_can_be_prepared_and_run() {
        for case in Case::ALL {
            let rounds = case.prepare(100, 40).unwrap_or_else(|error| panic!("{}: {error}", case.name));
            rounds()();
            rounds()();
        }
    }

    #[test]
    fn a_group_for_every_block_is_that_many_groups() {
        let setting = Setting::blocks(1_001, 40).unwrap();
        let plan = setting.decided_by(&FoldBlocks).unwrap();
        assert_eq!(plan.summarization_requests().len(), 199);
    }

    #[test]
    fn pins_leave_a_group_for_every_stretch_between_them() {
        let setting = Setting::pinned(1_001, 40).unwrap();
        let plan = setting.decided_by(summarizing().unwrap().as_ref()).unwrap();
        assert!(plan.summarization_requests().len() > 50);
    }

    #[test]
    fn names_are_distinct() {
        for case in Case::ALL {
            assert_eq!(Case::ALL.iter().filter(|other| other.name == case.name).count(), 1, "{}", case.name);
        }
    }
}
