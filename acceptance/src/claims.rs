//! The claims.

mod applying;
mod deciding;
mod judging;
mod looping;
mod scene;

/// Why a claim does not hold, or could not be checked.
pub(crate) type Failure = Box<dyn core::error::Error + Send + Sync>;

/// One sentence of the README and the check of it.
pub(crate) struct Claim {
    /// The sentence.
    pub(crate) says: &'static str,
    /// The check.
    pub(crate) check: fn() -> Result<(), Failure>,
}

/// All of them, in the order of the work: decide, judge, apply, and again.
pub(crate) const CLAIMS: &[Claim] = &[
    Claim { says: "the view fits the budget wherever the locked floor does", check: deciding::fits },
    Claim {
        says: "system turns, pinned turns and the protected tail stay as they are",
        check: deciding::spares,
    },
    Claim { says: "a tool exchange is never separated", check: deciding::keeps_exchanges_whole },
    Claim { says: "equal input gives equal bytes", check: deciding::is_deterministic },
    Claim { says: "a transcript that fits is left alone", check: deciding::leaves_alone_what_fits },
    Claim {
        says: "a target is worked towards once the budget is exceeded",
        check: deciding::works_to_target,
    },
    Claim {
        says: "a budget below the floor is refused with the floor itemised",
        check: deciding::itemises_floor,
    },
    Claim {
        says: "a draft that breaks a rule is rejected by that rule's name",
        check: judging::rejects_drafts,
    },
    Claim { says: "a stored plan is judged anew and gives the same hash", check: judging::reloads_records },
    Claim {
        says: "a stored plan that was tampered with is refused",
        check: judging::refuses_tampered_records,
    },
    Claim {
        says: "a stored plan is refused for another transcript",
        check: judging::refuses_other_transcripts,
    },
    Claim { says: "a mask holds a digest that only the original has", check: applying::masks_are_verifiable },
    Claim {
        says: "a missing summary is an error that names the group",
        check: applying::names_missing_summary,
    },
    Claim {
        says: "a plan is not applied to a transcript that has changed",
        check: applying::refuses_changes,
    },
    Claim { says: "turns appended since are kept and listed", check: applying::accepts_appended_turns },
    Claim { says: "a summary over its target is measured and told", check: applying::tells_overruns },
    Claim {
        says: "summaries that are no smaller than what they stand for are refused",
        check: applying::refuses_growth,
    },
    Claim {
        says: "every turn has one fate, and the figures add up",
        check: applying::accounts_for_every_turn,
    },
    Claim {
        says: "what stands before the first change is a cache prefix",
        check: applying::keeps_cache_prefix,
    },
    Claim {
        says: "no text of a turn is in a plan, a report, an account or an error",
        check: applying::shows_no_text,
    },
    Claim {
        says: "a view is a transcript again, and planning it again changes nothing",
        check: looping::is_idempotent,
    },
    Claim {
        says: "an agent loop stays within its budget, round after round",
        check: looping::stays_within_budget,
    },
];

/// A claim's step.
pub(crate) fn ensure(holds: bool, otherwise: impl Into<String>) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(otherwise.into().into()) }
}

/// That two values are equal.
pub(crate) fn ensure_equal<T: PartialEq + core::fmt::Debug>(
    what: &str,
    left: &T,
    right: &T,
) -> Result<(), Failure> {
    ensure(left == right, format!("{what}: {left:?} and {right:?}"))
}

/// The error of something that must not work.
pub(crate) fn refusal<T, E>(what: &str, outcome: Result<T, E>) -> Result<E, Failure> {
    match outcome {
        Ok(_) => Err(format!("{what} was accepted").into()),
        Err(error) => Ok(error),
    }
}
