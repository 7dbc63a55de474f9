//! Whole texts where an abridged text has stand-ins.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use std::sync::OnceLock;

use cutctx_messages::{CallView, Media, MediaSource, MessageEstimator};
use cutctx_types::{Part, Role, Transcript, TranscriptTurn};

use super::large::Large;
use super::stand_in;
use crate::error::FormatError;
use crate::format::Reading;
use crate::raw::Node;

impl Large {
    /// A text of a turn with what its stand-ins stand for.
    pub(super) fn filled<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, FormatError> {
        stand_in::filled(text, |stand_in| {
            let spelled = self.middle(stand_in)?;
            if self.abridged.middle(stand_in).is_none_or(|middle| middle.json) {
                return Ok(spelled);
            }
            let quoted = ["\"", &spelled, "\""].concat();
            let text = Node::trusted(&quoted, 0).string().map(Cow::into_owned);
            text.ok_or(FormatError::SourceChanged)
        })
    }
}

/// Counts whole texts where a format gives it abridged ones.
pub(super) struct Filling<'l> {
    large: &'l Large,
    estimator: &'l dyn MessageEstimator,
    failed: OnceLock<FormatError>,
}

impl<'l> Filling<'l> {
    pub(super) fn new(large: &'l Large, estimator: &'l dyn MessageEstimator) -> Self {
        Self { large, estimator, failed: OnceLock::new() }
    }

    /// That all texts could be read.
    pub(super) fn failed(&self) -> Result<(), FormatError> {
        self.failed.get().map_or(Ok(()), |error| Err(error.clone()))
    }

    fn whole<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.large.filled(text).unwrap_or_else(|error| {
            // The first failure is the one that is told.
            drop(self.failed.set(error));
            Cow::Borrowed("")
        })
    }
}

impl MessageEstimator for Filling<'_> {
    fn text(&self, text: &str) -> u64 {
        self.estimator.text(&self.whole(text))
    }

    fn label(&self) -> Cow<'_, str> {
        self.estimator.label()
    }

    fn call(&self, call: &CallView<'_>) -> u64 {
        let mut whole = call.clone();
        whole.arguments = Cow::Owned(self.whole(&call.arguments).into_owned());
        self.estimator.call(&whole)
    }

    fn media(&self, media: &Media<'_>) -> u64 {
        let mut whole = media.clone();
        if let MediaSource::Base64(data) = &media.source {
            whole.source = MediaSource::Base64(self.whole(data));
        } else if let MediaSource::Url(url) = &media.source {
            whole.source = MediaSource::Url(self.whole(url));
        }
        self.estimator.media(&whole)
    }

    fn hidden(&self, bytes: u64) -> u64 {
        self.estimator.hidden(bytes)
    }

    fn framing(&self, role: Role) -> u64 {
        self.estimator.framing(role)
    }

    fn chars_per_token(&self) -> Option<f64> {
        self.estimator.chars_per_token()
    }
}

/// The reading with whole texts in its turns.
pub(super) fn filled_reading(large: &Large, mut reading: Reading) -> Result<Reading, FormatError> {
    let turns = reading.transcript.into_turns().into_iter().map(|turn| filled_turn(large, turn));
    let turns = turns.collect::<Result<Vec<_>, _>>()?;
    reading.transcript = Transcript::new(turns)?;
    Ok(reading)
}

fn filled_turn(large: &Large, turn: TranscriptTurn) -> Result<TranscriptTurn, FormatError> {
    let content = turn.content();
    if stand_in::first(content).is_none() {
        return Ok(turn);
    }
    let (mut whole, mut parts, mut done) = (String::new(), Vec::with_capacity(turn.parts().len()), 0);
    for part in turn.parts() {
        whole.push_str(&large.filled(content.get(done..part.end).unwrap_or_default())?);
        parts.push(Part::new(part.kind, whole.len(), part.token_estimate));
        done = part.end;
    }
    whole.push_str(&large.filled(content.get(done..).unwrap_or_default())?);
    let tokens = turn.token_estimate();
    Ok(turn.with_content(whole, tokens).with_parts(parts)?)
}
