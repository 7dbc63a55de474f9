//! Twelve sessions of forty turns, as the reference was measured, and of four hundred.
//!
//! Prints the tables of `docs/context.md`: `cargo test -p cutctx-context --test laws simulation -- --nocapture`.

use alloc::sync::Arc;

use cutctx_context::{
    BudgetedContextPolicy, BudgetedContextSettings, CheckpointCompactionContextPolicy,
    CheckpointCompactionSettings, CompactionRequest, CompactionResult, CompactionStep, ContextCompactor,
    ContextPolicy, ContextRequest, ContextTelemetryType, ExtractiveCompactor, LiveContext, LiveRequest,
    LiveStep, ObservedDeltaContextEstimator, TranscriptDigestCompactor,
};
use cutctx_context::{ContextBuildError, ContextBuildResult};
use cutctx_messages::{DurableObject, Message, SpokenText};
use cutctx_types::Role;

use crate::sessions::{round, says, session, text};

/// A model that writes 800 characters, whatever it is asked.
#[derive(Debug)]
struct Writer;

impl ContextCompactor for Writer {
    fn name(&self) -> &'static str {
        "Writer"
    }

    fn begin(&self, request: &CompactionRequest) -> CompactionStep {
        let summary = SpokenText::new(text(request.messages.len(), 800)).unwrap();
        let result = CompactionResult::new(summary, request.messages.len());
        CompactionStep::Done(Ok(match &request.existing_summary {
            Some(existing) => result.representing(existing),
            None => result,
        }))
    }
}

/// What came of simulated sessions.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Figures {
    builds: usize,
    failed: usize,
    calls: usize,
    rewrites: usize,
    over: usize,
    most_messages: usize,
}

/// A deterministic sequence of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap().checked_rem(most).unwrap()
    }
}

/// One turn of a session: a request, perhaps rounds of tools, an answer.
fn turn(dice: &mut Dice, at: usize) -> Vec<Message> {
    let mut messages = vec![says(Role::User, &text(at, 40usize.saturating_add(dice.below(200))))];
    for nth in 0..dice.below(3) {
        let result = text(at, 100usize.saturating_add(dice.below(900)));
        messages.extend(round(at.saturating_mul(10).saturating_add(nth), &[&result]));
    }
    messages.push(says(Role::Assistant, &text(at, 80usize.saturating_add(dice.below(500)))));
    messages
}

/// Builds before every model step: after each message that is the user's or a tool's.
fn simulate(policy: &dyn ContextPolicy, sessions: usize, turns: usize, limit: u64) -> Figures {
    let mut figures = Figures::default();
    for nth in 0..sessions {
        let mut dice = Dice(u64::try_from(nth).unwrap());
        let mut transcript = vec![says(Role::System, "be brief")];
        let mut checkpoint: Option<DurableObject> = None;
        let mut last: Vec<Message> = Vec::new();
        for at in 0..turns {
            for message in turn(&mut dice, at) {
                let is_step = matches!(message.role(), Role::User | Role::Tool);
                transcript.push(message);
                if is_step {
                    figures.step(policy, &transcript, &mut checkpoint, &mut last, limit);
                }
            }
        }
    }
    figures
}

/// The same with contexts that stay in memory.
fn simulate_live(policy: &BudgetedContextPolicy, sessions: usize, turns: usize, limit: u64) -> Figures {
    let mut figures = Figures::default();
    for nth in 0..sessions {
        let mut dice = Dice(u64::try_from(nth).unwrap());
        let mut live = LiveContext::new(policy, session());
        live.append(says(Role::System, "be brief")).unwrap();
        let mut last: Vec<Message> = Vec::new();
        for at in 0..turns {
            for message in turn(&mut dice, at) {
                let is_step = matches!(message.role(), Role::User | Role::Tool);
                live.append(message).unwrap();
                if is_step {
                    figures.live_step(&mut live, &mut last, limit);
                }
            }
        }
    }
    figures
}

impl Figures {
    fn live_step(&mut self, live: &mut LiveContext, last: &mut Vec<Message>, limit: u64) {
        let mut step = live.begin(&LiveRequest::new()).unwrap();
        while let LiveStep::Summarize(request) = step {
            self.calls = self.calls.saturating_add(1);
            let CompactionStep::Done(outcome) = live.compactor().begin(&request) else { panic!("a model") };
            step = live.resume(outcome).unwrap();
        }
        self.builds = self.builds.saturating_add(1);
        let shown = live.messages().to_vec();
        self.rewrites = self.rewrites.saturating_add(usize::from(!shown.starts_with(last)));
        self.over = self.over.saturating_add(usize::from(tokens(&shown) > limit));
        self.most_messages = self.most_messages.max(shown.len());
        *last = shown;
    }

