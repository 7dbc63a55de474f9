//! What counted the tokens of a session.

use crate::arguments::CountingChoice;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::percent;
use alloc::sync::Arc;
use cutctx::counting::{Anchored, Counter, Measure, Scale, Scaled, Unanchored, anchored, recounted};
use cutctx::formats::Session;
use cutctx::{Role, TokenEstimator, Transcript};
use serde::Serialize;

/// What counted the tokens of a session, and how far it may be off.
#[derive(Debug, Clone)]
pub(crate) struct Counting {
    counter: Arc<Counter>,
    scale: Scale,
    /// What the provider's counts say, or why they say nothing.
    pub(crate) anchored: Result<Anchored, Unanchored>,
    /// Whether the file has estimates of its own.
    is_own: bool,
}

/// The same for documents.
#[derive(Debug, Serialize)]
pub(crate) struct EstimatorLine {
    estimator: String,
    /// How far estimates are off on the mean, in thousandths; null where the file brings its own.
    estimator_error: Option<u64>,
}

/// The counter that a command line asks for, and the scale that its name has.
pub(crate) fn counter_of(choice: &CountingChoice) -> Result<(Counter, Scale), Failure> {
    match &choice.tokenizer {
        None => Ok((Counter::auto(), Scale::ONE)),
        Some(name) => counter_named(name),
    }
}

/// The counter of a name, and the scale that the name has.
pub(crate) fn counter_named(name: &str) -> Result<(Counter, Scale), Failure> {
    Counter::named(name).map_err(|error| {
        Failure::of(&error, Exit::Usage).remedy("docs/tokens.md lists what can count; `auto` always works")
    })
}

/// Whether the turns of a session bring their own estimates.
fn brings_estimates(session: &Session) -> bool {
    session.format().name() == "native"
}

impl Counting {
    /// What counted a session; the scale is that of the counter's name, unless the choice is to find one.
    pub(crate) fn of(
        counter: Arc<Counter>,
        named: Scale,
        choice: &CountingChoice,
        session: &Session,
    ) -> Result<Self, Failure> {
        let is_own = brings_estimates(session) && counter.keeps_own();
        let anchored = anchored(session.transcript(), session.usages(), choice.overhead);
        let scale = match &anchored {
            Ok(anchored) if choice.anchor => anchored.scale,
            Err(reason) if choice.anchor => {
                return Err(Failure::new(Exit::Refused, "NO_ANCHOR", reason.to_string()));
            }
            Ok(_) | Err(_) => named,
        };
        Ok(Self { counter, scale, anchored, is_own })
    }

    /// The turns of a session as they are counted: estimates that it brings with it are made anew where another counter
    /// was asked for.
    pub(crate) fn counted(&self, session: &Session) -> Result<Transcript, Failure> {
        let turns = session.transcript();
        let scaled = if brings_estimates(session) && !self.is_own {
            recounted(turns, &*self.counter).and_then(|turns| self.scale.scaled(&turns))
        } else {
            self.scale.scaled(turns)
        };
        scaled.map_err(|error| Failure::of(&error, Exit::Refused))
    }

    /// The other way to count the turns of a session that brings its own estimates: by those, or anew. None for others.
    pub(crate) fn otherwise(&self, session: &Session) -> Option<Self> {
        brings_estimates(session).then(|| Self { is_own: !self.is_own, ..self.clone() })
    }

    /// The name, by which the same counter can be had again.
    pub(crate) fn name(&self) -> String {
        self.counter.name_scaled_by(self.scale)
    }

    /// The name and the error, for documents.
    pub(crate) fn line(&self) -> EstimatorLine {
        EstimatorLine { estimator: self.name(), estimator_error: (!self.is_own).then(|| self.error()) }
    }

    /// How tokens were counted, for people.
    pub(crate) fn words(&self) -> String {
        match (self.is_own, self.error()) {
            (true, _) => {
                let name = self.name();
                let name = name.strip_prefix("own+").unwrap_or(&name);
                format!("as the file estimates them; new text by {name}")
            }
            (false, 0) => format!("counted by {}", self.name()),
            (false, error) => format!("± {} % by {}", percent(error), self.name()),
        }
    }

    /// How far estimates are off on the mean, in thousandths: as measured on this session where they are scaled to its
    /// counts, else as measured on others.
    fn error(&self) -> u64 {
        match &self.anchored {
            Ok(anchored) if self.scale != Scale::ONE => anchored.error.max(1),
            Ok(_) | Err(_) => u64::from(self.counter.accuracy().mean),
        }
    }

    /// What counts.
    pub(crate) fn counter(&self) -> &Counter {
        &self.counter
    }

    /// Counts new messages as the turns are counted.
    pub(crate) fn estimator(&self) -> Arc<Scaled> {
        Arc::new(Scaled::new(Arc::clone(&self.counter), self.scale))
    }

    /// By what estimates are multiplied.
    pub(crate) const fn scale(&self) -> Scale {
        self.scale
    }

    /// Measures texts that take the place of turns of this role.
    pub(crate) fn measure_of(&self, role: Role) -> Measure {
        Measure::new(Arc::clone(&self.counter), self.scale, role)
    }

    /// As [`Self::measure_of`], for whoever shares it.
    pub(crate) fn measure(&self, role: Role) -> Arc<dyn TokenEstimator> {
        Arc::new(self.measure_of(role))
    }
}
