//! The policy files under `examples/policies` at the top of the repository are what `docs/policies.md`
//! says they are.

#[cfg(test)]
mod tests {
    use cutctx_invariants::CompactionPolicy;
    use cutctx_policies::PolicySpec;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// A path from the top of the repository; `None`, said aloud, where the crate is built outside it.
    fn in_repository(path: &str) -> Option<PathBuf> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        if !path.exists() {
            println!("SKIPPED: {} is not here", path.display());
            return None;
        }
        Some(path)
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    fn policy_in(text: &str) -> Box<dyn CompactionPolicy> {
        serde_json::from_str::<PolicySpec>(text).unwrap().build().unwrap()
    }

    #[test]
    fn every_policy_file_builds_and_the_page_shows_it_word_for_word() {
        let (Some(folder), Some(page)) =
            (in_repository("examples/policies"), in_repository("docs/policies.md"))
        else {
            return;
        };
        let page = read(&page);
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(files.len() >= 3, "{files:?}");
        for file in files {
            let text = read(&file);
            assert!(!policy_in(&text).name().is_empty());
            assert!(page.contains(&text), "docs/policies.md does not show {} as it is", file.display());
        }
    }

    #[test]
    fn the_files_make_the_policies_that_their_names_promise() {
        let expected = [
            ("mask-then-drop", "2.0.0", "chain(observation_masking@2.0.0+drop_oldest@2.0.0)"),
            (
                "summaries-that-spare-memory",
                "2.0.0",
                "chain(observation_masking@2.0.0+summarizing@2.0.0+drop_oldest@2.0.0)",
            ),
            (
                "as-the-reference",
                "1.0.0",
                "chain(observation_masking@1.0.0+summarizing@1.0.0+drop_oldest@1.0.0)",
            ),
        ];
        for (file, version, name) in expected {
            let Some(file) = in_repository(&format!("examples/policies/{file}.json")) else { return };
            let policy = policy_in(&read(&file));
            assert_eq!((policy.name().as_ref(), policy.version()), (name, version));
        }
    }

    #[test]
    fn a_policy_file_survives_being_written_again() {
        let Some(folder) = in_repository("examples/policies") else { return };
        for entry in fs::read_dir(folder).unwrap() {
            let spec: PolicySpec = serde_json::from_str(&read(&entry.unwrap().path())).unwrap();
            let written = serde_json::to_string(&spec).unwrap();
            assert_eq!(serde_json::from_str::<PolicySpec>(&written).unwrap(), spec);
        }
    }
}
