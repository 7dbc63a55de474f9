//! Tool calls and their results.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::json::{DurableError, DurableObject, DurableValue};
use crate::message::{Dump, Field, FieldFault, Fields, MessageError};
use crate::part::FileAttachment;
use crate::text::{CleanText, DurableText, ModelAttemptId, ModelStepId, ToolRoundId};

/// Where a call and its results come from. All three are known or none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the three ids are the identity; a fourth is another format")]
pub struct RoundIdentity {
    /// The round of calls and results.
    pub tool_round_id: ToolRoundId,
    /// The step of the model that called.
    pub model_step_id: ModelStepId,
    /// The attempt at that step.
    pub model_attempt_id: ModelAttemptId,
}

/// The fields of a [`RoundIdentity`] in JSON.
const IDENTITY: [&str; 3] = ["tool_round_id", "model_step_id", "model_attempt_id"];

impl RoundIdentity {
    fn read(fields: Fields<'_>) -> Result<Option<Self>, MessageError> {
        let [round, step, attempt] = IDENTITY;
        let round_id = fields.nullable_text(round)?;
        let step_id = fields.nullable_text(step)?;
        let attempt_id = fields.nullable_text(attempt)?;
        match (round_id, step_id, attempt_id) {
            (None, None, None) => Ok(None),
            (Some(round_id), Some(step_id), Some(attempt_id)) => Ok(Some(Self {
                tool_round_id: fields.checked(round, ToolRoundId::new(round_id))?,
                model_step_id: fields.checked(step, ModelStepId::new(step_id))?,
                model_attempt_id: fields.checked(attempt, ModelAttemptId::new(attempt_id))?,
            })),
            (Some(_), _, _) => Err(fields.error(round, FieldFault::Alone)),
            (_, Some(_), _) => Err(fields.error(step, FieldFault::Alone)),
            (_, _, Some(_)) => Err(fields.error(attempt, FieldFault::Alone)),
        }
    }
}

/// Whether a call's arguments are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ArgumentsState {
    /// They are what the model wrote.
    #[default]
    Finalized,
    /// They were taken out; what is stored is not what the model wrote.
    Unavailable,
}

impl ArgumentsState {
    const CHOICES: [(&'static str, Self); 2] =
        [("finalized", Self::Finalized), ("unavailable", Self::Unavailable)];

    /// The serialized name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Finalized => "finalized",
            Self::Unavailable => "unavailable",
        }
    }
}

/// A tool call that the application answers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCallPart {
    /// The call's id; a later round may have it again.
    pub tool_call_id: CleanText,
    /// The tool.
    pub tool_name: CleanText,
    /// The arguments.
    pub arguments: DurableObject,
    /// Whether the arguments are what the model wrote.
    pub arguments_state: ArgumentsState,
    /// Where the call comes from.
    pub identity: Option<RoundIdentity>,
}

/// The key of the object that a model is shown where a call's arguments were taken out.
const UNAVAILABLE_KEY: &str = "__cutctx_arguments_unavailable__";

/// What stands there.
const UNAVAILABLE_TEXT: &str = "The arguments of this call were removed and cannot be shown.";

impl ToolCallPart {
    /// A call whose arguments are what the model wrote.
    ///
    /// # Errors
    ///
    /// [`MessageError::Field`] when the id or the name is blank or has white space around it.
    pub fn new(
        tool_call_id: impl Into<Arc<str>>,
        tool_name: impl Into<Arc<str>>,
        arguments: DurableObject,
    ) -> Result<Self, MessageError> {
        let (tool_call_id, tool_name) = id_and_name("tool_call", tool_call_id.into(), tool_name.into())?;
        let arguments_state = ArgumentsState::Finalized;
        Ok(Self { tool_call_id, tool_name, arguments, arguments_state, identity: None })
    }

    /// The arguments as a model may see them: where they were taken out, an object of one key that says so.
    #[must_use]
    pub fn shown_arguments(&self) -> DurableObject {
        match self.arguments_state {
            ArgumentsState::Finalized => self.arguments.clone(),
            ArgumentsState::Unavailable => {
                let note = DurableValue::text(UNAVAILABLE_TEXT).unwrap_or(DurableValue::NULL);
                DurableObject::unlimited(alloc::vec![(UNAVAILABLE_KEY.into(), note)])
            }
        }
    }

    pub(super) fn read(object: &DurableObject) -> Result<Self, MessageError> {
        let [round, step, attempt] = IDENTITY;
        let known =
            ["type", "tool_call_id", "tool_name", "arguments", "arguments_state", round, step, attempt];
        let fields = Fields::new("tool_call", object, &known)?;
        let arguments = fields.object_or_empty("arguments")?;
        let call = Self::new(fields.text("tool_call_id")?, fields.text("tool_name")?, arguments)?;
        let state = fields.text_or("arguments_state", "finalized")?;
        let arguments_state = fields.choice("arguments_state", &state, &ArgumentsState::CHOICES)?;
        Ok(Self { arguments_state, identity: RoundIdentity::read(fields)?, ..call })
    }

