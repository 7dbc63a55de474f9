//! Messages to turns: granularity, pairing against a slow oracle, call states, estimates.

extern crate alloc;

#[cfg(test)]
mod mapping {
    use alloc::borrow::Cow;
    use cutctx_messages::{
        CallState, CallView, Mapped, Media, MediaKind, MessageEstimator, MessageView, PartView, Placement,
        ResultView, TurnMapper,
    };
    use cutctx_types::{CharRatioEstimator, PartKind, Role, Transcript, TranscriptTurn};
    use proptest::prelude::*;

    fn map(messages: &[MessageView<'_>]) -> Mapped {
        let estimator = CharRatioEstimator::default();
        let mut mapper = TurnMapper::new(&estimator);
        for message in messages {
            mapper.push(message).unwrap();
        }
        mapper.finish()
    }

    fn says(role: Role, text: &'static str) -> MessageView<'static> {
        MessageView::new(role, vec![PartView::text(text)])
    }

    fn calls(ids: &[&'static str]) -> MessageView<'static> {
        let call = |id: &&'static str| PartView::ToolCall(CallView::new(*id, "look", r#"{"at":1}"#));
        MessageView::new(Role::Assistant, ids.iter().map(call).collect())
    }

    fn result(id: &'static str) -> MessageView<'static> {
        MessageView::new(Role::Tool, vec![PartView::ToolResult(ResultView::new(id, "seen"))])
    }

    fn exchanges(mapped: &Mapped) -> Vec<Option<&str>> {
        mapped.turns.iter().map(|turn| turn.tool_call_id()).collect()
    }

    #[test]
    fn parts_of_a_turn_tile_its_content() {
        let parts = vec![
            PartView::Reasoning("think".into()),
            PartView::OpaqueReasoning { text: "sealed".into(), hidden_bytes: 64 },
            PartView::text("say"),
            PartView::ToolCall(CallView::new("c", "look", "{\"at\": 1}")),
            PartView::ToolCall(CallView::new("d", "look", " { } ")),
            PartView::Media(Media::new(MediaKind::Image).with_label("image/png").with_base64(400)),
        ];
        let mapped = map(&[MessageView::new(Role::Assistant, parts)]);
        let turn = &mapped.turns[0];
        assert_eq!(
            turn.content().as_ref(),
            "thinksealedsay[call look {\"at\": 1}][image image/png, 300 bytes]"
        );
        let kinds: Vec<PartKind> = turn.parts().iter().map(|part| part.kind).collect();
        let wanted = [
            PartKind::Reasoning,
            PartKind::OpaqueReasoning,
            PartKind::Text,
            PartKind::CallArguments,
            PartKind::CallArguments,
            PartKind::Media,
        ];
        assert_eq!(kinds, wanted);
        let tokens: Vec<u64> = turn.parts().iter().map(|part| part.token_estimate).collect();
        assert_eq!(tokens, [2, 2 + 12, 1, 1 + 3, 1 + 2, 1_600]);
        assert_eq!(turn.token_estimate(), tokens.iter().sum::<u64>());
    }

    #[test]
    fn results_and_text_of_one_message_become_turns_in_their_order() {
        let results = ["a", "b"].map(|id| PartView::ToolResult(ResultView::new(id, id)));
        let [a, b] = results;
        let estimator = CharRatioEstimator::default();
        let mut mapper = TurnMapper::new(&estimator);
        mapper.push(&calls(&["a", "b"])).unwrap();
        let mixed = MessageView::new(Role::User, vec![a, PartView::text("and "), b, PartView::text("more")]);
        let placed: Vec<(usize, usize)> =
            mapper.push(&mixed).unwrap().iter().map(|Placement { turn, part, .. }| (*turn, *part)).collect();
        assert_eq!(placed, [(1, 0), (2, 0), (3, 0), (2, 1)]);
        let done = mapper.finish();
        let texts: Vec<&str> = done.turns.iter().skip(1).map(|turn| turn.content().as_ref()).collect();
        assert_eq!(texts, ["a", "and more", "b"]);
        assert_eq!(exchanges(&done), [Some("m0"), Some("m0"), None, Some("m0")]);
    }

    #[test]
    fn states_tell_answered_calls_from_those_in_flight_and_left_behind() {
        let server = PartView::ToolCall(CallView::new("s", "search", "{}").on_server());
        let mapped = map(&[
            says(Role::User, "go"),
            calls(&["a"]),
            says(Role::User, "stop"),
            MessageView::new(Role::Assistant, vec![server]),
            calls(&["b", "c"]),
            result("c"),
        ]);
        let states: Vec<CallState> = mapped.calls.iter().map(|call| call.state).collect();
        let wanted = [CallState::Dangling, CallState::ServerSide, CallState::InFlight, CallState::Answered];
        assert_eq!(states, wanted);
        let pinned: Vec<bool> = mapped.turns.iter().map(TranscriptTurn::pinned).collect();
        assert_eq!(pinned, [false, false, false, false, true, false]);
        assert_eq!(exchanges(&mapped), [None, Some("m1"), None, None, Some("m4"), Some("m4")]);
    }

    #[test]
    fn a_result_told_twice_stays_with_its_exchange_and_a_stray_one_stands_alone() {
        let mapped = map(&[calls(&["a"]), result("a"), result("a"), says(Role::User, "next"), result("a")]);
        assert_eq!(exchanges(&mapped), [Some("m0"), Some("m0"), Some("m0"), None, None]);
        assert_eq!(mapped.orphan_results, 1);
    }

    #[test]
    fn ids_that_messages_bring_are_kept_and_made_distinct() {
        let mapped = map(&[
            says(Role::User, "a").with_id("u"),
            says(Role::User, "b").with_id("u"),
            says(Role::User, "c").with_id("u"),
            says(Role::User, "d").with_id(""),
        ]);
        let ids: Vec<&str> = mapped.turns.iter().map(|turn| turn.turn_id().as_ref()).collect();
        assert_eq!(ids, ["u", "u~2", "u~3", "m3"]);
    }

    #[test]
    fn an_id_that_a_message_brings_never_meets_a_numbered_one_before_or_after_it() {
        let two_turns = |id: &'static str| {
            let parts = ["a", "b"].map(|call| PartView::ToolResult(ResultView::new(call, "x")));
            MessageView::new(Role::User, parts.into()).with_id(id)
        };
        let mapped =
            map(&[two_turns(""), two_turns("m0"), two_turns("m4"), two_turns("m0.1"), two_turns("")]);
        let ids: Vec<&str> = mapped.turns.iter().map(|turn| turn.turn_id().as_ref()).collect();
        let expected = ["m0", "m0.1", "m0~2", "m0.1~2", "m4", "m4.1", "m0.1~3", "m0.1.1", "m4~2", "m4.1~2"];
        assert_eq!(ids, expected);
        assert!(Transcript::new(mapped.turns).is_ok());
    }

    #[test]
    fn one_id_on_very_many_messages_is_told_apart_in_one_pass() {
        let estimator = CharRatioEstimator::default();
        let mut mapper = TurnMapper::new(&estimator);
        // Trying every number from the start again each time would take half a minute.
        for _ in 0..20_000 {
            mapper.push(&says(Role::User, "again").with_id("u")).unwrap();
        }
        let turns = mapper.finish().turns;
        assert_eq!(turns.last().map(|turn| turn.turn_id().as_ref()), Some("u~20000"));
        assert!(Transcript::new(turns).is_ok());
    }

    #[test]
    fn a_message_without_parts_is_an_empty_turn() {
        let mapped =
            map(&[MessageView::new(Role::User, Vec::new()), MessageView::new(Role::Tool, Vec::new())]);
        assert_eq!(mapped.turns.iter().map(|turn| turn.content().len()).collect::<Vec<_>>(), [0, 0]);
    }

    #[test]
    fn media_cost_by_flat_rules() {
        let document = Media::new(MediaKind::Document);
        assert_eq!(document.clone().with_bytes(320_000).default_tokens(), 10_000);
        assert_eq!(document.default_tokens(), 1_600);
        assert_eq!(Media::new(MediaKind::Other).with_bytes(9).default_tokens(), 3);
        assert_eq!(Media::new(MediaKind::Audio).descriptor(), "[audio]");
    }

    #[test]
    fn debug_output_shows_no_text() {
        let message = MessageView::new(
            Role::Assistant,
            vec![
                PartView::text("hunter2"),
                PartView::ToolCall(CallView::new("c", "look", "hunter2")),
                PartView::ToolResult(ResultView::new("c", "hunter2")),
            ],
        );
        assert!(!format!("{message:?}").contains("hunter2"));
        assert!(!format!("{:?}", CallView::new("c", "look", "hunter2")).contains("hunter2"));
        assert!(!format!("{:?}", ResultView::new("c", "hunter2")).contains("hunter2"));
    }

    struct Framed;

    impl MessageEstimator for Framed {
        fn text(&self, text: &str) -> u64 {
            u64::try_from(text.len()).unwrap()
        }

        fn label(&self) -> Cow<'_, str> {
            "bytes".into()
        }

        fn framing(&self, role: Role) -> u64 {
            if role == Role::User { 3 } else { 0 }
        }
    }

    #[test]
    fn framing_is_added_to_the_turn_and_not_to_its_parts() {
        let mut mapper = TurnMapper::new(&Framed);
        let parts = vec![PartView::text("ab"), PartView::text("c")];
        mapper.push(&MessageView::new(Role::User, parts)).unwrap();
        let turn = &mapper.finish().turns[0];
        assert_eq!(turn.token_estimate(), 6);
        assert_eq!(turn.parts().iter().map(|part| part.token_estimate).sum::<u64>(), 3);
    }

    /// What happens in a conversation of calls and results.
    #[derive(Debug, Clone)]
    enum Event {
        Person,
        Calls(Vec<usize>),
        Result(usize),
    }

    fn events() -> impl Strategy<Value = Vec<Event>> {
        let event = prop_oneof![
            1 => Just(Event::Person),
            3 => proptest::collection::vec(0..4_usize, 0..3).prop_map(Event::Calls),
            5 => (0..4_usize).prop_map(Event::Result),
        ];
        proptest::collection::vec(event, 0..40)
    }

    const IDS: [&str; 4] = ["a", "b", "", "d"];

    /// For each result, walks back to the nearest call of its id that nobody has answered; failing that, to a call
    /// of its id that was answered since the assistant began to speak and nobody else spoke.
    fn slow_pairs(events: &[Event]) -> Vec<Option<usize>> {
        let mut answered: Vec<(usize, usize, usize)> = Vec::new();
        let mut pairs = Vec::new();
        for (now, event) in events.iter().enumerate() {
            let Event::Result(id) = event else {
                pairs.push(None);
                continue;
            };
            let mut found = None;
            'back: for (before, event) in events.iter().enumerate().take(now).rev() {
                let Event::Calls(ids) = event else { continue };
                for nth in (0..ids.len()).rev() {
                    let taken = answered.iter().any(|(turn, call, _)| (*turn, *call) == (before, nth));
                    if ids[nth] == *id && !taken {
                        found = Some((before, nth));
                        break 'back;
                    }
                }
            }
            if found.is_none() {
                let opening = (0..now).rev().find(|at| match events[*at] {
                    Event::Person => true,
                    Event::Calls(_) => !matches!(events.get(at.wrapping_sub(1)), Some(Event::Calls(_))),
                    Event::Result(_) => false,
                });
                let since = opening.unwrap_or(0);
                let again = answered.iter().rev().find(|(turn, call, at)| {
                    matches!(&events[*turn], Event::Calls(ids) if ids[*call] == *id) && *at >= since
                });
                found = again.map(|(turn, call, _)| (*turn, *call));
            }
            pairs.push(found.map(|(turn, _)| turn));
            answered.extend(found.map(|(turn, call)| (turn, call, now)));
        }
        pairs
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn results_pair_with_the_nearest_open_call(events in events()) {
            let messages: Vec<MessageView<'_>> = events.iter().map(|event| match event {
                Event::Person => says(Role::User, "hm"),
                Event::Calls(ids) => calls(&ids.iter().map(|id| IDS[*id]).collect::<Vec<_>>()),
                Event::Result(id) => result(IDS[*id]),
            }).collect();
            let mapped = map(&messages);
            for (turn, (event, caller)) in mapped.turns.iter().zip(events.iter().zip(slow_pairs(&events))) {
                let own = matches!(event, Event::Calls(ids) if !ids.is_empty()).then(|| turn.turn_id().to_string());
                let wanted = caller.map(|caller| format!("m{caller}")).or(own);
                prop_assert_eq!(turn.tool_call_id().map(ToOwned::to_owned), wanted);
            }
        }
    }
}
