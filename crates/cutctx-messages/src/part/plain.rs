//! Text, reasoning, what a provider wants back, and answers in a form.

use alloc::sync::Arc;

use crate::json::{DurableObject, DurableValue};
use crate::message::{Dump, Field, FieldFault, Fields, MessageError};
use crate::text::{CleanText, DurableText, SpokenText};

/// Text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextPart {
    /// What is said; never blank.
    pub text: SpokenText,
}

impl TextPart {
    /// A text.
    ///
    /// # Errors
    ///
    /// [`MessageError::Field`] when it is blank or holds U+0000.
    pub fn new(text: impl Into<Arc<str>>) -> Result<Self, MessageError> {
        let text = SpokenText::new(text).map_err(|fault| fault.of("text", "text"))?;
        Ok(Self { text })
    }

    pub(super) fn read(object: &DurableObject) -> Result<Self, MessageError> {
        Self::new(Fields::new("text", object, &["type", "text"])?.text("text")?)
    }

    pub(super) fn dump(&self) -> Dump<'_> {
        Dump::of([("type", Field::Text("text")), ("text", Field::Text(&self.text))])
    }
}

/// Reasoning of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThinkingPart {
    /// What of it can be read; empty where it is encrypted.
    pub text: DurableText,
    /// What the provider wants back with it, such as a signature.
    pub provider_state: Option<DurableObject>,
}

impl ThinkingPart {
    /// Reasoning that can be read, without anything that the provider wants back.
    ///
    /// # Errors
    ///
    /// [`MessageError::Field`] when the text holds U+0000.
    pub fn new(text: impl Into<Arc<str>>) -> Result<Self, MessageError> {
        let text = DurableText::new(text).map_err(|fault| fault.of("thinking", "text"))?;
        Ok(Self { text, provider_state: None })
    }

    /// With what the provider wants back with it.
    #[must_use]
    pub fn with_provider_state(mut self, state: DurableObject) -> Self {
        self.provider_state = Some(state);
        self
    }

    pub(super) fn read(object: &DurableObject) -> Result<Self, MessageError> {
        let fields = Fields::new("thinking", object, &["type", "text", "provider_state"])?;
        let provider_state = fields.nullable_object("provider_state")?;
        Ok(Self { provider_state, ..Self::new(fields.text_or("text", "")?)? })
    }

    pub(super) fn dump(&self) -> Dump<'_> {
        let state = self.provider_state.as_ref().map_or(Field::Null, Field::Object);
        Dump::of([
            ("type", Field::Text("thinking")),
            ("text", Field::Text(&self.text)),
            ("provider_state", state),
        ])
    }
}

/// What a provider wants back as it gave it, to go on from there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderStatePart {
    /// The provider.
    pub provider: CleanText,
    /// The data; nobody else looks into it.
    pub state: DurableObject,
}

impl ProviderStatePart {
    /// The data of a provider.
    ///
    /// # Errors
    ///
    /// [`MessageError::Field`] when the provider's name is blank or has white space around it.
    pub fn new(provider: impl Into<Arc<str>>, state: DurableObject) -> Result<Self, MessageError> {
        let provider = CleanText::new(provider).map_err(|fault| fault.of("provider_state", "provider"))?;
        Ok(Self { provider, state })
    }

    pub(super) fn read(object: &DurableObject) -> Result<Self, MessageError> {
        let fields = Fields::new("provider_state", object, &["type", "provider", "state"])?;
        Self::new(fields.text("provider")?, fields.object_or_empty("state")?)
    }

    pub(super) fn dump(&self) -> Dump<'_> {
        Dump::of([
            ("type", Field::Text("provider_state")),
            ("provider", Field::Text(&self.provider)),
            ("state", Field::Object(&self.state)),
        ])
    }
}

/// A copy of an answer in a form that was asked for. It is shown to people and not sent to a model again.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StructuredOutputPart {
    /// The name of the form.
    pub name: Option<CleanText>,
    /// The answer.
    pub output: DurableValue,
}

impl StructuredOutputPart {
    /// An answer in a form without a name.
    #[must_use]
    pub const fn new(output: DurableValue) -> Self {
        Self { name: None, output }
    }

    /// With the name of the form.
    #[must_use]
    pub fn with_name(mut self, name: CleanText) -> Self {
        self.name = Some(name);
        self
    }

    pub(super) fn read(object: &DurableObject) -> Result<Self, MessageError> {
        let fields = Fields::new("structured_output", object, &["type", "name", "output"])?;
        let name: Option<Result<CleanText, FieldFault>> = fields.nullable_text("name")?.map(CleanText::new);
        Ok(Self { name: fields.checked("name", name.transpose())?, output: fields.value("output")? })
    }

    pub(super) fn dump(&self) -> Dump<'_> {
        Dump::of([
            ("type", Field::Text("structured_output")),
            ("name", Field::optional(self.name.as_deref())),
            ("output", Field::Value(&self.output)),
        ])
    }
}
