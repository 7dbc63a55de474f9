//! The tables of the two parts of the projects, and those by another counter.

use serde_json::Value;

use super::{COUNTED, Measure, estimate, list, mean, policy, recall, replay, text};
use crate::performance::table::table;

/// The parts of the projects, as `--part` names them.
const PARTS: [&str; 2] = ["tuning", "unseen"];

/// What is looked at in both parts.
const KEPT: [&str; 7] = [
    "oracle",
    "cover",
    "cover-whole-items",
    "recommended",
    "mask-short-then-drop",
    "mask-then-drop",
    "random",
];

/// What is replayed in both parts.
const SPENT: [&str; 4] = ["cover", "cover-whole-items", "recommended", "mask-then-drop"];

/// What makes the loop leave the beginning alone at most compactions.
const FROZEN: &str = "--frozen-head";

/// What is kept, and what the loop costs, in both parts.
pub(super) fn tables(measure: &Measure<'_>) -> Result<String, String> {
    let (mut kept, mut spent) = (Vec::new(), Vec::new());
    for part in PARTS {
        let counted = [&COUNTED[..], &["--part", part]].concat();
        kept.push((part, measure.json("eval", &with_policies(&counted, &KEPT))?));
        let words = with_policies(&counted, &SPENT);
        spent.push((part.to_owned(), measure.json("replay", &words)?));
        let frozen = measure.json("replay", &[words.as_slice(), &[FROZEN]].concat())?;
        spent.push((format!("{part}, frozen head"), frozen));
    }
    Ok(format!("{}\n{}\n{}", sizes(&kept)?, recall::side_by_side(&kept)?, costs(&spent)?))
}

/// What the loop costs with a frozen head, in both parts together.
pub(super) fn with_frozen_head(measure: &Measure<'_>) -> Result<String, String> {
    let words = [with_policies(&COUNTED, &SPENT), vec![FROZEN]].concat();
    replay::table(&measure.json("replay", &words)?)
}

/// What is kept, and what the loop costs, where each session is counted as its model counts.
pub(super) fn by_default_counter(measure: &Measure<'_>) -> Result<String, String> {
    let kept = measure.json("eval", &with_policies(&[], &KEPT))?;
    let spent = measure.json("replay", &with_policies(&[], &SPENT))?;
    Ok(format!("{}\n{}", recall::over_all_budgets(&kept)?.join("\n"), replay::table(&spent)?))
}

fn with_policies<'w>(words: &[&'w str], policies: &[&'w str]) -> Vec<&'w str> {
    let policies = policies.iter().flat_map(|policy| ["--policy", policy]);
    words.iter().copied().chain(policies).collect()
}

/// How much there is of each part.
fn sizes(kept: &[(&str, Value)]) -> Result<String, String> {
    let row = |(part, kept): &(&str, Value)| {
        let sessions = list(kept, "sessions")?;
        let mut projects: Vec<&str> =
            sessions.iter().map(|session| text(session, "project")).collect::<Result<_, _>>()?;
        projects.sort_unstable();
        projects.dedup();
        let tokens = sessions.iter().filter_map(|session| session.get("tokens").and_then(Value::as_u64));
        let thousands = tokens.fold(0_u64, u64::saturating_add) / 1_000;
        let counts = [projects.len().to_string(), sessions.len().to_string(), thousands.to_string()];
        Ok::<_, String>(core::iter::once((*part).to_owned()).chain(counts).collect())
    };
    let rows: Vec<Vec<String>> = kept.iter().map(row).collect::<Result<_, _>>()?;
    Ok(table(&["part", "projects", "sessions", "thousand tokens"], &rows))
}

/// One line a policy and part.
fn costs(spent: &[(String, Value)]) -> Result<String, String> {
    let mut lines = Vec::new();
    for (part, spent) in spent {
        for row in list(spent, "rows")? {
            lines.push(vec![
                part.clone(),
                policy(row)?,
                estimate(row.get("cost")),
                mean(row, "misses_per_hundred"),
                mean(row, "breaks_per_hundred"),
            ]);
        }
    }
    Ok(table(&["part", "policy", "cost", "misses per 100", "breaks per 100"], &lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_told_by_its_projects_and_sessions() {
        let kept: Value = serde_json::from_str(
            r#"{"sessions": [{"project": "a", "tokens": 1500}, {"project": "a", "tokens": 600}]}"#,
        )
        .unwrap();
        assert!(sizes(&[("tuning", kept)]).unwrap().ends_with("| tuning | 1 | 2 | 2 |\n"));
    }

    #[test]
    fn every_policy_has_a_line_in_each_part() {
        let spent: Value = serde_json::from_str(
            r#"{"rows": [{"policy": "a", "cost": {"mean": 75.0, "low": 70.0, "high": 80.0},
                "misses_per_hundred": 17.25, "breaks_per_hundred": 2.0}]}"#,
        )
        .unwrap();
        let text = costs(&[("tuning".to_owned(), spent.clone()), ("unseen".to_owned(), spent)]).unwrap();
        assert!(text.contains("| tuning | `a` | 75.0 [70.0, 80.0] | 17.2 | 2.0 |\n"), "{text}");
        assert!(text.ends_with("| unseen | `a` | 75.0 [70.0, 80.0] | 17.2 | 2.0 |\n"), "{text}");
    }

    #[test]
    fn policies_stand_behind_the_other_words() {
        assert_eq!(with_policies(&["--part", "all"], &["a"]), ["--part", "all", "--policy", "a"]);
    }
}
