//! Single turns that are larger than all that there is room for.

use crate::spell::{Step, calls, formats, says, spelled, user, written_lines};
use crate::ways::{budget, read, refuses_no_more};
use cutctx::formats::{Session, format_named};
use cutctx::policies::{ClipActivePolicy, ClipPolicy, RollingSummaryPolicy};
use cutctx::session::{compact_session, render};
use cutctx::{
    BoxedPolicy, CompactionBudget, CompactionPolicy, DropOldestPolicy, ObservationMaskingPolicy, PolicyChain,
    PolicyError, Role, Summaries, recommended,
};
use serde_json::json;

fn listing(tokens: usize) -> String {
    "src/part/of/a/listing.rs has one more line in it\n".repeat(tokens * 4 / 49)
}

/// The session at so many tokens, where turns that must stay may be cut: written and read again it fits, no rule is broken,
/// and another pass finds nothing to do. Gives the file.
fn clipped(session: &Session, max: u64, note: &str) -> String {
    let policy = ClipActivePolicy::new(Box::new(recommended()));
    let budget = CompactionBudget::new(max);
    // It happens only where the budget permits it and the policy is asked for.
    told(session, &policy, &budget);
    let budget = budget.with_clip_active(true);
    told(session, &recommended(), &budget);
    let plan = policy.decide(session.transcript(), &budget).unwrap();
    assert!(!plan.budget_unmet(), "{note}");
    let text = render(session, &plan, &Summaries::none()).unwrap().to_text();
    let again = read(session.format(), &text);
    let tokens = again.transcript().token_estimate();
    assert!(tokens <= plan.tokens_after_estimate() && tokens <= max, "{note}: {tokens} of {max}");
    refuses_no_more(session, &again, note);
    let settled = policy.decide(again.transcript(), &budget).unwrap();
    assert_eq!(settled.first_changed_position(), None, "{note}: a second pass");
    text
}

/// Some talk, then a call whose result is huge. With `behind` the model has answered, and a person has gone on.
fn with_huge_result(tokens: usize, behind: bool) -> Vec<Step> {
    let mut steps = vec![user("look around"), says("I shall"), user("list it all"), calls(&["c1"])];
    steps.push(Step::Results(vec![("c1".to_owned(), listing(tokens))]));
    if behind {
        steps.extend([says("there it is"), user("thanks"), says("well"), user("go on"), says("yes")]);
    }
    steps
}

fn policies() -> Vec<BoxedPolicy> {
    vec![
        Box::new(recommended()),
        Box::new(ClipPolicy::new()),
        Box::new(DropOldestPolicy::new()),
        Box::new(ObservationMaskingPolicy::new().with_keep_recent_results(0)),
        Box::new(RollingSummaryPolicy::new("p").unwrap()),
        Box::new(ClipActivePolicy::new(Box::new(recommended()))),
        Box::new(
            PolicyChain::new(vec![Box::new(ClipPolicy::new()), Box::new(DropOldestPolicy::new())]).unwrap(),
        ),
    ]
}

/// What nobody may touch is above the budget: how much of it, and where it stands, is told.
fn told(
    session: &Session,
    policy: &dyn CompactionPolicy,
    budget: &CompactionBudget,
) -> cutctx::BudgetUnsatisfiable {
    match policy.decide(session.transcript(), budget) {
        Err(PolicyError::Unsatisfiable(told)) => told,
        other => panic!("{} {}: {other:?}", session.format().name(), policy.name()),
    }
}

#[test]
fn a_result_that_is_nearly_the_whole_window_is_told_where_it_is_protected() {
    for format in formats() {
        let session = read(format, &spelled(format, &with_huge_result(195_000, false)));
        for policy in policies() {
            let told = told(&session, &*policy, &CompactionBudget::new(150_000));
            let of_the_end = told.floor.tail + told.floor.pinned;
            assert!(of_the_end > 190_000 && told.max_tokens == 150_000, "{}: {told}", format.name());
        }
    }
}

/// In the formats whose files pin nothing here, whoever protects no turns has asked for the clip.
#[test]
fn a_result_that_is_nearly_the_whole_window_is_cut_where_it_is_not_protected() {
    let mut clipped = 0;
    for format in formats() {
        let session = read(format, &spelled(format, &with_huge_result(195_000, false)));
        let budget = CompactionBudget::new(150_000).with_protected_recent_turns(0);
        if session.transcript().turns().iter().any(|turn| turn.role() == Role::Tool && turn.pinned()) {
            continue;
        }
        let plan = ClipPolicy::new().decide(session.transcript(), &budget).unwrap();
        let again = read(format, &render(&session, &plan, &Summaries::none()).unwrap().to_text());
        let before = session.transcript().turns();
        let turns = again.transcript().turns();
        assert_eq!(turns.len(), before.len(), "{}", format.name());
        let result = turns.iter().find(|turn| turn.role() == Role::Tool).unwrap().content();
        let (head, tail) = result.split_once('…').unwrap();
        let whole = before.iter().find(|turn| turn.role() == Role::Tool).unwrap().content();
        assert!(head.len() > 1_500 && whole.contains(head.trim_end()), "{}", format.name());
        assert!(
            tail.contains(" lines …")
                && whole.ends_with(tail.rsplit('…').next().unwrap().trim_start_matches('\n'))
        );
        assert!(again.transcript().token_estimate() < 1_200, "{}", format.name());
        clipped += 1;
    }
    assert!(clipped > 1, "{clipped}");
}

