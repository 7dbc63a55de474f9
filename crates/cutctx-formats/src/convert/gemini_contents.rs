//! Gemini contents.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Media, MediaSource};

use super::content::{Blocks, messages, texts};
use super::loss::Losses;
use super::neutral::{Neutral, Outcome};
use crate::raw::quoted;

pub(super) fn write(neutral: &Neutral, losses: &mut Losses) -> String {
    let contents = messages::<Gemini>(&neutral.turns, losses);
    let system = texts::<Gemini>(&neutral.system);
    let system = if system.is_empty() {
        system
    } else {
        [r#""systemInstruction":{"parts":["#, &system, "]},"].concat()
    };
    ["{", &system, r#""contents":["#, &contents, "]}"].concat()
}

struct Gemini;

impl Blocks for Gemini {
    const MODEL: &'static str = "model";
    const KEY: &'static str = "parts";

    fn text(text: &str) -> String {
        [r#"{"text":"#, &quoted(text), "}"].concat()
    }

    fn call(id: &str, name: &str, json: &str) -> String {
        let head = [r#"{"functionCall":{"id":"#, &quoted(id), r#","name":"#, &quoted(name)].concat();
        [&head, r#","args":"#, json, "}}"].concat()
    }

    /// What a function responds is an object, its output or its error, with media beside it.
    fn result(outcome: &Outcome, media: Vec<String>, _message: usize, _losses: &mut Losses) -> String {
        let key = if outcome.is_error { "error" } else { "output" };
        let head = [r#"{"functionResponse":{"id":"#, &quoted(&outcome.id), r#","name":"#].concat();
        let response = [r#"{""#, key, r#"":"#, &quoted(&outcome.text), "}"].concat();
        let parts =
            if media.is_empty() { String::new() } else { [r#","parts":["#, &media.join(","), "]"].concat() };
        [&head, &quoted(&outcome.name), r#","response":"#, &response, &parts, "}}"].concat()
    }

    /// Anything that has a media type, as data or by a link.
    fn medium(media: &Media<'_>) -> Option<String> {
        let label = quoted(media.label.as_deref().filter(|label| label.contains('/'))?);
        match &media.source {
            MediaSource::Base64(data) => {
                let head = [r#"{"inlineData":{"mimeType":"#, &label].concat();
                Some([&head, r#","data":"#, &quoted(data), "}}"].concat())
            }
            MediaSource::Url(url) => {
                let head = [r#"{"fileData":{"mimeType":"#, &label].concat();
                Some([&head, r#","fileUri":"#, &quoted(url), "}}"].concat())
            }
            MediaSource::Elsewhere | MediaSource::File(_) | _ => None,
        }
    }
}
