//! Loops that make no progress: passes that free nothing, summaries that grow, attempts that fail.

use alloc::collections::BTreeMap;

use crate::spell::{formats, says, spelled, user};
use crate::ways::{budget, read};
use cutctx::formats::{Session, format_named};
use cutctx::policies::RollingSummaryPolicy;
use cutctx::session::render;
use cutctx::{
    ApplyError, BoxedPolicy, CompactionBudget, CompactionPolicy, DropOldestPolicy, Error,
    ObservationMaskingPolicy, PolicyChain, PolicyError, Role, StickyStep, StickyView, Summaries,
    SummarizingPolicy, TokenEstimator, TranscriptTurn, default_chain, recommended,
};
use serde_json::json;

pub(crate) fn policies() -> Vec<BoxedPolicy> {
    vec![
        Box::new(recommended()),
        Box::new(default_chain("p").unwrap()),
        Box::new(DropOldestPolicy::new()),
        Box::new(ObservationMaskingPolicy::new()),
        Box::new(RollingSummaryPolicy::new("p").unwrap()),
    ]
}

/// A conversation below rules of the house, in the formats whose files have such rules.
fn below_rules(rules: &str, rounds: usize) -> Vec<Session> {
    let said = |n: usize| {
        [
            json!({"role": "user", "content": format!("question {n}")}),
            json!({"role": "assistant", "content": format!("answer {n}")}),
        ]
    };
    let said: Vec<_> = (0..rounds).flat_map(said).collect();
    let mut chat = vec![json!({"role": "system", "content": rules})];
    chat.extend(said.clone());
    let documents = [
        ("openai-chat", json!(chat)),
        ("anthropic-messages", json!({"model": "m", "max_tokens": 9, "system": rules, "messages": said})),
        ("openai-responses", json!({"model": "m", "instructions": rules, "input": said})),
    ];
    documents.map(|(name, document)| read(format_named(name).unwrap(), &document.to_string())).into()
}

#[test]
fn a_head_that_leaves_too_little_room_is_told_with_what_must_stay_and_is_no_reason_for_another_pass() {
    for session in below_rules(&"a rule of the house\n".repeat(180), 40) {
        let (name, transcript) = (session.format().name(), session.transcript());
        let system: u64 = transcript
            .turns()
            .iter()
            .filter(|turn| turn.role() == Role::System)
            .map(TranscriptTurn::token_estimate)
            .sum();
        let max = system * 10 / 9;
        assert!(transcript.token_estimate() > max + 50, "{name}");
        for policy in policies() {
            // What must stay is above the trigger: told with its items, each time.
            let below = budget(system + 1).with_protected_recent_turns(4);
            for _ in 0..3 {
                let told = policy.decide(transcript, &below).unwrap_err();
                let PolicyError::Unsatisfiable(told) = told else { panic!("{name}: {told}") };
                assert_eq!((told.floor.system, told.max_tokens), (system, system + 1), "{name}");
                assert!(told.floor.tail > 1 && told.to_string().contains(&format!("system {system}")));
            }
            // What must stay is above the target and below the trigger: one pass goes as far as it can.
            let budget = budget(max).with_target(max / 2).unwrap();
            let plan = policy.decide(transcript, &budget).unwrap();
            assert!(plan.tokens_after_estimate() > max / 2, "{name}: the rules stay");
            let unmet = plan.tokens_after_estimate() > max;
            assert_eq!(plan.budget_unmet(), unmet, "{name} {}", policy.name());
            if !unmet && plan.summarization_requests().is_empty() {
                let once =
                    read(session.format(), &render(&session, &plan, &Summaries::none()).unwrap().to_text());
                let again = policy.decide(once.transcript(), &budget).unwrap();
                assert_eq!(again.first_changed_position(), None, "{name} {}", policy.name());
            }
        }
    }
}

#[test]
fn a_pass_that_frees_nothing_is_told_from_one_that_need_not_and_the_next_member_goes_on() {
    let steps: Vec<_> =
        (0..30).flat_map(|n| [user(&format!("question {n}")), says(&"a long answer ".repeat(9))]).collect();
    for format in formats() {
        let session = read(format, &spelled(format, &steps));
        let (transcript, name) = (session.transcript(), format.name());
        let masking = || ObservationMaskingPolicy::new().with_keep_recent_results(0);
        let (wide, narrow) = (budget(transcript.token_estimate()), budget(transcript.token_estimate() / 2));
        let fits = masking().decide(transcript, &wide).unwrap();
        let idle = masking().decide(transcript, &narrow).unwrap();
        assert_eq!((fits.first_changed_position(), idle.first_changed_position()), (None, None), "{name}");
        assert_eq!((fits.budget_unmet(), idle.budget_unmet()), (false, true), "{name}");
        let members: Vec<BoxedPolicy> = vec![Box::new(masking()), Box::new(DropOldestPolicy::new())];
        let chain = PolicyChain::new(members).unwrap().decide(transcript, &narrow).unwrap();
        assert!(!chain.budget_unmet() && chain.first_changed_position().is_some(), "{name}");
    }
}

