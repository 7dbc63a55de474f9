//! `plan`, `apply`, `requests`, `verify`, `explain` and `diff`: plans at rest.

use crate::sandbox::Sandbox;
use serde_json::{Value, json};

#[test]
fn plan_then_apply_is_compact() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o p.json").exits(0);
    sandbox.run("apply chat.json --plan p.json -o applied.json").exits(0);
    sandbox.run("compact chat.json --max-tokens 500 -o compacted.json").exits(0);
    assert_eq!(sandbox.bytes("applied.json"), sandbox.bytes("compacted.json"));
}

#[test]
fn plan_fulfil_apply_puts_the_summary_in_the_session() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 450 --policy default -o p.json").exits(0);
    let requests = sandbox.run("requests chat.json --plan p.json --json").exits(0).json();
    let texts: serde_json::Map<String, Value> = requests["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|request| (request["group_id"].as_str().unwrap().to_owned(), json!("KILN-3-DAMPER")))
        .collect();
    assert!(!texts.is_empty());
    sandbox.write("texts.json", Value::Object(texts).to_string().as_bytes());
    sandbox.run("apply chat.json --plan p.json --summaries texts.json -o out.json").exits(0);
    assert!(String::from_utf8(sandbox.bytes("out.json")).unwrap().contains("KILN-3-DAMPER"));
    sandbox
        .run("compact chat.json --max-tokens 450 --policy default --summaries texts.json -o same.json")
        .exits(0);
    assert_eq!(sandbox.bytes("out.json"), sandbox.bytes("same.json"));
}

#[test]
fn requests_hold_the_text_of_their_turns_and_instructions() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 450 --policy summarize -o p.json");
    let ran = sandbox.run("requests chat.json --plan p.json").exits(0);
    for words in ["===== group span-", "prompt cutctx/summary-v1", "Answer with the summary alone.", "damper"]
    {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
}

#[test]
fn a_plan_does_not_hold_text_of_the_session() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 450 --policy default -o p.json").exits(0);
    let plan = String::from_utf8(sandbox.bytes("p.json")).unwrap();
    for word in ["damper", "graphite", "degrees", "glaze"] {
        assert!(!plan.contains(word), "{word}");
    }
}

#[test]
fn verify_accepts_the_plan_that_was_made_and_rederives_it() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o p.json").exits(0);
    let said = sandbox.run("verify chat.json --plan p.json --json").exits(0).json();
    assert_eq!((&said["verified"], &said["rederived"]), (&json!(true), &json!(true)));
    assert_eq!(said["plan_hash"], sandbox.json("p.json")["plan_hash"]);
}

#[test]
fn verify_exits_with_7_for_every_kind_of_tampering() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o p.json").exits(0);
    let good = sandbox.json("p.json");
    let tampered = |change: &dyn Fn(&mut Value)| {
        let mut plan = good.clone();
        change(&mut plan);
        sandbox.write("bad.json", plan.to_string().as_bytes());
        sandbox.run("verify chat.json --plan bad.json --json").exits(7).error()["code"].clone()
    };
    assert_eq!(tampered(&|plan| plan["plan_hash"] = json!("0".repeat(64))), "RECORD_HASH");
    assert_eq!(
        tampered(&|plan| plan["transcript"]["sha256"] = json!("0".repeat(64))),
        "COMPACTION_PLAN_MISMATCH"
    );
    assert_eq!(tampered(&|plan| plan["policy"] = json!({"kind": "drop_oldest"})), "VERIFICATION_FAILED");
    let lie = |plan: &mut Value| {
        let text = plan["plan"].as_str().unwrap().replace("\"budget_unmet\":false", "\"budget_unmet\":true");
        plan["plan"] = json!(text);
    };
    assert_eq!(tampered(&lie), "VALIDATION_ERROR");
}

#[test]
fn a_plan_without_a_policy_is_verified_as_far_as_possible() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o p.json").exits(0);
    let mut plan = sandbox.json("p.json");
    plan["policy"] = Value::Null;
    sandbox.write("p.json", plan.to_string().as_bytes());
    let ran = sandbox.run("verify chat.json --plan p.json").exits(0);
    assert!(ran.out.contains("no policy is recorded"), "{}", ran.out);
}

#[test]
fn a_plan_of_another_session_is_refused_with_7() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o p.json").exits(0);
    let mut other = sandbox.json("chat.json");
    other["messages"][1]["content"] = json!("Something else.");
    sandbox.write("other.json", other.to_string().as_bytes());
    for verb in ["apply", "verify", "explain", "requests"] {
        let error = sandbox.run(&format!("{verb} other.json --plan p.json --json")).exits(7).error();
        assert_eq!(error["code"], "COMPACTION_PLAN_MISMATCH", "{verb}");
    }
}

#[test]
fn a_session_that_has_grown_takes_the_old_plan_and_keeps_what_is_new() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o p.json").exits(0);
    let mut grown = sandbox.json("chat.json");
    grown["messages"].as_array_mut().unwrap().push(json!({"role": "assistant", "content": "Oil it at six."}));
    sandbox.write("grown.json", grown.to_string().as_bytes());
    let said = sandbox.run("apply grown.json --plan p.json -o out.json --json").exits(0).json();
    assert_eq!(said["fates"]["appended"], 1);
    assert!(String::from_utf8(sandbox.bytes("out.json")).unwrap().contains("Oil it at six."));
    let explained = sandbox.run("explain grown.json --plan p.json").exits(0);
    assert!(explained.out.contains("1 turn came after the plan"), "{}", explained.out);
}

