//! Choosing by value takes near-linear time.
//!
//! The bound is far from what is measured, because machines are loaded: on a quiet one 100,000 turns of 200 characters take
//! less than two seconds (docs/performance.md), and a quadratic path takes minutes.

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_types, reason = "a measurement reads the clock")]

    use core::time::Duration;
    use std::time::Instant;

    use acceptance::workload::{half_of, telling, transcript};
    use cutctx_invariants::CompactionPolicy;
    use cutctx_policies::{CoverPolicy, recommended};
    use cutctx_types::Transcript;

    fn decided(policy: &dyn CompactionPolicy, transcript: &Transcript) -> Duration {
        let begun = Instant::now();
        let plan = policy.decide(transcript, &half_of(transcript)).unwrap();
        assert!(!plan.budget_unmet() && plan.first_changed_position().is_some());
        begun.elapsed()
    }

    #[test]
    fn a_hundred_thousand_turns_are_chosen_from_in_seconds() {
        let policies: [(&str, Box<dyn CompactionPolicy>); 3] = [
            ("cover", Box::new(CoverPolicy::new())),
            ("whole items", Box::new(CoverPolicy::whole_items())),
            ("recommended", Box::new(recommended())),
        ];
        for make in [transcript, telling] {
            let transcript = make(100_000, 200).unwrap();
            for (name, policy) in &policies {
                let taken = decided(&**policy, &transcript);
                println!("{name}: {taken:?}");
                assert!(taken < Duration::from_secs(20), "{name}: {taken:?}");
            }
        }
    }
}