fn turn(id: &str, role: Role, text: &str) -> TranscriptTurn {
    let tokens = cutctx::CharRatioEstimator::default().estimate(text);
    TranscriptTurn::new(id, role, text, tokens).unwrap()
}

/// Has a view compacted by a model that says all that it was given, as long as it is asked for. Gives the summary turns.
fn compacted_by_an_echo(view: &mut StickyView) -> Option<Vec<u64>> {
    match view.settle().unwrap() {
        StickyStep::SummariesNeeded(plan) => {
            let texts: BTreeMap<String, String> = view
                .turns()
                .iter()
                .map(|turn| (turn.turn_id().as_ref().to_owned(), turn.content().as_ref().to_owned()))
                .collect();
            let echo = |request: &cutctx::SummarizationRequest| -> String {
                let said: String = request.turn_ids().iter().map(|id| texts[id.as_ref()].as_str()).collect();
                said.chars().rev().take(usize::try_from(request.target_tokens() * 4).unwrap()).collect()
            };
            let requests = plan.summarization_requests();
            let summaries =
                requests.iter().map(|request| (request.group_id().clone(), echo(request))).collect();
            view.fulfil(*plan, &summaries).unwrap();
        }
        StickyStep::Compacted(_) => {}
        StickyStep::Fits | StickyStep::Unmet(_) => return None,
    }
    let is_summary = |turn: &&TranscriptTurn| turn.turn_id().starts_with("summary:");
    Some(view.turns().iter().filter(is_summary).map(TranscriptTurn::token_estimate).collect())
}

#[test]
fn a_summary_that_says_itself_again_stays_one_and_does_not_grow() {
    let policy = RollingSummaryPolicy::new("p").unwrap().with_summary_tokens(300).unwrap();
    let budget = CompactionBudget::new(4_000).with_target(2_000).unwrap();
    let mut view = StickyView::new(Box::new(policy), budget);
    // The session begins with what another tool made of 51,000 characters.
    view.append(turn("k", Role::User, &"what came before, told at length. ".repeat(1_500)));
    (0..4).for_each(|n| view.append(turn(&format!("w{n}"), Role::User, "go on")));
    let (mut passes, mut sizes) = (0, Vec::new());
    for n in 0..400 {
        view.append(turn(&format!("u{n}"), Role::User, &format!("request {n}: {}", "go on ".repeat(40))));
        if let Some(summaries) = compacted_by_an_echo(&mut view) {
            passes += 1;
            assert_eq!(summaries.len(), 1, "the old one goes into the new one");
            assert!(view.tokens() <= 2_000, "{}", view.tokens());
            sizes.extend(summaries);
        }
    }
    assert!(passes > 8, "{passes}");
    assert_eq!(view.compactions(), passes, "counted from what was done");
    assert!(sizes.iter().all(|size| *size <= 300), "{sizes:?}");
}

#[test]
fn a_summary_is_asked_for_only_where_it_is_shorter_than_what_it_stands_for() {
    let policies: [BoxedPolicy; 4] = [
        Box::new(SummarizingPolicy::new("p").unwrap().with_target_ratio(0.9).unwrap()),
        Box::new(SummarizingPolicy::new("p").unwrap().with_min_span_turns(1).unwrap()),
        Box::new(RollingSummaryPolicy::new("p").unwrap().with_min_span_turns(1).unwrap()),
        Box::new(default_chain("p").unwrap()),
    ];
    let mut asked = 0;
    for (policy, words) in policies.iter().flat_map(|policy| [1, 2, 9, 400].map(|words| (policy, words))) {
        let turns = (0..12).map(|n| turn(&format!("t{n}"), Role::User, &"word ".repeat(words)));
        let transcript = cutctx::Transcript::new(turns.collect()).unwrap();
        let plan = policy.decide(&transcript, &budget(transcript.token_estimate() / 2)).unwrap();
        for request in plan.summarization_requests() {
            let spanned =
                transcript.turns().iter().filter(|turn| request.turn_ids().contains(turn.turn_id()));
            let spanned: u64 = spanned.map(TranscriptTurn::token_estimate).sum();
            assert!(request.target_tokens() < spanned, "{}: {words}", policy.name());
            asked += 1;
        }
    }
    assert!(asked > 6, "{asked}");
}

