//! Images, documents and sounds.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt;

/// The flat cost of an image, a sound or a document of unknown size, in tokens: about what a provider bills for an
/// image scaled to its usual largest edge.
const FLAT_TOKENS: u64 = 1_600;

/// Bytes of a document file for one token: some 50 kB and 1,600 tokens a page.
const DOCUMENT_BYTES_PER_TOKEN: u64 = 32;

/// What sort of medium.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MediaKind {
    /// A picture.
    Image,
    /// A sound.
    Audio,
    /// A document such as a PDF.
    Document,
    /// A block that the model is sent and that has no readable text: a provider's own tool result, an upload.
    Other,
}

impl MediaKind {
    /// The word used in a descriptor.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Document => "document",
            Self::Other => "block",
        }
    }
}

/// A medium: known by what it is and how large it is, never by its data.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Media<'a> {
    /// What sort of medium.
    pub kind: MediaKind,
    /// Its media type or the name of its block, where known.
    pub label: Option<Cow<'a, str>>,
    /// Its size in bytes, where it is inside the message and not behind a link.
    pub bytes: Option<u64>,
    /// Where its data is.
    pub source: MediaSource<'a>,
    /// How closely the model is to look at it, where the message says so.
    pub detail: Detail,
}

/// How closely a model is to look at an image: providers bill a glance at less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Detail {
    /// As the provider thinks best.
    #[default]
    Automatic,
    /// At a small version of it.
    Low,
    /// At all that the provider's limits allow.
    High,
}

impl Detail {
    /// The detail that messages spell so; other words leave it to the provider.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name {
            "low" => Self::Low,
            "high" => Self::High,
            _ => Self::Automatic,
        }
    }
}

/// Where the data of a medium is. `Debug` shows no data.
#[derive(Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum MediaSource<'a> {
    /// Not known, or in a place that only the provider reaches.
    #[default]
    Elsewhere,
    /// In the message, as base64 text.
    Base64(Cow<'a, str>),
    /// Behind a link.
    Url(Cow<'a, str>),
    /// At the provider, under this id.
    File(Cow<'a, str>),
}

impl fmt::Debug for MediaSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Elsewhere => "Elsewhere",
            Self::Base64(_) => "Base64",
            Self::Url(_) => "Url",
            Self::File(_) => "File",
        })
    }
}

impl<'a> Media<'a> {
    /// A medium of which only the kind is known.
    #[must_use]
    pub const fn new(kind: MediaKind) -> Self {
        Self { kind, label: None, bytes: None, source: MediaSource::Elsewhere, detail: Detail::Automatic }
    }

    /// With its media type or block name.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<Cow<'a, str>>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// With its size in bytes.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// With the size that `length` characters of base64 stand for.
    #[must_use]
    pub fn with_base64(self, length: usize) -> Self {
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        self.with_bytes((length / 4).saturating_mul(3))
    }

    /// With its data as base64 text, and the size that it stands for.
    #[must_use]
    pub fn with_base64_data(mut self, data: impl Into<Cow<'a, str>>) -> Self {
        let data = data.into();
        self = self.with_base64(data.len());
        self.source = MediaSource::Base64(data);
        self
    }

    /// With a link to its data.
    #[must_use]
    pub fn with_url(mut self, url: impl Into<Cow<'a, str>>) -> Self {
        self.source = MediaSource::Url(url.into());
        self
    }

    /// With the provider's id of its file.
    #[must_use]
    pub fn with_file_id(mut self, id: impl Into<Cow<'a, str>>) -> Self {
        self.source = MediaSource::File(id.into());
        self
    }

    /// To be looked at so closely.
    #[must_use]
    pub const fn with_detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// Whether it stands for the result of a tool that the provider ran: its block's name ends in `tool_result`.
    #[must_use]
    pub fn is_server_result(&self) -> bool {
        self.label.as_deref().is_some_and(|label| label.ends_with("tool_result"))
    }

    /// The short text that stands for the medium in a turn, such as `[image image/png, 48213 bytes]`.
    #[must_use]
    pub fn descriptor(&self) -> String {
        let kind = self.kind.as_str();
        let label = self.label.as_deref().map(|label| format!(" {label}")).unwrap_or_default();
        match self.bytes {
            Some(bytes) => format!("[{kind}{label}, {bytes} bytes]"),
            None => format!("[{kind}{label}]"),
        }
    }

    /// The estimate in tokens that holds when an estimator knows nothing better: 1,600 for an image or a sound; for a
    /// document one token for 32 bytes, at least 1,600; for other blocks one token for four bytes.
    #[must_use]
    pub fn default_tokens(&self) -> u64 {
        let bytes = self.bytes.unwrap_or(0);
        match self.kind {
            MediaKind::Image | MediaKind::Audio => FLAT_TOKENS,
            MediaKind::Document => FLAT_TOKENS.max(bytes / DOCUMENT_BYTES_PER_TOKEN),
            MediaKind::Other => bytes.div_ceil(4),
        }
    }
}
