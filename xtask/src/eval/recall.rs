//! The tables of what is kept.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{estimate, figure, list, mean, policy, text};
use crate::performance::table::table;

/// On what was measured, and how.
pub(super) fn about(kept: &Value) -> Result<String, String> {
    let sessions = list(kept, "sessions")?;
    let mut formats: BTreeMap<&str, usize> = BTreeMap::new();
    for session in sessions {
        let count = formats.entry(text(session, "format")?).or_default();
        *count = count.saturating_add(1);
    }
    let formats: Vec<String> = formats.iter().map(|(format, count)| format!("{format} {count}")).collect();
    let tokens = sessions.iter().filter_map(|session| session.get("tokens").and_then(Value::as_u64));
    let tokens = tokens.fold(0_u64, u64::saturating_add);
    let count = |key: &str| kept.get(key).and_then(Value::as_u64).unwrap_or_default();
    Ok(format!(
        "`cutctx eval DIR --tokenizer chars/4` and `cutctx replay DIR --tokenizer chars/4` on a folder of real sessions of \
         agents: {} sessions with\n30 tool calls or more ({}), {} thousand tokens at four characters each. Left out: {} \
         shorter ones, and {} cuts\nat a budget below what must be kept. {} references are stop-words. Intervals are over \
         sessions.\n",
        sessions.len(),
        formats.join(", "),
        tokens / 1_000,
        count("too_short"),
        count("floor_above"),
        count("stop_words"),
    ))
}

/// Q over the budgets, the gain over the base, and the components at each budget.
pub(super) fn tables(kept: &Value) -> Result<String, String> {
    let mut parts = over_all_budgets(kept)?;
    for (budget, rows) in &columns(kept)? {
        parts.push(components(budget, rows)?);
    }
    Ok(parts.join("\n"))
}

/// Q over the budgets, and the gain over the base.
pub(super) fn over_all_budgets(kept: &Value) -> Result<Vec<String>, String> {
    with_gain(&columns(kept)?, kept)
}

/// The same of several parts, side by side.
pub(super) fn side_by_side(kept: &[(&str, Value)]) -> Result<String, String> {
    let mut all = Vec::new();
    for (part, kept) in kept {
        let named = columns(kept)?.into_iter().map(|(budget, rows)| (format!("{part}, {budget}"), rows));
        all.extend(named);
    }
    let first = kept.first().map(|(_, kept)| kept).ok_or("there is no part")?;
    Ok(with_gain(&all, first)?.join("\n"))
}

/// By budget: its name and its rows.
fn columns(kept: &Value) -> Result<Vec<(String, Vec<&Value>)>, String> {
    let rows = list(kept, "rows")?;
    let mut budgets: Vec<String> = rows.iter().map(|row| figure(row.get("budget"))).collect();
    budgets.dedup();
    let at =
        |budget: &str| rows.iter().filter(move |row| figure(row.get("budget")) == budget).collect::<Vec<_>>();
    Ok(budgets.iter().map(|budget| (format!("{} %", budget.trim_end_matches(".0")), at(budget))).collect())
}

/// Q, and the gain over the base that a document names.
fn with_gain(columns: &[(String, Vec<&Value>)], kept: &Value) -> Result<Vec<String>, String> {
    let mut parts = vec![over_budgets("Q", "q", columns)?];
    if let Some(base) = kept.get("base").and_then(Value::as_str) {
        parts.push(over_budgets(&format!("Q less that of `{base}`"), "against", columns)?);
    }
    Ok(parts)
}

/// One estimate a policy and budget.
fn over_budgets(what: &str, key: &str, columns: &[(String, Vec<&Value>)]) -> Result<String, String> {
    let first = columns.first().map(|(_, rows)| rows.as_slice()).unwrap_or_default();
    let row = |(place, row): (usize, &&Value)| {
        let cells = columns.iter().map(|(_, rows)| estimate(rows.get(place).and_then(|row| row.get(key))));
        Ok::<_, String>(core::iter::once(policy(row)?).chain(cells).collect())
    };
    let rows: Vec<Vec<String>> = first.iter().enumerate().map(row).collect::<Result<_, _>>()?;
    let head: Vec<&str> =
        core::iter::once(what).chain(columns.iter().map(|(budget, _)| budget.as_str())).collect();
    Ok(table(&head, &rows))
}

/// The measures of one budget.
fn components(budget: &str, rows: &[&Value]) -> Result<String, String> {
    const KEYS: [&str; 8] = ["bare", "ctx3", "step", "block", "lift", "placebo", "words", "tokens"];
    let row = |row: &&Value| {
        let cells = KEYS.map(|key| mean(row, key));
        Ok::<_, String>(core::iter::once(policy(row)?).chain(cells).collect())
    };
    let rows: Vec<Vec<String>> = rows.iter().map(row).collect::<Result<_, _>>()?;
    let title = format!("at {budget}");
    let head: Vec<&str> = core::iter::once(title.as_str()).chain(KEYS).collect();
    Ok(table(&head, &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Value {
        serde_json::from_str(
            r#"{"base": "b", "sessions": [{"format": "pi", "tokens": 1500}], "too_short": 2, "rows": [
                {"budget": 20.0, "policy": "a", "q": {"mean": 1.0, "low": 0.0, "high": 2.0}, "bare": 50.0,
                 "lift": {"mean": 7.0}, "against": {"mean": 3.0, "low": 1.0, "high": 5.0}},
                {"budget": 35.5, "policy": "a", "q": {"mean": 4.0, "low": 3.0, "high": 5.0}, "against": null}]}"#,
        )
        .unwrap()
    }

    #[test]
    fn a_policy_has_one_line_with_all_its_budgets() {
        let text = tables(&document()).unwrap();
        assert!(text.contains("| Q | 20 % | 35.5 % |"), "{text}");
        assert!(text.contains("| `a` | 1.0 [0.0, 2.0] | 4.0 [3.0, 5.0] |"), "{text}");
        assert!(text.contains("| `a` | 3.0 [1.0, 5.0] | – |"), "{text}");
        assert!(text.contains("| `a` | 50.0 | – | – | – | 7.0 |"), "{text}");
    }

    #[test]
    fn parts_stand_side_by_side() {
        let text = side_by_side(&[("tuning", document()), ("unseen", document())]).unwrap();
        assert!(
            text.contains("| Q | tuning, 20 % | tuning, 35.5 % | unseen, 20 % | unseen, 35.5 % |"),
            "{text}"
        );
        let line = "| `a` | 3.0 [1.0, 5.0] | – | 3.0 [1.0, 5.0] | – |";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn the_formats_are_counted() {
        assert!(
            about(&document())
                .unwrap()
                .contains("1 sessions with\n30 tool calls or more (pi 1), 1 thousand tokens")
        );
    }
}
