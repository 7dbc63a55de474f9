//! The files that are looked at.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::Path;

use cutctx_formats::{OpenOptions, ReadRequest, Session};
use cutctx_types::CharRatioEstimator;

pub(crate) fn read(text: &str) -> Session {
    Session::read(text, &CharRatioEstimator::default()).unwrap()
}

/// Opens a file as a large one, whose beginning tells its format.
pub(crate) fn opened(text: &str) -> Session {
    let mut file: File = tempfile::tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file.rewind().unwrap();
    let estimator = CharRatioEstimator::default();
    let options = OpenOptions::default().with_small_bytes(text.len() / 2);
    Session::open(None, file, &ReadRequest::new(&estimator), &options).unwrap()
}

/// The examples that hold one conversation, with their names.
pub(crate) fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<(String, String)> = paths
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    files.retain(|(_, text)| Session::read(text.as_str(), &CharRatioEstimator::default()).is_ok());
    files.sort();
    files
}