#[test]
fn a_bare_plan_is_taken_with_a_budget_beside_it() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o p.json").exits(0);
    let bare = sandbox.json("p.json")["plan"].as_str().unwrap().to_owned();
    sandbox.write("bare.json", bare.as_bytes());
    sandbox.run("apply chat.json --plan bare.json -o out.json").exits(2);
    sandbox.run("apply chat.json --plan bare.json --max-tokens 500 -o out.json").exits(0);
    sandbox.run("apply chat.json --plan bare.json --max-tokens 150 -o low.json").exits(7);
    sandbox.run("apply chat.json --plan bare.json --max-tokens 50 -o low.json").exits(4);
    sandbox.run("apply chat.json --plan bare.json --max-tokens 500 --protect-turns 14 -o no.json").exits(4);
}

#[test]
fn a_budget_beside_a_plan_that_has_one_is_refused() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o p.json").exits(0);
    for verb in ["apply", "requests", "verify", "explain"] {
        let line = format!("{verb} chat.json --plan p.json --max-tokens 500 --json");
        let error = sandbox.run(&line).exits(2).error();
        assert_eq!(error["message"], "the plan has a budget of its own", "{verb}");
    }
}

#[test]
fn a_plan_that_is_written_to_a_file_leaves_its_account_on_standard_output() {
    let sandbox = Sandbox::with_chat();
    let account = sandbox.run("plan chat.json --max-tokens 500 -o p.json --json").exits(0).json();
    assert_eq!(account, sandbox.run("explain chat.json --plan p.json --json").exits(0).json());
    assert_eq!(account["estimator"], "heuristic:openai");
    let record = sandbox.run("plan chat.json --max-tokens 500 --json").exits(0).json();
    assert_eq!(record, sandbox.json("p.json"));
    let said = sandbox.run("plan chat.json --max-tokens 500 -o p.json --force").exits(0).err;
    assert_eq!(said, "the plan is written to p.json\n");
}

#[test]
fn the_next_commands_that_are_shown_can_be_copied() {
    let sandbox = Sandbox::with_chat();
    sandbox.write("my chat.json", &sandbox.bytes("chat.json"));
    let words = [
        "compact",
        "my chat.json",
        "--max-tokens",
        "450",
        "--policy",
        "default",
        "--summarizer",
        "none",
        "--pin",
        "m6",
    ];
    let output = sandbox.command(&words).args(["--plan", "the plan.json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("cutctx requests 'my chat.json' --plan 'the plan.json'"), "{said}");
    let words = ["requests", "my chat.json", "--plan", "the plan.json"];
    assert!(sandbox.command(&words).output().unwrap().status.success());
    let line = "compact - --max-tokens 450 --policy default --summarizer none --plan p.json";
    let said = sandbox.run_with(line, &sandbox.bytes("chat.json")).exits(5).err;
    assert!(said.contains("cutctx requests SESSION --plan p.json"), "{said}");
}

#[test]
fn positions_in_json_count_from_0() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("compact chat.json --max-tokens 500 -o out.json").exits(0);
    let turns = sandbox.run("inspect chat.json --json").exits(0).json()["turn_list"].clone();
    let found = sandbox.run("diff chat.json out.json --json").exits(0).json();
    for (place, turn) in turns.as_array().unwrap().iter().enumerate() {
        assert_eq!(turn["position"], place);
        let change =
            found["changes"].as_array().unwrap().iter().find(|change| change["turn_id"] == turn["turn_id"]);
        assert_eq!(change.unwrap()["position_before"], place);
    }
}

#[test]
fn explain_gives_the_account_as_json() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o p.json").exits(0);
    let account = sandbox.run("explain chat.json --plan p.json --json").exits(0).json();
    assert_eq!(account["turns"].as_array().unwrap().len(), 15);
    assert_eq!(account["turns"][0]["reason"], "system");
}

#[test]
fn diff_finds_what_the_account_says() {
    let sandbox = Sandbox::with_chat();
    for budget in ["300", "500", "900"] {
        let line = format!(
            "compact chat.json --max-tokens {budget} --policy mask-then-drop -o out.json --force --json"
        );
        let said = sandbox.run(&line).exits(0).json();
        let found = sandbox.run("diff chat.json out.json --json").exits(0).json();
        assert_eq!(found["kept"], said["fates"]["kept"], "{budget}");
        assert_eq!(found["masked"], said["fates"]["masked"], "{budget}");
        assert_eq!(found["removed"], said["fates"]["dropped"], "{budget}");
        assert_eq!(found["added"], 0, "{budget}");
        assert_eq!(found["tokens_after"], said["tokens_after"], "{budget}");
        assert_eq!(found["first_changed_position"], said["first_changed_position"], "{budget}");
    }
}

#[test]
fn summaries_that_are_blank_or_for_nothing_are_told() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 450 --policy default -o p.json").exits(0);
    let requests = sandbox.run("requests chat.json --plan p.json --json").exits(0).json();
    let group = requests["requests"][0]["group_id"].as_str().unwrap();
    sandbox.write("texts.json", format!("{{\"{group}\": \" \", \"other\": \"text\"}}").as_bytes());
    let said = sandbox.run("apply chat.json --plan p.json --summaries texts.json -o out.json").exits(0).err;
    assert!(said.contains("warning: of the summaries 1 hold no text"), "{said}");
    assert!(said.contains("of the summaries 1 are for groups that the plan does not have"), "{said}");
}

#[test]
fn a_plan_that_names_another_estimator_is_taken_with_a_warning() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 500 -o p.json").exits(0);
    let mut plan = sandbox.json("p.json");
    plan["estimator"] = json!("other");
    sandbox.write("p.json", plan.to_string().as_bytes());
    for verb in ["verify", "explain", "requests"] {
        let said = sandbox.run(&format!("{verb} chat.json --plan p.json")).exits(0).err;
        assert!(said.contains("warning: the plan says that `other` measured it"), "{verb}: {said}");
    }
}
