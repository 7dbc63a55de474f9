//! One counter for everything that is done with a session, checked against what its provider really counted.
//!
//! A [`Counter`] is a [`MessageEstimator`](crate::messages::MessageEstimator) that is chosen by name, or by the model
//! that the session file names ([`Counter::auto`]). Many session files also keep what the provider counted for each
//! request; [`steps`] puts the two side by side, and [`anchored`] derives a [`Scale`] from it. A scaled transcript is
//! planned over like any other, so what is chosen adds up to what will be billed.
//!
//! ```
//! use cutctx::counting::{Counter, Unanchored, anchored};
//! use cutctx::formats::{Opening, ReadRequest, Session};
//!
//! let file = r#"{"model": "claude-sonnet-4-5", "messages": [{"role": "user", "content": "How far is it?"}]}"#;
//! let counter = Counter::auto();
//! let choose = |opening: &Opening<'_>| counter.choose(opening);
//! let request = ReadRequest::new(&counter).opened_before(&choose);
//! let session = Session::read_with(None, file, &request)?;
//! assert!(counter.name().ends_with("@claude-sonnet-4-5"));
//! assert_eq!(anchored(session.transcript(), session.usages(), None), Err(Unanchored::NoUsage));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anchors;
mod counter;
mod fit;
mod measure;
mod recount;
mod scale;
mod scaled;

pub use anchors::{Anchored, FixedPart, Step, Unanchored, anchored, steps};
pub use counter::{Counter, CounterError};
pub use measure::Measure;
pub use recount::recounted;
pub use scale::Scale;
pub use scaled::Scaled;
