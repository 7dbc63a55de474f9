//! Files.

use alloc::sync::Arc;

use crate::json::{DurableObject, DurableValue, Limits};
use crate::message::{Dump, Field, FieldFault, Fields, MessageError};
use crate::text::{CleanText, SpokenText};

/// The `type` by which an object says that it is a file: the marker of the reference, which stored messages carry.
pub const FILE_ATTACHMENT: &str = "cayu.file_attachment.v1";

/// What sort of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AttachmentKind {
    /// A picture: JPEG, PNG, GIF or WebP.
    Image,
    /// A document: PDF.
    Document,
}

impl AttachmentKind {
    const CHOICES: [(&'static str, Self); 2] = [("image", Self::Image), ("document", Self::Document)];

    /// The serialized name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Document => "document",
        }
    }

    /// The media types that files of this sort have.
    #[must_use]
    pub const fn content_types(self) -> &'static [&'static str] {
        match self {
            Self::Image => &["image/jpeg", "image/png", "image/gif", "image/webp"],
            Self::Document => &["application/pdf"],
        }
    }
}

/// A reference to a file that is kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileAttachment {
    artifact_id: CleanText,
    kind: AttachmentKind,
    filename: SpokenText,
    content_type: &'static str,
    size_bytes: i64,
    metadata: DurableObject,
}

/// What errors call an attachment.
const PART: &str = "file attachment";

impl FileAttachment {
    /// A file of this sort, media type and size in bytes.
    ///
    /// # Errors
    ///
    /// [`MessageError::Field`] when the id is blank or has white space around it, the name is blank, the media type is
    /// none of the sort's, or the size is below 1 or above 2^63 - 1.
    pub fn new(
        artifact_id: impl Into<Arc<str>>,
        kind: AttachmentKind,
        filename: impl Into<Arc<str>>,
        content_type: &str,
        size_bytes: u64,
    ) -> Result<Self, MessageError> {
        let content_type = kind.content_types().iter().find(|known| **known == content_type);
        let size = i64::try_from(size_bytes).ok().filter(|size| *size > 0);
        Ok(Self {
            artifact_id: CleanText::new(artifact_id).map_err(|fault| fault.of(PART, "artifact_id"))?,
            kind,
            filename: SpokenText::new(filename).map_err(|fault| fault.of(PART, "filename"))?,
            content_type: content_type.ok_or_else(|| FieldFault::NotAChoice.of(PART, "content_type"))?,
            size_bytes: size.ok_or_else(|| FieldFault::OutOfRange.of(PART, "size_bytes"))?,
            metadata: DurableObject::empty(),
        })
    }

    /// With what its owner tells about it.
    ///
    /// # Errors
    ///
    /// [`MessageError::Field`] when that is larger than 256 KiB or made of more than 50,000 values.
    pub fn with_metadata(mut self, metadata: DurableObject) -> Result<Self, MessageError> {
        let within = Limits::METADATA.check(metadata.size());
        within.map_err(|fault| FieldFault::from(fault).of(PART, "metadata"))?;
        self.metadata = metadata;
        Ok(self)
    }

    /// The file that an artifact of a tool's result is, when its `type` says that it is one: see [`FILE_ATTACHMENT`].
    /// `None` for other objects.
    #[must_use]
    pub fn from_artifact(object: &DurableObject) -> Option<Result<Self, MessageError>> {
        Self::is_marked(object).then(|| Self::read(object))
    }

    fn is_marked(object: &DurableObject) -> bool {
        let marker = object.get("type").and_then(DurableValue::as_text);
        marker.is_some_and(|marker| marker.as_ref() == FILE_ATTACHMENT)
    }

    /// Under which the file is kept.
    #[must_use]
    pub const fn artifact_id(&self) -> &CleanText {
        &self.artifact_id
    }

    /// What sort of file it is.
    #[must_use]
    pub const fn kind(&self) -> AttachmentKind {
        self.kind
    }

    /// Its name for people.
    #[must_use]
    pub const fn filename(&self) -> &SpokenText {
        &self.filename
    }

    /// Its media type.
    #[must_use]
    pub const fn content_type(&self) -> &'static str {
        self.content_type
    }

    /// Its size in bytes, from 1 to 2^63 - 1.
    #[must_use]
    pub const fn size_bytes(&self) -> u64 {
        self.size_bytes.unsigned_abs()
    }

    /// What its owner tells about it.
    #[must_use]
    pub const fn metadata(&self) -> &DurableObject {
        &self.metadata
    }

    fn read(object: &DurableObject) -> Result<Self, MessageError> {
        let known = ["type", "artifact_id", "kind", "filename", "content_type", "size_bytes", "metadata"];
        let fields = Fields::new(PART, object, &known)?;
        if !Self::is_marked(object) {
            return Err(fields.error("type", FieldFault::NotAChoice));
        }
        let kind = fields.choice("kind", &fields.text("kind")?, &AttachmentKind::CHOICES)?;
        let size = u64::try_from(fields.int("size_bytes")?).unwrap_or(0);
        let (id, name, media) =
            (fields.text("artifact_id")?, fields.text("filename")?, fields.text("content_type")?);
        Self::new(id, kind, name, &media, size)?.with_metadata(fields.object_or_empty("metadata")?)
    }

    fn dump(&self) -> Dump<'_> {
        Dump::of([
            ("type", Field::Text(FILE_ATTACHMENT)),
            ("artifact_id", Field::Text(&self.artifact_id)),
            ("kind", Field::Text(self.kind.as_str())),
            ("filename", Field::Text(&self.filename)),
            ("content_type", Field::Text(self.content_type)),
            ("size_bytes", Field::Int(self.size_bytes)),
            ("metadata", Field::Object(&self.metadata)),
        ])
    }
}

/// A file that a user sends along.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilePart {
    /// The file.
    pub attachment: FileAttachment,
}

impl FilePart {
    /// This file.
    #[must_use]
    pub const fn new(attachment: FileAttachment) -> Self {
        Self { attachment }
    }

    pub(super) fn read(object: &DurableObject) -> Result<Self, MessageError> {
        let fields = Fields::new("file", object, &["type", "attachment"])?;
        FileAttachment::read(&fields.object("attachment")?).map(Self::new)
    }

    pub(super) fn dump(&self) -> Dump<'_> {
        Dump::of([("type", Field::Text("file")), ("attachment", Field::Nested(self.attachment.dump()))])
    }
}
