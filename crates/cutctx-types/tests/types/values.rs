//! What turns, transcripts, budgets, parts and the rest promise.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use cutctx_types::{
    Action, ActionKind, BudgetError, CharRatioEstimator, Code, Coded, CompactedTranscript, CompactionBudget,
    CompactionReport, DetailValue, Details, InvalidValue, KeptPart, Metadata, Part, PartError, PartKind,
    PlanDraft, Role, Sha256Digest, SummarizationRequest, TokenEstimator, Transcript, TranscriptError,
    TranscriptTurn, Trim, TurnAction, TurnError, TurnReplacement, capped_ids, classify,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

fn turn(id: &str) -> TranscriptTurn {
    TranscriptTurn::new(id, Role::User, "text", 4).unwrap()
}

/// Cuts a text at characters, and says where.
fn tiling(content: &str, cuts: &[Index]) -> Vec<Part> {
    let mut borders: Vec<usize> = content.char_indices().map(|(at, _)| at).collect();
    borders.push(content.len());
    let mut ends: Vec<usize> = cuts.iter().map(|cut| borders[cut.index(borders.len())]).collect();
    ends.sort_unstable();
    ends.push(content.len());
    ends.into_iter().map(|end| Part::new(PartKind::Text, end, 1)).collect()
}

proptest! {
    #[test]
    fn parts_that_tile_the_content_are_taken(content in any::<String>(), cuts in vec(any::<Index>(), 0..5)) {
        let parts = tiling(&content, &cuts);
        let turn = TranscriptTurn::new("t", Role::User, content, 1).unwrap();
        let tiled = turn.with_parts(parts.clone()).unwrap();
        prop_assert_eq!(tiled.parts(), parts);
    }

    #[test]
    fn parts_are_taken_exactly_when_they_tile_the_content(
        content in "[aé漢]{0,4}", ends in vec(0_usize..14, 1..4),
    ) {
        let is_border = |end: &usize| content.is_char_boundary(*end);
        let tiles = ends.is_sorted() && ends.iter().all(is_border) && ends.last() == Some(&content.len());
        let parts = ends.iter().map(|end| Part::new(PartKind::Result, *end, 1)).collect();
        let turn = TranscriptTurn::new("t", Role::User, content.as_str(), 1).unwrap();
        prop_assert_eq!(turn.with_parts(parts).is_ok(), tiles);
    }

    #[test]
    fn texts_are_numbered_in_order_of_first_appearance(items in vec(prop::option::of("[a-c]{0,2}"), 0..60)) {
        let numbers = classify(items.iter().map(Option::as_deref));
        prop_assert_eq!(numbers.len(), items.len());
        let mut seen: Vec<&Option<String>> = Vec::new();
        for (item, number) in items.iter().zip(numbers) {
            let known = seen.iter().position(|earlier| *earlier == item).filter(|_| item.is_some());
            prop_assert_eq!(number, known.unwrap_or(seen.len()));
            if known.is_none() {
                seen.push(item);
            }
        }
    }

    #[test]
    fn ids_in_details_are_the_first_ten_in_order(ids in vec("[a-z]{1,2}", 0..30)) {
        let mut expected = ids.clone();
        expected.sort_by(|left, right| left.chars().cmp(right.chars()));
        expected.truncate(10);
        let capped = capped_ids(ids.iter().map(|id| Arc::from(id.as_str())));
        prop_assert_eq!(capped.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), expected);
    }

    #[test]
    fn a_transcript_refuses_repeats_and_names_them(ids in vec("[a-f]", 0..14)) {
        let turns = ids.iter().map(|id| turn(id)).collect();
        let mut repeated: Vec<&String> =
            ids.iter().filter(|id| ids.iter().filter(|other| other == id).count() > 1).collect();
        repeated.sort();
        repeated.dedup();
        match Transcript::new(turns) {
            Ok(transcript) => {
                prop_assert!(repeated.is_empty());
                prop_assert_eq!(transcript.token_estimate(), (transcript.len() as u64).saturating_mul(4));
            }
            Err(TranscriptError::DuplicateTurnIds { duplicate_turn_ids }) => {
                let named: Vec<String> = duplicate_turn_ids.iter().map(ToString::to_string).collect();
                prop_assert_eq!(named.iter().collect::<Vec<_>>(), repeated);
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn metadata_is_an_ordered_map_of_texts(pairs in vec(("[a-d]", "[x-z]"), 0..8)) {
        let mut metadata = Metadata::none();
        let mut map = BTreeMap::new();
        for (name, value) in &pairs {
            metadata = metadata.with(name.as_str(), value.as_str());
            map.insert(Arc::<str>::from(name.as_str()), Arc::<str>::from(value.as_str()));
        }
        prop_assert_eq!(&metadata, &Metadata::from(map.clone()));
        prop_assert_eq!(metadata.is_empty(), map.is_empty());
        let listed: Vec<(String, String)> =
            metadata.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let expected: Vec<(String, String)> =
            map.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        prop_assert_eq!(listed, expected);
        for (name, value) in &map {
            prop_assert_eq!(metadata.get(name), Some(value.as_ref()));
        }
        prop_assert_eq!(metadata.get("nothing"), None);
        let json = serde_json::to_string(&metadata).unwrap();
        prop_assert_eq!(serde_json::from_str::<Metadata>(&json).unwrap(), metadata);
    }

    #[test]
    fn the_protected_tail_is_never_longer_than_the_transcript(protected in any::<u64>(), turns in 0_usize..50) {
        let budget = CompactionBudget::new(1).with_protected_recent_turns(protected);
        let first = budget.first_protected(turns);
        prop_assert_eq!(turns.saturating_sub(first) as u64, protected.min(turns as u64));
    }

    #[test]
    fn a_target_is_taken_up_to_the_maximum(max in any::<u64>(), target in any::<u64>()) {
        let budget = CompactionBudget::new(max);
        prop_assert_eq!((budget.goal_tokens(), budget.target_tokens()), (max, None));
        match budget.with_target(target) {
            Ok(budget) => {
                prop_assert!(target <= max);
                prop_assert_eq!((budget.goal_tokens(), budget.target_tokens()), (target, Some(target)));
                prop_assert_eq!(budget.max_tokens(), max);
            }
            Err(error) => {
                prop_assert_eq!(error, BudgetError::TargetAboveMax { target_tokens: target, max_tokens: max });
                prop_assert!(target > max);
            }
        }
    }

    #[test]
    fn a_ratio_of_characters_is_rounded_up(text in "\\PC{0,60}", ratio in 0.01_f64..100.0) {
        let estimator = CharRatioEstimator::new(ratio).unwrap();
        #[expect(
            clippy::float_arithmetic, clippy::cast_possible_truncation, clippy::cast_sign_loss,
            clippy::cast_precision_loss, reason = "the definition, with the ceiling of the standard library"
        )]
        let expected = (text.chars().count() as f64 / ratio).ceil() as u64;
        prop_assert_eq!(estimator.estimate(&text), expected);
        prop_assert_eq!(estimator.ratio(), Some(ratio));
    }
}

