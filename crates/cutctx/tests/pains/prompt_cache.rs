//! The prompt cache: what was sent keeps its form, and the head stays where it is.

use alloc::collections::BTreeMap;

use cutctx::policies::RollingSummaryPolicy;
use cutctx::{
    BoxedPolicy, CharRatioEstimator, CompactionBudget, DropOldestPolicy, MaskStub, ObservationMaskingPolicy,
    PolicyChain, Role, StickyStep, StickyView, Summaries, TokenEstimator, TranscriptTurn, recommended,
};

fn turn(id: String, role: Role, text: &str) -> TranscriptTurn {
    let tokens = CharRatioEstimator::default().estimate(text);
    TranscriptTurn::new(id, role, text, tokens).unwrap()
}

/// A call of a tool and its result.
fn round(n: usize) -> [TranscriptTurn; 2] {
    let call = turn(format!("a{n}"), Role::Assistant, &format!("I read src/part_{n}.rs"));
    let result =
        turn(format!("t{n}"), Role::Tool, &format!("part {n} says: {}", "a plain line\n".repeat(20)));
    [
        call.with_tool_call_id(format!("c{n}")),
        result.with_tool_call_id(format!("c{n}")).with_tool_name("read"),
    ]
}

fn view(policy: BoxedPolicy) -> StickyView {
    StickyView::new(policy, CompactionBudget::new(3_000).with_target(1_500).unwrap())
}

/// Whether the view was compacted; a summary says which turns it stands for.
fn settled(view: &mut StickyView) -> bool {
    match view.settle().unwrap() {
        StickyStep::SummariesNeeded(plan) => {
            let text = |ids: usize| format!("{ids} turns came before");
            let requests = plan.summarization_requests();
            let summaries: Summaries =
                requests.iter().map(|one| (one.group_id().clone(), text(one.turn_ids().len()))).collect();
            view.fulfil(*plan, &summaries).unwrap();
            true
        }
        StickyStep::Compacted(_) => true,
        StickyStep::Fits => false,
        StickyStep::Unmet(_) => panic!("nothing can be done"),
    }
}

#[test]
fn a_result_that_was_sent_whole_is_shortened_at_a_compaction_only_and_a_stub_keeps_its_bytes() {
    let members: Vec<BoxedPolicy> = vec![
        Box::new(ObservationMaskingPolicy::new().with_keep_recent_results(3)),
        Box::new(DropOldestPolicy::new()),
    ];
    let policies: [BoxedPolicy; 2] = [Box::new(PolicyChain::new(members).unwrap()), Box::new(recommended())];
    for policy in policies {
        let mut view = view(policy);
        let mut forms: BTreeMap<String, String> = BTreeMap::new();
        let (mut compactions, mut stubs) = (0, 0);
        for n in 0..200 {
            for turn in round(n) {
                view.append(turn);
            }
            let compacted = settled(&mut view);
            compactions += usize::from(compacted);
            for turn in view.turns() {
                let (id, text) = (turn.turn_id().as_ref().to_owned(), turn.content().as_ref().to_owned());
                let is_stub = MaskStub::parse(&text).is_some();
                match forms.insert(id.clone(), text.clone()) {
                    Some(before) if before != text => {
                        assert!(compacted, "{id} changes at step {n} without a compaction");
                        assert!(MaskStub::parse(&before).is_none(), "a stub changes");
                        stubs += usize::from(is_stub);
                    }
                    _ => {}
                }
            }
        }
        assert!(compactions > 5 && stubs > 10, "{compactions} {stubs}");
    }
}

#[test]
fn a_summary_stands_behind_the_head_and_the_head_never_changes() {
    let policy = RollingSummaryPolicy::new("p").unwrap().with_summary_tokens(200).unwrap();
    let mut view = view(Box::new(policy));
    let head = turn("s".to_owned(), Role::System, &"a rule of the house\n".repeat(30));
    view.append(head.clone());
    let (mut last, mut compactions) = (Vec::new(), 0);
    for n in 0..200 {
        for turn in round(n) {
            view.append(turn);
        }
        let compacted = settled(&mut view);
        let turns = view.turns();
        assert_eq!(turns[0], head, "step {n}");
        assert!(compacted || turns.starts_with(&last), "step {n}: more than the end changes");
        if compacted {
            compactions += 1;
            assert!(turns[1].turn_id().starts_with("summary:"), "the summary is not next to the head");
        }
        let summaries = turns.iter().filter(|turn| turn.turn_id().starts_with("summary:")).count();
        assert_eq!(summaries, usize::from(compactions > 0), "step {n}");
        assert!(turns.iter().filter(|turn| turn.role() == Role::System).count() == 1, "step {n}");
        last = turns.to_vec();
    }
    assert!(compactions > 5, "{compactions}");
}

/// What a model was sent last, as its application knows it.
#[cfg(feature = "models")]
#[derive(Debug)]
struct Sent;

#[cfg(feature = "models")]
impl cutctx::models::CachePrefixBuilder for Sent {
    fn build(&self, messages: &[cutctx::messages::Message]) -> Option<cutctx::context::ModelRequest> {
        let tool = serde_json::from_str(r#"{"name": "read", "description": "Reads a file."}"#).unwrap();
        Some(
            cutctx::context::ModelRequest::new(messages.to_vec())
                .with_model(cutctx::messages::CleanText::new("m").unwrap())
                .with_tools(vec![tool]),
        )
    }
}

#[cfg(feature = "models")]
#[test]
fn the_request_for_a_summary_can_be_what_was_sent_with_one_instruction_more() {
    use cutctx::context::{CompactionRequest, CompactionStep, ContextCompactor as _, Session};
    use cutctx::messages::{CleanText, Message, TextPart};
    use cutctx::models::{CachePrefixBuilder as _, PromptCacheCompactor};

    let clean = |text: &str| CleanText::new(text).unwrap();
    let says = |n: usize| {
        let role = if n.is_multiple_of(2) { Role::User } else { Role::Assistant };
        Message::new(role, vec![TextPart::new(format!("words {n}")).unwrap().into()]).unwrap()
    };
    let sent: Vec<Message> = (0..9).map(says).collect();
    let session = Session::new("s", "a").unwrap().with_model(clean("mine"), clean("m"));
    let mut request = CompactionRequest::new(session, sent[..5].to_vec());
    request.cache_prefix = Some(sent.clone().into());
    let compactor = PromptCacheCompactor::new(clean("mine")).with_prefix_builder(alloc::sync::Arc::new(Sent));
    let CompactionStep::Call(asked, _) = compactor.begin(&request) else { panic!("no model is asked") };
    let before = Sent.build(&sent).unwrap();
    assert_eq!((&asked.model, &asked.tools), (&before.model, &before.tools));
    assert_eq!(asked.messages[..sent.len()], sent[..], "the prefix is what was sent");
    assert_eq!(asked.messages.len(), sent.len() + 1);
    assert_eq!(asked.messages.last().unwrap().role(), Role::User);

    // A summary before, or a refusal for its length: bounded input, which is not what was sent.
    request.force_bounded_compaction = true;
    let CompactionStep::Call(asked, _) = compactor.begin(&request) else { panic!("no model is asked") };
    assert!(asked.messages.len() < sent.len() && asked.tools.is_empty());
}
