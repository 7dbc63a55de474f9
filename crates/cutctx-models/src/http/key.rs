//! Keys.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use cutctx_types::{Code, Coded, Details};

/// A provider's key. It is never printed: `Debug` says that there is one.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(Arc<str>);

impl ApiKey {
    /// A key, with white space around it taken away.
    ///
    /// # Errors
    ///
    /// [`KeyError::Unusable`] when it is blank or holds anything but visible ASCII, which no header can carry.
    ///
    /// ```
    /// use cutctx_models::http::ApiKey;
    /// let key = ApiKey::new("sk-123\n")?;
    /// assert_eq!(format!("{key:?}"), "ApiKey(..)");
    /// assert!(ApiKey::new("sk-1\r\nx: y").is_err());
    /// # Ok::<(), cutctx_models::http::KeyError>(())
    /// ```
    pub fn new(key: &str) -> Result<Self, KeyError> {
        let key = key.trim();
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::Unusable { variable: None });
        }
        Ok(Self(key.into()))
    }

    /// The key that an environment variable holds.
    ///
    /// # Errors
    ///
    /// [`KeyError::Missing`] when the variable is not set or empty, [`KeyError::Unusable`] as [`ApiKey::new`].
    pub fn from_env(variable: &str) -> Result<Self, KeyError> {
        let name = || Arc::<str>::from(variable);
        let value = std::env::var(variable).map_err(|_| KeyError::Missing { variable: name() })?;
        if value.trim().is_empty() {
            return Err(KeyError::Missing { variable: name() });
        }
        Self::new(&value).map_err(|_| KeyError::Unusable { variable: Some(name()) })
    }

    /// The key behind a word, as a header carries it.
    pub(crate) fn after(&self, word: &str) -> String {
        let mut header = String::from(word);
        header.push_str(&self.0);
        header
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(..)")
    }
}

/// Why there is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The environment variable is not set.
    #[error("the environment variable {variable} holds no key")]
    Missing {
        /// The variable.
        variable: Arc<str>,
    },
    /// The key cannot stand in a header.
    #[error("the key holds characters that no header can carry")]
    Unusable {
        /// The variable, if it came from one.
        variable: Option<Arc<str>>,
    },
}

impl Coded for KeyError {
    fn code(&self) -> Code {
        Code::new("MODEL_KEY_MISSING")
    }

    fn details(&self) -> Details {
        match self {
            Self::Missing { variable } | Self::Unusable { variable: Some(variable) } => {
                Details::none().with("variable", Arc::clone(variable))
            }
            Self::Unusable { variable: None } => Details::none(),
        }
    }
}
