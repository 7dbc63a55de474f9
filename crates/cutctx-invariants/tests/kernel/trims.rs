//! Trims: their JSON, and that nothing about them moves the bytes of plans without any.

use cutctx_invariants::strategy::{Attempt, legal_attempts};
use cutctx_invariants::{CompactionPlan, Survey, TrimFault, Violation};
use cutctx_types::{
    Action, Coded, CompactionBudget, KeptPart, Part, PartKind, PlanDraft, Role, SummarizationRequest,
    Transcript, TranscriptTurn, Trim, TurnAction, TurnReplacement,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn check(attempt: &Attempt) -> CompactionPlan {
    CompactionPlan::check(attempt.draft.clone(), &attempt.scenario.survey().unwrap()).unwrap()
}

/// A plan's JSON built from its accessors alone. `serde_json` sorts the keys of its maps.
fn by_hand(plan: &CompactionPlan) -> Value {
    let action = |action: &TurnAction| {
        let (mut replacement, mut group, mut trimmed) = (Value::Null, Value::Null, None);
        match &action.action {
            Action::Mask(stub) => {
                replacement = json!({"content": stub.content, "token_estimate": stub.token_estimate});
            }
            Action::Summarize { group: id } => group = json!(id),
            Action::Trim(trim) => trimmed = Some(trim_by_hand(trim)),
            Action::Keep | Action::Drop => {}
        }
        let mut object = Map::new();
        object.insert("turn_id".into(), json!(action.turn_id));
        object.insert("action".into(), action.action.kind().as_str().into());
        object.insert("replacement".into(), replacement);
        object.insert("summary_group".into(), group);
        object.extend(trimmed.map(|trim| ("trim".into(), trim)));
        Value::Object(object)
    };
    let request = |request: &SummarizationRequest| {
        json!({
            "group_id": request.group_id(),
            "turn_ids": request.turn_ids(),
            "target_tokens": request.target_tokens(),
            "prompt_id": request.prompt_id(),
        })
    };
    json!({
        "actions": plan.actions().iter().map(action).collect::<Vec<_>>(),
        "summarization_requests": plan.summarization_requests().iter().map(request).collect::<Vec<_>>(),
        "tokens_before": plan.tokens_before(),
        "tokens_after_estimate": plan.tokens_after_estimate(),
        "policy_name": plan.policy_name(),
        "policy_version": plan.policy_version(),
        // Negative zero is written as zero.
        "estimator_ratio": plan.estimator_ratio().map(|ratio| if ratio == 0.0 { 0.0 } else { ratio }),
        "budget_unmet": plan.budget_unmet(),
    })
}

fn trim_by_hand(trim: &Trim) -> Value {
    let range = |range: &core::ops::Range<usize>| json!({"start": range.start, "end": range.end});
    let kept = |kept: &KeptPart| json!({"part": kept.part, "ranges": kept.ranges.iter().map(range).collect::<Vec<_>>()});
    let kept: Vec<Value> = trim.kept.iter().map(kept).collect();
    let mut object = json!({"kept": kept, "token_estimate": trim.token_estimate});
    if trim.counted {
        object["counted"] = true.into();
    }
    object
}

proptest! {
    #[test]
    fn a_plan_has_the_eight_keys_and_a_version_only_where_a_turn_is_trimmed(attempt in legal_attempts()) {
        let plan = check(&attempt);
        let trims = plan.actions().iter().any(|action| matches!(action.action, Action::Trim(_)));
        let mut expected = by_hand(&plan);
        prop_assert_eq!(plan.wire_version(), if trims { 2 } else { 1 });
        if trims {
            expected["wire_version"] = 2.into();
        }
        prop_assert_eq!(plan.canonical_json(), expected.to_string());
        prop_assert_eq!(&cutctx_types::canonical_json(&plan).unwrap(), &plan.canonical_json());
    }

    #[test]
    fn untrimming_a_plan_gives_version_one_again(attempt in legal_attempts()) {
        let mut bare = attempt;
        bare.draft.declared = None;
        for action in &mut bare.draft.actions {
            if matches!(action.action, Action::Trim(_)) {
                action.action = Action::Keep;
            }
        }
        let json = check(&bare).canonical_json();
        prop_assert!(!json.contains(r#""trim":"#) && !json.contains(r#""wire_version":"#));
    }
}

#[test]
fn a_version_one_plan_is_written_as_it_always_was() {
    let turn = |id: &str, role| TranscriptTurn::new(id, role, "text", 10).unwrap();
    let turns = [("u", Role::User), ("t", Role::Tool), ("v", Role::User), ("w", Role::User)];
    let transcript = Transcript::new(turns.map(|(id, role)| turn(id, role)).to_vec()).unwrap();
    let actions = vec![
        TurnAction::new("u", Action::Summarize { group: "g".into() }),
        TurnAction::new("t", Action::Mask(TurnReplacement::new("[cut]", 2))),
        TurnAction::new("v", Action::Drop),
        TurnAction::new("w", Action::Keep),
    ];
    let request = SummarizationRequest::new("g", vec!["u".into()], 3, "brief").unwrap();
    let draft =
        PlanDraft::new("mine", "1.0.0", actions).with_requests(vec![request]).with_estimator_ratio(Some(4.0));
    let budget = CompactionBudget::new(14).with_protected_recent_turns(1);
    let plan = CompactionPlan::check(draft, &Survey::new(&transcript, &budget).unwrap()).unwrap();
    let expected = concat!(
        r#"{"actions":[{"action":"summarize","replacement":null,"summary_group":"g","turn_id":"u"},"#,
        r#"{"action":"mask","replacement":{"content":"[cut]","token_estimate":2},"summary_group":null,"turn_id":"t"},"#,
        r#"{"action":"drop","replacement":null,"summary_group":null,"turn_id":"v"},"#,
        r#"{"action":"keep","replacement":null,"summary_group":null,"turn_id":"w"}],"#,
        r#""budget_unmet":true,"estimator_ratio":4.0,"policy_name":"mine","policy_version":"1.0.0","#,
        r#""summarization_requests":[{"group_id":"g","prompt_id":"brief","target_tokens":3,"turn_ids":["u"]}],"#,
        r#""tokens_after_estimate":15,"tokens_before":40}"#
    );
    assert_eq!(plan.canonical_json(), expected);
}

/// One turn: text, signed reasoning, a media part of no bytes, and text with a long character.
fn sample() -> Transcript {
    let parts = vec![
        Part::new(PartKind::Text, 3, 1),
        Part::new(PartKind::OpaqueReasoning, 6, 1),
        Part::new(PartKind::Media, 6, 1),
        Part::new(PartKind::Result, 12, 1),
    ];
    let turn = TranscriptTurn::new("t", Role::Assistant, "abcSIGde漢f", 10).unwrap();
    Transcript::new(vec![turn.with_parts(parts).unwrap()]).unwrap()
}

fn fault(kept: Vec<KeptPart>, tokens: u64) -> Option<TrimFault> {
    let transcript = sample();
    let budget = CompactionBudget::new(10).with_protected_recent_turns(0);
    let action = TurnAction::new("t", Action::Trim(Trim::new(kept, tokens)));
    let survey = Survey::new(&transcript, &budget).unwrap();
    let rejected = CompactionPlan::check(PlanDraft::new("p", "1", vec![action]), &survey).err()?;
    if let Violation::Trim { fault, .. } = rejected.first() { Some(*fault) } else { panic!("{rejected}") }
}

#[test]
#[expect(clippy::single_range_in_vec_init, reason = "a list of one range is what a part keeps")]
fn each_fault_of_a_trim_is_told_apart() {
    let part = |index, ranges: &[core::ops::Range<usize>]| KeptPart::new(index, ranges.to_vec());
    let whole = || vec![part(0, &[0..3]), part(1, &[3..6]), part(2, &[6..6]), part(3, &[6..12])];
    assert_eq!(fault(vec![part(0, &[0..1, 2..3]), part(3, &[8..11])], 10), None);
    assert_eq!(fault(vec![part(1, &[3..6])], 0), None);
    assert_eq!(fault(vec![part(2, &[6..6])], 0), None, "an indivisible part of no bytes is kept whole");
    assert_eq!(fault(vec![part(4, &[0..1])], 1), Some(TrimFault::PartOrder { part: 4 }));
    assert_eq!(fault(vec![part(3, &[6..7]), part(0, &[0..1])], 1), Some(TrimFault::PartOrder { part: 0 }));
    assert_eq!(fault(vec![part(0, &[])], 1), Some(TrimFault::Range { part: 0, start: 0, end: 0 }));
    assert_eq!(fault(vec![part(0, &[2..4])], 1), Some(TrimFault::Range { part: 0, start: 2, end: 4 }));
    assert_eq!(fault(vec![part(3, &[6..9])], 1), Some(TrimFault::Range { part: 3, start: 6, end: 9 }));
    assert_eq!(fault(vec![part(3, &[9..12])], 1), Some(TrimFault::Range { part: 3, start: 9, end: 12 }));
    let far = usize::MAX - 1..usize::MAX;
    assert!(matches!(fault(vec![part(0, &[far])], 1), Some(TrimFault::Range { part: 0, .. })));
    assert_eq!(fault(vec![part(1, &[3..5])], 1), Some(TrimFault::Divided { part: 1 }));
    assert_eq!(fault(vec![part(2, &[])], 1), Some(TrimFault::Divided { part: 2 }));
    assert_eq!(fault(vec![], 1), Some(TrimFault::Nothing));
    assert_eq!(fault(whole(), 1), Some(TrimFault::Everything));
    let cut_in_two = vec![part(0, &[0..1, 1..3]), part(1, &[3..6]), part(2, &[6..6]), part(3, &[6..12])];
    assert_eq!(fault(cut_in_two, 1), Some(TrimFault::Everything), "ranges that meet cut nothing");
    assert_eq!(fault(vec![part(0, &[0..1])], 11), Some(TrimFault::Dearer { before: 10, after: 11 }));
}

#[test]
#[expect(clippy::single_range_in_vec_init, reason = "a list of one range is what a part keeps")]
fn the_details_of_a_fault_are_a_name_and_figures() {
    let details = |kept: Vec<KeptPart>, tokens| {
        let fault = fault(kept, tokens).unwrap();
        serde_json::to_value(Violation::Trim { turn_id: "t".into(), fault }.details()).unwrap()
    };
    let range = details(vec![KeptPart::new(0, vec![2..4])], 1);
    assert_eq!(range, json!({"turn_id": "t", "fault": "range", "part": 0, "start": 2, "end": 4}));
    let order = details(vec![KeptPart::new(4, vec![0..1])], 1);
    assert_eq!(order, json!({"turn_id": "t", "fault": "part-order", "part": 4}));
    let divided = details(vec![KeptPart::new(1, vec![3..5])], 1);
    assert_eq!(divided, json!({"turn_id": "t", "fault": "divided", "part": 1}));
    let dearer = details(vec![KeptPart::new(0, vec![0..1])], 11);
    assert_eq!(dearer, json!({"turn_id": "t", "fault": "dearer", "before": 10, "after": 11}));
    assert_eq!(details(vec![], 1), json!({"turn_id": "t", "fault": "nothing"}));
}
