//! Policies as cases describe them.

use alloc::sync::Arc;
use std::sync::Mutex;

use cutctx_context::{
    CheckpointCompactionContextPolicy, CheckpointCompactionSettings, ContextBuildResult, ContextCompactor,
    ContextPolicy, ContextRequest, DefaultContextPolicy, MessageWindowContextPolicy,
    RecentTurnsContextPolicy, SizeMode, Step, StepResult, SummaryPrefix, TranscriptDigestCompactor,
    UsageTriggeredContextPolicy, UsageTriggeredSettings,
};
use cutctx_messages::{Message, SpokenText, TextPart};
use serde_json::Value;

use crate::case::category;
use crate::fake::Fake;

/// The calls that scripted compactors were asked.
pub(crate) type Calls = Arc<Mutex<Vec<Value>>>;

/// A policy, or the category of the error that its constructor gives.
pub(crate) type Built = Result<Arc<dyn ContextPolicy>, String>;

/// What a value below zero is refused with; our types have none.
pub(crate) const BELOW_ZERO: &str = "must_be_non_negative";

pub(crate) fn policy(settings: &Value, compactor: &Value, calls: &Calls) -> Built {
    let attachments = size(settings, "max_attachment_results", 1)?;
    let system = settings["preserve_system"] != false;
    match settings["type"].as_str() {
        Some("default") => Ok(Arc::new(DefaultContextPolicy::new(attachments))),
        Some("message_window") => {
            let policy =
                MessageWindowContextPolicy::new(size(settings, "max_messages", 0)?).map_err(category)?;
            Ok(Arc::new(policy.preserving_system(system).with_max_attachment_results(attachments)))
        }
        Some("recent_turns") => {
            let policy =
                RecentTurnsContextPolicy::new(size(settings, "max_user_turns", 0)?).map_err(category)?;
            Ok(Arc::new(policy.preserving_system(system).with_max_attachment_results(attachments)))
        }
        Some("usage_triggered") => usage_triggered(settings, calls),
        Some("replace_text") => Ok(Arc::new(ReplaceText(settings["text"].as_str().unwrap().into()))),
        Some("checkpoint") => checkpoint(settings, &settings["compactor"], calls),
        None => checkpoint(settings, compactor, calls),
        Some(other) => Err(format!("nobody knows the policy {other}")),
    }
}

fn usage_triggered(settings: &Value, calls: &Calls) -> Built {
    let default = UsageTriggeredSettings::default();
    let built = UsageTriggeredSettings {
        min_input_tokens: settings["min_input_tokens"].as_u64(),
        min_total_tokens: settings["min_total_tokens"].as_u64(),
        trigger_estimated_context_tokens: settings["trigger_estimated_context_tokens"].as_u64(),
        reserved_output_tokens: settings["reserved_output_tokens"].as_u64().unwrap_or(0),
        verify_estimate_with_provider_count: settings["verify_estimate_with_provider_count"] == true,
        provider_count_threshold_ratio: settings["provider_count_threshold_ratio"]
            .as_f64()
            .unwrap_or(default.provider_count_threshold_ratio),
        provider_count_min_delta_tokens: settings["provider_count_min_delta_tokens"].as_u64(),
        sticky: settings["sticky"] != false,
    };
    let triggered = policy(&settings["triggered_policy"], &Value::Null, calls)?;
    let built = if settings["base_policy"].is_null() {
        UsageTriggeredContextPolicy::new(triggered, built)
    } else {
        let base = policy(&settings["base_policy"], &Value::Null, calls)?;
        UsageTriggeredContextPolicy::with_base(base, triggered, built)
    };
    Ok(Arc::new(built.map_err(category)?))
}

fn checkpoint(settings: &Value, compactor: &Value, calls: &Calls) -> Built {
    let default = CheckpointCompactionSettings::default();
    let tokens = |key: &str| settings[key].as_u64();
    let marks = tokens("compact_after_estimated_context_tokens").zip(tokens("max_recent_context_tokens"));
    let prefix = settings["summary_prefix"].as_str();
    let built = CheckpointCompactionSettings {
        max_user_turns: size(settings, "max_user_turns", default.max_user_turns)?,
        compact_after_messages: size(settings, "compact_after_messages", default.compact_after_messages)?,
        size: marks.map(|(compact_after_estimated_context_tokens, max_recent_context_tokens)| SizeMode {
            compact_after_estimated_context_tokens,
            max_recent_context_tokens,
        }),
        reserved_output_tokens: tokens("reserved_output_tokens").unwrap_or(0),
        reserved_summary_tokens: tokens("reserved_summary_tokens").unwrap_or(0),
        enforce_recent_context_target: settings["enforce_recent_context_target"] != false,
        max_compaction_passes: size(settings, "max_compaction_passes", default.max_compaction_passes)?,
        summary_prefix: prefix
            .map_or(SummaryPrefix::DEFAULT, |text| SummaryPrefix::new(SpokenText::new(text).unwrap())),
        max_attachment_results: size(settings, "max_attachment_results", default.max_attachment_results)?,
    };
    let policy = CheckpointCompactionContextPolicy::new(self::compactor(compactor, calls), built);
    Ok(Arc::new(policy.map_err(category)?))
}

fn compactor(settings: &Value, calls: &Calls) -> Arc<dyn ContextCompactor> {
    match settings["type"].as_str() {
        Some("fake") => Arc::new(Fake::new(settings, calls)),
        Some("digest") => {
            let limit = settings["max_summary_chars"].as_u64().unwrap_or(8_000);
            Arc::new(TranscriptDigestCompactor::new(limit).unwrap())
        }
        other => panic!("{other:?}"),
    }
}

fn size(settings: &Value, key: &str, default: usize) -> Result<usize, String> {
    match settings[key].as_i64() {
        None => Ok(default),
        Some(size) => usize::try_from(size).map_err(|_| BELOW_ZERO.to_owned()),
    }
}

/// The policy of the vectors that shows the transcript with one text in place of every other.
#[derive(Debug)]
struct ReplaceText(String);

impl ContextPolicy for ReplaceText {
    fn begin(&self, request: ContextRequest) -> StepResult {
        let replaced = |message: &Message| {
            Message::new(message.role(), vec![TextPart::new(&*self.0).unwrap().into()]).unwrap()
        };
        let shown: Vec<Message> = request.messages.iter().map(replaced).collect();
        Ok(Step::Done(Box::new(ContextBuildResult::new(shown))))
    }
}
