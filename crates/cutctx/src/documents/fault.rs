//! What can be wrong with JSON.

use serde::de::IgnoredAny;

/// What is wrong with JSON that was to be something certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonFault {
    /// Its bytes are no UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// It is longer than the limit.
    #[error("it is longer than the limit")]
    TooLong,
    /// It is not JSON.
    #[error("it is not JSON")]
    Syntax,
    /// It ends inside a value.
    #[error("it ends inside a value")]
    Truncated,
    /// A key is not known.
    #[error("a key is unknown")]
    UnknownKey,
    /// A key stands twice.
    #[error("a key stands twice")]
    RepeatedKey,
    /// A key is missing.
    #[error("a key is missing")]
    MissingKey,
    /// A value has another type, or is none of the known words.
    #[error("a value is of the wrong kind")]
    WrongValue,
    /// The id is neither a string nor a number.
    #[error("its id is neither a string nor a number")]
    Id,
}

impl JsonFault {
    /// The fault in one word, for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotUtf8 => "not_utf8",
            Self::TooLong => "too_long",
            Self::Syntax => "syntax",
            Self::Truncated => "truncated",
            Self::UnknownKey => "unknown_key",
            Self::RepeatedKey => "repeated_key",
            Self::MissingKey => "missing_key",
            Self::WrongValue => "wrong_value",
            Self::Id => "id",
        }
    }

    /// What a parser's error about a text is about. Its sentence is looked at and not shown, since it may quote the
    /// text.
    pub(crate) fn of(json: &str, error: &serde_json::Error) -> Self {
        match error.classify() {
            serde_json::error::Category::Eof => Self::Truncated,
            serde_json::error::Category::Data => Self::of_data(&error.to_string()),
            // A number of the wrong kind is called a mistake of syntax, too.
            serde_json::error::Category::Io | serde_json::error::Category::Syntax => {
                let is_json = serde_json::from_str::<IgnoredAny>(json).is_ok();
                if is_json { Self::WrongValue } else { Self::Syntax }
            }
        }
    }

    fn of_data(sentence: &str) -> Self {
        match () {
            () if sentence.starts_with("unknown field") => Self::UnknownKey,
            () if sentence.starts_with("a policy of this kind has no member") => Self::UnknownKey,
            () if sentence.starts_with("duplicate field") => Self::RepeatedKey,
            () if sentence.starts_with("the member `") => Self::RepeatedKey,
            () if sentence.starts_with("missing field") => Self::MissingKey,
            () => Self::WrongValue,
        }
    }
}

/// The name of a missing, repeated or misplaced key, which is one of ours and none of the text's.
pub(crate) fn known_key(error: &serde_json::Error) -> Option<String> {
    let sentence = error.to_string();
    let rest =
        ["missing field `", "duplicate field `", "the member `", "a policy of this kind has no member `"]
            .iter()
            .find_map(|begin| sentence.strip_prefix(begin))?;
    let (key, _) = rest.split_once('`')?;
    key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_').then(|| key.to_owned())
}

/// What follows a fault in a sentence: the key that it is about.
pub(crate) fn named(key: Option<&str>) -> String {
    key.map(|key| format!(": `{key}`")).unwrap_or_default()
}
