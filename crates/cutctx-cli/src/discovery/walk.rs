//! Looking through a place, no deeper than it is known to be.

use super::{Discovery, FoundSession, Moment, Place, Unread};
use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

/// Adds what is in a place. A place that does not exist holds nothing.
pub(super) fn walk(place: &Place, found: &mut Discovery) {
    if place.folder.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return;
    }
    folder(place, &place.folder, place.levels, found);
}

fn folder(place: &Place, path: &Path, levels: &[Option<&str>], found: &mut Discovery) {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return found.unread.push(unread(path, &error)),
    };
    for entry in entries {
        match entry {
            Ok(entry) => visit(place, &entry, levels, found),
            Err(error) => found.unread.push(unread(path, &error)),
        }
    }
}

fn visit(place: &Place, entry: &DirEntry, levels: &[Option<&str>], found: &mut Discovery) {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    match levels.split_first() {
        None if place.is_session(&name) => file(place, &entry.path(), found),
        Some((level, below)) if level.is_none_or(|wanted| wanted == name) => {
            descend(place, entry, below, found);
        }
        None | Some(_) => {}
    }
}

/// Goes into a folder. Links are not followed, so that no way leads in circles.
fn descend(place: &Place, entry: &DirEntry, below: &[Option<&str>], found: &mut Discovery) {
    let path = entry.path();
    match entry.file_type() {
        Ok(kind) if kind.is_dir() => folder(place, &path, below, found),
        Ok(kind) if kind.is_symlink() && path.is_dir() => {
            let reason = "a link to a folder is not followed".to_owned();
            found.unread.push(Unread { path, reason });
        }
        Ok(_) => {}
        Err(error) => found.unread.push(unread(&path, &error)),
    }
}

/// Notes a file. A link leads to one; pipes and devices are none.
fn file(place: &Place, path: &Path, found: &mut Discovery) {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => found.sessions.push(FoundSession {
            tool: place.tool,
            path: path.to_owned(),
            bytes: metadata.len(),
            modified: Moment::of(&metadata),
        }),
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            let reason = "it is no plain file".to_owned();
            found.unread.push(Unread { path: path.to_owned(), reason });
        }
        Err(error) => found.unread.push(unread(path, &error)),
    }
}

fn unread(path: &Path, error: &io::Error) -> Unread {
    Unread { path: path.to_owned(), reason: error.to_string() }
}

impl Place {
    fn is_session(&self, name: &str) -> bool {
        let files = &self.files;
        let is_other = !files.except.is_empty() && name.starts_with(files.except);
        name.starts_with(files.beginning)
            && !is_other
            && files.endings.iter().any(|ending| name.ends_with(ending))
    }
}
