//! What a request holds besides its messages.

use alloc::sync::Arc;
use core::num::NonZeroU64;

use cutctx_messages::{DurableObject, SpokenText};

/// What files take at least, and how documents are measured. A provider's profile sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttachmentFloors {
    /// The least that an image takes, in tokens.
    pub image_min_tokens: u64,
    /// The least that a document takes, in tokens.
    pub document_min_tokens: u64,
    /// Bytes of a document for each token.
    pub document_bytes_per_token: NonZeroU64,
}

impl AttachmentFloors {
    /// These floors in tokens, and bytes a token.
    #[must_use]
    pub const fn new(
        image_min_tokens: u64,
        document_min_tokens: u64,
        document_bytes_per_token: NonZeroU64,
    ) -> Self {
        Self { image_min_tokens, document_min_tokens, document_bytes_per_token }
    }
}

impl Default for AttachmentFloors {
    /// 32 tokens an image, no floor for documents, 3 bytes of a document a token.
    fn default() -> Self {
        Self::new(32, 0, NonZeroU64::MIN.saturating_add(2))
    }
}

/// What a request holds besides its messages: tools, the form of the answer, options.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContextPressureOverhead {
    /// The tools, each with its schema.
    pub tools: Arc<[DurableObject]>,
    /// What the model is told about the form of its answer.
    pub structured_output_instruction: Option<SpokenText>,
    /// The options of the request.
    pub request_options: DurableObject,
    /// What files take.
    pub floors: AttachmentFloors,
    /// Characters of a tool's JSON for each token.
    pub tool_schema_chars_per_token: NonZeroU64,
}

impl ContextPressureOverhead {
    /// These tools and options.
    #[must_use]
    pub fn new(tools: impl Into<Arc<[DurableObject]>>, request_options: DurableObject) -> Self {
        Self { tools: tools.into(), request_options, ..Self::default() }
    }
}

/// Characters of a tool's JSON for each token: 4.
pub(crate) const TOOL_SCHEMA: NonZeroU64 = NonZeroU64::MIN.saturating_add(3);

impl Default for ContextPressureOverhead {
    /// Nothing besides the messages; four characters of a tool's JSON a token.
    fn default() -> Self {
        Self {
            tools: Arc::default(),
            structured_output_instruction: None,
            request_options: DurableObject::empty(),
            floors: AttachmentFloors::default(),
            tool_schema_chars_per_token: TOOL_SCHEMA,
        }
    }
}
