//! Where requests of one interface go, with what, and for how long.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use super::key::ApiKey;
use super::transport::{HttpRequest, HttpResponse, Transport};
use crate::error::ModelError;

const TIMEOUT: Duration = Duration::from_secs(180);

/// What models and counters behind HTTP have in common. `Debug` shows neither the key nor the transport.
#[derive(Clone)]
pub(super) struct Endpoint {
    base_url: Arc<str>,
    key: Option<ApiKey>,
    timeout: Duration,
    transport: Arc<dyn Transport>,
}

impl Endpoint {
    /// An endpoint below this address, without a key.
    pub(super) fn new(base_url: &str, transport: Arc<dyn Transport>) -> Self {
        Self { base_url: base_url.into(), key: None, timeout: TIMEOUT, transport }
    }

    pub(super) fn with_key(mut self, key: ApiKey) -> Self {
        self.key = Some(key);
        self
    }

    pub(super) fn with_base_url(mut self, base_url: &str) -> Self {
        self.base_url = base_url.trim_end_matches('/').into();
        self
    }

    pub(super) const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    pub(super) fn base_url(&self) -> &str {
        &self.base_url
    }

    pub(super) const fn key(&self) -> Option<&ApiKey> {
        self.key.as_ref()
    }

    /// Sends a body to a path below the address.
    pub(super) async fn post(
        &self,
        path: &str,
        headers: Vec<(&'static str, String)>,
        body: Vec<u8>,
    ) -> Result<HttpResponse, ModelError> {
        let mut call = HttpRequest::new(format!("{}{path}", self.base_url), body, self.timeout);
        call.headers.extend(headers);
        Ok(self.transport.post(call).await?)
    }
}

/// The setters of a type that stands behind an [`Endpoint`], its field `endpoint`.
macro_rules! endpoint_setters {
    ($owner:ty, $what:literal) => {
        impl $owner {
            #[doc = concat!("The ", $what, " with this key.")]
            #[must_use]
            pub fn with_key(mut self, key: $crate::http::key::ApiKey) -> Self {
                self.endpoint = self.endpoint.with_key(key);
                self
            }

            #[doc = concat!("The ", $what, " at another server: the address up to and including the version, as in")]
            /// `http://localhost:8080/v1`.
            #[must_use]
            pub fn with_base_url(mut self, base_url: &str) -> Self {
                self.endpoint = self.endpoint.with_base_url(base_url);
                self
            }

            #[doc = concat!("The ", $what, " with another time limit for a whole exchange; 180 seconds without.")]
            #[must_use]
            pub fn with_timeout(mut self, timeout: core::time::Duration) -> Self {
                self.endpoint = self.endpoint.with_timeout(timeout);
                self
            }
        }
    };
}

pub(super) use endpoint_setters;

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("base_url", &self.base_url)
            .field("key", &self.key)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
