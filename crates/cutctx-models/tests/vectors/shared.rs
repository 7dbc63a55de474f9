//! Where the vectors are.

use std::path::PathBuf;

use serde_json::Value;

/// The cases of a file, or `None`, said loudly, when the folder is not there.
pub(crate) fn cases(file: &str) -> Option<Vec<Value>> {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("CUTCTX_SHARED").map_or(default, PathBuf::from);
    let path = folder.join("vectors/context").join(file);
    if let Ok(text) = std::fs::read_to_string(&path) {
        return Some(serde_json::from_str(&text).unwrap());
    }
    eprintln!("SKIPPED: {} is not there (optional test data, see CUTCTX_SHARED)", path.display());
    None
}
