//! What a provider's own tools did, and what they found.

use alloc::sync::Arc;

use crate::json::{DurableObject, DurableValue};
use crate::message::{Dump, Field, FieldFault, Fields, MessageError};
use crate::text::{CleanText, DurableText, ModelAttemptId, ModelStepId, SpokenText};

/// A tool that a provider runs itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostedTool {
    /// A search in the web.
    WebSearch,
}

impl HostedTool {
    const CHOICES: [(&'static str, Self); 1] = [("web_search", Self::WebSearch)];

    /// The serialized name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WebSearch => "web_search",
        }
    }
}

/// What became of a call that a provider ran itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostedCallStatus {
    /// It is done.
    Completed,
    /// It ended early.
    Incomplete,
    /// It failed.
    Failed,
    /// Nobody knows.
    OutcomeUnknown,
}

impl HostedCallStatus {
    const CHOICES: [(&'static str, Self); 4] = [
        ("completed", Self::Completed),
        ("incomplete", Self::Incomplete),
        ("failed", Self::Failed),
        ("outcome_unknown", Self::OutcomeUnknown),
    ];

    /// The serialized name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Incomplete => "incomplete",
            Self::Failed => "failed",
            Self::OutcomeUnknown => "outcome_unknown",
        }
    }
}

/// A tool call that the provider ran itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostedToolCallPart {
    /// The tool.
    pub hosted_tool: HostedTool,
    /// The provider's id of the call.
    pub call_id: CleanText,
    /// What became of it.
    pub status: HostedCallStatus,
    /// What the tool was asked for; null where that is not known.
    pub action: DurableValue,
    /// The provider.
    pub provider_name: CleanText,
    /// The model.
    pub model: CleanText,
    /// The step of the model.
    pub model_step_id: ModelStepId,
    /// The attempt at that step.
    pub model_attempt_id: ModelAttemptId,
}

impl HostedToolCallPart {
    pub(super) fn read(object: &DurableObject) -> Result<Self, MessageError> {
        let known = [
            "type",
            "hosted_tool",
            "call_id",
            "status",
            "action",
            "provider_name",
            "model",
            "model_step_id",
            "model_attempt_id",
        ];
        let fields = Fields::new("hosted_tool_call", object, &known)?;
        let tool = fields.text_or("hosted_tool", "web_search")?;
        Ok(Self {
            hosted_tool: fields.choice("hosted_tool", &tool, &HostedTool::CHOICES)?,
            call_id: fields.checked("call_id", CleanText::new(fields.text("call_id")?))?,
            status: fields.choice("status", &fields.text("status")?, &HostedCallStatus::CHOICES)?,
            action: fields.value_or_null("action")?,
            provider_name: fields.checked("provider_name", CleanText::new(fields.text("provider_name")?))?,
            model: fields.checked("model", CleanText::new(fields.text("model")?))?,
            model_step_id: step_id(fields)?,
            model_attempt_id: attempt_id(fields)?,
        })
    }

    pub(super) fn dump(&self) -> Dump<'_> {
        Dump::of([
            ("type", Field::Text("hosted_tool_call")),
            ("hosted_tool", Field::Text(self.hosted_tool.as_str())),
            ("call_id", Field::Text(&self.call_id)),
            ("status", Field::Text(self.status.as_str())),
            ("action", Field::Value(&self.action)),
            ("provider_name", Field::Text(&self.provider_name)),
            ("model", Field::Text(&self.model)),
            ("model_step_id", Field::Text(&self.model_step_id)),
            ("model_attempt_id", Field::Text(&self.model_attempt_id)),
        ])
    }
}

/// The characters of a text that a citation stands for: from `start` up to, but without, `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CitationSpan {
    start: i64,
    end: i64,
}

