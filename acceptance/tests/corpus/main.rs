//! Session files through the whole way: bytes, turns, plan, view, bytes.
//!
//! The files under `examples/` always run. A folder of real files is optional test data: the folder `CUTCTX_CORPUS`, or
//! `corpus` in `CUTCTX_SHARED`, or `../shared/corpus` beside the checkout.
//!
//! Every file is either read or refused with a code and a line. A file that is read comes back byte for byte when
//! nothing is done to it. Compacted to half and to a quarter by three policies it breaks no rule of its provider that it
//! did not break before, and compacting the outcome again changes nothing where it fits.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
mod journey;

#[cfg(test)]
mod tests {
    use super::journey;
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};

    use cutctx_formats::{FormatError, Session};
    use cutctx_types::{CharRatioEstimator, Coded as _};

    #[test]
    fn the_examples_keep_the_laws() {
        let tally = run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples"));
        println!("examples: {tally:?}");
        assert!(tally.read >= 4, "the examples are not all there: {tally:?}");
    }

    #[test]
    fn the_corpus_keeps_the_laws() {
        let Some(folder) = test_data() else {
            println!("SKIPPED: no folder of session files; set CUTCTX_CORPUS or CUTCTX_SHARED to run it");
            return;
        };
        let tally = run(&folder);
        println!("{}: {tally:?}", folder.display());
        assert!(tally.read > 0, "no file in {} could be read", folder.display());
    }

    fn test_data() -> Option<PathBuf> {
        let shared = || {
            let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
            env::var_os("CUTCTX_SHARED").map_or(beside, PathBuf::from).join("corpus")
        };
        Some(env::var_os("CUTCTX_CORPUS").map_or_else(shared, PathBuf::from)).filter(|folder| folder.is_dir())
    }

    /// How a folder went.
    #[derive(Debug, Default)]
    struct Tally {
        read: usize,
        refused: usize,
        journeys: journey::Tally,
    }

    fn run(folder: &Path) -> Tally {
        let mut tally = Tally::default();
        for path in files_under(folder) {
            let bytes = fs::read(&path).unwrap();
            match Session::read(bytes, &CharRatioEstimator::default()) {
                Ok(session) => {
                    tally.read += 1;
                    journey::check(&path, &session, &mut tally.journeys);
                }
                Err(error) => {
                    tally.refused += 1;
                    assert_is_told_apart(&path, &error);
                }
            }
        }
        tally
    }

    fn files_under(folder: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort();
        files
    }

    /// The folders whose files must be read, and the files in them that are no session in that format.
    const FORMATS: [(&str, &[&str]); 3] = [
        ("anthropic-messages", &[]),
        ("claude-code", &["stage0__claude__agent-a0ad4f44468bdf20d.meta.json"]),
        ("openai-chat", &["tau__retail-few_shot.jsonl"]),
    ];

    /// A refusal has a code, a line, and is not about a file of a format that is supported.
    fn assert_is_told_apart(path: &Path, error: &FormatError) {
        let text = error.to_string();
        println!("  refused {}: {text} [{}]", path.display(), error.code());
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        let name = path.file_name().unwrap_or_default();
        let is_known = |(format, others): &(&str, &[&str])| {
            folder == *format && !others.iter().any(|other| name == *other)
        };
        assert!(!FORMATS.iter().any(is_known), "{} must be read: {text}", path.display());
        assert!(text.contains("line "), "{} is refused without a line: {text}", path.display());
    }
}
