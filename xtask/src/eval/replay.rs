//! The table of what the loop costs.

use serde_json::Value;

use super::{estimate, list, mean, policy};
use crate::performance::table::table as laid_out;

/// One line a policy.
pub(super) fn table(spent: &Value) -> Result<String, String> {
    let head =
        ["policy", "cost", "misses per 100", "breaks per 100", "compactions", "over the limit", "context"];
    let row = |row: &Value| {
        let count =
            |key: &str| row.get(key).and_then(Value::as_u64).map_or("–".to_owned(), |n| n.to_string());
        Ok::<_, String>(vec![
            policy(row)?,
            estimate(row.get("cost")),
            mean(row, "misses_per_hundred"),
            mean(row, "breaks_per_hundred"),
            count("compactions"),
            count("over_limit"),
            mean(row, "context"),
        ])
    };
    let rows: Vec<Vec<String>> = list(spent, "rows")?.iter().map(row).collect::<Result<_, _>>()?;
    Ok(laid_out(&head, &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_has_a_line() {
        let document: Value = serde_json::from_str(
            r#"{"rows": [{"policy": "a", "cost": {"mean": 75.0, "low": 70.0, "high": 80.0}, "compactions": 3,
                "misses_per_hundred": 17.25, "breaks_per_hundred": 2.0, "over_limit": 0, "context": 60.0}]}"#,
        )
        .unwrap();
        let text = table(&document).unwrap();
        assert!(text.ends_with("| `a` | 75.0 [70.0, 80.0] | 17.2 | 2.0 | 3 | 0 | 60.0 |\n"), "{text}");
    }
}
