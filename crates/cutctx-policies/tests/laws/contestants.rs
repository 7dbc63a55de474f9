//! The policies that the laws are about.

use cutctx_policies::{
    BoxedPolicy, DefaultChainSettings, DropOldestPolicy, Exemptions, ObservationMaskingPolicy, PolicyChain,
    SummarizingPolicy, default_chain,
};

/// A policy, and what an oracle has to know of it.
pub(crate) struct Contestant {
    pub(crate) title: &'static str,
    pub(crate) policy: BoxedPolicy,
    /// How many of the last results masking leaves alone; `None` where nothing is masked.
    pub(crate) masks_all_but: Option<usize>,
    /// Whether it asks for summaries.
    pub(crate) folds: bool,
    /// Whether dropping is what it does at last.
    pub(crate) drops_last: bool,
    pub(crate) form: Form,
    /// Whether the tool `tool0` is left alone.
    pub(crate) exempts: bool,
}

/// Whether a policy does one kind of thing, in order of positions, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Single,
    Chain,
}

impl Contestant {
    fn of(title: &'static str, policy: BoxedPolicy) -> Self {
        let (folds, drops_last, exempts) = (false, false, false);
        Self { title, policy, masks_all_but: None, folds, drops_last, form: Form::Single, exempts }
    }
}

fn masking(keep: u64) -> BoxedPolicy {
    Box::new(ObservationMaskingPolicy::new().with_keep_recent_results(keep))
}

fn summarizing(ratio: f64, min_span_turns: u64) -> BoxedPolicy {
    let policy = SummarizingPolicy::new("test/prompt").unwrap();
    Box::new(policy.with_target_ratio(ratio).unwrap().with_min_span_turns(min_span_turns).unwrap())
}

fn dropping() -> BoxedPolicy {
    Box::new(DropOldestPolicy::new())
}

fn chain(members: Vec<BoxedPolicy>) -> BoxedPolicy {
    Box::new(PolicyChain::new(members).unwrap())
}

fn sparing_default_chain() -> BoxedPolicy {
    let mut settings = DefaultChainSettings::new("test/prompt");
    settings.exemptions = Exemptions::none().with_tools(["tool0"]);
    settings.min_span_turns = 2;
    Box::new(settings.build().unwrap())
}

/// All of them at version 2.0.0.
pub(crate) fn contestants() -> Vec<Contestant> {
    let mut all = single_policies();
    all.extend(chains().into_iter().map(|chain| Contestant { form: Form::Chain, ..chain }));
    all
}

fn single_policies() -> Vec<Contestant> {
    vec![
        Contestant { drops_last: true, ..Contestant::of("drop oldest", dropping()) },
        Contestant { masks_all_but: Some(0), ..Contestant::of("mask all", masking(0)) },
        Contestant { masks_all_but: Some(2), ..Contestant::of("mask", masking(2)) },
        Contestant { folds: true, ..Contestant::of("summarize", summarizing(0.2, 4)) },
        Contestant { folds: true, ..Contestant::of("summarize anything", summarizing(0.5, 1)) },
        Contestant { folds: true, ..Contestant::of("summarize to more", summarizing(1.5, 1)) },
        Contestant { folds: true, ..Contestant::of("summarize to infinity", summarizing(1.7e308, 1)) },
    ]
}

fn chains() -> Vec<Contestant> {
    let of = |title, members| Contestant::of(title, chain(members));
    let by_default: BoxedPolicy = Box::new(default_chain("test/prompt").unwrap());
    vec![
        Contestant {
            masks_all_but: Some(2),
            folds: true,
            drops_last: true,
            ..Contestant::of("default chain", by_default)
        },
        Contestant {
            masks_all_but: Some(2),
            folds: true,
            drops_last: true,
            exempts: true,
            ..Contestant::of("sparing default chain", sparing_default_chain())
        },
        Contestant {
            folds: true,
            drops_last: true,
            ..of("fold finely, fold again, drop", vec![summarizing(0.2, 1), summarizing(0.2, 1), dropping()])
        },
        Contestant {
            folds: true,
            drops_last: true,
            ..of("nested", vec![summarizing(0.3, 2), chain(vec![summarizing(0.1, 1), dropping()])])
        },
        Contestant {
            masks_all_but: Some(0),
            folds: true,
            drops_last: true,
            ..of(
                "mask twice, nested fold, drop",
                vec![masking(0), masking(0), chain(vec![summarizing(0.2, 2)]), dropping()],
            )
        },
        Contestant { folds: true, ..of("drop, then nothing is left", vec![dropping(), summarizing(0.2, 1)]) },
    ]
}
