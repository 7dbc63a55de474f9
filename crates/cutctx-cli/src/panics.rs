//! What is said when the program itself is wrong.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal::Terminal;
use core::panic::UnwindSafe;
use std::panic::catch_unwind;

/// Replaces the message of a panic by a request to report it. The panic's own words are left out, since they may
/// quote a session; the place is what is needed.
pub(crate) fn install_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let place =
            panic.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        let version = env!("CARGO_PKG_VERSION");
        let home = env!("CARGO_PKG_REPOSITORY");
        let json = std::env::args_os().any(|word| word == "--json");
        let failure = Failure::new(Exit::Bug, "BUG", format!("this is a bug in cutctx {version}{place}"))
            .remedy(format!("please report it at {home}/issues, with the command line"));
        Terminal::new(json, false).fail(&failure);
    }));
}

/// Runs something whose panic is a bug of ours.
pub(crate) fn guard(run: impl FnOnce() -> Exit + UnwindSafe) -> Exit {
    catch_unwind(run).unwrap_or(Exit::Bug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_as_a_bug() {
        assert_eq!(guard(|| panic!("on purpose")), Exit::Bug);
        assert_eq!(Exit::Bug.number(), 1);
        assert_eq!(guard(|| Exit::Done), Exit::Done);
    }
}
