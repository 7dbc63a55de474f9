//! The sessions that are evaluated.

use alloc::sync::Arc;
use core::fmt;
use cutctx::{CharRatioEstimator, PartKind, TokenEstimator, Transcript, TranscriptTurn};

/// A session, the project that it belongs to, and what measures its tokens.
#[derive(Clone)]
#[non_exhaustive]
pub struct EvalSession {
    /// What it is called in outputs.
    pub name: String,
    /// The project. References that many projects make say nothing about any of them.
    pub project: String,
    /// The format of its file, where there is one.
    pub format: String,
    /// Its turns.
    pub transcript: Transcript,
    /// What measures stubs and summaries.
    pub estimator: Arc<dyn TokenEstimator>,
}

impl EvalSession {
    /// A session of a project, measured at four characters a token.
    #[must_use]
    pub fn new(name: impl Into<String>, project: impl Into<String>, transcript: Transcript) -> Self {
        let estimator = Arc::new(CharRatioEstimator::default());
        let (name, project) = (name.into(), project.into());
        Self { name, project, format: "native".to_owned(), transcript, estimator }
    }

    /// The session, measured by this estimator.
    #[must_use]
    pub fn with_estimator(mut self, estimator: Arc<dyn TokenEstimator>) -> Self {
        self.estimator = estimator;
        self
    }

    /// The session, read from a file of this format.
    #[must_use]
    pub fn with_format(mut self, format: impl Into<String>) -> Self {
        self.format = format.into();
        self
    }

    /// How many tools are called in it.
    #[must_use]
    pub fn calls(&self) -> usize {
        let parts = self.transcript.turns().iter().flat_map(TranscriptTurn::parts);
        parts.filter(|part| part.kind == PartKind::CallArguments).count()
    }
}

impl fmt::Debug for EvalSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvalSession")
            .field("name", &self.name)
            .field("project", &self.project)
            .field("format", &self.format)
            .field("turns", &self.transcript.len())
            .field("estimator", &self.estimator.name())
            .finish()
    }
}
