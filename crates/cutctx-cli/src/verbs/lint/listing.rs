//! The list of all rules.

use super::finding::damage_id;
use crate::failure::Stop;
use crate::terminal::{self, Terminal};
use cutctx::formats::salvage::Damage;
use cutctx::formats::{Severity, rules};
use serde_json::{Value, json};

pub(super) fn run(terminal: Terminal) -> Result<(), Stop> {
    if !terminal.json() {
        return terminal::result(&text());
    }
    let of_rules = rules().into_iter().map(|rule| {
        json!({"rule": rule.id(), "severity": rule.severity.as_str(), "says": rule.says, "remedy": rule.remedy,
            "source": rule.source})
    });
    let of_damage = Damage::ALL.into_iter().map(|damage| {
        json!({"rule": damage_id(damage), "severity": Severity::Refused.as_str(), "says": damage.to_string(),
            "remedy": null, "source": null})
    });
    terminal::json_result(&json!({ "rules": of_rules.chain(of_damage).collect::<Vec<Value>>() }))
}

fn text() -> String {
    let of_rules = rules().into_iter().map(|rule| {
        let head = format!("{} ({}): {}", rule.id(), rule.severity, rule.says);
        format!("{head}\n  remedy: {}\n  source: {}\n", rule.remedy, rule.source)
    });
    let of_damage = Damage::ALL
        .into_iter()
        .map(|damage| format!("{} ({}): {damage}\n", damage_id(damage), Severity::Refused));
    of_rules.chain(of_damage).collect()
}
