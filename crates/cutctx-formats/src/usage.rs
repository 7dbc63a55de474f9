//! What providers counted, as session files tell it.

use cutctx_types::{Transcript, TranscriptTurn};

use crate::raw::{Node, Object};

/// What the provider counted for the request that produced a message, in tokens.
///
/// Providers split the input differently; here every token of it stands once:
///
/// * *Anthropic*, and pi and opencode for all providers, tell `input`, what was written to a cache and what was read from
///   one apart ([`Usage::apart`]).
/// * *OpenAI* and *Google* tell the whole input and how much of it came from a cache ([`Usage::containing`]); what is
///   written to their caches is not told apart.
///
/// The output has all that the model wrote. Anthropic and OpenAI count reasoning into it, Google beside it; readers add
/// it where it is beside. How much of the output was reasoning is told where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Usage {
    /// Input that was neither read from a cache nor written to one.
    pub fresh: u64,
    /// Input that was written to a cache.
    pub cache_write: u64,
    /// Input that was read from a cache.
    pub cache_read: u64,
    /// All that the model wrote.
    pub output: u64,
    /// What of the output was reasoning, where it is told.
    pub reasoning: Option<u64>,
    /// The first turn of the message that the request produced: the turns before it are what was sent.
    pub first_turn: usize,
}

impl Usage {
    /// Of a provider that tells the three kinds of input apart.
    #[must_use]
    pub const fn apart(fresh: u64, cache_write: u64, cache_read: u64, output: u64) -> Self {
        Self { fresh, cache_write, cache_read, output, reasoning: None, first_turn: 0 }
    }

    /// Of a provider whose input contains what was read from a cache.
    #[must_use]
    pub const fn containing(input: u64, cache_read: u64, output: u64) -> Self {
        Self::apart(input.saturating_sub(cache_read), 0, cache_read, output)
    }

    /// With so much of the output being reasoning.
    #[must_use]
    pub const fn with_reasoning(mut self, reasoning: Option<u64>) -> Self {
        self.reasoning = reasoning;
        self
    }

    /// For the message that begins with this turn.
    #[must_use]
    pub const fn of_turn(mut self, first_turn: usize) -> Self {
        self.first_turn = first_turn;
        self
    }

    /// The whole input: what the model was sent, the system prompt and the definitions of tools included.
    #[must_use]
    pub const fn input(&self) -> u64 {
        self.fresh.saturating_add(self.cache_write).saturating_add(self.cache_read)
    }

    /// What the turns that were sent are estimated at, in tokens.
    #[must_use]
    pub fn estimate(&self, transcript: &Transcript) -> u64 {
        let sent = transcript.turns().iter().take(self.first_turn);
        sent.map(TranscriptTurn::token_estimate).fold(0, u64::saturating_add)
    }

    /// What Anthropic's responses, and files that keep them, tell. `None` where no input is told.
    pub(crate) fn of_anthropic(usage: &Object<'_>) -> Option<Self> {
        let keys =
            ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
        let [fresh, write, read, output] = keys.map(|key| number(usage, key));
        Self::apart(fresh, write, read, output).told()
    }

    /// What OpenAI's Responses API tells in the words of Codex. `None` where no input is told.
    pub(crate) fn of_codex(usage: &Object<'_>) -> Option<Self> {
        let keys = ["input_tokens", "cached_input_tokens", "output_tokens"];
        let [input, read, output] = keys.map(|key| number(usage, key));
        let reasoning = usage.get("reasoning_output_tokens").and_then(|count| count.unsigned());
        Self::containing(input, read, output).with_reasoning(reasoning).told()
    }

    /// What the Gemini CLI keeps; prompts of tools that Google ran are beside the input. `None` where none is told.
    pub(crate) fn of_gemini_cli(tokens: &Object<'_>) -> Option<Self> {
        let keys = ["input", "cached", "output", "thoughts"];
        let [input, read, output, thoughts] = keys.map(|key| number(tokens, key));
        let usage = Self::containing(input, read, output.saturating_add(thoughts));
        usage.with_reasoning(Some(thoughts)).told()
    }

    /// What pi keeps. `None` where no input is told.
    pub(crate) fn of_pi(usage: &Object<'_>) -> Option<Self> {
        let [fresh, write, read, output] =
            ["input", "cacheWrite", "cacheRead", "output"].map(|key| number(usage, key));
        Self::apart(fresh, write, read, output).told()
    }

    /// What opencode keeps. Its versions differ in whether the output has the reasoning; it is not added. `None` where
    /// no input is told.
    pub(crate) fn of_opencode(tokens: &Object<'_>) -> Option<Self> {
        let cache = tokens.get("cache").and_then(|cache| cache.object().ok()?).unwrap_or_default();
        let usage = Self::apart(
            number(tokens, "input"),
            number(&cache, "write"),
            number(&cache, "read"),
            number(tokens, "output"),
        );
        usage.with_reasoning(tokens.get("reasoning").and_then(|count| count.unsigned())).told()
    }

    fn told(self) -> Option<Self> {
        (self.input() > 0).then_some(self)
    }
}

fn number(object: &Object<'_>, key: &str) -> u64 {
    object.get(key).as_ref().and_then(Node::unsigned).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(json: &str) -> Object<'_> {
        Object::parse(json, 0).unwrap()
    }

    #[test]
    fn every_token_of_the_input_is_counted_once() {
        let anthropic = object(
            r#"{"input_tokens":4,"cache_creation_input_tokens":30,"cache_read_input_tokens":200,"output_tokens":9}"#,
        );
        let codex = object(
            r#"{"input_tokens":234,"cached_input_tokens":200,"output_tokens":9,"reasoning_output_tokens":5,"total_tokens":243}"#,
        );
        let gemini = object(r#"{"input":234,"cached":200,"output":4,"thoughts":5,"tool":0,"total":243}"#);
        let pi = object(r#"{"input":4,"output":9,"cacheRead":200,"cacheWrite":30}"#);
        let opencode = object(r#"{"input":4,"output":9,"reasoning":0,"cache":{"read":200,"write":30}}"#);
        let told = [
            Usage::of_anthropic(&anthropic),
            Usage::of_codex(&codex),
            Usage::of_gemini_cli(&gemini),
            Usage::of_pi(&pi),
            Usage::of_opencode(&opencode),
        ];
        for usage in told {
            let usage = usage.unwrap();
            assert_eq!((usage.input(), usage.cache_read, usage.output), (234, 200, 9), "{usage:?}");
        }
    }

    #[test]
    fn a_usage_without_input_is_none() {
        assert_eq!(Usage::of_anthropic(&object(r#"{"output_tokens":9}"#)), None);
        assert_eq!(Usage::of_codex(&object(r#"{"input_tokens":0,"total_tokens":5}"#)), None);
    }
}
