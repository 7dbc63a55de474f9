//! The members that chains are made of, each in a fast and a slow form.

use super::script::Script;
use super::slow_chain::SlowChain;
use cutctx_policies::{
    BoxedPolicy, DropOldestPolicy, ObservationMaskingPolicy, PolicyChain, SummarizingPolicy,
};
use proptest::prelude::*;

#[derive(Debug, Clone)]
pub(crate) enum Part {
    Masking(u64),
    Summarizing(f64, u64),
    DropOldest,
    OldMasking(u64),
    OldSummarizing(f64, u64),
    OldDropOldest,
    Script(Script),
    Chain(Vec<Self>),
}

impl Part {
    /// As the crate builds it.
    pub(crate) fn fast(&self) -> BoxedPolicy {
        match self {
            Self::Masking(keep) => Box::new(ObservationMaskingPolicy::new().with_keep_recent_results(*keep)),
            Self::Summarizing(ratio, turns) => {
                summarizing(SummarizingPolicy::new("p").unwrap(), *ratio, *turns)
            }
            Self::DropOldest => Box::new(DropOldestPolicy::new()),
            Self::OldMasking(keep) => {
                Box::new(ObservationMaskingPolicy::v1().with_keep_recent_results(*keep))
            }
            Self::OldSummarizing(ratio, turns) => {
                summarizing(SummarizingPolicy::v1("p").unwrap(), *ratio, *turns)
            }
            Self::OldDropOldest => Box::new(DropOldestPolicy::v1()),
            Self::Script(script) => Box::new(script.clone()),
            Self::Chain(parts) => Box::new(PolicyChain::new(parts.iter().map(Self::fast).collect()).unwrap()),
        }
    }

    /// The same with slow chains for chains. The depth keeps the names of nested ones apart.
    pub(crate) fn slow(&self, depth: usize) -> BoxedPolicy {
        match self {
            Self::Chain(parts) => Box::new(SlowChain {
                depth,
                members: parts.iter().map(|part| part.slow(depth + 1)).collect(),
            }),
            other => other.fast(),
        }
    }

    /// Whether its drafts keep the rules on any transcript whose turns have plain names. Summarizing 1.0.0
    /// may separate exchanges.
    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Self::OldSummarizing(..) => false,
            Self::Chain(parts) => parts.iter().all(Self::is_sound),
            _ => true,
        }
    }
}

fn summarizing(policy: SummarizingPolicy, ratio: f64, turns: u64) -> BoxedPolicy {
    Box::new(policy.with_target_ratio(ratio).unwrap().with_min_span_turns(turns).unwrap())
}

/// Members of every kind, chains in chains included.
pub(crate) fn parts() -> impl Strategy<Value = Part> {
    let leaf = prop_oneof![
        (0_u64..3).prop_map(Part::Masking),
        (ratios(), 1_u64..4).prop_map(|(ratio, turns)| Part::Summarizing(ratio, turns)),
        Just(Part::DropOldest),
        (0_u64..3).prop_map(Part::OldMasking),
        (ratios(), 1_u64..4).prop_map(|(ratio, turns)| Part::OldSummarizing(ratio, turns)),
        Just(Part::OldDropOldest),
        scripts().prop_map(Part::Script),
        scripts().prop_map(Part::Script),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| prop::collection::vec(inner, 1..4).prop_map(Part::Chain))
}

fn ratios() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.05), Just(0.2), Just(0.5)]
}

fn scripts() -> impl Strategy<Value = Script> {
    let ratio = || prop_oneof![Just(None), Just(Some(4.0)), Just(Some(3.0))];
    prop_oneof![
        (0_u64..90, ratio()).prop_map(|(tokens, ratio)| Script::MaskAll { tokens, ratio }),
        ratio().prop_map(|ratio| Script::MaskUsers { ratio }),
        Just(Script::TrimAll),
        (1_usize..5).prop_map(|modulus| Script::DropEvery { modulus }),
        (1_usize..4, 0_u64..60, any::<bool>()).prop_map(|(chunk, target, first)| Script::FoldChunks {
            chunk,
            target,
            first
        }),
        (0_u64..60).prop_map(|target| Script::FoldRest { target }),
    ]
}