    pub(super) fn dump(&self) -> Dump<'_> {
        Dump::of([
            ("type", Field::Text("tool_call")),
            ("tool_call_id", Field::Text(&self.tool_call_id)),
            ("tool_name", Field::Text(&self.tool_name)),
            ("arguments", Field::Object(&self.arguments)),
            ("arguments_state", Field::Text(self.arguments_state.as_str())),
        ])
        .with_identity(self.identity.as_ref())
    }
}

/// The objects that a tool's result left behind, files among them. Together they are within the limits of one stored
/// value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Artifacts(Arc<[DurableObject]>);

impl Artifacts {
    /// Checks a list of objects.
    ///
    /// # Errors
    ///
    /// [`DurableError`] when the list is larger than a stored value may be.
    pub fn new(objects: Vec<DurableObject>) -> Result<Self, DurableError> {
        DurableValue::array(objects.iter().cloned().map(DurableValue::from).collect())?;
        Ok(Self(objects.into()))
    }

    /// The objects.
    #[must_use]
    pub fn as_slice(&self) -> &[DurableObject] {
        &self.0
    }

    /// The files among the objects. Other objects are left out; an object that says that it is a file and is none is
    /// an error.
    pub fn attachments(&self) -> impl Iterator<Item = Result<FileAttachment, MessageError>> {
        self.0.iter().filter_map(FileAttachment::from_artifact)
    }

    fn read(fields: Fields<'_>) -> Result<Self, MessageError> {
        let wrong = FieldFault::WrongType { wanted: "a list of objects" };
        let object = |value: &DurableValue| value.as_object().cloned().ok_or(wrong);
        let objects: Result<Vec<DurableObject>, FieldFault> =
            fields.list("artifacts")?.iter().map(object).collect();
        let checked = objects.and_then(|objects| Self::new(objects).map_err(FieldFault::from));
        fields.checked("artifacts", checked)
    }
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolResultPart {
    /// The id of the call that it answers.
    pub tool_call_id: CleanText,
    /// The tool.
    pub tool_name: CleanText,
    /// What the model sees of it; may be empty.
    pub content: DurableText,
    /// The result in a form for programs.
    pub structured: Option<DurableObject>,
    /// What the result left behind.
    pub artifacts: Artifacts,
    /// Whether the tool reported a failure.
    pub is_error: bool,
    /// Where the call comes from.
    pub identity: Option<RoundIdentity>,
}

impl ToolResultPart {
    /// A result that is a text.
    ///
    /// # Errors
    ///
    /// [`MessageError::Field`] when the id or the name is blank or has white space around it, or the text holds
    /// U+0000.
    pub fn new(
        tool_call_id: impl Into<Arc<str>>,
        tool_name: impl Into<Arc<str>>,
        content: impl Into<Arc<str>>,
    ) -> Result<Self, MessageError> {
        let (tool_call_id, tool_name) = id_and_name("tool_result", tool_call_id.into(), tool_name.into())?;
        let content = DurableText::new(content).map_err(|fault| fault.of("tool_result", "content"))?;
        Ok(Self {
            tool_call_id,
            tool_name,
            content,
            structured: None,
            artifacts: Artifacts::default(),
            is_error: false,
            identity: None,
        })
    }

    /// As the report of a failure, or not.
    #[must_use]
    pub const fn with_error(mut self, is_error: bool) -> Self {
        self.is_error = is_error;
        self
    }

    /// The result that stands for one that never came, in answer to this call.
    pub(crate) fn in_place_of(call: &ToolCallPart, content: DurableText) -> Self {
        Self {
            tool_call_id: call.tool_call_id.clone(),
            tool_name: call.tool_name.clone(),
            content,
            structured: None,
            artifacts: Artifacts::default(),
            is_error: true,
            identity: call.identity.clone(),
        }
    }

    pub(super) fn read(object: &DurableObject) -> Result<Self, MessageError> {
        let [round, step, attempt] = IDENTITY;
        let known = ["type", "tool_call_id", "tool_name", "content", "structured", "artifacts", "is_error"];
        let fields = Fields::new("tool_result", object, &[&known[..], &[round, step, attempt]].concat())?;
        let content = fields.text_or("content", "")?;
        let result = Self::new(fields.text("tool_call_id")?, fields.text("tool_name")?, content)?;
        Ok(Self {
            structured: fields.nullable_object("structured")?,
            artifacts: Artifacts::read(fields)?,
            is_error: fields.flag("is_error")?,
            identity: RoundIdentity::read(fields)?,
            ..result
        })
    }

    pub(super) fn dump(&self) -> Dump<'_> {
        Dump::of([
            ("type", Field::Text("tool_result")),
            ("tool_call_id", Field::Text(&self.tool_call_id)),
            ("tool_name", Field::Text(&self.tool_name)),
            ("content", Field::Text(&self.content)),
            ("structured", self.structured.as_ref().map_or(Field::Null, Field::Object)),
            ("artifacts", Field::Objects(self.artifacts.as_slice())),
            ("is_error", Field::Bool(self.is_error)),
        ])
        .with_identity(self.identity.as_ref())
    }
}

fn id_and_name(
    part: &'static str,
    id: Arc<str>,
    name: Arc<str>,
) -> Result<(CleanText, CleanText), MessageError> {
    let id = CleanText::new(id).map_err(|fault| fault.of(part, "tool_call_id"))?;
    let name = CleanText::new(name).map_err(|fault| fault.of(part, "tool_name"))?;
    Ok((id, name))
}
