//! What is compared: policies, and the two baselines.

use crate::baseline::{Oracle, RandomKeepPolicy};
use crate::scene::Scene;
use alloc::sync::Arc;
use core::fmt;
use cutctx::policies::BoxedPolicy;
use cutctx::{CompactionPolicy, InvalidValue, PolicySpec, TokenEstimator};

/// How often chance is asked; the answers are averaged.
const DRAWS: u64 = 4;

/// A policy that any number of threads may ask.
pub type SharedPolicy = Arc<dyn CompactionPolicy + Send + Sync>;

/// Something that is evaluated under a name.
#[derive(Debug, Clone)]
pub struct Contender {
    name: String,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Random,
    Oracle,
    Spec(PolicySpec),
    Policy(SharedPolicy),
}

impl Contender {
    /// Exchanges kept by chance, four times with different seeds.
    #[must_use]
    pub fn random() -> Self {
        Self { name: "random".to_owned(), kind: Kind::Random }
    }

    /// Whole exchanges kept by what the continuation will use: what no policy can know.
    #[must_use]
    pub fn oracle() -> Self {
        Self { name: "oracle".to_owned(), kind: Kind::Oracle }
    }

    /// A policy as JSON spells it. Stubs are measured as the session is counted, where the policy names no estimator.
    #[must_use]
    pub fn spec(name: impl Into<String>, spec: PolicySpec) -> Self {
        Self { name: name.into(), kind: Kind::Spec(spec) }
    }

    /// Any other policy, one of your own among them.
    ///
    /// ```
    /// use cutctx::DropOldestPolicy;
    /// use cutctx_eval::Contender;
    /// use std::sync::Arc;
    ///
    /// let contender = Contender::policy("mine", Arc::new(DropOldestPolicy::new()));
    /// assert_eq!(contender.name(), "mine");
    /// ```
    #[must_use]
    pub fn policy(name: impl Into<String>, policy: SharedPolicy) -> Self {
        Self { name: name.into(), kind: Kind::Policy(policy) }
    }

    /// What it is called in tables.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The contender, ready for a session that is counted like this.
    pub(crate) fn ready(&self, estimator: &Arc<dyn TokenEstimator>) -> Result<Ready, InvalidValue> {
        Ok(match &self.kind {
            Kind::Random => Ready::Random,
            Kind::Oracle => Ready::Oracle,
            Kind::Spec(spec) => Ready::Built(spec.build_with(estimator)?),
            Kind::Policy(policy) => Ready::Shared(Arc::clone(policy)),
        })
    }
}

/// A contender for one session.
pub(crate) enum Ready {
    Random,
    Oracle,
    Built(BoxedPolicy),
    Shared(SharedPolicy),
}

impl Ready {
    /// Hands each of its policies to `ask`: several where chance is asked.
    pub(crate) fn each<T>(&self, scene: &Scene, ask: impl Fn(&dyn CompactionPolicy) -> T) -> Vec<T> {
        match self {
            Self::Random => (0..DRAWS).map(|seed| ask(&RandomKeepPolicy::new(seed))).collect(),
            Self::Oracle => vec![ask(&Oracle::new(scene))],
            Self::Built(policy) => vec![ask(policy.as_ref())],
            Self::Shared(policy) => vec![ask(policy.as_ref())],
        }
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("Random"),
            Self::Oracle => f.write_str("Oracle"),
            Self::Spec(spec) => f.debug_tuple("Spec").field(spec).finish(),
            Self::Policy(policy) => f.debug_tuple("Policy").field(&policy.name()).finish(),
        }
    }
}
