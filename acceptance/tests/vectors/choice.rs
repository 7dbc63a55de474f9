//! Which vectors are committed.

use alloc::collections::BTreeSet;
use serde_json::Value;

/// How many lines are chosen, at the most.
const MOST_LINES: usize = 240;

/// The longest line that is chosen only to make up the number, in bytes.
const LONGEST_FILLER: usize = 4_000;

/// Lines that together show every tag, policy, setting and refusal, shortest first, and then every so many of the
/// rest; in their old order.
pub(crate) fn choose(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut by_length: Vec<usize> = (0..lines.len()).collect();
    by_length.sort_by_key(|number| (lines.get(*number).map(|line| line.len()), *number));
    let mut seen = BTreeSet::new();
    let mut chosen = BTreeSet::new();
    for number in by_length {
        let traits = lines.get(number).map(|line| traits_of(line)).unwrap_or_default();
        if !traits.is_subset(&seen) {
            chosen.insert(number);
            seen.extend(traits);
        }
    }
    fill_up(&lines, &mut chosen);
    chosen.into_iter().filter_map(|number| lines.get(number)).flat_map(|line| [*line, "\n"]).collect()
}

fn fill_up(lines: &[&str], chosen: &mut BTreeSet<usize>) {
    let short = |number: &usize| lines.get(*number).is_some_and(|line| line.len() <= LONGEST_FILLER);
    let rest: Vec<usize> = (0..lines.len()).filter(|number| !chosen.contains(number)).filter(short).collect();
    let wanted = MOST_LINES.saturating_sub(chosen.len());
    let step = rest.len().checked_div(wanted).unwrap_or(0).max(1);
    chosen.extend(rest.into_iter().step_by(step).take(wanted));
}

/// What a line shows, as names.
fn traits_of(line: &str) -> BTreeSet<String> {
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    let mut traits: BTreeSet<String> = BTreeSet::new();
    let tags = line.get("tags").and_then(Value::as_array).into_iter().flatten();
    traits.extend(tags.map(|tag| format!("tag {tag}")));
    let family = line.get("name").and_then(Value::as_str).and_then(|name| name.split('-').next());
    traits.extend(family.map(|family| format!("family {family}")));
    traits.extend(line.get("policy").map(policy_traits).unwrap_or_default());
    if let Some(error) = line.get("expect_error") {
        let names =
            error.get("details").and_then(Value::as_object).map(|details| details.keys().cloned().collect());
        let names: Vec<String> = names.unwrap_or_default();
        traits.insert(format!("error {:?} {:?} {names:?}", error.get("stage"), error.get("code")));
    }
    traits.extend(line.get("expect").and_then(|expect| expect.get("report")).map(|report| {
        let lists = ["masked_turn_ids", "summarized_turn_ids", "dropped_turn_ids"];
        let filled =
            lists.map(|list| report.get(list).and_then(Value::as_array).is_some_and(|ids| !ids.is_empty()));
        format!(
            "report {filled:?} unmet {:?} ratio {:?}",
            report.get("budget_unmet"),
            report.get("estimator_ratio")
        )
    }));
    traits
}

fn policy_traits(policy: &Value) -> BTreeSet<String> {
    let kind = policy.get("kind").and_then(Value::as_str).unwrap_or_default();
    let settings = policy.as_object().into_iter().flatten();
    let mut traits: BTreeSet<String> =
        settings.filter(|(_, value)| !value.is_null()).map(|(name, _)| format!("{kind} {name}")).collect();
    let rule = policy.get("rule").or_else(|| policy.get("estimator")?.get("kind"));
    traits.extend(rule.map(|rule| format!("{kind} {rule}")));
    let members = policy.get("members").and_then(Value::as_array).into_iter().flatten();
    traits.extend(members.flat_map(policy_traits).map(|inner| format!("chain of {inner}")));
    traits
}
