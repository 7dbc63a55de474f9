//! Tokenizers from a `tokenizer.json` in the format of Hugging Face.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use std::path::Path;

use cutctx_types::TokenEstimator;
use serde::Deserialize;
use splintr::{AnyTokenizer, FxHashSet, SpecialMode};

use crate::error::TokenizerError;

/// A tokenizer read from a `tokenizer.json`. The marks that it puts around a text are not counted, and marks that stand
/// in a text are text like any other.
pub struct TokenizerFile {
    name: String,
    tokenizer: AnyTokenizer,
    /// Tokens that were added to the vocabulary and are no marks, such as `</div>` in that of Gemma.
    added: FxHashSet<String>,
    /// How many marks stand around every text.
    around: usize,
}

impl TokenizerFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`TokenizerError::File`] when the file cannot be read, or holds no tokenizer of a known kind.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TokenizerError> {
        let path = path.as_ref();
        let shown = path.display().to_string();
        match std::fs::read(path) {
            Ok(json) => Self::read(&json, &shown),
            Err(error) => Err(TokenizerError::File { path: shown, reason: error.to_string() }),
        }
    }

    /// Reads a tokenizer from its JSON. `path` names it in outputs and errors.
    ///
    /// # Errors
    ///
    /// [`TokenizerError::File`] when it is no tokenizer of a known kind.
    pub fn read(json: &[u8], path: &str) -> Result<Self, TokenizerError> {
        let refused = |reason: String| TokenizerError::File { path: path.into(), reason };
        let tokenizer = splintr::from_json_bytes(json).map_err(|error| refused(error.to_string()))?;
        let empty = tokenizer.encode_with("", &SpecialMode::Ordinary);
        let around = empty.map_err(|error| refused(error.to_string()))?.len();
        let added = added(json);
        let stem = path.rsplit(['/', '\\']).next().unwrap_or(path);
        Ok(Self { name: format!("file:{stem}"), tokenizer, added, around })
    }

    /// How many tokens a text has.
    #[must_use]
    pub fn count(&self, text: &str) -> u64 {
        // Refused where the text holds a mark; then no added token is looked for, which costs a token or two.
        let ids = self.tokenizer.encode_with(text, &SpecialMode::Allow(&self.added));
        let ids =
            ids.or_else(|_| self.tokenizer.encode_with(text, &SpecialMode::Ordinary)).unwrap_or_default();
        u64::try_from(ids.len().saturating_sub(self.around)).unwrap_or(u64::MAX)
    }

    /// `file:` and the file's own name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The part of a file that says which added tokens are marks.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
}

#[derive(Deserialize)]
struct AddedToken {
    content: String,
    #[serde(default)]
    special: bool,
}

fn added(json: &[u8]) -> FxHashSet<String> {
    let file = serde_json::from_slice(json).unwrap_or(File { added_tokens: Vec::new() });
    file.added_tokens.into_iter().filter(|token| !token.special).map(|token| token.content).collect()
}

impl TokenEstimator for TokenizerFile {
    fn estimate(&self, text: &str) -> u64 {
        self.count(text)
    }

    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }
}

impl fmt::Debug for TokenizerFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenizerFile").field("name", &self.name).finish_non_exhaustive()
    }
}
