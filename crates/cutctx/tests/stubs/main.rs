//! How much a short stub costs, by tokenizers in wide use.

#[cfg(test)]
mod tests {
    use cutctx::policies::{RepeatedResultsPolicy, StubForm};
    use cutctx::tokens::Tokenizer;
    use cutctx::{
        Action, CompactionBudget, CompactionPolicy, ObservationMaskingPolicy, Role, TokenEstimator,
        Transcript, TranscriptTurn,
    };

    const NAMES: [&str; 4] = ["o200k_base", "heuristic:anthropic", "heuristic:google", "heuristic:openai"];

    /// The stubs of two hundred results, masked each alone, and the larger of a pair of equal ones.
    fn stubs(number: u32) -> Vec<String> {
        let result = |id: &str| {
            TranscriptTurn::new(id, Role::Tool, format!("{number} of many results {}", "x".repeat(200)), 900)
                .unwrap()
        };
        let transcript = Transcript::new(vec![result("a"), result("b")]).unwrap();
        let budget = CompactionBudget::new(1_799).with_protected_recent_turns(0);
        let masking = ObservationMaskingPolicy::new().with_keep_recent_results(1);
        let policies: [Box<dyn CompactionPolicy>; 2] =
            [Box::new(masking.with_stub(StubForm::Short).unwrap()), Box::new(RepeatedResultsPolicy::new())];
        let stub = |policy: &dyn CompactionPolicy| {
            let plan = policy.decide(&transcript, &budget).unwrap();
            let Action::Mask(stub) = &plan.actions()[0].action else { panic!("no stub") };
            stub.content.to_string()
        };
        policies.iter().map(|policy| stub(policy.as_ref())).collect()
    }

    #[test]
    fn a_short_stub_is_a_dozen_tokens_at_most() {
        let tokenizers = NAMES.map(|name| Tokenizer::named(name).unwrap());
        for stub in (0..200).flat_map(stubs) {
            for tokenizer in &tokenizers {
                let cost = tokenizer.estimate(&stub);
                assert!(cost <= 12, "{stub} costs {cost} by {}", tokenizer.name());
            }
        }
    }
}
