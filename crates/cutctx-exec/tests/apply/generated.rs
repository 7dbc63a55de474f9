//! Transcripts with checked plans for them, made up by the property tests.

use core::ops::Range;
use cutctx_exec::Summaries;
use cutctx_invariants::{CompactionPlan, Survey};
use cutctx_types::{
    Action, CompactionBudget, KeptPart, Metadata, Part, PartKind, PlanDraft, Role, SummarizationRequest,
    Transcript, TranscriptTurn, Trim, TurnAction, TurnReplacement,
};
use proptest::prelude::*;

/// A word that stands in every turn and in no stub, so that leaks are found.
pub(crate) const SECRET: &str = "sécret";

#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) transcript: Transcript,
    pub(crate) plan: CompactionPlan,
    pub(crate) summaries: Summaries,
}

#[derive(Debug, Clone)]
struct Seed {
    role: Role,
    call: Option<&'static str>,
    pinned: bool,
    annotated: bool,
    tokens: u64,
    text: String,
    parts: Vec<(PartKind, u8)>,
    fate: u8,
    cuts: Vec<u8>,
}

/// Cases with every action; with trims only where `trims` says so.
pub(crate) fn cases(trims: bool) -> impl Strategy<Value = Case> {
    let seeds = prop::collection::vec(seed(), 0..14);
    (seeds, 0_u64..4, 0_u64..60, "[ab日 ]{0,30}")
        .prop_map(move |(seeds, protected, slack, summary)| build(&seeds, protected, slack, &summary, trims))
}

fn seed() -> impl Strategy<Value = Seed> {
    let role = prop_oneof![
        1 => Just(Role::System),
        3 => Just(Role::User),
        3 => Just(Role::Assistant),
        3 => Just(Role::Tool),
    ];
    let call = prop::option::of(prop::sample::select(vec!["", "c1", "c2", "c3"]));
    let kind = prop::sample::select(vec![
        PartKind::Text,
        PartKind::Reasoning,
        PartKind::OpaqueReasoning,
        PartKind::CallArguments,
        PartKind::Result,
        PartKind::Media,
    ]);
    let parts = prop::collection::vec((kind, any::<u8>()), 0..5);
    let flags = (prop::bool::weighted(0.1), any::<bool>());
    let cuts = prop::collection::vec(any::<u8>(), 1..8);
    (role, call, flags, 0_u64..50, "[aé日…\n ]{0,24}", parts, any::<u8>(), cuts).prop_map(
        |(role, call, (pinned, annotated), tokens, text, parts, fate, cuts)| Seed {
            role,
            call,
            pinned,
            annotated,
            tokens,
            text: format!("{text}{SECRET}"),
            parts,
            fate,
            cuts,
        },
    )
}

fn build(seeds: &[Seed], protected: u64, slack: u64, summary: &str, trims: bool) -> Case {
    let turns = seeds.iter().enumerate().map(|(index, seed)| turn(index, seed)).collect();
    let transcript = Transcript::new(turns).unwrap();
    let floor_free = CompactionBudget::new(u64::MAX).with_protected_recent_turns(protected);
    let floor = Survey::new(&transcript, &floor_free).unwrap().floor().untouchable();
    let budget = CompactionBudget::new(floor + slack).with_protected_recent_turns(protected);
    let survey = Survey::new(&transcript, &budget).unwrap();
    let plan = CompactionPlan::check(draft(seeds, &survey, trims), &survey).unwrap();
    let summary = if summary.chars().count() < saved_characters(&plan) { summary } else { "" };
    let summaries: Summaries =
        plan.summarization_requests().iter().map(|request| (request.group_id().clone(), summary)).collect();
    Case { transcript, plan, summaries: summaries.with("surplus", "never used") }
}

/// How long a summary of each group may be so that all of them are smaller than what they stand for, at four characters a
/// token.
fn saved_characters(plan: &CompactionPlan) -> usize {
    let rows = plan.transcript().turns().iter().zip(plan.actions());
    let folded = rows.filter(|(_, action)| action.action.group().is_some());
    let tokens: u64 = folded.map(|(turn, _)| turn.token_estimate()).sum();
    let groups = plan.summarization_requests().len().max(1);
    usize::try_from(tokens).unwrap().saturating_sub(groups) / groups * 4
}

fn turn(index: usize, seed: &Seed) -> TranscriptTurn {
    let mut turn = TranscriptTurn::new(format!("t{index}"), seed.role, seed.text.as_str(), seed.tokens)
        .unwrap()
        .with_pinned(seed.pinned)
        .with_tool_name("search")
        .with_parts(parts(seed))
        .unwrap();
    if seed.annotated {
        turn = turn.with_metadata(Metadata::none().with("cutctx.kind", "mine").with("origin", "a test"));
    }
    if let Some(call) = seed.call {
        turn = turn.with_tool_call_id(call);
    }
    turn
}

fn borders(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
}

