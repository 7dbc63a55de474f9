//! One build over turns.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_exec::Summaries;
use cutctx_messages::{DurableObject, Message, SpokenText};
use cutctx_types::{Transcript, TranscriptTurn};

use super::super::asking::{Asking, Circumstances, Material, Visible};
use super::super::ledger::{Ledger, Place};
use super::super::machine::{Ask, Ended, Machine, Next, WantedSummary};
use super::super::outcome::InvalidatedReason;
use super::super::scale::Anchor;
use super::super::stored::{Fates, Source, SourceKind, Stored, legal, put_into};
use super::super::{BudgetedContextPolicy, Config};
use super::as_messages::{Told, messages_of, plain};
use super::digest::digest_of;
use super::request::{
    PendingTurnCompaction, TurnContextRequest, TurnContextResult, TurnStep, TurnStepResult, TurnUsage,
};
use crate::compaction::CompactionOutcome;
use crate::estimate::ContextUsageState;
use crate::policy::{ContextBuildError, compact_locally};
use crate::resume::Resume;
use crate::telemetry::ContextTelemetry;

/// A build over turns.
struct Build {
    machine: Machine,
    transcript: Transcript,
    checkpoint: DurableObject,
    invalidated: Option<InvalidatedReason>,
    circumstances: Circumstances,
    /// What is shown while the plan of this number asks.
    visible: Option<(usize, Visible)>,
    telemetry: Vec<ContextTelemetry>,
}

/// Begins to build.
pub(in super::super) fn begin(
    config: Arc<Config>,
    request: TurnContextRequest,
    checkpoint: Option<&DurableObject>,
) -> TurnStepResult {
    let (machine, invalidated) = restored(config, &request.transcript, checkpoint);
    let ask = Ask {
        anchor: request
            .usage
            .filter(|_| invalidated.is_none())
            .and_then(|usage| anchor(&machine, usage, request.overhead_tokens)),
        overhead: request.overhead_tokens,
        force: request.force_compaction,
        overflowed: request.force_bounded_compaction,
    };
    let mut build = Build {
        machine,
        invalidated,
        checkpoint: checkpoint.cloned().unwrap_or_default(),
        circumstances: circumstances(&request),
        transcript: request.transcript,
        visible: None,
        telemetry: Vec::new(),
    };
    let next = build.machine.begin(ask);
    build.go(next)
}

/// The fates of these turns as a checkpoint has them, where it was made of them.
fn restored(
    config: Arc<Config>,
    transcript: &Transcript,
    checkpoint: Option<&DurableObject>,
) -> (Machine, Option<InvalidatedReason>) {
    let stored = Stored::load(checkpoint, &config.settings);
    let fates = stored.map(|stored| fates_of(stored?, transcript.turns()));
    let mut machine = Machine::new(config);
    let invalidated = match fates {
        None => None,
        Some(Err(reason)) => Some(reason),
        Some(Ok(fates)) => {
            if restore(&mut machine, fates, transcript.turns()) {
                return (machine, None);
            }
            Some(InvalidatedReason::Unreadable)
        }
    };
    let mut machine = started(machine, transcript);
    if invalidated.is_some() {
        // Which context the provider counted last is not known.
        machine.memory.seen = machine.ledger.len();
    }
    (machine, invalidated)
}

/// The machine with all turns as they are.
fn started(mut machine: Machine, transcript: &Transcript) -> Machine {
    for turn in transcript.turns() {
        machine.append(turn.clone());
    }
    machine
}

fn fates_of(stored: Stored, turns: &[TranscriptTurn]) -> Result<Fates, InvalidatedReason> {
    let fates = match stored {
        Stored::Fates(fates) if fates.source.kind == SourceKind::Turns => fates,
        Stored::Fates(_) | Stored::Earlier(_) => return Err(InvalidatedReason::ContentChanged),
    };
    let source = turns.get(..fates.source.count).ok_or(InvalidatedReason::TranscriptShorter)?;
    if digest_of(source) == *fates.source.sha256 { Ok(fates) } else { Err(InvalidatedReason::ContentChanged) }
}

