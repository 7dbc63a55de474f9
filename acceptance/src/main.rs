//! Checks what the README claims, through public crates only: plan, fulfil, apply.
//!
//! Each claim is printed with `ok` or `FAILED` and the reason. The exit code is 1 when any fails.

#![expect(clippy::print_stdout, reason = "it is a program, and printing is all that it does")]

mod claims;

use claims::{CLAIMS, Claim};
use std::process::ExitCode;

fn main() -> ExitCode {
    verdict(CLAIMS)
}

/// Checks and prints every claim.
fn verdict(claims: &[Claim]) -> ExitCode {
    let failed = claims.iter().filter(|claim| !holds(claim)).count();
    println!("{} claims, {failed} failed", claims.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn holds(claim: &Claim) -> bool {
    let outcome = (claim.check)();
    match &outcome {
        Ok(()) => println!("ok      {}", claim.says),
        Err(reason) => println!("FAILED  {}: {reason}", claim.says),
    }
    outcome.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_holds() {
        let failed: Vec<&str> = CLAIMS.iter().filter(|claim| !holds(claim)).map(|claim| claim.says).collect();
        assert!(failed.is_empty(), "{failed:?}");
    }

    #[test]
    fn a_claim_that_does_not_hold_is_a_failure() {
        let broken =
            Claim { says: "two and two are five", check: || claims::ensure(2 + 2 == 5, "they are four") };
        assert!(!holds(&broken));
        assert_eq!(verdict(&[broken]), ExitCode::FAILURE);
    }
}
