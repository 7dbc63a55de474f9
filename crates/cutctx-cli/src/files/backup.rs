//! Backups: made, found, brought back.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::output::folder;
use crate::files::replace::{BACKUP, sync_folder};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What a compacted session is called after it was undone.
const UNDONE: &str = "cutctx-undone";

/// What is called that is of no use any more, and is not to be lost.
const ASIDE: &str = "bak";

/// Keeps what a file holds under a new name beside it: `NAME.SUFFIX`, then `NAME.SUFFIX.2` and so on. An older one
/// is never overwritten, and a higher number is always the newer one.
pub(super) fn keep_as(file: &Path, suffix: &str) -> io::Result<PathBuf> {
    let highest = highest_number(file, suffix)?.unwrap_or(0);
    for number in highest.saturating_add(1)..u32::MAX {
        let kept = numbered(file, suffix, number);
        match link_or_copy(file, &kept) {
            Ok(()) => return Ok(kept),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Keeps what a file holds as `NAME.bak`, or `NAME.bak.2` and so on.
pub(crate) fn keep_aside(path: &Path) -> Result<PathBuf, Failure> {
    keep_as(&resolved(path), ASIDE).map_err(|error| Failure::io("keep a copy of", path, &error))
}

/// The file's newest backup: the one with the highest number.
pub(crate) fn newest_backup(path: &Path) -> Result<PathBuf, Failure> {
    let file = resolved(path);
    let highest = highest_number(&file, BACKUP).map_err(|error| Failure::io("look beside", path, &error))?;
    let none = || Failure::new(Exit::Refused, "NO_BACKUP", "there is no backup of it").file(path);
    highest.map(|number| numbered(&file, BACKUP, number)).ok_or_else(none)
}

/// Brings a backup back. The compacted session, if it is still there, stays under the name that is returned.
pub(crate) fn restore(path: &Path, backup: &Path) -> Result<Option<PathBuf>, Failure> {
    let failed = |error: io::Error| Failure::io("restore", path, &error);
    let file = resolved(path);
    let undone = if file.exists() { Some(keep_as(&file, UNDONE).map_err(failed)?) } else { None };
    if let Err(error) = fs::rename(backup, &file) {
        // The session is as it was; the copy that was to keep it is one too many.
        drop(undone.map(fs::remove_file));
        return Err(failed(error));
    }
    sync_folder(&file);
    Ok(undone)
}

/// The path with links resolved, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn numbered(file: &Path, suffix: &str, number: u32) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{suffix}"));
    if number > 1 {
        name.push(format!(".{number}"));
    }
    name.into()
}

/// The highest number that a plain file beside the file carries in its name already.
fn highest_number(file: &Path, suffix: &str) -> io::Result<Option<u32>> {
    let mut stem = file.file_name().unwrap_or_default().to_owned();
    stem.push(format!(".{suffix}"));
    let mut highest = None;
    for entry in fs::read_dir(folder(file))? {
        let entry = entry?;
        if let Some(number) = number_of(&entry.file_name(), &stem)
            && fs::metadata(entry.path()).is_ok_and(|metadata| metadata.is_file())
        {
            highest = highest.max(Some(number));
        }
    }
    Ok(highest)
}

fn number_of(name: &OsString, stem: &OsString) -> Option<u32> {
    let rest = name.as_encoded_bytes().strip_prefix(stem.as_encoded_bytes())?;
    if rest.is_empty() {
        return Some(1);
    }
    str::from_utf8(rest).ok()?.strip_prefix('.')?.parse().ok()
}

/// A second name for the file, or a copy where the file system has no such thing. Never overwrites.
fn link_or_copy(file: &Path, kept: &Path) -> io::Result<()> {
    match fs::hard_link(file, kept) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => copy_new(file, kept),
        result => result,
    }
}

fn copy_new(file: &Path, kept: &Path) -> io::Result<()> {
    let mut copy = File::options().write(true).create_new(true).open(kept)?;
    io::copy(&mut File::open(file)?, &mut copy)?;
    copy.set_permissions(fs::metadata(file)?.permissions())?;
    copy.sync_all()
}