#[test]
fn a_summary_that_makes_the_view_no_smaller_is_refused_and_the_next_one_is_taken() {
    let mut view = StickyView::new(
        Box::new(SummarizingPolicy::new("p").unwrap()),
        CompactionBudget::new(1_000).with_target(500).unwrap(),
    );
    (0..11).for_each(|n| view.append(turn(&format!("u{n}"), Role::User, &"go on ".repeat(67))));
    let (before, tokens) = (view.turns().to_vec(), view.tokens());
    let StickyStep::SummariesNeeded(plan) = view.settle().unwrap() else { panic!("no summary is asked for") };
    let request = &plan.summarization_requests()[0];
    let (group, target) = (request.group_id().clone(), request.target_tokens());
    let fulfil = |view: &mut StickyView, words: usize| {
        view.fulfil((*plan).clone(), &Summaries::none().with(group.clone(), "word ".repeat(words)))
    };
    let spanned: u64 = 101 * u64::try_from(request.turn_ids().len()).unwrap();
    for words in [usize::try_from(spanned).unwrap(), 2_000] {
        let refused = fulfil(&mut view, words).unwrap_err();
        assert!(matches!(refused, Error::Apply(ApplyError::NotSmaller { .. })), "{refused}");
        assert_eq!((view.turns(), view.tokens(), view.compactions()), (before.as_slice(), tokens, 0));
    }
    // Longer than was asked for is told, where it is shorter than what it stands for.
    let account = fulfil(&mut view, usize::try_from(target).unwrap() + 8).unwrap().applied.account;
    assert_eq!((account.overruns.len(), account.overruns[0].target_tokens), (1, target));
    assert_eq!(account.overruns[0].measured_tokens, ((target + 8) * 5).div_ceil(4));
    assert_eq!((view.compactions(), view.tokens()), (1, account.tokens_after_measured));
    assert!(view.tokens() < tokens);
}

#[test]
fn a_failing_summarizer_is_asked_once_a_pass_and_the_trigger_stays_until_one_succeeds() {
    let policy = SummarizingPolicy::new("p").unwrap();
    let mut view = StickyView::new(Box::new(policy), CompactionBudget::new(1_000).with_target(500).unwrap());
    (0..11).for_each(|n| view.append(turn(&format!("u{n}"), Role::User, &"go on ".repeat(67))));
    let (before, tokens) = (view.turns().to_vec(), view.tokens());
    let mut plans = Vec::new();
    for _ in 0..20 {
        let StickyStep::SummariesNeeded(plan) = view.settle().unwrap() else { panic!("the trigger is gone") };
        plans.push(plan.canonical_json());
        assert!(matches!(view.fulfil(*plan, &Summaries::none()), Err(Error::Apply(_))));
        assert_eq!((view.turns(), view.tokens(), view.compactions()), (before.as_slice(), tokens, 0));
    }
    assert!(plans.windows(2).all(|two| two[0] == two[1]), "one plan a call, and the same");
    assert_eq!(compacted_by_an_echo(&mut view).map(|summaries| summaries.len()), Some(1));
    assert_eq!(view.compactions(), 1);
    assert!(matches!(view.settle().unwrap(), StickyStep::Fits));
}

/// A compactor whose model is never there.
#[cfg(feature = "context")]
#[derive(Debug)]
struct Failing;

#[cfg(feature = "context")]
impl cutctx::context::ContextCompactor for Failing {
    fn name(&self) -> &'static str {
        "Failing"
    }

    fn begin(&self, _: &cutctx::context::CompactionRequest) -> cutctx::context::CompactionStep {
        let failure = cutctx::context::CompactionFailure::new(cutctx::Code::new("MODEL_FAILED"), "as always");
        cutctx::context::CompactionStep::Done(Err(failure))
    }
}

/// The state of a session counts how often a model was asked, and it is asked again only when there is something new.
#[cfg(feature = "context")]
#[test]
fn attempts_are_counted_in_the_state_and_a_failed_one_is_not_repeated_for_the_same() {
    use cutctx::context::{
        BudgetedContextPolicy, BudgetedContextSettings, Session as Whose, TurnContextRequest,
        build_turn_context_locally,
    };
    let estimator = alloc::sync::Arc::new(cutctx::CharRatioEstimator::default());
    let settings = BudgetedContextSettings::for_window(4_000);
    let policy = BudgetedContextPolicy::with(settings, alloc::sync::Arc::new(Failing), estimator).unwrap();
    let mut turns = vec![turn("task", Role::User, "paint the fence")];
    let (mut checkpoint, mut calls) = (None, 0);
    for n in 0..120 {
        turns.push(turn(
            &format!("a{n}"),
            Role::Assistant,
            &format!("plank {n} {}", "is painted ".repeat(20)),
        ));
        let transcript = cutctx::Transcript::new(turns.clone()).unwrap();
        let mut asked = Vec::new();
        for _ in 0..3 {
            let request = TurnContextRequest::new(Whose::new("s", "a").unwrap(), transcript.clone());
            let built = build_turn_context_locally(&policy, request, checkpoint.as_ref()).unwrap();
            asked.push(built.compactor_calls);
            checkpoint = built.checkpoint.or(checkpoint);
        }
        assert!(asked[0] <= calls + 1 && asked[1..] == [asked[0]; 2], "{n}: {calls} {asked:?}");
        calls = asked[0];
    }
    assert!(calls > 1 && calls < 40, "{calls}");
}
