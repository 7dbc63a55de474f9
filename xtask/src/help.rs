//! `cargo xtask help`.

use crate::gate;
use crate::verdict::Verdict;

const VERBS: &str = "\
cargo xtask gate [STEP...] [--keep-going | --fail-fast]
                       every check, or only the named steps; all of them run unless --fail-fast
cargo xtask tidy       house rules: files, manifests, words, links
cargo xtask layers     which crate may depend on which
cargo xtask vectors [DIR]
                       the conformance vectors of DIR (else: of $CUTCTX_SHARED/vectors)
cargo xtask corpus [DIR]
                       the readers over the session files of DIR (else: of $CUTCTX_SHARED/corpus)
cargo xtask performance [TABLE...] [--write]
                       the speed of this build, in minutes, or only the named tables of docs/performance.md; --write
                       puts them there
cargo xtask eval [DIR] [--part tuning|unseen|all] [--write]
                       what policies keep of the sessions of DIR (else: of $CUTCTX_SHARED/corpus) and what they cost in
                       the loop, on one part of the projects or all; --write puts all into docs/evaluation.md
cargo xtask tokens [--write | fit]
                       how near the counters of tokens are, in minutes; --write puts it into docs/tokens.md;
                       fit prints weights for the heuristic

CUTCTX_SHARED names an optional folder of test data; `../shared` from the checkout if unset.

Steps of the gate, in order:";

/// Prints the verbs and the steps of the gate.
pub(crate) fn print() -> Verdict {
    println!("{VERBS}");
    for step in gate::STEPS {
        println!("  {:<11} {}", step.name, step.what);
    }
    Verdict::Passed
}
