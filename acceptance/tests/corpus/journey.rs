//! One session: read, plan, apply, write, read again.

use alloc::collections::BTreeSet;
use std::path::Path;

use cutctx_exec::{CompactionExecutor, Summaries, fates_with_appended};
use cutctx_formats::{Session, SummaryText, Violation};
use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError};
use cutctx_policies::{BoxedPolicy, DropOldestPolicy, ObservationMaskingPolicy, PolicyChain, default_chain};
use cutctx_types::{CharRatioEstimator, CompactionBudget, Transcript};

/// How the journeys of a folder ended.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    compacted: usize,
    fitting: usize,
    over_budget: usize,
    unsatisfiable: usize,
    /// Markers of compactions by other tools, each as often as it went through one.
    markers: usize,
}

/// Sends a session through three policies at two budgets.
pub(crate) fn check(path: &Path, session: &Session, tally: &mut Tally) {
    let untouched = plan_fates_of_nothing(session);
    let same = session.render(&untouched, &[]).unwrap();
    assert!(same.to_text() == session.text(), "{} does not come back as it was", path.display());
    for share in [2, 4] {
        let max = session.transcript().token_estimate() / share;
        for policy in policies() {
            compact(path, session, policy.as_ref(), &CompactionBudget::new(max), tally);
        }
    }
}

fn plan_fates_of_nothing(session: &Session) -> Vec<cutctx_formats::Fate<'static>> {
    session.transcript().turns().iter().map(|_| cutctx_formats::Fate::Kept).collect()
}

fn policies() -> Vec<BoxedPolicy> {
    let mask_then_drop: Vec<BoxedPolicy> =
        vec![Box::new(ObservationMaskingPolicy::new()), Box::new(DropOldestPolicy::new())];
    vec![
        Box::new(PolicyChain::new(mask_then_drop).unwrap()),
        Box::new(DropOldestPolicy::new()),
        Box::new(default_chain("test").unwrap()),
    ]
}

fn compact(
    path: &Path,
    session: &Session,
    policy: &dyn CompactionPolicy,
    budget: &CompactionBudget,
    tally: &mut Tally,
) {
    let plan = match policy.decide(session.transcript(), budget) {
        Ok(plan) => plan,
        Err(PolicyError::Unsatisfiable(_)) => {
            tally.unsatisfiable += 1;
            return;
        }
        Err(error) => panic!("{}: {} fails: {error}", path.display(), policy.name()),
    };
    tally.compacted += 1;
    let written = write(session, &plan);
    let again =
        Session::read_as(session.format(), written, &CharRatioEstimator::default()).unwrap_or_else(|error| {
            panic!("{}: what {} leaves is unreadable: {error}", path.display(), policy.name())
        });
    let name = policy.name();
    assert!(
        again.violations().len() <= session.violations().len() && rules(&again).is_subset(&rules(session)),
        "{} after {name}: {:?} beside {:?}",
        path.display(),
        again.violations(),
        session.violations()
    );
    assert!(
        again.transcript().token_estimate() < session.transcript().token_estimate()
            || plan.tokens_before() == 0
    );
    tally.markers += keeps_markers(path, session, &again);
    settle(path, &again, policy, budget, tally);
}

/// What other tools wrote when they compacted the session is there still, with all that stands before it. Gives how many
/// such markers there are.
fn keeps_markers(path: &Path, before: &Session, after: &Session) -> usize {
    let [old, new] = [before, after].map(|session| session.inventory().unwrap().markers);
    assert_eq!(old.len(), new.len(), "{}: a marker of another tool is lost", path.display());
    // In pi the entries that a compaction keeps stand before it.
    let is_behind = before.format().name() != "pi";
    let kept = old.last().filter(|_| is_behind).map_or(0, |marker| marker.offset);
    let same = before.text().as_bytes().get(..kept) == after.text().as_bytes().get(..kept);
    assert!(same, "{}: what stands before a marker changes", path.display());
    old.len()
}

/// A second pass at the same budget leaves a fitting session alone.
fn settle(
    path: &Path,
    session: &Session,
    policy: &dyn CompactionPolicy,
    budget: &CompactionBudget,
    tally: &mut Tally,
) {
    if session.transcript().token_estimate() > budget.max_tokens() {
        tally.over_budget += 1;
        return;
    }
    tally.fitting += 1;
    let plan = policy.decide(session.transcript(), budget).unwrap();
    let settled = write(session, &plan);
    assert!(settled == session.text(), "{}: a second pass of {} changes it", path.display(), policy.name());
}

/// The session as the plan leaves it, with a short text for every summary.
fn write(session: &Session, plan: &CompactionPlan) -> String {
    let groups = plan.summarization_requests().iter().map(|request| request.group_id().clone());
    let texts: Vec<_> = groups.map(|group| (group, "What was done before.")).collect();
    let summaries: Summaries = texts.iter().map(|(group, text)| (group.clone(), *text)).collect();
    let transcript: &Transcript = session.transcript();
    CompactionExecutor::new().apply(transcript, plan, &summaries).unwrap();
    let texts: Vec<SummaryText<'_>> = texts.iter().map(|(group, text)| SummaryText { group, text }).collect();
    session.render(&fates_with_appended(plan, 0), &texts).unwrap().to_text()
}

/// The rules that a session breaks.
fn rules(session: &Session) -> BTreeSet<String> {
    session.violations().iter().map(|violation: &Violation| violation.rule.name.to_owned()).collect()
}
