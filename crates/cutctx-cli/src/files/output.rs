//! What is written: a file, or standard output.

use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::files::Input;
use crate::terminal;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file to write; `-` is standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Output {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl From<&OsStr> for Output {
    fn from(argument: &OsStr) -> Self {
        if argument == "-" { Self::Stdout } else { Self::File(argument.into()) }
    }
}

impl Output {
    /// Refuses early what would fail late: an existing file without `force`, and the input itself.
    pub(crate) fn check(&self, input: &Input, force: bool) -> Result<(), Failure> {
        let Self::File(path) = self else { return Ok(()) };
        if self.is(input) {
            return Err(Failure::usage("the output is the input", "choose another name").file(path));
        }
        if !force && is_plain_file(path) {
            return Err(exists(path));
        }
        // Found out before anything is written, not between two outputs.
        fs::metadata(folder(path)).map_err(|error| Failure::io("write", path, &error)).map(drop)
    }

    /// Whether it is the file that is read.
    pub(crate) fn is(&self, input: &Input) -> bool {
        matches!(self, Self::File(path) if is_same(path, input))
    }

    /// The file that both would be written to, if there is one. Devices can take several documents.
    pub(crate) fn clash<'o>(&self, other: &'o Self) -> Option<&'o Path> {
        let (Self::File(left), Self::File(right)) = (self, other) else { return None };
        let is_device = fs::metadata(right).is_ok_and(|metadata| !metadata.is_file());
        (!is_device && resolved(left) == resolved(right)).then_some(right)
    }

    /// Writes it: a file appears whole or not at all.
    pub(crate) fn write(
        &self,
        force: bool,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Stop> {
        match self {
            Self::Stdout => terminal::document(write),
            Self::File(path) => Ok(write_file(path, force, write)?),
        }
    }

    /// Writes a JSON value and a line feed.
    pub(crate) fn write_json(&self, force: bool, value: &impl serde::Serialize) -> Result<(), Stop> {
        if *self == Self::Stdout {
            return terminal::json_result(value);
        }
        self.write(force, |out| {
            serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
            out.write_all(b"\n")
        })
    }
}

fn is_same(path: &Path, input: &Input) -> bool {
    let Input::File(input) = input else { return false };
    matches!((fs::canonicalize(path), fs::canonicalize(input)), (Ok(left), Ok(right)) if left == right)
}

fn is_plain_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn exists(path: &Path) -> Failure {
    Failure::new(Exit::Refused, "OUTPUT_EXISTS", "the output exists already").file(path)
}

fn write_file(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let result = match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => write_through(path, write),
        Ok(_) if !force => return Err(exists(path)),
        Ok(_) => fs::canonicalize(path).and_then(|target| write_beside(&target, true, write)),
        Err(_) if force => write_beside(&end_of_links(path), force, write),
        Err(_) => write_beside(path, force, write),
    };
    match result {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(path)),
        result => result.map_err(|error| Failure::io("write", path, &error)),
    }
}

/// Into a device or a named pipe, which must not be replaced by a file.
fn write_through(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(File::options().write(true).open(path)?);
    write(&mut out)?;
    out.flush()
}

/// Into a temporary file in the same folder, which then takes the name, and the permissions of what it replaces. There
/// is no wait for the disk: what was read is still there, and a new output can be made again.
fn write_beside(
    path: &Path,
    replace: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let temporary = new_file().tempfile_in(folder(path))?;
    if let (true, Ok(former)) = (replace, fs::metadata(path)) {
        temporary.as_file().set_permissions(former.permissions())?;
    }
    let mut out = BufWriter::with_capacity(1 << 16, temporary);
    write(&mut out)?;
    let temporary = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if replace {
        temporary.persist(path)?;
    } else {
        temporary.persist_noclobber(path)?;
    }
    Ok(())
}

/// A temporary file with the permissions that any new file has.
fn new_file() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cutctx-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

/// The path with the links of its folder resolved, and its own where it exists.
fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let folder = fs::canonicalize(folder(path)).unwrap_or_else(|_| folder(path).to_owned());
        folder.join(path.file_name().unwrap_or_default())
    })
}

/// Where a link leads that leads to nothing yet. Links that go in circles are given up on.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    for _ in 0..40 {
        let Ok(next) = fs::read_link(&end) else { break };
        end = folder(&end).join(next);
    }
    end
}

/// The folder that a path lies in.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
