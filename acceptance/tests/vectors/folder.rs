//! Where vectors are.

use std::env;
use std::path::{Path, PathBuf};

/// The folder of the committed vectors.
pub(crate) fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// The `plans.jsonl` of the whole set, if it is at hand.
pub(crate) fn plans() -> Option<PathBuf> {
    let folder = whole_set();
    let places = [folder.join("plans.jsonl"), folder.join("cutctx").join("plans.jsonl")];
    places.into_iter().find(|place| place.is_file())
}

fn whole_set() -> PathBuf {
    if let Some(vectors) = env::var_os("CUTCTX_VECTORS") {
        return vectors.into();
    }
    let shared = env::var_os("CUTCTX_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    shared.join("vectors")
}