fn parts(seed: &Seed) -> Vec<Part> {
    let borders = borders(&seed.text);
    let mut ends: Vec<usize> =
        seed.parts.iter().map(|(_, end)| borders[usize::from(*end) % borders.len()]).collect();
    ends.sort_unstable();
    if let Some(last) = ends.last_mut() {
        *last = seed.text.len();
    }
    seed.parts.iter().zip(ends).map(|((kind, _), end)| Part::new(*kind, end, 5)).collect()
}

fn draft(seeds: &[Seed], survey: &Survey<'_>, trims: bool) -> PlanDraft {
    let first_of = |position: usize| {
        let same =
            |other: &usize| seeds[position].call.is_some() && seeds[*other].call == seeds[position].call;
        (0..position).find(same).unwrap_or(position)
    };
    let actions: Vec<TurnAction> = survey
        .turns()
        .iter()
        .enumerate()
        .map(|(position, turn)| {
            let action = match seeds[first_of(position)].fate % 4 {
                1 if survey.is_removable(position) => Action::Drop,
                2 if survey.is_removable(position) => group("g"),
                3 if survey.is_removable(position) => group("h"),
                _ if survey.is_untouchable(position) => Action::Keep,
                _ => staying(&seeds[position], turn, trims),
            };
            TurnAction::new(turn.turn_id().clone(), action)
        })
        .collect();
    let requests = requests(&actions);
    PlanDraft::new("generated", "1.0.0", actions).with_requests(requests)
}

fn group(id: &str) -> Action {
    Action::Summarize { group: id.into() }
}

fn staying(seed: &Seed, turn: &TranscriptTurn, trims: bool) -> Action {
    match seed.fate / 4 % 3 {
        1 => Action::Mask(TurnReplacement::new("a stub", u64::from(seed.fate))),
        2 if trims => trim(seed, turn).map_or(Action::Keep, Action::Trim),
        _ => Action::Keep,
    }
}

fn requests(actions: &[TurnAction]) -> Vec<SummarizationRequest> {
    let mut requests: Vec<SummarizationRequest> = Vec::new();
    for action in actions {
        let Some(group) = action.action.group() else { continue };
        if requests.iter().any(|request| request.group_id() == group) {
            continue;
        }
        let members = actions.iter().filter(|other| other.action.group() == Some(group));
        let ids = members.map(|member| member.turn_id.clone()).collect();
        requests.push(SummarizationRequest::new(group.clone(), ids, 3, "prompt").unwrap());
    }
    requests
}

/// A sound trim of a turn, if the seeds give one.
fn trim(seed: &Seed, turn: &TranscriptTurn) -> Option<Trim> {
    let whole = [Part::new(PartKind::Text, turn.content().len(), turn.token_estimate())];
    let parts = if turn.parts().is_empty() { &whole[..] } else { turn.parts() };
    let mut start = 0;
    let mut kept = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let bounds = start..part.end;
        start = part.end;
        let cut = seed.cuts[index % seed.cuts.len()];
        let ranges = match cut % 3 {
            0 => Vec::new(),
            1 if part.kind.is_indivisible() || !bounds.is_empty() => vec![bounds],
            _ if part.kind.is_indivisible() => Vec::new(),
            _ => ranges(turn.content(), &bounds, &seed.cuts),
        };
        if !ranges.is_empty() {
            kept.push(KeptPart::new(index, ranges));
        }
    }
    let bytes: usize = kept.iter().flat_map(|kept| &kept.ranges).map(ExactSizeIterator::len).sum();
    let everything = bytes == turn.content().len() && kept.len() >= parts.len();
    (!kept.is_empty() && !everything)
        .then(|| Trim::new(kept, turn.token_estimate() / 2).with_counts(seed.fate.is_multiple_of(2)))
}

/// Each character of a part stays or goes as the seeds say.
fn ranges(content: &str, bounds: &Range<usize>, cuts: &[u8]) -> Vec<Range<usize>> {
    let inside: Vec<usize> =
        borders(content).into_iter().filter(|at| (bounds.start..=bounds.end).contains(at)).collect();
    let characters = inside.windows(2).zip(cuts.iter().cycle());
    characters.filter(|(_, cut)| *cut % 2 == 0).map(|(ends, _)| ends[0]..ends[1]).collect()
}

#[test]
fn the_generator_reaches_every_action_and_a_locked_turn() {
    use alloc::collections::BTreeSet;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let mut kinds = BTreeSet::new();
    let mut locked = 0;
    for _ in 0..200 {
        let case = cases(true).new_tree(&mut runner).unwrap().current();
        kinds.extend(case.plan.actions().iter().map(|action| action.action.kind()));
        locked += Survey::new(&case.transcript, case.plan.budget()).unwrap().locked_costs().iter().count();
    }
    assert_eq!(kinds.len(), 5, "only {kinds:?}");
    assert!(locked > 20, "{locked}");
}
