//! The serde form of the policies: what it accepts, what it refuses and with which code, and that it
//! survives being written.

#[cfg(test)]
mod tests {
    use cutctx_policies::{BoxedPolicy, DEFAULT_PROMPT_ID, MOST_POLICIES, PolicySpec, PolicyVersion};
    use cutctx_types::{
        Code, Coded, CompactionBudget, Details, InvalidValue, Role, Transcript, TranscriptTurn,
    };
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn read(value: &Value) -> PolicySpec {
        serde_json::from_str(&value.to_string()).unwrap()
    }

    fn build(value: &Value) -> Result<BoxedPolicy, InvalidValue> {
        read(value).build()
    }

    fn unreadable(text: &str) -> String {
        serde_json::from_str::<PolicySpec>(text).unwrap_err().to_string()
    }

    #[test]
    fn every_kind_needs_nothing_but_its_name() {
        for (kind, name) in [
            ("drop_oldest", "drop_oldest"),
            ("masking", "observation_masking"),
            ("repeated_results", "repeated_results"),
            ("stale_reads", "stale_reads"),
            ("failed_results", "failed_results"),
            ("clip", "clip"),
            ("call_arguments", "call_arguments"),
            ("opaque_reasoning", "opaque_reasoning"),
            ("old_reasoning", "old_reasoning"),
            ("latest_state", "latest_state"),
            ("summarizing", "summarizing"),
            ("default_chain", "chain(observation_masking@2.0.0+summarizing@2.0.0+drop_oldest@2.0.0)"),
            ("manual", "manual"),
        ] {
            let policy = build(&json!({ "kind": kind })).unwrap();
            assert_eq!((policy.name().as_ref(), policy.version()), (name, "2.0.0"));
        }
        let Err(error) = build(&json!({"kind": "chain"})) else { panic!("a chain of nothing is accepted") };
        assert_eq!(serde_json::to_value(error.details()).unwrap(), json!({}));
    }

    #[test]
    fn the_constructors_make_what_the_shortest_json_makes() {
        for (made, kind) in [
            (PolicySpec::drop_oldest(), "drop_oldest"),
            (PolicySpec::masking(), "masking"),
            (PolicySpec::repeated_results(), "repeated_results"),
            (PolicySpec::stale_reads(), "stale_reads"),
            (PolicySpec::failed_results(), "failed_results"),
            (PolicySpec::clip(), "clip"),
            (PolicySpec::call_arguments(), "call_arguments"),
            (PolicySpec::opaque_reasoning(), "opaque_reasoning"),
            (PolicySpec::old_reasoning(), "old_reasoning"),
            (PolicySpec::latest_state(), "latest_state"),
            (PolicySpec::summarizing(), "summarizing"),
            (PolicySpec::default_chain(), "default_chain"),
        ] {
            assert_eq!(made, read(&json!({ "kind": kind })));
        }
        let chain = PolicySpec::chain([PolicySpec::masking(), PolicySpec::drop_oldest()]);
        assert_eq!(
            chain,
            read(&json!({"kind": "chain", "members": [{"kind": "masking"}, {"kind": "drop_oldest"}]}))
        );
    }

    #[test]
    fn policies_that_begin_at_version_2_refuse_to_be_older() {
        let kinds = [
            "repeated_results",
            "stale_reads",
            "failed_results",
            "clip",
            "call_arguments",
            "opaque_reasoning",
            "old_reasoning",
            "latest_state",
        ];
        for kind in kinds {
            let old = json!({"kind": kind, "version": "1.0.0"});
            let member = json!({"kind": "chain", "version": "1.0.0", "members": [{"kind": kind}]});
            for refused in [old, member] {
                let Err(error) = build(&refused) else { panic!("{kind} is older than it can be") };
                assert!(error.to_string().contains("begins at 2.0.0"), "{error}");
            }
            let own =
                json!({"kind": "chain", "version": "1.0.0", "members": [{"kind": kind, "version": "2.0.0"}]});
            assert!(build(&own).is_ok(), "{kind}");
        }
    }

