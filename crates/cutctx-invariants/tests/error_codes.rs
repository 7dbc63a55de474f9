//! Every stable code is produced, well formed, unique and documented.

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use cutctx_invariants::{CompactionPlan, PlanRecord, Survey};
    use cutctx_types::{
        Action, Coded, CompactionBudget, PlanDraft, Role, Transcript, TranscriptTurn, TurnAction,
        canonical_json,
    };
    use std::fs;
    use std::path::{Path, PathBuf};

    /// The folder of the workspace. A crate that was fetched from a registry stands alone.
    fn workspace() -> Option<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let found = root.join("docs/errors.md").is_file();
        if !found {
            println!("SKIPPED: no docs/errors.md beside the crate; the test runs in the workspace");
        }
        found.then_some(root)
    }

    fn sources(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(fs::read_to_string(&path).unwrap());
            }
        }
    }

    /// The codes that the sources of these crates make.
    fn codes_in(root: &Path, crates: &[PathBuf]) -> Vec<String> {
        let mut texts = Vec::new();
        for member in crates {
            sources(&member.join("src"), &mut texts);
        }
        let types = fs::read_to_string(root.join("crates/cutctx-types/src/code.rs")).unwrap();
        let constants = literals(&types, "Self(\"");
        constants.into_iter().chain(texts.iter().flat_map(|text| literals(text, "Code::new(\""))).collect()
    }

    /// What stands between an opening and the next quote, wherever the opening occurs.
    fn literals(text: &str, opening: &str) -> Vec<String> {
        let after = text.split(opening).skip(1);
        after.filter_map(|rest| Some(String::from(rest.split_once('"')?.0))).collect()
    }

    fn members(root: &Path) -> Vec<PathBuf> {
        let crates = fs::read_dir(root.join("crates")).unwrap();
        let mut members: Vec<PathBuf> = crates.map(|entry| entry.unwrap().path()).collect();
        members.sort();
        members
    }

    /// What the section on the command's own codes begins with; those are compared by the command's tests.
    const OF_THE_COMMAND: &str = "The command ";

    /// The codes that begin a row of the page, outside the section on the command.
    fn documented(root: &Path) -> BTreeSet<String> {
        let page = fs::read_to_string(root.join("docs/errors.md")).unwrap();
        let sections = page.split("\n## ").filter(|section| !section.starts_with(OF_THE_COMMAND));
        let rows = sections.flat_map(str::lines).filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
        let codes = rows.map(|(code, _)| String::from(code));
        codes
            .filter(|code| code.chars().all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit()))
            .collect()
    }

    #[test]
    fn every_code_is_documented_and_every_documented_code_exists() {
        let Some(root) = workspace() else { return };
        let codes: BTreeSet<String> = codes_in(&root, &members(&root)).into_iter().collect();
        assert_eq!(documented(&root), codes, "docs/errors.md has one row for each code");
    }

    #[test]
    fn no_two_errors_share_a_code_by_accident() {
        let Some(root) = workspace() else { return };
        let codes = codes_in(&root, &members(&root));
        let distinct: BTreeSet<&String> = codes.iter().collect();
        assert_eq!(distinct.len(), codes.len(), "a code is made in one place: {codes:?}");
        for code in codes {
            let words = code.split('_').all(|word| {
                !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            });
            assert!(words, "{code} is not upper-case words joined by `_`");
        }
    }

    fn transcript() -> Transcript {
        Transcript::new(vec![TranscriptTurn::new("u", Role::User, "text", 9).unwrap()]).unwrap()
    }

    fn record() -> (String, CompactionPlan) {
        let (transcript, budget) = (transcript(), CompactionBudget::new(9));
        let survey = Survey::new(&transcript, &budget).unwrap();
        let keep = PlanDraft::new("p", "1", vec![TurnAction::new("u", Action::Keep)]);
        let plan = CompactionPlan::check(keep, &survey).unwrap();
        (serde_json::to_string(&PlanRecord::of(&plan, None, "chars/4")).unwrap(), plan)
    }

    /// One error for each code of the two lower crates.
    fn produced() -> Vec<String> {
        let code = |error: &dyn Coded| error.code().to_string();
        let deep = (0..300).fold(serde_json::Value::Null, |inner, _| serde_json::json!([inner]));
        let (json, plan) = record();
        let read = |json: &str| PlanRecord::from_json(json).unwrap();
        let huge = TranscriptTurn::new("h", Role::User, "", u64::MAX).unwrap();
        let both = vec![huge, transcript().turns().first().unwrap().clone()];
        vec![
            code(&TranscriptTurn::new("", Role::User, "", 0).unwrap_err()),
            code(&Transcript::new(both).unwrap_err()),
            code(&canonical_json(&deep).unwrap_err()),
            code(&Survey::new(&transcript(), &CompactionBudget::new(8)).unwrap_err()),
            code(&read(&json).check(&Transcript::new(vec![]).unwrap()).unwrap_err()),
            code(&PlanRecord::from_json("").unwrap_err()),
            code(&PlanRecord::from_json(&json.replace(r#"_version":1"#, r#"_version":7"#)).unwrap_err()),
            code(&read(&json.replace(&plan.plan_hash(), "no hash")).check(plan.transcript()).unwrap_err()),
        ]
    }

    #[test]
    fn every_code_of_types_and_invariants_is_produced() {
        let Some(root) = workspace() else { return };
        let crates = ["crates/cutctx-types", "crates/cutctx-invariants"].map(|name| root.join(name));
        let mut expected: BTreeSet<String> = codes_in(&root, &crates).into_iter().collect();
        assert!(expected.remove("COMPACTION_SUMMARY_MISSING"), "it is the executors' to produce");
        assert_eq!(produced().into_iter().collect::<BTreeSet<_>>(), expected);
    }
}
