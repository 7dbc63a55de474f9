//! `batch`: one answer a line, whatever the line says.

use crate::sandbox::Sandbox;
use serde_json::{Value, json};

fn turn(id: &str, tokens: u64) -> Value {
    json!({"turn_id": id, "role": "user", "content": format!("text of {id}"), "token_estimate": tokens})
}

fn job(id: &Value) -> Value {
    json!({
        "id": id,
        "transcript": {"turns": [turn("a", 50), turn("b", 50), turn("c", 5)]},
        "budget": {"max_tokens": 60, "protected_recent_turns": 1},
        "policy": {"kind": "drop_oldest"},
        "summaries": {},
    })
}

fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut job = job(&json!("j"));
    change(&mut job);
    job.to_string()
}

fn answers(sandbox: &Sandbox, line: &str, jobs: &str) -> Vec<Value> {
    let ran = sandbox.run_with(line, jobs.as_bytes()).exits(0);
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
fn fails(job: &str, stage: &str, code: &str) -> Value {
    let answers = answers(&Sandbox::new(), "batch", job);
    assert_eq!(answers.len(), 1);
    let error = &answers[0]["error"];
    assert_eq!((&error["stage"], &error["code"]), (&json!(stage), &json!(code)), "{}", answers[0]);
    answers[0].clone()
}

#[test]
fn an_answer_has_the_documented_members_in_order() {
    let sandbox = Sandbox::new();
    let out = sandbox.run_with("batch", job(&json!("j")).to_string().as_bytes()).exits(0).out;
    let keys = [
        "{\"id\":",
        "\"line\":1",
        "\"plan\":",
        "\"plan_hash\":",
        "\"view\":",
        "\"report\":",
        "\"apply\":\"strict\"}",
    ];
    let places: Vec<usize> = keys.iter().map(|key| out.find(key).unwrap()).collect();
    assert!(places.is_sorted(), "{out}");
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["report"]["dropped_turn_ids"], json!(["a"]));
    assert_eq!(answer["view"].as_array().unwrap().len(), 2);
}

#[test]
fn an_id_comes_back_as_it_was_spelled() {
    for id in ["7", "-1.50e+3", "123456789012345678901234567890", "\"\\u0041\\n\"", "\"\"", "null"] {
        let line = job(&json!(1)).to_string().replace("\"id\":1", &format!("\"id\":{id}"));
        let out = Sandbox::new().run_with("batch", line.as_bytes()).exits(0).out;
        assert!(out.starts_with(&format!("{{\"id\":{id},")), "{id}: {out}");
    }
}

#[test]
fn a_job_without_summaries_only_plans_and_one_with_none_applies() {
    let plans = changed(|job| job["summaries"] = Value::Null);
    let silent = changed(|job| drop(job.as_object_mut().unwrap().remove("summaries")));
    let applies = job(&json!("j")).to_string();
    let answers = answers(&Sandbox::new(), "batch", &[plans, silent, applies].join("\n"));
    let seen: Vec<(bool, bool)> =
        answers.iter().map(|answer| (answer["plan"].is_string(), answer["view"].is_array())).collect();
    assert_eq!(seen, [(true, false), (true, false), (true, true)]);
    assert!(answers.iter().all(|answer| answer.get("error").is_none()));
}

#[test]
fn jobs_of_version_1_are_applied_by_the_reference_executor() {
    let old = changed(|job| job["policy"]["version"] = json!("1.0.0"));
    let new = changed(|job| job["policy"]["version"] = json!("2.0.0"));
    let answers = answers(&Sandbox::new(), "batch", &[old, new].join("\n"));
    assert_eq!((&answers[0]["apply"], &answers[1]["apply"]), (&json!("reference"), &json!("strict")));
}

