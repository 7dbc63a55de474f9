//! Laws of loops of any length.

use crate::sessions::agent;
use cutctx::PolicySpec;
use cutctx_eval::{Contender, Limit, ReplayOptions, Share, replay};
use proptest::prelude::*;

fn policies() -> Vec<Contender> {
    [
        ("drop-oldest", PolicySpec::drop_oldest()),
        ("mask-then-drop", PolicySpec::chain([PolicySpec::masking(), PolicySpec::drop_oldest()])),
        ("default", PolicySpec::default_chain()),
    ]
    .map(|(name, spec)| Contender::spec(name, spec))
    .into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// No request is above the limit, every break is a compaction, and a compaction is followed by at least the steps
    /// that the freed tokens allow: a step has at most 432 tokens here.
    #[test]
    fn no_loop_is_over_its_limit_or_thrashes(seed in 0_u64..1_000, steps in 20_u64..150, limit in 2_500_u64..9_000) {
        let options = ReplayOptions::default()
            .with_limit(Limit::Tokens(limit))
            .with_target(Limit::Share(Share::percent(50)));
        let sessions = [agent(steps, seed)];
        let replay = replay(&sessions, &policies(), &options, &|| {}).unwrap();
        for one in &replay.replayed {
            prop_assert_eq!(one.over_limit, 0, "{}", &one.policy);
            prop_assert!(one.prefix_breaks <= one.compactions);
            let least = usize::try_from((limit / 2) / 432).unwrap();
            prop_assert!(one.shortest_respite.is_none_or(|respite| respite >= least.max(1)), "{:?} {}", one.shortest_respite, least);
            prop_assert_eq!(one.context_tokens.len(), one.requests);
        }
    }
}

#[test]
fn a_target_well_below_the_limit_is_what_keeps_the_cost_down() {
    let sessions = [agent(300, 5)];
    let cost = |percent| {
        let options = ReplayOptions::default()
            .with_limit(Limit::Tokens(12_000))
            .with_target(Limit::Share(Share::percent(percent)));
        replay(&sessions, &policies()[..1], &options, &|| {}).unwrap().replayed[0].clone()
    };
    let (down_to_it, half) = (cost(100), cost(50));
    assert!(down_to_it.cost > Some(Share::WHOLE), "{:?}", down_to_it.cost);
    assert!(half.cost < Some(Share::percent(80)), "{:?}", half.cost);
    assert!(down_to_it.prefix_breaks > 5 * half.prefix_breaks);
}

#[test]
fn a_frozen_head_saves_and_never_breaks_the_limit() {
    let sessions = [agent(400, 7)];
    let options = ReplayOptions::default().with_limit(Limit::Tokens(12_000));
    let plain = replay(&sessions, &policies()[..1], &options, &|| {}).unwrap().replayed[0].clone();
    let frozen = options.with_frozen_head(600);
    let frozen = replay(&sessions, &policies()[..1], &frozen, &|| {}).unwrap().replayed[0].clone();
    assert!(frozen.cost < plain.cost, "{:?} {:?}", frozen.cost, plain.cost);
    assert_eq!((frozen.over_limit, frozen.compactions >= plain.compactions), (0, true));
}

#[test]
fn the_same_replay_gives_the_same_figures() {
    let sessions = [agent(80, 1), agent(80, 2), agent(80, 3)];
    let options = ReplayOptions::default();
    let run = || replay(&sessions, &policies(), &options, &|| {}).unwrap();
    assert_eq!(run(), run());
}
