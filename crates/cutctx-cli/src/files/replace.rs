//! Replacing a session by its compacted form, with a way back.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::backup::keep_as;
use crate::files::output::folder;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// What a backup is called, after the session's name.
pub(super) const BACKUP: &str = "cutctx-backup";

/// Replaces a file by what `write` writes, where the file still is what was read.
///
/// The new content is complete on disk before the name changes hands; permissions stay; what was there stays under
/// a backup's name that was free, and that is what is returned. Where the file is not what was read any more, nothing
/// happens.
pub(crate) fn replace(
    path: &Path,
    is_as_read: impl FnOnce(&Path) -> io::Result<bool>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<PathBuf, Failure> {
    let failed = |doing: &'static str| move |error: io::Error| Failure::io(doing, path, &error);
    let file = fs::canonicalize(path).map_err(failed("find"))?;
    let temporary = write_temporary(&file, write).map_err(failed("write beside"))?;
    if !is_as_read(&file).map_err(failed("read again"))? {
        let message = "the session has changed since it was read; nothing was written";
        return Err(Failure::new(Exit::Refused, "SESSION_CHANGED", message).file(path));
    }
    let backup = keep_as(&file, BACKUP).map_err(failed("back up"))?;
    temporary.persist(&file).map_err(|error| Failure::io("replace", path, &error.error))?;
    sync_folder(&file);
    Ok(backup)
}

/// Puts what `write` writes under a name that may be taken already. It is complete on disk before the name changes hands;
/// permissions stay, and a new file is its owner's alone.
pub(crate) fn put(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let file = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let temporary =
        write_temporary(&file, write).map_err(|error| Failure::io("write beside", path, &error))?;
    temporary.persist(&file).map_err(|error| Failure::io("replace", path, &error.error))?;
    sync_folder(&file);
    Ok(())
}

/// Whether [`put`] has a place for its new file.
pub(crate) fn can_write_beside(path: &Path) -> io::Result<()> {
    let file = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    tempfile::tempfile_in(folder(&file)).map(drop)
}

fn write_temporary(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<tempfile::NamedTempFile> {
    let temporary = tempfile::Builder::new().prefix(".cutctx-").tempfile_in(folder(file))?;
    let mut out = BufWriter::with_capacity(1 << 16, temporary);
    write(&mut out)?;
    let temporary = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    take_after(file, temporary.as_file())?;
    temporary.as_file().sync_all()?;
    Ok(temporary)
}

/// Gives a new file the owner, as far as we may, and the permissions of an old one, if there is one.
fn take_after(old: &Path, new: &File) -> io::Result<()> {
    let metadata = match fs::metadata(old) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root may give a file away; for everybody else the owner is the right one already.
        drop(fchown(new, Some(metadata.uid()), Some(metadata.gid())));
    }
    new.set_permissions(metadata.permissions())
}

/// Whether a file holds exactly these bytes.
pub(crate) fn holds(file: &Path, bytes: &[u8]) -> io::Result<bool> {
    let file = File::open(file)?;
    if file.metadata()?.len() != u64::try_from(bytes.len()).unwrap_or(u64::MAX) {
        return Ok(false);
    }
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut rest = bytes;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = reader.read(&mut buffer)?;
        if count == 0 {
            return Ok(rest.is_empty());
        }
        let Some((expected, later)) = rest.split_at_checked(count) else { return Ok(false) };
        if buffer.get(..count) != Some(expected) {
            return Ok(false);
        }
        rest = later;
    }
}

/// Makes the change of names durable where the system can.
pub(super) fn sync_folder(file: &Path) {
    if let Ok(folder) = File::open(folder(file)) {
        // Some systems refuse to sync a folder. The file itself is on disk by now.
        drop(folder.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(content: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session");
        fs::write(&path, content).unwrap();
        (folder, path)
    }

    fn names(folder: &tempfile::TempDir) -> usize {
        fs::read_dir(folder.path()).unwrap().count()
    }

    #[test]
    fn a_session_that_changed_while_the_output_was_written_is_left_alone() {
        for change in [b"longer than before".as_slice(), b"OLD", b""] {
            let (folder, path) = session(b"old");
            let failure = replace(
                &path,
                |file| holds(file, b"old"),
                |out| {
                    fs::write(&path, change)?;
                    out.write_all(b"new")
                },
            );
            assert!(failure.unwrap_err().to_json().to_string().contains("SESSION_CHANGED"));
            assert_eq!(fs::read(&path).unwrap(), change);
            assert_eq!(names(&folder), 1, "no backup and no temporary file is left");
        }
    }

    #[test]
    fn an_error_of_writing_leaves_everything_as_it_was() {
        let (folder, path) = session(b"old");
        let failure = replace(&path, |file| holds(file, b"old"), |_| Err(io::ErrorKind::StorageFull.into()));
        assert!(failure.unwrap_err().to_json().to_string().contains("write beside"));
        assert_eq!((fs::read(&path).unwrap().as_slice(), names(&folder)), (b"old".as_slice(), 1));
    }

    #[test]
    fn a_file_is_put_whether_there_is_one_or_not() {
        let (folder, path) = session(b"old");
        put(&path, |out| out.write_all(b"new")).unwrap();
        let fresh = folder.path().join("fresh");
        put(&fresh, |out| out.write_all(b"first")).unwrap();
        assert_eq!((fs::read(&path).unwrap(), fs::read(&fresh).unwrap()), (b"new".into(), b"first".into()));
        assert!(put(&path, |_| Err(io::ErrorKind::StorageFull.into())).is_err());
        assert_eq!((fs::read(&path).unwrap().as_slice(), names(&folder)), (b"new".as_slice(), 2));
        assert!(put(&folder.path().join("no/folder"), |_| Ok(())).is_err());
    }

    #[test]
    fn a_program_that_appends_to_the_open_old_file_writes_into_the_backup() {
        let (_folder, path) = session(b"old");
        let mut appender = File::options().append(true).open(&path).unwrap();
        let backup = replace(&path, |file| holds(file, b"old"), |out| out.write_all(b"new")).unwrap();
        appender.write_all(b" more").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read(backup).unwrap(), b"old more");
    }

    #[test]
    fn what_is_larger_than_any_buffer_is_compared_to_its_end() {
        let mut content = vec![b'x'; 300_000];
        let (_folder, path) = session(&content);
        assert!(holds(&path, &content).unwrap());
        content[299_999] = b'y';
        assert!(!holds(&path, &content).unwrap());
    }
}
