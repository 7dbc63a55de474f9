//! The only place that prints.

use crate::failure::{Failure, Stop};
use crate::show::{visible, visible_json, visible_lines};
use anstyle::{AnsiColor, Style};
use core::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

/// The width of output that is not on a terminal, in columns.
const PLAIN_WIDTH: u16 = 100;

/// Standard output and standard error, and how much may be said there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    json: bool,
    quiet: bool,
}

/// For what is wrong.
const ERROR: Style = AnsiColor::Red.on_default().bold();
/// For what needs attention.
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

impl Terminal {
    pub(crate) const fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet }
    }

    /// Whether results are for programs.
    pub(crate) const fn json(self) -> bool {
        self.json
    }

    /// Whether progress may be shown: to a human who did not ask for silence.
    pub(crate) fn progress(self) -> bool {
        !self.json && !self.quiet && io::stderr().is_terminal()
    }

    /// A remark for people on standard error.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet && !self.json {
            say(format_args!("{}", visible_lines(text)));
        }
    }

    /// With `--json`, a JSON value beside documents: on standard output, or on standard error where a document has
    /// taken that.
    pub(crate) fn json_beside(self, value: &impl serde::Serialize, stdout_taken: bool) -> Result<(), Stop> {
        if stdout_taken || !self.json {
            self.json_note(value);
            return Ok(());
        }
        json_result(value)
    }

    /// With `--json`, a JSON value on standard error.
    pub(crate) fn json_note(self, value: &impl serde::Serialize) {
        if let (true, Ok(text)) = (self.json, serde_json::to_string(value)) {
            let shown = if io::stderr().is_terminal() { visible_json(&text) } else { text };
            say(format_args!("{shown}"));
        }
    }

    /// Something that needs attention, on standard error. `--quiet` does not silence it.
    pub(crate) fn warn(self, text: &str) {
        if !self.json {
            say(format_args!("{WARNING}warning:{WARNING:#} {}", visible_lines(text)));
        }
    }

    /// A failure, on standard error.
    pub(crate) fn fail(self, failure: &Failure) {
        if self.json {
            return self.json_note(&failure.to_json());
        }
        say(format_args!("{ERROR}error:{ERROR:#} {}", visible_lines(&failure.to_lines().join("\n"))));
    }
}

/// A result for people on standard output.
pub(crate) fn result(text: &str) -> Result<(), Stop> {
    let mut out = anstream::stdout().lock();
    out.write_all(visible_lines(text).as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| stdout_stop(&error))
}

/// A JSON value on standard output, on one line.
pub(crate) fn json_result(value: &impl serde::Serialize) -> Result<(), Stop> {
    shown(visible_json, |out| {
        serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
        out.write_all(b"\n")
    })
}

/// Text of a session on standard output: byte for byte into a pipe or a file, made safe on a terminal.
pub(crate) fn text(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Stop> {
    shown(visible_lines, write)
}

/// A document on standard output, changed on its way where that is a terminal.
fn shown(
    change: fn(&str) -> String,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Stop> {
    if !io::stdout().is_terminal() {
        return document(write);
    }
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|error| stdout_stop(&error))?;
    let changed = change(&String::from_utf8_lossy(&bytes));
    document(|out| out.write_all(changed.as_bytes()))
}

/// A document on standard output, byte for byte.
pub(crate) fn document(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Stop> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).map_err(|error| stdout_stop(&error))
}

/// How many columns a table may take.
pub(crate) fn width() -> u16 {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || comfy_table::Table::new().width().filter(|_| io::stdout().is_terminal());
    told.or_else(seen).filter(|columns| *columns >= 40).unwrap_or(PLAIN_WIDTH)
}

/// What the parser of the command line says. It may repeat words of the line.
pub(crate) fn parser_says(error: &clap::Error) {
    let is_plain = |word: &std::ffi::OsString| visible(&word.to_string_lossy()) == word.to_string_lossy();
    if std::env::args_os().all(|word| is_plain(&word)) {
        // Where even this cannot be printed, the exit code still tells.
        drop(error.print());
    } else {
        say(format_args!("{}", visible_lines(&error.to_string())));
    }
}

/// A line on standard error. Where even that fails nobody is left to be told.
fn say(text: fmt::Arguments<'_>) {
    drop(writeln!(anstream::stderr().lock(), "{text}"));
}

fn stdout_stop(error: &io::Error) -> Stop {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Stop::PipeClosed;
    }
    Failure::io("write", Path::new("standard output"), error).into()
}
