//! Twelve sessions of forty turns, as the reference was measured, and a longer one.
//!
//! Prints the table of `docs/context.md`: `cargo test -p cutctx-context --test laws simulation -- --nocapture`.

use alloc::sync::Arc;

use cutctx_context::{
    BudgetedContextPolicy, BudgetedContextSettings, CheckpointCompactionContextPolicy,
    CheckpointCompactionSettings, CompactionRequest, CompactionResult, CompactionStep, ContextCompactor,
    ContextPolicy, ContextRequest, ContextTelemetryType, ObservedDeltaContextEstimator,
    TranscriptDigestCompactor,
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

impl Figures {
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
    let compactor = compactor.unwrap_or_else(|| Arc::new(cutctx_context::ExtractiveCompactor::default()));
    BudgetedContextPolicy::with(settings, compactor, estimator).unwrap()
}

#[test]
fn twelve_sessions_of_forty_turns() {
    let by_size = CheckpointCompactionSettings::by_size(AFTER, KEPT);
    let reserved = CheckpointCompactionSettings { reserved_summary_tokens: 200, ..by_size.clone() };
    let by_count = CheckpointCompactionSettings::default();
    let digest = || Arc::new(TranscriptDigestCompactor::default());
    let rows: [(&str, Box<dyn ContextPolicy>); 7] = [
        ("reference, size, model", reference(Arc::new(Writer), by_size.clone())),
        ("reference, size, 200 reserved, model", reference(Arc::new(Writer), reserved)),
        ("reference, size, digest (its default)", reference(digest(), by_size)),
        ("reference, count, model", reference(Arc::new(Writer), by_count.clone())),
        ("reference, count, digest (its default)", reference(digest(), by_count)),
        ("budgeted, model", Box::new(ours(Some(Arc::new(Writer))))),
        ("budgeted, extract (the default)", Box::new(ours(None))),
    ];
    println!("| policy | builds | failed | compactor calls | rewrites | over {AFTER} | most messages |");
    for (name, policy) in &rows {
        let found = simulate(&**policy, 12, 40, AFTER);
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} |",
            found.builds, found.failed, found.calls, found.rewrites, found.over, found.most_messages
        );
        if name.starts_with("budgeted") {
            assert_eq!((found.failed, found.over), (0, 0), "{name}");
        }
    }
}

#[test]
fn a_long_session_costs_calls_in_proportion_to_what_is_new() {
    let short = simulate(&ours(Some(Arc::new(Writer))), 2, 100, AFTER);
    let long = simulate(&ours(Some(Arc::new(Writer))), 2, 400, AFTER);
    println!("100 turns: {short:?}\n400 turns: {long:?}");
    assert_eq!((long.failed, long.over), (0, 0));
    assert!(long.calls <= short.calls.saturating_mul(5), "{} and {}", short.calls, long.calls);
    assert!(long.rewrites.saturating_mul(8) <= long.builds, "{} of {}", long.rewrites, long.builds);
    assert!(long.most_messages <= short.most_messages.saturating_mul(2));
}
