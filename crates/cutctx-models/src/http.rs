//! Models, and what counts their tokens, behind HTTP.

mod api;
mod counter;
mod endpoint;
mod key;
mod model;
mod provider;
mod transport;
#[cfg(feature = "ureq")]
mod ureq_client;

pub use api::{Api, CountApi};
pub use counter::HttpCounter;
pub use key::{ApiKey, KeyError};
pub use model::HttpModel;
pub use transport::{HttpRequest, HttpResponse, MOST_ANSWER_BYTES, Transport, TransportError};
#[cfg(feature = "ureq")]
pub use ureq_client::UreqTransport;
