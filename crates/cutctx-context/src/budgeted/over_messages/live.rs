//! A context that grows with its session.

mod step;

use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{DurableObject, Message, MessagesDigest, check_context};
use cutctx_types::{Action, TranscriptTurn};

use super::super::asking::{Asking, Circumstances, Visible};
use super::super::ledger::Ledger;
use super::super::machine::Machine;
use super::super::outcome::InvalidatedReason;
use super::super::stored::{Legal, Source, SourceKind, Stored};
use super::super::{BudgetedContextPolicy, Config};
use super::restore::Restored;
use super::source::Messages;
use super::view::View;
use crate::estimate::ContextInputCoverage;
use crate::policy::ContextBuildError;
use crate::session::Session;
use crate::telemetry::ContextTelemetry;

pub use step::{LiveRequest, LiveResult, LiveStep};

/// A context that stays in memory while its session goes on: a step costs what is new, however long the session is.
///
/// Messages are [appended](Self::append) as they come. Before each request to the model a step is
/// [begun](Self::begin); where it asks for a summary the answer is [handed back](Self::resume). Then
/// [`Self::messages`] is what to send. It is the context that [`BudgetedContextPolicy`] builds from the whole list of
/// messages, and the checkpoints are the same: either goes on where the other ended.
///
/// ```
/// use cutctx_context::{
///     BudgetedContextPolicy, BudgetedContextSettings, LiveContext, LiveRequest, LiveStep, Session,
/// };
/// use cutctx_messages::{Message, TextPart};
/// use cutctx_types::Role;
///
/// let policy = BudgetedContextPolicy::new(BudgetedContextSettings::for_window(2_000))?;
/// let mut context = LiveContext::new(&policy, Session::new("s1", "painter")?);
/// for plank in 0..200 {
///     let text = format!("plank {plank} is to be painted. {}", "Use the green paint. ".repeat(8));
///     context.append(Message::new(Role::User, vec![TextPart::new(text)?.into()])?)?;
///     match context.begin(&LiveRequest::new())? {
///         LiveStep::Done(result) => drop(result.checkpoint), // store it where there is one
///         LiveStep::Summarize(_) => unreachable!("this policy asks nobody"),
///     }
///     // Send `context.messages()`, and append the reply.
///     context.append(Message::new(Role::Assistant, vec![TextPart::new("done")?.into()])?)?;
/// }
/// assert!(context.messages().len() < 100);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LiveContext {
    session: Session,
    machine: Machine,
    source: Messages,
    view: View,
    /// What was stored last, with what others put there.
    checkpoint: DurableObject,
    invalidated: Option<InvalidatedReason>,
    settled: Settled,
    pending: Option<Pending>,
    telemetry: Vec<ContextTelemetry>,
}

/// How many of the first messages hold all that is not shown as it was, and their digest.
#[derive(Debug, Clone, Default)]
struct Settled {
    count: usize,
    digest: MessagesDigest,
}

/// A step that waits for a summary.
#[derive(Debug, Clone)]
struct Pending {
    asking: Asking,
    circumstances: Circumstances,
    visible: Shown,
}

/// What is shown while the plan of this number asks.
type Shown = (usize, Visible);

impl LiveContext {
    /// A context without messages.
    #[must_use]
    pub fn new(policy: &BudgetedContextPolicy, session: Session) -> Self {
        Self::of(Arc::clone(&policy.config), session, DurableObject::empty())
    }

    /// The context of these messages, which goes on from a checkpoint. A checkpoint that was not made of them is not
    /// used; the first step tells why.
    ///
    /// # Errors
    ///
    /// [`ContextBuildError`] when the messages are not well formed.
    pub fn restored(
        policy: &BudgetedContextPolicy,
        session: Session,
        messages: &[Message],
        checkpoint: Option<&DurableObject>,
    ) -> Result<Self, ContextBuildError> {
        Self::build(Arc::clone(&policy.config), session, messages, checkpoint)
    }

    fn of(config: Arc<Config>, session: Session, checkpoint: DurableObject) -> Self {
        Self {
            session,
            machine: Machine::new(config),
            source: Messages::default(),
            view: View::default(),
            checkpoint,
            invalidated: None,
            settled: Settled::default(),
            pending: None,
            telemetry: Vec::new(),
        }
    }

    pub(super) fn build(
        config: Arc<Config>,
        session: Session,
        messages: &[Message],
        checkpoint: Option<&DurableObject>,
    ) -> Result<Self, ContextBuildError> {
        check_context(messages)?;
        let stored = Stored::load(checkpoint, &config.settings);
        let restored = stored.map(|stored| Restored::of(stored?, messages, &config));
        let mut context = Self::of(config, session, checkpoint.cloned().unwrap_or_default());
        let turns = context.read(messages)?;
        match restored {
            None => context.start(turns)?,
            Some(Err(reason)) => context.start_anew(turns, reason)?,
            Some(Ok(restored)) => context.restore(restored, turns)?,
        }
        Ok(context)
    }

