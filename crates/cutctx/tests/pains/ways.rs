//! Compacting a session in every way: each policy at every budget from what must stay to everything.

use alloc::collections::{BTreeMap, BTreeSet};

use crate::spell::{Step, formats, spelled};
use cutctx::formats::{Format, Session};
use cutctx::session::render;
use cutctx::{
    CharRatioEstimator, CompactionBudget, CompactionPlan, CompactionPolicy, DropOldestPolicy,
    ObservationMaskingPolicy, PolicyError, Summaries, SummarizingPolicy, default_chain,
};

/// How many budgets are tried between nothing and all.
const STEPS: u64 = 8;

/// One way of compacting a session and what came of it.
pub(crate) struct Way {
    pub(crate) note: String,
    pub(crate) plan: CompactionPlan,
    pub(crate) after: Session,
}

pub(crate) fn read(format: &'static dyn Format, document: &str) -> Session {
    Session::read_as(format, document, &CharRatioEstimator::default())
        .unwrap_or_else(|error| panic!("{}: {error}\n{document}", format.name()))
}

fn policies() -> Vec<Box<dyn CompactionPolicy>> {
    vec![
        Box::new(ObservationMaskingPolicy::new().with_keep_recent_results(0)),
        Box::new(DropOldestPolicy::new()),
        Box::new(SummarizingPolicy::new("p").unwrap()),
        Box::new(default_chain("p").unwrap()),
    ]
}

pub(crate) fn budget(max: u64) -> CompactionBudget {
    CompactionBudget::new(max).with_protected_recent_turns(1)
}

/// The plan for a budget, or for the least one that there is a plan for.
pub(crate) fn decide(session: &Session, policy: &dyn CompactionPolicy, max: u64) -> CompactionPlan {
    let transcript = session.transcript();
    match policy.decide(transcript, &budget(max)) {
        Err(PolicyError::Unsatisfiable(error)) => {
            policy.decide(transcript, &budget(error.floor.total())).unwrap()
        }
        plan => plan.unwrap(),
    }
}

pub(crate) fn summaries(plan: &CompactionPlan, text: &str) -> Summaries {
    let requests = plan.summarization_requests().iter();
    requests.fold(Summaries::none(), |all, request| all.with(request.group_id().clone(), text))
}

/// A session compacted in all ways. Nothing is refused that was not refused before.
pub(crate) fn ways(session: &Session) -> Vec<Way> {
    let ways = ways_of_broken(session);
    for way in &ways {
        refuses_no_more(session, &way.after, &format!("{}\n{}", way.note, way.after.text()));
    }
    ways
}

/// As [`ways`], for a session in which results have lost their calls: without what stood between, such a result may
/// come to stand behind other words, which is another breach by the same result.
pub(crate) fn ways_of_broken(session: &Session) -> Vec<Way> {
    let all = session.transcript().token_estimate();
    let mut ways = Vec::new();
    let mut seen = BTreeSet::new();
    for policy in policies() {
        for step in 0..=STEPS {
            let plan = decide(session, policy.as_ref(), all * step / STEPS);
            let text = render(session, &plan, &summaries(&plan, "What came before.")).unwrap().to_text();
            if !seen.insert(text.clone()) {
                continue;
            }
            let note = format!("{} {} {step}/{STEPS}", session.format().name(), policy.name());
            let after = read(session.format(), &text);
            ways.push(Way { note, plan, after });
        }
    }
    ways
}

/// Compacts a conversation in every format and in all ways.
pub(crate) fn in_all_formats(steps: &[Step], mut check: impl FnMut(&Session, &Way)) {
    for format in formats() {
        let session = read(format, &spelled(format, steps));
        for way in ways(&session) {
            check(&session, &way);
        }
    }
}

/// No rule is broken more often than before.
pub(crate) fn refuses_no_more(before: &Session, after: &Session, note: &str) {
    let (old, new) = (counts(before), counts(after));
    for (rule, count) in new {
        let old = old.get(rule).copied().unwrap_or_default();
        assert!(count <= old, "{rule} is broken {count} times, {old} before: {note}");
    }
}

fn counts(session: &Session) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for violation in session.violations() {
        *counts.entry(violation.rule.name).or_default() += 1;
    }
    counts
}

/// The rules that a document breaks in the eyes of its provider.
pub(crate) fn refused(session: &Session) -> Vec<&'static str> {
    session.violations().iter().map(|violation| violation.rule.name).collect()
}