#[test]
fn a_result_that_is_nearly_the_whole_window_is_cut_where_that_is_asked_for() {
    for format in formats() {
        let session = read(format, &spelled(format, &with_huge_result(195_000, false)));
        let text = clipped(&session, 100_000, format.name());
        assert!(text.contains('…') && text.contains("I look."), "{}: the call stays", format.name());
        assert!(text.matches("src/part/of/a/listing.rs").count() > 500, "{}", format.name());
        for said in ["look around", "list it all"] {
            assert!(text.contains(said), "{} {said}", format.name());
        }
    }
}

#[test]
fn a_last_message_above_the_limit_is_told_and_cut_where_that_is_asked_for() {
    for format in formats() {
        let planks: Vec<String> = (0..6_000).map(|n| format!("plank {n} is painted. ")).collect();
        let story = planks.concat();
        let session = read(format, &spelled(format, &[user("hello"), says("hello"), user(&story)]));
        let tokens = session.transcript().turns().last().unwrap().token_estimate();
        for policy in policies() {
            let told = told(&session, &*policy, &CompactionBudget::new(10_000));
            assert!(told.floor.tail + told.floor.pinned >= tokens, "{}: {told}", format.name());
            assert_eq!(told.max_tokens, 10_000);
        }
        let text = clipped(&session, 10_000, format.name());
        for kept in ["plank 0 is", "plank 5999 is painted. "] {
            assert!(text.contains(kept), "{}: {kept}", format.name());
        }
        assert!(!text.contains("plank 3000 is"), "{}", format.name());
    }
}

#[test]
fn what_its_owner_pinned_is_whole_or_told() {
    for format in formats() {
        let session = read(format, &spelled(format, &with_huge_result(20_000, false)));
        let pinned = cutctx::session::pinned(session.transcript(), |turn| turn.role() == Role::Tool).unwrap();
        let policy = ClipActivePolicy::new(Box::new(recommended()));
        let budget = CompactionBudget::new(10_000).with_clip_active(true);
        let Err(PolicyError::Unsatisfiable(told)) = policy.decide(&pinned, &budget) else {
            panic!("{}", format.name())
        };
        assert!(told.floor.pinned > 19_000 && told.floor.tail < 1_000, "{}: {told}", format.name());
    }
}

/// Whatever a plan says that it comes to, the written file says, too.
#[test]
fn the_view_that_is_written_is_within_the_budget_or_says_that_it_is_not() {
    let mut within = 0;
    for format in formats() {
        let session = read(format, &spelled(format, &with_huge_result(20_000, true)));
        for policy in policies() {
            for max in [500, 2_000, 15_000, 19_000] {
                for (protected, clips) in
                    [(1, false), (4, false), (6, false), (9, false), (9, true), (6, true)]
                {
                    let budget = CompactionBudget::new(max).with_protected_recent_turns(protected);
                    let budget = budget.with_clip_active(clips);
                    let note = format!("{} {} {max} {protected} {clips}", format.name(), policy.name());
                    let plan = match policy.decide(session.transcript(), &budget) {
                        Err(PolicyError::Unsatisfiable(told)) => {
                            assert!(told.floor.total() > max, "{note}: {told}");
                            continue;
                        }
                        plan => plan.unwrap(),
                    };
                    if !plan.summarization_requests().is_empty() {
                        continue;
                    }
                    let done = compact_session(&session, &budget, &*policy, &Summaries::none()).unwrap();
                    let account = &done.outcome.applied.account;
                    let again = read(format, &done.rendered.to_text()).transcript().token_estimate();
                    assert!(again <= account.tokens_after_measured, "{note}");
                    assert_eq!(account.over_budget, plan.budget_unmet(), "{note}");
                    assert!(account.over_budget || again <= max, "{note}: {again}");
                    within += usize::from(!account.over_budget);
                }
            }
        }
    }
    assert!(within > 100, "{within}");
}

/// What another tool left of a session, in one enormous entry, last in its file.
fn archives(text: &str, behind: &str) -> [Session; 2] {
    let claude = format!(
        "{}\n{}\n{}\n",
        json!({"type": "user", "uuid": "u0", "parentUuid": null, "message": {"role": "user", "content": "count"}}),
        json!({"type": "system", "subtype": "compact_boundary", "uuid": "k", "parentUuid": null,
            "logicalParentUuid": "u0", "compactMetadata": {"trigger": "auto", "preTokens": 9}}),
        json!({"type": "user", "uuid": "k1", "parentUuid": "k", "isCompactSummary": true,
            "message": {"role": "user", "content": text}}),
    );
    let pi = format!(
        "{}\n{}\n{}\n",
        json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/x"}),
        json!({"type": "message", "id": "a", "parentId": null, "message": {"role": "user", "content": "count"}}),
        json!({"type": "compaction", "id": "k", "parentId": "a", "summary": text, "tokensBefore": 9}),
    );
    let claude = claude + behind;
    [read(format_named("claude-code").unwrap(), &claude), read(format_named("pi").unwrap(), &pi)]
}

