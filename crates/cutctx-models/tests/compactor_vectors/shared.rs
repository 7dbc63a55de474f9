//! Where the vectors are.

use std::path::PathBuf;

use serde_json::Value;

/// The folder that `cargo xtask vectors` names, or that of the optional test data.
fn folder() -> PathBuf {
    let named = std::env::var_os("CUTCTX_VECTORS").map(PathBuf::from);
    named.unwrap_or_else(|| {
        let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
        std::env::var_os("CUTCTX_SHARED").map_or(default, PathBuf::from).join("vectors/context")
    })
}

/// The cases of a file, or `None`, said loudly, when the file is not there.
pub(crate) fn cases(file: &str) -> Option<Vec<Value>> {
    let path = folder().join(file);
    if let Ok(text) = std::fs::read_to_string(&path) {
        return Some(serde_json::from_str(&text).unwrap());
    }
    eprintln!("SKIPPED: {} is not there (optional test data, see CUTCTX_SHARED)", path.display());
    None
}
