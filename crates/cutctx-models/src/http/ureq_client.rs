//! A transport over `ureq`.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;
use std::io::{self, ErrorKind, Read};

use ureq::http::Response;
use ureq::{Agent, Body};

use super::transport::{HttpRequest, HttpResponse, MOST_ANSWER_BYTES, Transport, TransportError};
use crate::error::ConnectionFault;
use crate::future::{Abandoned, BoxFuture, on_a_thread};

const CONNECTING: Duration = Duration::from_secs(15);
const CHUNK: usize = 16 * 1024;

/// Carries requests with `ureq`, each on a thread of its own, so that any runtime, or none, can wait for it.
///
/// Connections are kept and used again. Proxies are taken from the environment, redirects are not followed. Dropping
/// the future ends the exchange with the next piece of the answer that arrives, or with the time limit.
#[derive(Debug, Clone)]
pub struct UreqTransport {
    agent: Agent,
}

impl UreqTransport {
    /// A transport with a pool of its own.
    #[must_use]
    pub fn new() -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECTING))
            .user_agent(concat!("cutctx/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: Agent::new_with_config(config) }
    }
}

impl Default for UreqTransport {
    fn default() -> Self {
        Self::new()
    }
}

impl Transport for UreqTransport {
    fn post(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        let agent = self.agent.clone();
        let answer = on_a_thread(move |abandoned| exchange(&agent, &request, abandoned));
        Box::pin(
            async move { answer.await.unwrap_or(Err(TransportError::Connection(ConnectionFault::Broken))) },
        )
    }
}

fn exchange(
    agent: &Agent,
    request: &HttpRequest,
    abandoned: &Abandoned,
) -> Result<HttpResponse, TransportError> {
    let mut call = agent.post(&request.url).config().timeout_global(Some(request.timeout)).build();
    for (name, value) in &request.headers {
        call = call.header(*name, value);
    }
    let response = call.send(request.body.as_slice()).map_err(|error| fault(&error))?;
    let (status, retry_after) = (response.status().as_u16(), retry_after(&response));
    let body = read(response, abandoned)?;
    Ok(HttpResponse { status, retry_after, body })
}

fn retry_after(response: &Response<Body>) -> Option<String> {
    Some(response.headers().get("retry-after")?.to_str().ok()?.into())
}

/// Reads the body piece by piece, as long as somebody waits for it.
fn read(mut response: Response<Body>, abandoned: &Abandoned) -> Result<Vec<u8>, TransportError> {
    let mut reader = response.body_mut().as_reader().take(MOST_ANSWER_BYTES.saturating_add(1));
    let (mut body, mut chunk) = (Vec::new(), vec![0; CHUNK]);
    while !abandoned.is_so() {
        let read = match reader.read(&mut chunk) {
            Ok(0) => return whole(body),
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(read_fault(error)),
        };
        body.extend_from_slice(chunk.get(..read).unwrap_or_default());
    }
    Err(TransportError::Connection(ConnectionFault::Broken))
}

fn whole(body: Vec<u8>) -> Result<Vec<u8>, TransportError> {
    let is_too_long = u64::try_from(body.len()).map_or(true, |length| length > MOST_ANSWER_BYTES);
    if is_too_long { Err(TransportError::TooLong) } else { Ok(body) }
}

fn read_fault(error: io::Error) -> TransportError {
    fault(&ureq::Error::from(error))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the client's errors grow with its features")]
fn fault(error: &ureq::Error) -> TransportError {
    match error {
        ureq::Error::Timeout(_) => TransportError::Timeout,
        ureq::Error::HostNotFound => TransportError::Connection(ConnectionFault::Host),
        ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::InvalidProxyUrl => {
            TransportError::Connection(ConnectionFault::Address)
        }
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) | ureq::Error::Pem(_) => {
            TransportError::Connection(ConnectionFault::Tls)
        }
        ureq::Error::ConnectionFailed => TransportError::Connection(ConnectionFault::Unreachable),
        ureq::Error::Io(error) => io_fault(error.kind()),
        ureq::Error::BodyExceedsLimit(_) => TransportError::TooLong,
        _ => TransportError::Protocol,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the standard library adds kinds of errors")]
const fn io_fault(kind: ErrorKind) -> TransportError {
    match kind {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => TransportError::Timeout,
        ErrorKind::ConnectionRefused | ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            TransportError::Connection(ConnectionFault::Unreachable)
        }
        ErrorKind::InvalidData => TransportError::Protocol,
        _ => TransportError::Connection(ConnectionFault::Broken),
    }
}
