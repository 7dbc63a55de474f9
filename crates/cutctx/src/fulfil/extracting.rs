//! Summaries without a model.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use cutctx_context::{CompactionFailure, CompactionRequest, ExtractiveCompactor, Session, SettingError};
use cutctx_exec::Summaries;
use cutctx_invariants::CompactionPlan;
use cutctx_messages::{
    DurableObject, DurableValue, FieldFault, Message, MessageError, MessagePart, TextPart, ThinkingPart,
    ToolCallPart, ToolResultPart,
};
use cutctx_types::{Code, Coded, Details, PartKind, Role, TokenEstimator, TranscriptTurn};

use super::task::{SummaryTask, tasks};

/// The least that an extract can be limited to, in tokens.
const LEAST: u64 = 16;

/// Makes all summaries that a plan asks for without a model: heads and tails of what was said, which tools were called
/// with what, each within the tokens that the plan counts on.
///
/// Targets below 16 tokens are filled with a line that only says how much went.
///
/// # Errors
///
/// [`ExtractError`] when a turn cannot be told, which no turn of a session should be.
pub fn extract(
    plan: &CompactionPlan,
    estimator: &Arc<dyn TokenEstimator>,
) -> Result<Summaries, ExtractError> {
    let mut summaries = Summaries::none();
    for task in tasks(plan) {
        let text = extract_of(&task, estimator).map_err(|fault| ExtractError::of(&task, fault))?;
        summaries = summaries.with(Arc::clone(task.request.group_id()), text);
    }
    Ok(summaries)
}

fn extract_of(task: &SummaryTask<'_>, estimator: &Arc<dyn TokenEstimator>) -> Result<String, Fault> {
    let target = task.request.target_tokens();
    if target < LEAST {
        return Ok(format!("[{} turns]", task.turns.len()));
    }
    let messages: Result<Vec<Message>, MessageError> =
        task.turns.iter().map(|turn| message_of(turn)).collect();
    let request = CompactionRequest::new(Session::new("plan", "cutctx")?, messages?);
    let compactor = ExtractiveCompactor::new(target)?.with_estimator(Shared(Arc::clone(estimator)));
    Ok((*compactor.compact(&request)?.summary).to_owned())
}

/// An estimator that others have, too.
struct Shared(Arc<dyn TokenEstimator>);

impl TokenEstimator for Shared {
    fn estimate(&self, text: &str) -> u64 {
        self.0.estimate(text)
    }

    fn name(&self) -> Cow<'_, str> {
        self.0.name()
    }

    fn ratio(&self) -> Option<f64> {
        self.0.ratio()
    }
}

/// A turn as a message. Which tool was called is all that an extract wants to know of a call besides its arguments.
fn message_of(turn: &TranscriptTurn) -> Result<Message, MessageError> {
    let content = turn.content();
    let mut parts: Vec<MessagePart> = Vec::new();
    let mut start = 0;
    for part in turn.parts() {
        let text = content.get(start..part.end).unwrap_or_default();
        parts.extend(part_of(turn, part.kind, text));
        start = part.end;
    }
    if turn.parts().is_empty() {
        let kind = if turn.role() == Role::Tool { PartKind::Result } else { PartKind::Text };
        parts.extend(part_of(turn, kind, content));
    }
    if parts.is_empty() {
        return Message::new(
            Role::User,
            vec![TextPart::new(format!("[{} without text]", turn.role()))?.into()],
        );
    }
    Message::new(turn.role(), parts.clone()).or_else(|_| Message::new(Role::Assistant, parts))
}

fn part_of(turn: &TranscriptTurn, kind: PartKind, text: &str) -> Option<MessagePart> {
    let text = text.replace('\0', "\u{FFFD}");
    let name = turn.tool_name().map(str::trim).filter(|name| !name.is_empty()).unwrap_or("tool");
    let name: Arc<str> = name.replace('\0', "\u{FFFD}").into();
    match (turn.role(), kind) {
        (Role::Assistant, PartKind::CallArguments) => {
            ToolCallPart::new("call", name, arguments(&text)).map(Into::into).ok()
        }
        (Role::Assistant, PartKind::Reasoning) => ThinkingPart::new(text).map(Into::into).ok(),
        (Role::Tool, _) => ToolResultPart::new("call", name, text).map(Into::into).ok(),
        (_, PartKind::OpaqueReasoning) => None,
        (_, _) => TextPart::new(text).map(Into::into).ok(),
    }
}

/// Arguments as an object: what is none stands under one name.
fn arguments(text: &str) -> DurableObject {
    if let Ok(object) = serde_json::from_str(text) {
        return object;
    }
    let value = DurableValue::text(text).unwrap_or(DurableValue::NULL);
    DurableObject::new(vec![("arguments".into(), value)]).unwrap_or_else(|_| DurableObject::empty())
}

/// Why no extract could be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no extract for the group `{group_id}`: {fault}")]
pub struct ExtractError {
    group_id: Arc<str>,
    fault: Fault,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Fault {
    #[error(transparent)]
    Message(#[from] MessageError),
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("a name is refused")]
    Name,
    #[error(transparent)]
    Compactor(#[from] CompactionFailure),
}

impl From<FieldFault> for Fault {
    fn from(_: FieldFault) -> Self {
        Self::Name
    }
}

impl ExtractError {
    fn of(task: &SummaryTask<'_>, fault: Fault) -> Self {
        Self { group_id: Arc::clone(task.request.group_id()), fault }
    }
}

impl Coded for ExtractError {
    fn code(&self) -> Code {
        Code::new("SUMMARY_EXTRACT")
    }

    fn details(&self) -> Details {
        Details::none().with("group_id", Arc::clone(&self.group_id))
    }
}
