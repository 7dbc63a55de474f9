//! The scripted compactor of the vectors.

use alloc::sync::Arc;
use std::sync::Mutex;

use cutctx_context::{
    CompactionFacts, CompactionFailure, CompactionOutcome, CompactionRequest, CompactionResult,
    CompactionStep, ContextCompactor, Label,
};
use cutctx_messages::{DurableObject, SpokenText, atomic_prefix_counts};
use cutctx_types::{Code, Sha256Digest};
use serde_json::{Value, json};

/// A compactor that answers as a case says, and notes what it is asked.
#[derive(Debug)]
pub(crate) struct Fake {
    script: Value,
    calls: Arc<Mutex<Vec<Value>>>,
}

impl Fake {
    pub(crate) fn new(script: &Value, calls: &Arc<Mutex<Vec<Value>>>) -> Self {
        Self { script: script.clone(), calls: Arc::clone(calls) }
    }

    fn covered(&self, request: &CompactionRequest) -> usize {
        let given = request.messages.len();
        let number = |key: &str| usize::try_from(self.script[key].as_u64().unwrap()).unwrap();
        match self.script["mode"].as_str() {
            None | Some("all") => given,
            Some("fixed") => number("covered"),
            Some("zero") => 0,
            Some("units") => {
                let counts = atomic_prefix_counts(&request.messages).unwrap();
                counts[number("units").min(counts.len()).saturating_sub(1)]
            }
            other => panic!("{other:?}"),
        }
    }

    fn summary(&self, request: &CompactionRequest, covered: usize) -> SpokenText {
        let existing = request.existing_summary.as_ref();
        if let Some(existing) = existing.filter(|_| covered == 0 && self.script["change_summary"] != true) {
            return existing.clone();
        }
        let prior = existing.map_or(0, |summary| summary.chars().count());
        let mut text = format!("sum({covered} of {}; prior {prior})", request.messages.len());
        if let Some(length) = self.script["summary_chars"].as_u64() {
            let length = usize::try_from(length).unwrap();
            text = text.chars().chain(core::iter::repeat('~')).take(length).collect();
        }
        SpokenText::new(text).unwrap()
    }

    fn answer(&self, request: &CompactionRequest) -> CompactionOutcome {
        if self.script["mode"] == "raise" {
            return Err(CompactionFailure::new(Code::new("COMPACTOR_FAILURE"), "as scripted"));
        }
        let covered = self.covered(request);
        let summary = self.summary(request, covered);
        let metadata: DurableObject = serde_json::from_value(json!({"fake": true})).unwrap();
        let label = |key: &str| self.script[key].as_str().map(|text| Label::new(text).unwrap());
        let mut result = if self.script["exhausted"] == true {
            CompactionResult::exhausted(summary, label("result_key").or(label("progress_key")).unwrap())
        } else {
            CompactionResult::new(summary, covered)
        };
        result.represented_existing_summary_sha256 = self.proof(request, &result.summary, covered);
        Ok(result.with_source(1, "custom", false).with_metadata(metadata))
    }

    fn proof(&self, request: &CompactionRequest, summary: &str, covered: usize) -> Option<String> {
        let hash = |text: &str| Sha256Digest::of_bytes(text.as_bytes()).to_hex();
        let honest = request.existing_summary.as_deref().filter(|_| covered > 0).map(hash);
        match self.script["hash"].as_str() {
            None => honest,
            Some("omit") => None,
            Some("wrong") => Some("0".repeat(64)),
            Some("always") => Some(hash(summary)),
            other => panic!("{other:?}"),
        }
    }
}

impl ContextCompactor for Fake {
    fn name(&self) -> &'static str {
        "Fake"
    }

    fn begin(&self, request: &CompactionRequest) -> CompactionStep {
        self.calls.lock().unwrap().push(json!({
            "new_messages": request.messages.len(),
            "existing_summary": request.existing_summary.as_deref(),
            "force_bounded": request.force_bounded_compaction,
            "instructions": request.instructions.as_deref(),
            "context_messages": request.context_messages.len(),
        }));
        CompactionStep::Done(self.answer(request))
    }

    fn progress_key(&self, _: &CompactionFacts<'_>) -> Option<Label> {
        self.script["progress_key"].as_str().map(|key| Label::new(key).unwrap())
    }
}
