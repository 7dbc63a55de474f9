//! `cutctx completions` and `cutctx man`.

use crate::arguments::CommandLine;
use crate::exit::Exit;
use crate::failure::Stop;
use crate::terminal;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::{self, Write};

/// Prints a completion script for a shell.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Example:
  cutctx completions bash > ~/.local/share/bash-completion/completions/cutctx")]
pub(crate) struct CompletionsArguments {
    /// The shell.
    shell: Shell,
}

/// Prints the manual page.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx man | man -l -
  cutctx man --verb compact > cutctx-compact.1")]
pub(crate) struct ManArguments {
    /// The page of this verb instead of the overview.
    #[arg(long, value_name = "VERB")]
    verb: Option<String>,
}

pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<Exit, Stop> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut CommandLine::command(), "cutctx", &mut script);
    terminal::document(|out| out.write_all(&script))?;
    Ok(Exit::Done)
}

pub(crate) fn man(arguments: &ManArguments) -> Result<Exit, Stop> {
    let mut command = CommandLine::command();
    command.build();
    let page = match &arguments.verb {
        None => command,
        Some(verb) => {
            let known = command.find_subcommand(verb).cloned();
            known.ok_or_else(|| {
                let message = format!("there is no verb `{verb}`");
                crate::failure::Failure::usage(message, "see `cutctx --help`")
            })?
        }
    };
    terminal::document(|out| write_page(page, out))?;
    Ok(Exit::Done)
}

fn write_page(page: clap::Command, out: &mut dyn Write) -> io::Result<()> {
    clap_mangen::Man::new(page).render(&mut io::LineWriter::new(out))
}
