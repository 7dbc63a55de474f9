//! Which key goes to which server.

use crate::exit::Exit;
use crate::failure::Failure;
use cutctx::models::http::ApiKey;

/// The key for a server. A key is its provider's: a server on another address gets one only where the command line names
/// the variable that holds it.
pub(crate) fn key_for(
    url: Option<&str>,
    named: Option<&str>,
    usual: &'static str,
) -> Result<Option<ApiKey>, Failure> {
    let variable = match (named, url) {
        (Some(variable), _) => variable,
        (None, None) => usual,
        (None, Some(_)) => return Ok(None),
    };
    ApiKey::from_env(variable).map(Some).map_err(|error| Failure::of(&error, Exit::Usage))
}
