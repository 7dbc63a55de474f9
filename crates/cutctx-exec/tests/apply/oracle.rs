//! What applying a plan must give, computed slowly and from the outside: over JSON, by searching.

use crate::generated::Case;
use cutctx_types::{Action, TokenEstimator};
use serde_json::{Value, json};

/// How the cost of a summary is found.
pub(crate) enum Cost<'e> {
    Target,
    Measured(&'e dyn TokenEstimator),
}

/// The view, as JSON turns. Trimmed turns stand there as they were, with their kind and estimate.
pub(crate) fn view(case: &Case, cost: &Cost<'_>) -> Vec<Value> {
    let mut seen: Vec<String> = Vec::new();
    let mut view = Vec::new();
    for turn in case.transcript.turns() {
        let action = action_for(case, turn.turn_id());
        let mut json = serde_json::to_value(turn).unwrap();
        match action {
            Action::Keep => view.push(json),
            Action::Drop => {}
            Action::Mask(stub) => {
                json["content"] = json!(&*stub.content);
                json["token_estimate"] = json!(stub.token_estimate);
                json["metadata"]["cutctx.kind"] = json!("masked");
                json.as_object_mut().unwrap().remove("parts");
                view.push(json);
            }
            Action::Trim(trim) => {
                json["token_estimate"] = json!(trim.token_estimate);
                json["metadata"]["cutctx.kind"] = json!("trimmed");
                view.push(json);
            }
            Action::Summarize { group } => {
                if !seen.iter().any(|other| **other == **group) {
                    seen.push(group.to_string());
                    view.push(summary(case, group, cost));
                }
            }
        }
    }
    view
}

fn action_for<'c>(case: &'c Case, id: &str) -> &'c Action {
    &case.plan.actions().iter().find(|action| &*action.turn_id == id).unwrap().action
}

fn summary(case: &Case, group: &str, cost: &Cost<'_>) -> Value {
    let requests = case.plan.summarization_requests();
    let request = requests.iter().find(|request| &**request.group_id() == group).unwrap();
    let text = case.summaries.get(group).unwrap();
    let members =
        case.plan.actions().iter().filter(
            |action| matches!(&action.action, Action::Summarize { group: other } if &**other == group),
        );
    json!({
        "turn_id": format!("summary:{group}"),
        "role": "assistant",
        "content": text,
        "token_estimate": match cost {
            Cost::Target => request.target_tokens(),
            Cost::Measured(estimator) => estimator.estimate(text),
        },
        "tool_call_id": null,
        "pinned": false,
        "metadata": {
            "cutctx.kind": "summary",
            "cutctx.summary_group": group,
            "cutctx.replaced_turn_count": members.count().to_string(),
        },
    })
}

/// The report, as JSON, for a view of this kind.
pub(crate) fn report(case: &Case, view: &[Value]) -> Value {
    let plan: Value = serde_json::from_str(&case.plan.canonical_json()).unwrap();
    let with_action = |names: &[&str]| -> Vec<Value> {
        let actions = plan["actions"].as_array().unwrap().iter();
        let chosen = actions.filter(|action| names.contains(&action["action"].as_str().unwrap()));
        chosen.map(|action| action["turn_id"].clone()).collect()
    };
    let summaries: Vec<&Value> = view
        .iter()
        .filter(|turn| turn["metadata"]["cutctx.kind"] == "summary")
        .map(|turn| &turn["turn_id"])
        .collect();
    json!({
        "plan_hash": case.plan.plan_hash(),
        "policy_name": plan["policy_name"],
        "policy_version": plan["policy_version"],
        "tokens_before": plan["tokens_before"],
        "tokens_after_estimate": plan["tokens_after_estimate"],
        "estimator_ratio": plan["estimator_ratio"],
        "budget_unmet": plan["budget_unmet"],
        "turns_before": case.transcript.len(),
        "turns_after": view.len(),
        "kept_turn_ids": with_action(&["keep", "trim"]),
        "masked_turn_ids": with_action(&["mask"]),
        "summarized_turn_ids": with_action(&["summarize"]),
        "dropped_turn_ids": with_action(&["drop"]),
        "summary_turn_ids": summaries,
    })
}