impl CitationSpan {
    /// The characters from `start` up to `end`. `None` unless `end` is above `start` and below 2^63.
    #[must_use]
    pub fn new(start: u64, end: u64) -> Option<Self> {
        let (start, end) = (i64::try_from(start).ok()?, i64::try_from(end).ok()?);
        (end > start).then_some(Self { start, end })
    }

    /// The first character.
    #[must_use]
    pub const fn start(self) -> u64 {
        self.start.unsigned_abs()
    }

    /// The character behind the last.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.end.unsigned_abs()
    }
}

/// Where a statement comes from: an address in the web.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CitationPart {
    /// The address.
    pub url: SpokenText,
    /// The title of what is there, where known.
    pub title: Option<DurableText>,
    /// What of the text it stands for, where known.
    pub span: Option<CitationSpan>,
    /// How it was found, as the provider tells it.
    pub provenance: DurableObject,
    /// The step of the model.
    pub model_step_id: ModelStepId,
    /// The attempt at that step.
    pub model_attempt_id: ModelAttemptId,
}

impl CitationPart {
    pub(super) fn read(object: &DurableObject) -> Result<Self, MessageError> {
        let known = [
            "type",
            "citation_type",
            "url",
            "title",
            "start_index",
            "end_index",
            "provenance",
            "model_step_id",
            "model_attempt_id",
        ];
        let fields = Fields::new("citation", object, &known)?;
        let sort = fields.text_or("citation_type", URL_CITATION)?;
        fields.choice("citation_type", &sort, &[(URL_CITATION, ())])?;
        let title: Option<Result<DurableText, FieldFault>> =
            fields.nullable_text("title")?.map(DurableText::new);
        Ok(Self {
            url: fields.checked("url", SpokenText::new(fields.text("url")?))?,
            title: fields.checked("title", title.transpose())?,
            span: span(fields)?,
            provenance: fields.object("provenance")?,
            model_step_id: step_id(fields)?,
            model_attempt_id: attempt_id(fields)?,
        })
    }

    pub(super) fn dump(&self) -> Dump<'_> {
        let index = |of: fn(CitationSpan) -> i64| self.span.map_or(Field::Null, |span| Field::Int(of(span)));
        Dump::of([
            ("type", Field::Text("citation")),
            ("citation_type", Field::Text(URL_CITATION)),
            ("url", Field::Text(&self.url)),
            ("title", Field::optional(self.title.as_deref())),
            ("start_index", index(|span| span.start)),
            ("end_index", index(|span| span.end)),
            ("provenance", Field::Object(&self.provenance)),
            ("model_step_id", Field::Text(&self.model_step_id)),
            ("model_attempt_id", Field::Text(&self.model_attempt_id)),
        ])
    }
}

/// The only sort of citation.
const URL_CITATION: &str = "url_citation";

fn span(fields: Fields<'_>) -> Result<Option<CitationSpan>, MessageError> {
    let index = |value: Option<i64>| value.map(|value| u64::try_from(value).unwrap_or(u64::MAX));
    let start = index(fields.nullable_int("start_index")?);
    let end = index(fields.nullable_int("end_index")?);
    match (start, end) {
        (None, None) => Ok(None),
        (Some(start), Some(end)) => {
            let span = CitationSpan::new(start, end);
            span.map(Some).ok_or_else(|| fields.error("end_index", FieldFault::OutOfRange))
        }
        (Some(_), None) => Err(fields.error("start_index", FieldFault::Alone)),
        (None, Some(_)) => Err(fields.error("end_index", FieldFault::Alone)),
    }
}

fn step_id(fields: Fields<'_>) -> Result<ModelStepId, MessageError> {
    let id: Arc<str> = fields.text("model_step_id")?;
    fields.checked("model_step_id", ModelStepId::new(id))
}

fn attempt_id(fields: Fields<'_>) -> Result<ModelAttemptId, MessageError> {
    let id: Arc<str> = fields.text("model_attempt_id")?;
    fields.checked("model_attempt_id", ModelAttemptId::new(id))
}