#[test]
fn each_stage_keeps_its_error() {
    fails(
        &changed(|job| job["transcript"]["turns"][1]["turn_id"] = json!("a")),
        "transcript",
        "VALIDATION_ERROR",
    );
    fails(&changed(|job| job["budget"]["max_tokens"] = json!(-1)), "budget", "VALIDATION_ERROR");
    let huge = changed(|job| job["budget"]["max_tokens"] = json!(1))
        .replace("\"max_tokens\":1", "\"max_tokens\":99999999999999999999");
    fails(&huge, "budget", "TOKEN_OVERFLOW");
    let masking = json!({"kind": "masking", "keep_recent_results": -1});
    fails(&changed(|job| job["policy"] = masking), "policy", "VALIDATION_ERROR");
    fails(
        &changed(|job| job["budget"]["max_tokens"] = json!(1)),
        "decide",
        "COMPACTION_BUDGET_UNSATISFIABLE",
    );
    let other = json!({"turns": [turn("a", 1), turn("a", 1)]});
    let answer =
        fails(&changed(|job| job["apply_transcript"] = other), "apply_transcript", "VALIDATION_ERROR");
    assert!(answer["plan"].is_string() && answer["plan_hash"].is_string());
    let shorter = json!({"turns": [turn("a", 50)]});
    let answer =
        fails(&changed(|job| job["apply_transcript"] = shorter), "apply", "COMPACTION_PLAN_MISMATCH");
    assert!(answer["plan"].is_string() && answer["view"].is_null() && answer["report"].is_null());
}

#[test]
fn a_rejected_draft_names_its_rule() {
    let draft = json!({"kind": "manual", "policy_name": "mine", "policy_version": "1",
        "actions": [{"turn_id": "a", "action": "keep"}], "summarization_requests": []});
    let answer = fails(&changed(|job| job["policy"] = draft), "decide", "VALIDATION_ERROR");
    assert_eq!(answer["error"]["rule"], "coverage");
    assert_eq!(answer["error"]["details"]["unplanned_turn_ids"], json!(["b", "c"]));
}

#[test]
fn the_first_failure_wins() {
    let all_wrong = changed(|job| {
        job["transcript"]["turns"][1]["turn_id"] = json!("a");
        job["budget"]["max_tokens"] = json!(-1);
        job["policy"] = json!({"kind": "masking", "keep_recent_results": -1});
    });
    fails(&all_wrong, "transcript", "VALIDATION_ERROR");
}

#[test]
fn lines_that_are_no_jobs_are_answered_without_their_text_and_the_rest_go_on() {
    let secret = "SECRET-OF-THE-LINE";
    let good = job(&json!("good")).to_string();
    let bad: Vec<Vec<u8>> = vec![
        secret.as_bytes().to_vec(),
        format!("{{\"id\": 1, \"{secret}\": 2}}").into_bytes(),
        [good.as_bytes(), b"}"].concat(),
        good.as_bytes()[..good.len() / 2].to_vec(),
        [b"\xff\xfe".as_slice(), secret.as_bytes()].concat(),
        b"[]".to_vec(),
        "[".repeat(50_000).into_bytes(),
        good.replacen("\"policy\":", "\"policy\":{\"kind\":\"masking\"},\"policy\":", 1).into_bytes(),
        good.replacen("\"summaries\":{}", "\"summaries\":{\"g\":\"1\",\"g\":\"2\"}", 1).into_bytes(),
        good.replacen("\"id\":\"good\"", &format!("\"id\":{{\"{secret}\":1}}"), 1).into_bytes(),
        good.replacen("drop_oldest", secret, 1).into_bytes(),
        good.replacen("\"user\"", &format!("\"{secret}\""), 1).into_bytes(),
        good.replacen("60", "1e999", 1).into_bytes(),
        good.replacen("60", "60.5", 1).into_bytes(),
        b"\0".to_vec(),
    ];
    let mut input = Vec::new();
    for line in &bad {
        input.extend_from_slice(line);
        input.extend_from_slice(format!("\n{good}\r\n").as_bytes());
    }
    let ran = Sandbox::new().run_with("batch --threads 2", &input).exits(0);
    let answers: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), bad.len() * 2);
    assert!(!ran.out.contains(secret), "{}", ran.out);
    for (place, pair) in answers.chunks(2).enumerate() {
        assert_eq!(pair[0]["error"]["code"], "INVALID_JOB", "bad line {place}: {}", pair[0]);
        assert_eq!(pair[0]["error"]["stage"], "job");
        assert_eq!(pair[1]["id"], "good");
        assert!(pair[1]["view"].is_array());
    }
    assert_eq!(answers[2]["id"], 1, "the id of a line that is no job comes back where it can be read");
    assert_eq!(answers[2]["error"]["details"]["fault"], "unknown_key");
    assert_eq!(
        answers[14]["error"]["details"],
        json!({"fault": "repeated_key", "key": "policy", "column": answers[14]["error"]["details"]["column"]})
    );
}

