//! The verbs, one file each.

pub(crate) mod apply;
pub(crate) mod batch;
pub(crate) mod compact;
mod contenders;
pub(crate) mod context;
pub(crate) mod convert;
pub(crate) mod count;
mod decide;
mod deliver;
pub(crate) mod diff;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod formats;
pub(crate) mod inspect;
pub(crate) mod lint;
pub(crate) mod plan;
mod plan_text;
mod recovered;
pub(crate) mod repair;
pub(crate) mod replay;
pub(crate) mod requests;
pub(crate) mod restore;
pub(crate) mod sessions;
pub(crate) mod shell;
pub(crate) mod verify;

use crate::arguments::Verb;
use crate::exit::Exit;
use crate::failure::Stop;
use crate::terminal::Terminal;

/// Does what the command line says.
pub(crate) fn run(verb: Verb, terminal: Terminal) -> Result<Exit, Stop> {
    match verb {
        Verb::Compact(arguments) => compact::run(&arguments, terminal),
        Verb::Context(arguments) => context::run(&arguments, terminal),
        Verb::Plan(arguments) => plan::run(&arguments, terminal),
        Verb::Apply(arguments) => apply::run(&arguments, terminal),
        Verb::Requests(arguments) => requests::run(&arguments, terminal),
        Verb::Verify(arguments) => verify::run(&arguments, terminal),
        Verb::Explain(arguments) => explain::run(&arguments, terminal),
        Verb::Diff(arguments) => diff::run(&arguments, terminal),
        Verb::Inspect(arguments) => inspect::run(&arguments, terminal),
        Verb::Count(arguments) => count::run(&arguments, terminal),
        Verb::Eval(arguments) => eval::run(&arguments, terminal),
        Verb::Replay(arguments) => replay::run(&arguments, terminal),
        Verb::Lint(arguments) => lint::run(&arguments, terminal),
        Verb::Repair(arguments) => repair::run(&arguments, terminal),
        Verb::Convert(arguments) => convert::run(&arguments, terminal),
        Verb::Sessions(arguments) => sessions::run(&arguments, terminal),
        Verb::Restore(arguments) => restore::run(&arguments, terminal),
        Verb::Batch(arguments) => batch::run(&arguments, terminal),
        Verb::Formats(arguments) => formats::run(&arguments, terminal),
        Verb::Completions(arguments) => shell::completions(&arguments),
        Verb::Man(arguments) => shell::man(&arguments),
    }
}
