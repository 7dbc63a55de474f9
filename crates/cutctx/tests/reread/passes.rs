//! One pass over a session file: planned, written and read again.

use alloc::sync::Arc;
use cutctx::counting::{Counter, Measure, Scale};
use cutctx::formats::{Opening, ReadRequest, Session};
use cutctx::{
    CharRatioEstimator, CompactionBudget, CompactionPlan, PolicySpec, Role, Summaries, TokenEstimator,
    session,
};

/// What counts tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Counts {
    /// Four characters a token.
    Ratio,
    /// What the session decides.
    Auto,
}

/// A session, and what counted it and measures new text.
pub(crate) struct Read {
    session: Session,
    pub(crate) counts: Counts,
    estimator: Arc<dyn TokenEstimator>,
}

impl Read {
    /// The first conversation of a file; `None` where it cannot be read.
    pub(crate) fn of(bytes: &[u8], counts: Counts) -> Option<Self> {
        match counts {
            Counts::Ratio => {
                let ratio = CharRatioEstimator::default();
                let session = read(bytes, &ReadRequest::new(&ratio))?;
                Some(Self { session, counts, estimator: Arc::new(ratio) })
            }
            Counts::Auto => {
                let counter = Arc::new(Counter::auto());
                let choose = |opening: &Opening<'_>| counter.choose(opening);
                let session = read(bytes, &ReadRequest::new(&*counter).opened_before(&choose))?;
                let estimator = Arc::new(Measure::new(counter, Scale::ONE, Role::Tool));
                Some(Self { session, counts, estimator })
            }
        }
    }

    pub(crate) fn tokens(&self) -> u64 {
        self.session.transcript().token_estimate()
    }

    /// The plan for a budget; `None` where nothing can meet it.
    pub(crate) fn planned(&self, spec: &PolicySpec, budget: &CompactionBudget) -> Option<CompactionPlan> {
        let policy = spec.build_with(&self.estimator).unwrap();
        policy.decide(self.session.transcript(), budget).ok()
    }

    /// The file that a plan makes; `None` where that is the same file.
    pub(crate) fn written(&self, plan: &CompactionPlan) -> Option<Vec<u8>> {
        let rendered = session::render(&self.session, plan, &Summaries::none()).unwrap();
        let written = rendered.to_text();
        (written != self.session.text()).then(|| written.into_bytes())
    }
}

fn read(bytes: &[u8], request: &ReadRequest<'_>) -> Option<Session> {
    let only = Session::read_with(None, bytes.to_vec(), request);
    only.or_else(|_| Session::read_with(None, bytes.to_vec(), &request.of_conversation(0))).ok()
}