#[test]
fn what_a_compaction_left_is_told_when_it_is_too_large_and_compacted_like_anything_else() {
    let mut compacted = 0;
    for session in archives(&"an archive of frames, ".repeat(85_000), "") {
        let name = session.format().name();
        assert_eq!(session.transcript().len(), 1, "{name}");
        let told = told(&session, &recommended(), &CompactionBudget::new(100_000));
        let largest = told.floor.tail.max(told.floor.pinned);
        assert!(largest > 400_000 && told.to_string().contains(&largest.to_string()), "{name}: {told}");
        // In Claude Code it is what the conversation begins with: it is cut where that is asked for.
        if session.transcript().turns()[0].pinned_in_place() {
            let note = format!("{name}, alone");
            let text = clipped(&session, 100_000, &note);
            assert!(text.contains("an archive of frames") && text.contains('…'), "{note}");
            continue;
        }
        let free = CompactionBudget::new(100_000).with_protected_recent_turns(0);
        // A new summary takes its place, and has a cap.
        let rolling = RollingSummaryPolicy::new("p").unwrap().with_min_span_turns(1).unwrap();
        let plan = rolling.decide(session.transcript(), &free).unwrap();
        let [request] = plan.summarization_requests() else { panic!("{name}") };
        assert_eq!((request.target_tokens(), plan.budget_unmet()), (2_000, false), "{name}");
        let group = request.group_id().clone();
        let text =
            render(&session, &plan, &Summaries::none().with(group, "What came before.")).unwrap().to_text();
        let again = read(session.format(), &text);
        assert_eq!(again.transcript().len(), 1, "{name}");
        assert!(again.transcript().turns()[0].content().contains("What came before."), "{name}");
        assert!(!text.contains("archive of frames"), "{name}");
        compacted += 1;
    }
    assert_eq!(compacted, 1);
}

#[test]
fn what_a_compaction_left_is_cut_wherever_it_stands_where_that_is_asked_for() {
    let mut behind = Vec::new();
    for n in 0..12 {
        let role = if n % 2 == 0 { "assistant" } else { "user" };
        let parent = if n == 0 { "k1".to_owned() } else { format!("x{}", n - 1) };
        let line = json!({"type": role, "uuid": format!("x{n}"), "parentUuid": parent,
            "message": {"id": format!("m{n}"), "role": role, "content": [{"type": "text", "text": format!("said {n}")}]}});
        behind.push(line);
    }
    let [session, _] = archives(&"an archive of frames, ".repeat(85_000), &written_lines(&behind));
    assert_eq!(session.transcript().len(), 13);
    let text = clipped(&session, 100_000, "claude-code");
    assert!(text.contains("an archive of frames") && text.contains("said 0") && text.contains("said 11"));
    assert!(text.len() < 600_000, "{}", text.len());
}

#[test]
fn what_fits_once_something_is_dropped_is_told_from_an_end_that_is_too_large() {
    for format in formats() {
        let huge = "a long story about a fence, ".repeat(400);
        let talk = |last: &str, behind: &[Step]| {
            let mut steps = vec![user("a question"), says("an answer"), user(last)];
            steps.extend_from_slice(behind);
            read(format, &spelled(format, &steps))
        };
        let policy = DropOldestPolicy::new();
        // The huge message is the newest: nothing is dropped for it, and it is told.
        let session = talk(&huge, &[]);
        let max = session.transcript().token_estimate() / 2;
        let told = told(&session, &policy, &budget(max));
        assert_eq!(told.max_tokens, max, "{}", format.name());
        assert!(told.floor.tail + told.floor.pinned > max, "{}: {told}", format.name());
        let text = clipped(&session, max, format.name());
        for said in ["an answer", "a long story about a fence"] {
            assert!(text.contains(said), "{}: {said}", format.name());
        }
        // Others came after it: without it the rest fits, and nothing else is dropped but what is older.
        let behind = [says("I see"), user("and now?"), says("now it is painted"), user("thanks")];
        let session = talk(&huge, &behind);
        let plan = policy.decide(session.transcript(), &budget(max)).unwrap();
        assert!(!plan.budget_unmet(), "{}", format.name());
        let text = render(&session, &plan, &Summaries::none()).unwrap().to_text();
        assert!(!text.contains("a long story"), "{}", format.name());
        for said in ["I see", "and now?", "now it is painted", "thanks"] {
            assert!(text.contains(said), "{} {said}", format.name());
        }
    }
}