    fn step(
        &mut self,
        policy: &dyn ContextPolicy,
        transcript: &[Message],
        checkpoint: &mut Option<DurableObject>,
        last: &mut Vec<Message>,
        limit: u64,
    ) {
        let add = |count: &mut usize, is: bool| *count = count.saturating_add(usize::from(is));
        add(&mut self.builds, true);
        let started = |events: &[cutctx_context::ContextTelemetry]| {
            events.iter().filter(|event| event.event_type == ContextTelemetryType::CompactionStarted).count()
        };
        match build(policy, ContextRequest::new(session(), transcript), checkpoint.as_ref()) {
            Ok(built) => {
                self.calls = self.calls.saturating_add(started(&built.compaction_telemetry));
                let shown = built.messages.to_vec();
                add(&mut self.rewrites, !shown.starts_with(last));
                add(&mut self.over, tokens(&shown) > limit);
                self.most_messages = self.most_messages.max(shown.len());
                *last = shown;
                *checkpoint = built.checkpoint.or(checkpoint.take());
            }
            Err(error) => {
                add(&mut self.failed, true);
                self.calls = self.calls.saturating_add(started(error.compaction_telemetry()));
                *checkpoint = error.checkpoint().cloned().or(checkpoint.take());
            }
        }
    }
}

fn build(
    policy: &dyn ContextPolicy,
    request: ContextRequest,
    checkpoint: Option<&DurableObject>,
) -> Result<ContextBuildResult, ContextBuildError> {
    cutctx_context::build_context_locally(policy, request, checkpoint)
}

fn tokens(messages: &[Message]) -> u64 {
    let estimator = ObservedDeltaContextEstimator::default();
    messages.iter().map(|message| estimator.estimate_message_tokens(message)).sum()
}

/// The trigger of the size mode, and what it keeps.
const AFTER: u64 = 3_000;
const KEPT: u64 = 1_500;

fn reference(
    compactor: Arc<dyn ContextCompactor>,
    settings: CheckpointCompactionSettings,
) -> Box<dyn ContextPolicy> {
    Box::new(CheckpointCompactionContextPolicy::new(compactor, settings).unwrap())
}

/// Ours between the same marks: with a compactor, or the default that needs none.
fn ours(compactor: Option<Arc<dyn ContextCompactor>>) -> BudgetedContextPolicy {
    let settings = BudgetedContextSettings {
        limit_tokens: AFTER,
        high_water_tokens: AFTER,
        low_water_tokens: KEPT,
        summary_tokens: 250,
        min_gain_tokens: 150,
        ..BudgetedContextSettings::for_window(4_000)
    };
    // Five characters a token, as the reference counts.
    let estimator = Arc::new(cutctx_types::CharRatioEstimator::new(5.0).unwrap());
    match compactor {
        Some(compactor) => BudgetedContextPolicy::with(settings, compactor, estimator).unwrap(),
        None => BudgetedContextPolicy::new(settings).unwrap().counting_with(estimator),
    }
}

/// The rows of ours.
fn our_rows() -> [(&'static str, BudgetedContextPolicy); 3] {
    [
        ("budgeted (plans with `recommended`)", ours(None)),
        ("budgeted, model", ours(Some(Arc::new(Writer)))),
        ("budgeted, extract", ours(Some(Arc::new(ExtractiveCompactor::default())))),
    ]
}

const HEADER: &str = "| policy | builds | failed | compactor calls | rewrites | over 3000 | most messages |";

fn print(name: &str, found: Figures) {
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} |",
        found.builds, found.failed, found.calls, found.rewrites, found.over, found.most_messages
    );
}

#[test]
fn twelve_sessions_of_forty_turns() {
    let by_size = CheckpointCompactionSettings::by_size(AFTER, KEPT);
    let reserved = CheckpointCompactionSettings { reserved_summary_tokens: 200, ..by_size.clone() };
    let by_count = CheckpointCompactionSettings::default();
    let digest = || Arc::new(TranscriptDigestCompactor::default());
    let rows: [(&str, Box<dyn ContextPolicy>); 5] = [
        ("reference, size, model", reference(Arc::new(Writer), by_size.clone())),
        ("reference, size, 200 reserved, model", reference(Arc::new(Writer), reserved)),
        ("reference, size, digest (its default)", reference(digest(), by_size)),
        ("reference, count, model", reference(Arc::new(Writer), by_count.clone())),
        ("reference, count, digest (its default)", reference(digest(), by_count)),
    ];
    println!("{HEADER}");
    for (name, policy) in &rows {
        print(name, simulate(&**policy, 12, 40, AFTER));
    }
    for (name, policy) in our_rows() {
        let found = simulate(&policy, 12, 40, AFTER);
        print(name, found);
        assert_eq!((found.failed, found.over), (0, 0), "{name}");
        assert_eq!(found, simulate_live(&policy, 12, 40, AFTER), "{name}, in memory");
    }
}

#[test]
fn twelve_sessions_of_four_hundred_turns() {
    println!("{HEADER}");
    for (name, policy) in our_rows() {
        let short = simulate_live(&policy, 12, 100, AFTER);
        let long = simulate_live(&policy, 12, 400, AFTER);
        print(name, long);
        assert_eq!((long.failed, long.over), (0, 0), "{name}");
        assert!(long.calls <= short.calls.saturating_mul(5), "{} and {}", short.calls, long.calls);
        assert!(long.rewrites.saturating_mul(8) <= long.builds, "{} of {}", long.rewrites, long.builds);
        assert!(long.most_messages <= short.most_messages.saturating_mul(2), "{name} grows");
    }
}
