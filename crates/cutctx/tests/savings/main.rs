//! What each policy that shortens turns one by one saves on sessions, done as far as it goes.
//!
//! The figures of `docs/policies.md` come from a folder of test data (`CUTCTX_SHARED`, by default `../shared` beside the
//! checkout): `cargo test -p cutctx --test savings -- --nocapture` prints them.

#[cfg(test)]
mod table;

#[cfg(test)]
mod tests {
    use super::table::{SAVERS, Savings, sessions};
    use cutctx::PolicySpec;

    #[test]
    fn each_policy_saves_something_somewhere_and_none_makes_a_session_larger() {
        let sessions = sessions();
        if sessions.is_empty() {
            println!("SKIPPED: no sessions; set CUTCTX_SHARED to a folder of test data");
            return;
        }
        println!("sessions with 30 calls or more: {}", sessions.len());
        for name in SAVERS {
            let spec: PolicySpec = serde_json::from_str(name.1).unwrap();
            let policy = spec.build().unwrap();
            let savings = Savings::of(&*policy, &sessions);
            println!("{:<28} {savings}", name.0);
            // The sessions of the folder that are long have no readable reasoning.
            assert!(savings.saved > 0 || name.0 == "old reasoning", "{} saves nothing anywhere", name.0);
            assert!(savings.larger == 0, "{} makes a session larger", name.0);
        }
    }
}