    #[test]
    fn settings_of_shortening_are_read_written_and_refused() {
        let sound = [
            json!({"kind": "masking", "stub": "short"}),
            json!({"kind": "repeated_results", "min_chars": 9, "protected_turn_ids": ["t"]}),
            json!({"kind": "stale_reads", "stale_by": "path_or_write", "read_tools": ["a"], "write_tools": ["b"],
                "shell_tools": ["c"], "excluded_tools": ["d"]}),
            json!({"kind": "failed_results", "head_chars": 0, "tail_chars": 9}),
            json!({"kind": "clip", "max_chars": 9, "head_chars": 4, "tail_chars": 4}),
            json!({"kind": "call_arguments", "max_chars": 301, "estimator": {"kind": "char_ratio", "chars_per_token": 3.5}}),
            json!({"kind": "old_reasoning", "keep_recent_turns": 0}),
            json!({"kind": "latest_state", "state_tools": ["plan"], "version": "2.0.0"}),
        ];
        for value in sound {
            let spec = read(&value);
            assert_eq!(serde_json::to_value(&spec).unwrap(), value);
            assert!(spec.build().is_ok(), "{value}");
        }
        let unsound = [
            json!({"kind": "masking", "stub": "tiny"}),
            json!({"kind": "masking", "stub": "short", "version": "1.0.0"}),
            json!({"kind": "masking", "stub": "short", "placeholder": "[mine]"}),
            json!({"kind": "repeated_results", "min_chars": 0}),
            json!({"kind": "stale_reads", "stale_by": "age"}),
            json!({"kind": "failed_results", "head_chars": 0, "tail_chars": 0}),
            json!({"kind": "failed_results", "head_chars": -1}),
            json!({"kind": "clip", "max_chars": 3000}),
            json!({"kind": "call_arguments", "head_chars": 900}),
            json!({"kind": "old_reasoning", "keep_recent_turns": -1}),
        ];
        for value in unsound {
            assert!(build(&value).is_err(), "{value}");
        }
        assert!(unreadable(r#"{"kind":"clip","min_chars":1}"#).contains("no member `min_chars`"));
    }

    #[test]
    fn members_take_the_version_of_their_chain_unless_they_have_their_own() {
        let chain = json!({"kind": "chain", "version": "1.0.0", "members": [
            {"kind": "drop_oldest"},
            {"kind": "drop_oldest", "version": "2.0.0"},
            {"kind": "chain", "members": [{"kind": "masking"}]},
            {"kind": "default_chain", "version": "2.0.0"},
        ]});
        let policy = build(&chain).unwrap();
        assert_eq!(policy.version(), "1.0.0");
        assert_eq!(
            policy.name(),
            "chain(drop_oldest@1.0.0+drop_oldest@2.0.0+chain(observation_masking@1.0.0)@1.0.0\
             +chain(observation_masking@2.0.0+summarizing@2.0.0+drop_oldest@2.0.0)@2.0.0)"
        );
        let first = PolicySpec::default_chain().with_version(PolicyVersion::V1).build().unwrap();
        assert_eq!(first.name(), "chain(observation_masking@1.0.0+summarizing@1.0.0+drop_oldest@1.0.0)");
    }

    #[test]
    fn refused_values_keep_their_code_and_details() {
        for (policy, details) in [
            (json!({"kind": "masking", "version": "1.1.0"}), json!({"version": "1.1.0"})),
            (json!({"kind": "masking", "keep_recent_results": -1}), json!({"keep_recent_results": -1})),
            (json!({"kind": "masking", "placeholder": "\u{3000}"}), json!({"placeholder": "'\\u3000'"})),
            (
                json!({"kind": "masking", "estimator": {"kind": "char_ratio", "chars_per_token": "nan"}}),
                json!({"chars_per_token": "nan"}),
            ),
            (
                json!({"kind": "masking", "estimator": {"kind": "len_div", "divisor": 0}}),
                json!({"divisor": 0}),
            ),
            (json!({"kind": "summarizing", "prompt_id": "\t"}), json!({"prompt_id": "'\\t'"})),
            (json!({"kind": "summarizing", "target_ratio": -0.0}), json!({"target_ratio": "-0.0"})),
            (
                json!({"kind": "summarizing", "target_ratio_bits": "7ff0000000000000"}),
                json!({"target_ratio": "inf"}),
            ),
            (json!({"kind": "summarizing", "min_span_turns": 0}), json!({"min_span_turns": 0})),
            (
                json!({"kind": "default_chain", "prompt_id": "", "min_span_turns": -1}),
                json!({"prompt_id": "''"}),
            ),
            (json!({"kind": "drop_oldest", "version": "1.0.0", "protected_turn_ids": ["u"]}), json!({})),
            (
                json!({"kind": "manual", "actions": [{"turn_id": "u", "action": "mask"}]}),
                json!({"turn_id": "u", "action": "mask"}),
            ),
            (json!({"kind": "manual", "tokens_before": 1}), json!({})),
            (json!({"kind": "manual", "via": "constructor"}), json!({})),
        ] {
            let Err(error) = build(&policy) else { panic!("{policy} is accepted") };
            assert_eq!(error.code().as_str(), "VALIDATION_ERROR", "{policy}");
            assert_eq!(serde_json::to_value(error.details()).unwrap(), details, "{policy}");
        }
    }

    #[test]
    fn a_specification_has_an_end() {
        let chain =
            |members: usize| json!({"kind": "chain", "members": vec![json!({"kind": "masking"}); members]});
        assert!(build(&chain(MOST_POLICIES - 1)).is_ok());
        let nested = json!({"kind": "chain", "members": [chain(31), chain(31)]});
        for too_many in [chain(MOST_POLICIES), nested] {
            let error = build(&too_many).err().unwrap();
            assert_eq!(error.code(), Code::VALIDATION_ERROR);
            assert_eq!(error.details(), Details::none().with("members", MOST_POLICIES + 1));
        }
    }

    #[test]
    fn what_is_no_specification_is_refused_by_name() {
        for (text, says) in [
            ("{}", "missing field `kind`"),
            ("[]", "a policy: an object with a kind"),
            (r#"{"kind":"magic"}"#, "unknown variant `magic`"),
            (r#"{"kind":"masking","colour":1}"#, "unknown field `colour`"),
            (r#"{"placeholder":null,"kind":"drop_oldest"}"#, "no member `placeholder`"),
            (r#"{"kind":"manual","version":"2.0.0"}"#, "no member `version`"),
            (r#"{"kind":"masking","kind":"masking"}"#, "`kind` is there twice"),
            (r#"{"kind":"chain","members":[{"kind":"masking","members":[]}]}"#, "no member `members`"),
            (r#"{"kind":"masking","keep_recent_results":true}"#, "invalid number"),
            (r#"{"kind":"masking","keep_recent_results":2.0}"#, "line 1"),
            (r#"{"kind":"summarizing","target_ratio":"0.2"}"#, "nan, inf and -inf"),
            (r#"{"kind":"summarizing","target_ratio_bits":"+ff0000000000000"}"#, "16 hex digits"),
            (r#"{"kind":"masking","estimator":{"kind":"fixed"}}"#, "lacks a member of its kind"),
            (r#"{"kind":"masking","estimator":{"kind":"fixed","tokens":1,"divisor":1}}"#, "another kind"),
        ] {
            let error = unreadable(text);
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn numbers_beyond_64_bits_are_read_in_full() {
        let text = r#"{"kind":"summarizing","min_span_turns":-1180591620717411303424}"#;
        let Err(error) = serde_json::from_str::<PolicySpec>(text).unwrap().build() else {
            panic!("accepted")
        };
        let InvalidValue::Setting { value, .. } = &error else { panic!("{error}") };
        assert_eq!(*value, Some((-1_180_591_620_717_411_303_424_i128).into()));
        let text = r#"{"kind":"masking","keep_recent_results":1180591620717411303424}"#;
        assert!(serde_json::from_str::<PolicySpec>(text).unwrap().build().is_ok());
    }

    #[test]
    fn a_specification_can_be_read_from_a_json_value_too() {
        let value = json!({"kind": "chain", "members": [{"kind": "masking", "keep_recent_results": 3}]});
        assert_eq!(serde_json::from_value::<PolicySpec>(value.clone()).unwrap(), read(&value));
    }

    #[test]
    fn settings_reach_the_policy() {
        let turn = |id: &str, tokens| TranscriptTurn::new(id, Role::Tool, "text", tokens).unwrap();
        let transcript = Transcript::new(vec![turn("a", 400), turn("b", 400), turn("c", 400)]).unwrap();
        let budget = CompactionBudget::new(500).with_protected_recent_turns(0);
        let plan =
            |value: Value| build(&value).unwrap().decide(&transcript, &budget).unwrap().canonical_json();
        let masked = plan(json!({"kind": "masking", "keep_recent_results": 1, "placeholder": "[gone]"}));
        assert_eq!(masked.matches("[gone] (original: 400 tokens").count(), 2);
        let folded = plan(json!({"kind": "summarizing", "min_span_turns": 3, "target_ratio": 0.5}));
        assert!(folded.contains(r#""target_tokens":600"#) && folded.contains(DEFAULT_PROMPT_ID), "{folded}");
        let spared = plan(json!({"kind": "drop_oldest", "protected_turn_ids": ["a"]}));
        assert!(
            spared.contains(r#"{"action":"keep","replacement":null,"summary_group":null,"turn_id":"a"}"#)
        );
    }

    #[test]
    fn a_manual_plan_is_judged_with_the_figures_that_it_claims() {
        let turn = TranscriptTurn::new("u", Role::User, "text", 7).unwrap();
        let (transcript, budget) =
            (Transcript::new(vec![turn]).unwrap(), CompactionBudget::new(9).with_protected_recent_turns(0));
        let plan = |after: u64| {
            let actions =
                json!([{"turn_id": "u", "action": "drop", "summary_group": null, "replacement": null}]);
            let policy = json!({"kind": "manual", "via": "constructor", "actions": actions, "policy_name": "me",
                "policy_version": "1.0.0", "estimator_ratio_bits": "4010000000000000",
                "tokens_before": 7, "tokens_after_estimate": after, "budget_unmet": false});
            build(&policy).unwrap().decide(&transcript, &budget)
        };
        let made = plan(0).unwrap();
        assert_eq!(
            (made.policy_name(), made.policy_version(), made.estimator_ratio()),
            ("me", "1.0.0", Some(4.0))
        );
        let details = serde_json::to_value(plan(1).unwrap_err().details()).unwrap();
        assert_eq!(details, json!({"declared": 1, "derived": 0}));
    }

    fn settings() -> impl Strategy<Value = Value> {
        let ids = prop::collection::vec("[a-z]{1,3}", 0..3);
        let estimator = prop_oneof![
            any::<f64>().prop_map(|ratio| json!({"kind": "char_ratio", "chars_per_token_bits": format!("{:016x}", ratio.to_bits())})),
            any::<i64>().prop_map(|tokens| json!({"kind": "fixed", "tokens": tokens})),
            any::<i64>().prop_map(|divisor| json!({"kind": "len_div", "divisor": divisor})),
        ];
        let leaf = prop_oneof![
            ids.clone().prop_map(|ids| json!({"kind": "drop_oldest", "excluded_tools": ids})),
            (any::<i64>(), any::<String>(), estimator, ids).prop_map(|(keep, placeholder, estimator, ids)| json!({
                "kind": "masking", "keep_recent_results": keep, "placeholder": placeholder, "estimator": estimator,
                "protected_turn_ids": ids
            })),
            (any::<f64>(), any::<i64>(), prop::option::of("[12].0.0")).prop_map(|(ratio, turns, version)| json!({
                "kind": "default_chain", "min_span_turns": turns, "version": version,
                "target_ratio_bits": format!("{:016x}", ratio.to_bits())
            })),
            prop::collection::vec("[a-z]{1,3}", 0..3).prop_map(|ids| {
                let actions: Vec<Value> = ids.iter().map(|id| json!({"turn_id": id, "action": "drop"})).collect();
                json!({"kind": "manual", "actions": actions, "estimator_ratio": "inf"})
            }),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop::collection::vec(inner, 0..3)
                .prop_map(|members| json!({"kind": "chain", "members": members}))
        })
    }

    proptest! {
        #[test]
        fn a_specification_survives_being_written(value in settings()) {
            let spec = read(&value);
            let written = serde_json::to_string(&spec).unwrap();
            prop_assert!(!written.contains("_bits"), "{}", written);
            let again: PolicySpec = serde_json::from_str(&written).unwrap();
            prop_assert_eq!(&serde_json::to_string(&again).unwrap(), &written);
            // A ratio that is no number is unequal to itself; every other specification is the same again.
            prop_assert!(again == spec || written.contains("\"nan\""));
        }

        #[test]
        fn reading_and_building_never_panics(text in r#"\{"kind":"(masking|chain|manual|summarizing)"(,"[a-z_]{1,20}":(null|-?[0-9]{1,40}|"[a-z]{0,4}"|\[\]|\{\})){0,3}\}"#) {
            if let Ok(spec) = serde_json::from_str::<PolicySpec>(&text) {
                prop_assert!(spec.build().is_err() || serde_json::to_string(&spec).is_ok());
            }
        }
    }
}
