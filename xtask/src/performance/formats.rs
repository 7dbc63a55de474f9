//! Every format: its example, grown to a megabyte, read and written as a session, beside the same bytes read and written
//! as values.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::document::Section;
use super::files::Folder;
use super::instructions::{counted_in, has_valgrind};
use super::said;
use super::table::{as_f64, table, times};
use crate::workspace::Workspace;

/// How long the examples are made, in bytes.
const BYTES: u64 = 1_000_000;

/// The folder of the examples.
const EXAMPLES: &str = "examples";

/// The table of all examples.
///
/// # Errors
///
/// A sentence, when a program does not end well or a folder cannot be read or written.
pub(super) fn read_and_written(workspace: &Workspace, measure: &Path) -> Result<Section, String> {
    let folder = Folder::new()?;
    let mut rows = Vec::new();
    for example in examples(&workspace.root().join(EXAMPLES))? {
        rows.extend(row(measure, &folder, &example)?);
    }
    let head = [
        "example",
        "MB",
        "read and render, MB/s",
        "parse and write, MB/s",
        "CPU ratio",
        "instructions a byte",
        "parse and write",
        "ratio of instructions",
    ];
    Ok(Section { name: "formats", text: table(&head, &rows) })
}

/// The files of a folder by name.
fn examples(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// `None` for an example that cannot be made longer.
fn row(measure: &Path, folder: &Folder, example: &Path) -> Result<Option<Vec<String>>, String> {
    let name = example.file_name().unwrap_or_default().to_string_lossy();
    let grown = folder.file(&name);
    if !is_grown(measure, example, &grown)? {
        return Ok(None);
    }
    let size = fs::metadata(&grown).map_err(|error| error.to_string())?.len();
    let [ours, theirs] = [micros(measure, "session", &grown)?, micros(measure, "values", &grown)?];
    let speed = |micros: u64| format!("{:.0}", as_f64(size) / as_f64(micros.max(1)));
    let mut row = vec![
        name.into_owned(),
        format!("{:.1}", as_f64(size) / 1e6),
        speed(ours),
        speed(theirs),
        times(ours, theirs),
    ];
    row.extend(instructions(measure, &grown, size)?);
    Ok(Some(row))
}

fn is_grown(measure: &Path, example: &Path, to: &Path) -> Result<bool, String> {
    let file = File::create(to).map_err(|error| format!("{}: {error}", to.display()))?;
    let mut command = Command::new(measure);
    command.arg("grown").arg(example).arg(BYTES.to_string()).stdout(Stdio::from(file)).stderr(Stdio::null());
    command.status().map(|status| status.success()).map_err(|error| error.to_string())
}

/// The median of CPU time.
fn micros(measure: &Path, way: &str, file: &Path) -> Result<u64, String> {
    let answer = said(Command::new(measure).args(["file", way]).arg(file))?;
    answer.parse().map_err(|_| format!("`measure file {way}` gave no number: {answer}"))
}

/// Nothing where there is no valgrind.
fn instructions(measure: &Path, file: &Path, size: u64) -> Result<[String; 3], String> {
    if !has_valgrind() {
        return Ok(["–", "–", "–"].map(str::to_owned));
    }
    let name = file.to_string_lossy();
    let count = |way: &str| counted_in(measure, &["file-once", way, &name]);
    let [ours, theirs] = [count("session")?, count("values")?];
    let each = |count: u64| format!("{:.1}", as_f64(count) / as_f64(size.max(1)));
    Ok([each(ours), each(theirs), times(ours, theirs)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_examples_and_they_are_in_order() {
        let found = examples(&Workspace::here().root().join(EXAMPLES)).unwrap();
        assert!(found.len() > 30 && found.is_sorted());
        assert!(examples(Path::new("/no such folder")).is_err());
    }
}
