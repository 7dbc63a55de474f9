//! The conformance kit for policies, turned on the shipped ones.

#[cfg(test)]
mod tests {
    use cutctx_invariants::conformance::{Conformance, Law, assert_conforms};
    use cutctx_policies::{
        BoxedPolicy, CallArgumentsPolicy, ClipPolicy, DefaultChainSettings, DropOldestPolicy,
        FailedResultsPolicy, LatestStatePolicy, ObservationMaskingPolicy, OldReasoningPolicy,
        OpaqueReasoningPolicy, PolicyChain, PolicyVersion, RepeatedResultsPolicy, StaleBy, StaleReadsPolicy,
        StubForm, SummarizingPolicy, default_chain,
    };

    fn mask_then_drop() -> PolicyChain {
        let members: Vec<BoxedPolicy> =
            vec![Box::new(ObservationMaskingPolicy::new()), Box::new(DropOldestPolicy::new())];
        PolicyChain::new(members).unwrap()
    }

    fn old_default_chain() -> PolicyChain {
        let mut settings = DefaultChainSettings::new("p");
        settings.version = PolicyVersion::V1;
        settings.min_span_turns = 1;
        settings.build().unwrap()
    }

    #[test]
    fn every_policy_of_version_2_keeps_the_laws() {
        assert_conforms(&DropOldestPolicy::new());
        assert_conforms(&ObservationMaskingPolicy::new());
        assert_conforms(&SummarizingPolicy::new("p").unwrap().with_min_span_turns(1).unwrap());
        assert_conforms(&mask_then_drop());
        assert_conforms(&default_chain("p").unwrap());
    }

    /// Every policy that shortens turns one by one, with limits so small that the kit's short texts are touched.
    fn shortening() -> Vec<BoxedPolicy> {
        vec![
            Box::new(ObservationMaskingPolicy::new().with_stub(StubForm::Short).unwrap()),
            Box::new(RepeatedResultsPolicy::new().with_min_chars(1).unwrap()),
            Box::new(StaleReadsPolicy::new().with_stale_by(StaleBy::PathOrWrite).with_read_tools(["search"])),
            Box::new(FailedResultsPolicy::new().with_ends(2, 1).unwrap()),
            Box::new(ClipPolicy::new().with_limits(6, 3, 2).unwrap()),
            Box::new(CallArgumentsPolicy::new().with_limits(4, 1, 1).unwrap()),
            Box::new(OpaqueReasoningPolicy::new()),
            Box::new(OldReasoningPolicy::new().with_keep_recent_turns(1)),
            Box::new(LatestStatePolicy::new().with_state_tools(["search"])),
        ]
    }

    #[test]
    fn every_policy_that_shortens_turns_keeps_the_laws() {
        for policy in shortening() {
            assert_conforms(&*policy);
        }
    }

    #[test]
    fn all_of_them_in_one_chain_keep_the_laws_in_either_order() {
        assert_conforms(&PolicyChain::new(shortening()).unwrap());
        let mut backwards: Vec<BoxedPolicy> = shortening().into_iter().rev().collect();
        backwards.push(Box::new(DropOldestPolicy::new()));
        let chain = PolicyChain::new(backwards).unwrap();
        assert_conforms(&chain);
        Conformance::of(&chain).only(Law::MeetsBudget).check().unwrap();
    }

    #[test]
    fn what_drops_at_last_meets_every_budget_above_the_locked_floor() {
        Conformance::of(&DropOldestPolicy::new()).only(Law::MeetsBudget).check().unwrap();
        Conformance::of(&mask_then_drop()).only(Law::MeetsBudget).check().unwrap();
        Conformance::of(&default_chain("p").unwrap()).only(Law::MeetsBudget).check().unwrap();
    }

    #[test]
    fn version_1_of_the_single_policies_that_ask_for_no_summary_keeps_the_laws_too() {
        assert_conforms(&DropOldestPolicy::v1());
        assert_conforms(&ObservationMaskingPolicy::v1());
    }

    #[test]
    fn version_1_of_the_default_chain_breaks_the_laws_that_version_2_was_made_for() {
        let chain = old_default_chain();
        for law in [Law::Accepted, Law::MeetsBudget] {
            let broken = Conformance::of(&chain).with_cases(1024).only(law).check().unwrap_err();
            assert_eq!(broken.law(), law);
        }
    }
}