#[test]
fn ten_repeated_ids_are_named_and_no_more() {
    let ids = (0..12).map(|number| format!("{number:02}"));
    let twice: Vec<TranscriptTurn> = ids.clone().chain(ids).map(|id| turn(&id)).collect();
    let Err(TranscriptError::DuplicateTurnIds { duplicate_turn_ids }) = Transcript::new(twice) else {
        panic!("repeats are taken")
    };
    let expected: Vec<String> = (0..10).map(|number| format!("{number:02}")).collect();
    assert_eq!(duplicate_turn_ids.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
}

#[test]
fn a_total_may_reach_64_bits_and_not_pass_them() {
    let of = |tokens: [u64; 2]| {
        let turns = tokens.iter().enumerate();
        let turns = turns.map(|(number, tokens)| {
            TranscriptTurn::new(number.to_string(), Role::User, "", *tokens).unwrap()
        });
        Transcript::new(turns.collect())
    };
    assert_eq!(of([u64::MAX - 1, 1]).unwrap().token_estimate(), u64::MAX);
    assert_eq!(of([u64::MAX, 1]).unwrap_err(), TranscriptError::TotalOverflow { turns: 2 });
}

#[test]
fn parts_say_what_is_wrong_with_them() {
    let turn = TranscriptTurn::new("t", Role::User, "aé", 1).unwrap();
    let refused = |ends: &[usize]| {
        let parts = ends.iter().map(|end| Part::new(PartKind::Text, *end, 0)).collect();
        match turn.clone().with_parts(parts) {
            Err(TurnError::Parts(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    let misplaced = |part, end| PartError::Misplaced { turn_id: "t".into(), part, end };
    assert_eq!(refused(&[2, 3]), misplaced(0, 2), "inside a character");
    assert_eq!(refused(&[1, 0, 3]), misplaced(1, 0), "before its predecessor");
    assert_eq!(refused(&[4]), misplaced(0, 4), "past the end");
    assert_eq!(refused(&[1, 1]), PartError::Uncovered { turn_id: "t".into(), covered: 1, length: 3 });
    let whole = turn.clone().with_parts(vec![Part::new(PartKind::Media, 3, 1)]).unwrap();
    assert_eq!(whole.parts().len(), 1);
    assert_eq!(whole.clone().with_parts(vec![]).unwrap(), turn);
    assert!(whole.with_content("other", 2).parts().is_empty(), "new content has no parts");
}

#[test]
fn only_signed_reasoning_and_media_are_indivisible() {
    let kinds = [
        (PartKind::Text, false),
        (PartKind::Reasoning, false),
        (PartKind::OpaqueReasoning, true),
        (PartKind::CallArguments, false),
        (PartKind::Result, false),
        (PartKind::Media, true),
    ];
    for (kind, indivisible) in kinds {
        assert_eq!(kind.is_indivisible(), indivisible, "{kind:?}");
    }
}

#[test]
fn turns_are_the_same_to_a_plan_but_for_metadata_tool_names_and_parts() {
    let turn = turn("t");
    let same = |other: &TranscriptTurn| turn.is_same_to_a_plan(other) && other.is_same_to_a_plan(&turn);
    let parts = vec![Part::new(PartKind::Text, 4, 4)];
    assert!(same(&turn.clone()));
    assert!(same(&TranscriptTurn::new("t", Role::User, "text", 4).unwrap()), "not by address alone");
    assert!(same(&turn.clone().with_metadata(Metadata::none().with("a", "b"))));
    assert!(same(&turn.clone().with_tool_name("read")));
    assert!(same(&turn.clone().with_parts(parts).unwrap()));
    assert!(!same(&turn.clone().with_pinned(true)));
    assert!(!same(&turn.clone().with_tool_call_id("")));
    assert!(!same(&turn.clone().with_content("text", 5)));
    assert!(!same(&turn.clone().with_content("texts", 4)));
    assert!(!same(&TranscriptTurn::new("u", Role::User, "text", 4).unwrap()));
    assert!(!same(&TranscriptTurn::new("t", Role::Tool, "text", 4).unwrap()));
}

#[test]
fn clones_of_a_transcript_share_its_turns() {
    let transcript = Transcript::new(vec![turn("t")]).unwrap();
    assert!(transcript.shares_turns_with(&transcript.clone()));
    let other = Transcript::new(vec![turn("t")]).unwrap();
    assert!(!transcript.shares_turns_with(&other));
    assert_eq!(transcript, other);
}

#[test]
fn debug_shows_no_text_of_turns_and_stubs() {
    let secret = TranscriptTurn::new("t", Role::User, "secret", 4).unwrap();
    let transcript = Transcript::new(vec![secret.clone()]).unwrap();
    let stub = TurnReplacement::new("secret", 1);
    let draft = PlanDraft::new("p", "1", vec![TurnAction::new("t", Action::Mask(stub))]);
    let report = CompactionReport {
        plan_hash: String::new(),
        policy_name: String::new(),
        policy_version: String::new(),
        tokens_before: 0,
        tokens_after_estimate: 0,
        estimator_ratio: None,
        budget_unmet: false,
        turns_before: 0,
        turns_after: 0,
        kept_turn_ids: vec![],
        masked_turn_ids: vec![],
        summarized_turn_ids: vec![],
        dropped_turn_ids: vec![],
        summary_turn_ids: vec![],
    };
    let compacted = CompactedTranscript::new(vec![secret], report);
    let shown = format!("{transcript:?} {draft:?} {compacted:?}");
    assert!(!shown.contains("secret"), "{shown}");
    assert_eq!(shown.matches("content_bytes: 6").count(), 3, "{shown}");
    assert_eq!(compacted.into_transcript().unwrap(), transcript);
}

#[test]
fn details_are_an_object_in_the_order_in_which_they_were_given() {
    let details = Details::none()
        .with("z", u64::MAX)
        .with("a", i128::MIN)
        .with("flag", true)
        .with("ids", vec![Arc::<str>::from("b"), "a".into()])
        .with("inner", Details::none().with("text", "x").with("count", 3_usize));
    let json = serde_json::to_string(&details).unwrap();
    let expected = format!(
        r#"{{"z":{},"a":{},"flag":true,"ids":["b","a"],"inner":{{"text":"x","count":3}}}}"#,
        u64::MAX,
        i128::MIN
    );
    assert_eq!(json, expected);
    let names: Vec<&str> = details.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["z", "a", "flag", "ids", "inner"]);
}

#[test]
fn an_invalid_value_speaks_for_the_type_that_refused_it() {
    let turn = InvalidValue::from(TurnError::EmptyTurnId { role: Role::Tool });
    assert_eq!(turn.to_string(), "a turn of role tool has an empty id");
    assert_eq!(turn.details(), Details::none().with("role", "tool"));
    let setting = InvalidValue::Setting {
        setting: "min_span_turns",
        value: Some(DetailValue::Int(0)),
        reason: "must be one at the least",
    };
    assert_eq!(setting.to_string(), "the setting `min_span_turns` must be one at the least");
    assert_eq!(setting.details(), Details::none().with("min_span_turns", 0_u64));
    let hidden = InvalidValue::Setting { setting: "members", value: None, reason: "is empty" };
    assert_eq!(hidden.details(), Details::none());
    let overflow = InvalidValue::Overflow { quantity: "the span's sum" };
    assert_eq!(overflow.code(), Code::TOKEN_OVERFLOW);
}

#[test]
fn names_of_roles_and_actions_are_their_serialized_forms() {
    for role in [Role::System, Role::User, Role::Assistant, Role::Tool] {
        assert_eq!(serde_json::to_value(role).unwrap(), role.as_str());
        assert_eq!(role.to_string(), role.as_str());
    }
    for kind in
        [ActionKind::Keep, ActionKind::Mask, ActionKind::Summarize, ActionKind::Drop, ActionKind::Trim]
    {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        assert_eq!(kind.to_string(), kind.as_str());
    }
}

#[test]
fn an_action_is_flat_and_padded_with_nulls() {
    let json = |action| serde_json::to_string(&TurnAction::new("t", action)).unwrap();
    let keep = r#"{"action":"keep","replacement":null,"summary_group":null,"turn_id":"t"}"#;
    assert_eq!(json(Action::Keep), keep);
    let trim = Action::Trim(Trim::new(vec![KeptPart::new(1, vec![0..2, 3..4])], 5));
    let expected = concat!(
        r#"{"action":"trim","replacement":null,"summary_group":null,"#,
        r#""trim":{"kept":[{"part":1,"ranges":[{"start":0,"end":2},{"start":3,"end":4}]}],"token_estimate":5},"#,
        r#""turn_id":"t"}"#
    );
    assert_eq!(json(trim), expected);
}

#[test]
fn a_summary_turn_is_named_after_its_group() {
    let request = SummarizationRequest::new("g\0", vec!["a".into()], 0, " ").unwrap();
    assert_eq!(request.summary_turn_id(), "summary:g\0");
}

const fn is_send_and_sync<T: Send + Sync + ?Sized>() {}

/// Fails to compile when one of the types cannot be shared between threads.
#[test]
fn all_public_types_can_be_shared_between_threads() {
    is_send_and_sync::<Action>();
    is_send_and_sync::<cutctx_types::ActionError>();
    is_send_and_sync::<BudgetError>();
    is_send_and_sync::<cutctx_types::CanonicalError>();
    is_send_and_sync::<CharRatioEstimator>();
    is_send_and_sync::<Code>();
    is_send_and_sync::<CompactedTranscript>();
    is_send_and_sync::<CompactionBudget>();
    is_send_and_sync::<CompactionReport>();
    is_send_and_sync::<Details>();
    is_send_and_sync::<cutctx_types::EstimatorError>();
    is_send_and_sync::<InvalidValue>();
    is_send_and_sync::<Metadata>();
    is_send_and_sync::<PartError>();
    is_send_and_sync::<PlanDraft>();
    is_send_and_sync::<cutctx_types::RequestError>();
    is_send_and_sync::<Sha256Digest>();
    is_send_and_sync::<SummarizationRequest>();
    is_send_and_sync::<dyn TokenEstimator>();
    is_send_and_sync::<Transcript>();
    is_send_and_sync::<TranscriptError>();
    is_send_and_sync::<TranscriptTurn>();
    is_send_and_sync::<TurnAction>();
    is_send_and_sync::<TurnError>();
    is_send_and_sync::<cutctx_types::wire::WirePlan>();
    is_send_and_sync::<cutctx_types::wire::WireTranscript>();
}