/// Gives the turns the fates that they had. Whether a plan could have given them.
fn restore(machine: &mut Machine, fates: Fates, turns: &[TranscriptTurn]) -> bool {
    let config = Arc::clone(&machine.config);
    let Some(legal) = legal(fates.runs, turns, fates.source.count, &*config.estimator) else {
        return false;
    };
    let texts = fates.summaries.into_iter();
    let mut ledger =
        Ledger::with_summaries(texts.map(|(group, text)| (group, config.summary(text))).collect());
    for (turn, action) in turns.iter().zip(legal.actions) {
        ledger.record(turn.clone(), action, config.settings.task_tokens);
    }
    ledger.lead();
    machine.restore(ledger, fates.memory, legal.changed);
    true
}

/// What the provider counted, where the context was not rewritten since, and the count can be one of it.
fn anchor(machine: &Machine, usage: TurnUsage, overhead: u64) -> Option<Anchor> {
    let turns = machine.ledger.len();
    if usage.turns > turns || usage.turns < machine.memory.seen {
        return None;
    }
    let place = |at: usize| machine.ledger.taken_before(at);
    let (counted, all) = (place(usage.turns), machine.ledger.tokens());
    let reply = usage.output_tokens.filter(|_| usage.turns < turns);
    let known = if reply.is_some() { place(usage.turns.saturating_add(1)) } else { counted };
    let estimated = counted.saturating_add(overhead);
    let is_of_this = estimated <= usage.input_tokens.saturating_mul(MOST_OVERESTIMATED);
    let since = all.saturating_sub(known);
    is_of_this.then_some(Anchor { observed: usage.input_tokens, estimated, reply, since })
}

/// A count of so many times less than the estimate is of another context: of one that was compacted, as a rule, whose
/// checkpoint was lost.
const MOST_OVERESTIMATED: u64 = 4;

fn circumstances(request: &TurnContextRequest) -> Circumstances {
    Circumstances {
        session: request.session.clone(),
        usage: ContextUsageState::unknown(),
        overflowed: request.force_bounded_compaction,
        force: request.force_compaction,
        has_form: false,
        has_peer_content: false,
        instructions: request.compaction_instructions.clone(),
        metadata: request.metadata.clone(),
    }
}

impl Build {
    /// Goes on until the context is there or a summary is wanted.
    fn go(mut self, mut next: Next) -> TurnStepResult {
        loop {
            let wanted = match next {
                Next::Done(ended) => return self.done(ended).map(|result| TurnStep::Done(Box::new(result))),
                Next::Summarize(wanted) => wanted,
            };
            let visible = self.visible();
            let material = self.material(&wanted);
            let asking = Asking::new(&self.machine, wanted, material, &self.circumstances, &visible);
            let (request, started) = match asking.pose(&mut self.machine, &self.circumstances, &visible) {
                Ok(posed) => posed,
                Err(instead) => {
                    next = instead;
                    continue;
                }
            };
            self.telemetry.push(started);
            let compactor = Arc::clone(&self.machine.config.compactor);
            let resume = Resume::new(move |outcome| self.answered(asking, outcome));
            return Ok(TurnStep::Summarize(Box::new(PendingTurnCompaction::new(compactor, request, resume))));
        }
    }

    fn answered(mut self, asking: Asking, outcome: CompactionOutcome) -> TurnStepResult {
        let (next, told) = asking.answered(&mut self.machine, outcome);
        self.telemetry.extend(told);
        self.go(next)
    }

    /// What is shown. A plan may ask for many summaries of it.
    fn visible(&mut self) -> Visible {
        let plan = self.machine.plan_number();
        if let Some((_, known)) = self.visible.as_ref().filter(|(of, _)| *of == plan) {
            return known.clone();
        }
        let messages: Vec<Message> =
            self.machine.ledger.shown().iter().filter_map(|shown| plain(&shown.turn)).collect();
        let visible = Visible { messages: messages.into(), is_cached: false };
        self.visible = Some((plan, visible.clone()));
        visible
    }