#[test]
fn blank_lines_are_skipped_and_counted_and_lines_keep_their_numbers() {
    let sandbox = Sandbox::new();
    let good = job(&json!(1)).to_string();
    let ran = sandbox.run_with("batch --json", format!("\n{good}\n \t\r\n{good}").as_bytes()).exits(0);
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["line"].clone()).collect();
    assert_eq!(lines, [json!(2), json!(4)]);
    let totals: Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(totals, json!({"jobs": 2, "failed": 0, "blank_lines": 2}));
}

#[test]
fn a_line_beyond_the_limit_is_no_job_and_the_rest_go_on() {
    let long = job(&json!("x".repeat(5_000))).to_string();
    let good = job(&json!("good")).to_string();
    let answers = answers(&Sandbox::new(), "batch --max-line-bytes 2000", &[long, good].join("\n"));
    assert_eq!(answers[0]["error"]["details"]["fault"], "too_long");
    assert_eq!(answers[1]["id"], "good");
}

#[test]
fn order_is_kept_and_bytes_do_not_depend_on_the_number_of_threads() {
    let sandbox = Sandbox::new();
    let jobs = (0..3_000).map(|number| {
        let mut job = job(&json!(number));
        job["transcript"]["turns"][0]["token_estimate"] = json!(number % 97);
        job.to_string()
    });
    let jobs = jobs.collect::<Vec<_>>().join("\n");
    sandbox.write("jobs.jsonl", jobs.as_bytes());
    sandbox.run("batch jobs.jsonl -o one.jsonl --threads 1 --quiet").exits(0);
    sandbox.run("batch jobs.jsonl -o four.jsonl --threads 4 --quiet").exits(0);
    let one = String::from_utf8(sandbox.bytes("one.jsonl")).unwrap();
    assert_eq!(one.as_bytes(), sandbox.bytes("four.jsonl"));
    for (number, line) in one.lines().enumerate() {
        assert!(line.starts_with(&format!("{{\"id\":{number},\"line\":{}", number + 1)), "{line}");
    }
    assert_eq!(one.lines().count(), 3_000);
}

#[test]
fn a_job_can_pin_what_the_command_line_can() {
    let pinned = |pins: Value, more: fn(&mut Value)| {
        changed(|job| {
            job["pins"] = pins;
            job["budget"]["max_tokens"] = json!(80);
            more(job);
        })
    };
    let sandbox = Sandbox::new();
    for pins in [json!(["a"]), json!(["turn:a"]), json!(["first-user"]), json!(["regex:of a$", "tool:none"])]
    {
        let answer = answers(&sandbox, "batch", &pinned(pins, |_| {})).remove(0);
        assert_eq!(answer["report"]["dropped_turn_ids"], json!(["b"]), "{answer}");
        assert_eq!(answer.get("pin_conflicts"), None);
    }
    let none = answers(&sandbox, "batch", &pinned(Value::Null, |_| {})).remove(0);
    assert_eq!(none["report"]["dropped_turn_ids"], json!(["a"]));
    fails(&pinned(json!(["nobody"]), |_| {}), "pins", "PIN_NO_SUCH_TURN");
    fails(&pinned(json!(["role:chef"]), |_| {}), "pins", "PIN_SYNTAX");
    fails(&pinned(json!("a"), |_| {}), "job", "INVALID_JOB");
}

#[test]
fn pins_hold_for_the_transcript_that_a_plan_is_applied_to_and_conflicts_are_told() {
    let job = changed(|job| {
        let result = json!({"turn_id": "r", "role": "tool", "content": "r", "token_estimate": 9, "tool_call_id": "x",
            "tool_name": "look"});
        job["transcript"]["turns"].as_array_mut().unwrap().insert(0, result);
        job["pins"] = json!(["tool:look"]);
        let mut grown = job["transcript"].clone();
        grown["turns"].as_array_mut().unwrap().push(turn("d", 5));
        job["apply_transcript"] = grown;
    });
    let answer = answers(&Sandbox::new(), "batch", &job).remove(0);
    assert_eq!((&answer["error"], &answer["pin_conflicts"]), (&Value::Null, &json!(["r"])), "{answer}");
    let view = answer["view"].as_array().unwrap();
    let kept: Vec<&Value> = view.iter().map(|turn| &turn["turn_id"]).collect();
    assert!(kept.contains(&&json!("r")) && kept.contains(&&json!("d")), "{answer}");
}