    /// Reads well-formed messages; their turns.
    fn read(&mut self, messages: &[Message]) -> Result<Vec<Vec<TranscriptTurn>>, ContextBuildError> {
        let estimator = Arc::clone(&self.machine.config.estimator);
        let (mut turns, mut count) = (Vec::with_capacity(messages.len()), 0_usize);
        for message in messages {
            let unit = self.source.push(message.clone(), count, &*estimator)?;
            count = unit.iter().map(Vec::len).fold(count, usize::saturating_add);
            turns.extend(unit);
        }
        Ok(turns)
    }

    fn start(&mut self, turns: Vec<Vec<TranscriptTurn>>) -> Result<(), ContextBuildError> {
        turns.into_iter().flatten().for_each(|turn| self.machine.append(turn));
        self.show()
    }

    fn start_anew(
        &mut self,
        turns: Vec<Vec<TranscriptTurn>>,
        reason: InvalidatedReason,
    ) -> Result<(), ContextBuildError> {
        self.invalidated = Some(reason);
        self.start(turns)
    }

    /// Gives the turns the fates that they had. What would not be well formed then is not what was stored.
    fn restore(
        &mut self,
        restored: Restored,
        turns: Vec<Vec<TranscriptTurn>>,
    ) -> Result<(), ContextBuildError> {
        let config = Arc::clone(&self.machine.config);
        let legal = restored.fates.actions(self.source.as_slice(), &turns, restored.count, &config);
        let Some(Legal { actions, changed }) = legal else {
            return self.start_anew(turns, InvalidatedReason::Unreadable);
        };
        let mut ledger = Ledger::with_summaries(restored.summaries);
        let known = actions.into_iter().chain(core::iter::repeat(Action::Keep));
        for (turn, action) in turns.iter().flatten().zip(known) {
            ledger.record(turn.clone(), action, config.settings.task_tokens);
        }
        ledger.lead();
        self.machine.restore(ledger, restored.memory, changed);
        self.settled = Settled { count: restored.count, digest: restored.digest };
        self.show()?;
        if check_context(self.view.messages()).is_err() {
            *self = Self { source: core::mem::take(&mut self.source), ..self.emptied() };
            self.start_anew(turns, InvalidatedReason::Unreadable)?;
        }
        Ok(())
    }

    /// The same context without anything.
    fn emptied(&self) -> Self {
        Self::of(Arc::clone(&self.machine.config), self.session.clone(), self.checkpoint.clone())
    }

    fn show(&mut self) -> Result<(), ContextBuildError> {
        let prefix = &self.machine.config.settings.summary_prefix;
        self.view = View::of(&self.machine.ledger, &self.source, prefix)?;
        Ok(())
    }

    /// Puts a message at the end of the session.
    ///
    /// # Errors
    ///
    /// [`ContextBuildError`] when it cannot stand there; the context is as it was then.
    pub fn append(&mut self, message: Message) -> Result<(), ContextBuildError> {
        self.source.check_next(&message)?;
        let estimator = Arc::clone(&self.machine.config.estimator);
        let first = self.source.mapped();
        let turns = self.source.push(message, self.machine.ledger.len(), &*estimator)?;
        for (turns, at) in turns.into_iter().zip(first..) {
            let tokens = turns.iter().map(TranscriptTurn::token_estimate).fold(0, u64::saturating_add);
            for turn in turns {
                self.machine.append(turn);
            }
            if let Some(message) = self.source.as_slice().get(at) {
                self.view.push(message.clone(), tokens);
            }
        }
        Ok(())
    }

    /// What to send: the context as the last step left it, and what was appended since. Calls that wait for their
    /// results are not among it.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        self.view.messages()
    }

    /// How many messages the session has.
    #[must_use]
    pub fn source_len(&self) -> usize {
        self.source.as_slice().len()
    }

    /// Which messages a provider will have counted when it is sent [`Self::messages`]: for
    /// [`ContextUsageState::input_coverage`](crate::ContextUsageState::input_coverage) of the next step. Only what is
    /// new since the last time is hashed.
    #[must_use]
    pub fn coverage(&mut self) -> Option<ContextInputCoverage> {
        self.view.coverage(self.source.mapped())
    }

    /// What the fates are made of.
    fn bound(&mut self) -> Source {
        let count = self.source.holding(self.machine.ledger.settled());
        let newly = self.source.as_slice().get(self.settled.count..count).unwrap_or_default();
        for message in newly {
            self.settled.digest.push(message);
        }
        self.settled.count = self.settled.count.max(count);
        let sha256 = self.settled.digest.digest().to_hex().into();
        Source { kind: SourceKind::Messages, count: self.settled.count, sha256 }
    }
}