    /// What stands at the wanted positions, as the session has it. A summary that stands first is taken in.
    fn material(&self, wanted: &WantedSummary) -> Material {
        let turns = self.transcript.turns();
        let mut material = Material { total: turns.len(), ..Material::default() };
        let shown = wanted.positions.iter().filter_map(|at| self.machine.ledger.shown().get(*at));
        let told: Vec<Told<'_>> = shown
            .filter_map(|shown| match &shown.place {
                Place::Summary(_) => Some((0, &shown.turn)),
                Place::Source(at) => Some((*at, turns.get(*at)?)),
            })
            .collect();
        let first = wanted.positions.first().and_then(|at| self.machine.ledger.shown().get(*at));
        let is_summary = first.is_some_and(|shown| matches!(shown.place, Place::Summary(_)));
        let taken_in = usize::from(told.len() > 1 && is_summary);
        if let Some((_, summary)) = told.first().filter(|_| taken_in == 1) {
            material.existing = SpokenText::new(Arc::clone(summary.content())).ok();
        }
        let rest = told.get(taken_in..).unwrap_or_default();
        material.range.0 = rest.first().map_or(0, |(at, _)| *at);
        material.range.1 = rest.last().map_or(0, |(at, _)| at.saturating_add(1));
        for (message, end) in messages_of(rest) {
            material.push(Some(message), end.saturating_add(taken_in));
        }
        material
    }

    fn done(mut self, ended: Ended) -> Result<TurnContextResult, ContextBuildError> {
        let machine = &self.machine;
        let outcome = ended.outcome(machine.config.settings.limit_tokens, self.invalidated);
        let is_to_keep = ended.is_to_keep || self.invalidated.is_some();
        let checkpoint =
            is_to_keep.then(|| put_into(&self.checkpoint, machine, &self.source())).transpose()?;
        let event = is_to_keep.then(|| ended.event(machine, &outcome, self.invalidated));
        let ledger = &machine.ledger;
        let summaries = ledger.summaries().iter();
        let summaries: Summaries =
            summaries.map(|(group, summary)| (Arc::clone(group), Arc::clone(&summary.text))).collect();
        Ok(TurnContextResult {
            actions: ledger.actions().to_vec(),
            summaries,
            view: ledger.shown().iter().map(|shown| shown.turn.clone()).collect(),
            first_changed_turn: ended.changed,
            outcome,
            invalidated: self.invalidated,
            rewrites: machine.memory.rewrites,
            compactor_calls: machine.memory.calls,
            checkpoint,
            checkpoint_event_payload: event,
            compaction_telemetry: core::mem::take(&mut self.telemetry),
        })
    }

    /// What the fates are made of.
    fn source(&self) -> Source {
        let count = self.machine.ledger.settled();
        let settled = self.transcript.turns().get(..count).unwrap_or_default();
        Source { kind: SourceKind::Turns, count, sha256: digest_of(settled).into() }
    }
}

/// Builds a context over turns with a compactor that needs no model. One that does is told that there is none, and the
/// build goes on without its summary.
///
/// # Errors
///
/// As [`BudgetedContextPolicy::begin_over_turns`].
pub fn build_turn_context_locally(
    policy: &BudgetedContextPolicy,
    request: TurnContextRequest,
    checkpoint: Option<&DurableObject>,
) -> Result<TurnContextResult, ContextBuildError> {
    let mut step = policy.begin_over_turns(request, checkpoint)?;
    loop {
        step = match step {
            TurnStep::Done(result) => return Ok(*result),
            TurnStep::Summarize(pending) => {
                let outcome = compact_locally(&*pending.compactor, &pending.request);
                pending.resume(outcome)?
            }
        };
    }
}
