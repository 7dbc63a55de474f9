//! One vector.

use cutctx_exec::Summaries;
use cutctx_types::wire::{WireBudget, WireTranscript};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One line: what it is about, and its text to read the job from.
pub(crate) struct Line<'t> {
    head: Head,
    text: &'t str,
}

impl<'t> Line<'t> {
    /// Reads what a line says about itself.
    pub(crate) fn read(text: &'t str) -> Result<Self, serde_json::Error> {
        Ok(Self { head: serde_json::from_str(text)?, text })
    }

    pub(crate) fn name(&self) -> &str {
        &self.head.name
    }

    pub(crate) fn has_tag(&self, tag: &str) -> bool {
        self.head.tags.iter().any(|own| own == tag)
    }

    pub(crate) fn expected(&self) -> Option<&Expected> {
        self.head.expect.as_ref()
    }

    pub(crate) fn expected_error(&self) -> Option<&ExpectedError> {
        self.head.expect_error.as_ref()
    }

    /// Reads everything but the policy, numbers in full.
    pub(crate) fn job(&self) -> Result<Job, serde_json::Error> {
        serde_json::from_str(self.text)
    }

    /// Reads the policy in some form, numbers in full where the form allows it.
    pub(crate) fn policy<P: DeserializeOwned>(&self) -> Result<P, serde_json::Error> {
        #[derive(Deserialize)]
        struct WithPolicy<P> {
            policy: P,
        }
        serde_json::from_str::<WithPolicy<P>>(self.text).map(|with| with.policy)
    }
}

#[derive(Deserialize)]
struct Head {
    name: String,
    tags: Vec<String>,
    #[serde(default)]
    expect: Option<Expected>,
    #[serde(default)]
    expect_error: Option<ExpectedError>,
}

/// What comes out when a plan does.
#[derive(Deserialize)]
pub(crate) struct Expected {
    pub(crate) plan: String,
    pub(crate) plan_hash: String,
    pub(crate) view: Value,
    pub(crate) report: Value,
}

/// What comes out when something is refused.
#[derive(Deserialize)]
pub(crate) struct ExpectedError {
    pub(crate) stage: String,
    pub(crate) code: Option<String>,
    pub(crate) details: Value,
}

/// What is to be done, but for the policy.
#[derive(Deserialize)]
pub(crate) struct Job {
    pub(crate) transcript: WireTranscript,
    pub(crate) budget: WireBudget,
    pub(crate) summaries: Option<Summaries>,
    #[serde(default)]
    pub(crate) apply_transcript: Option<WireTranscript>,
}
