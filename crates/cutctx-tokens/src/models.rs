//! Which models use which tokenizer.
//!
//! The rules follow OpenAI's table of models in its library `tiktoken` (`tiktoken/model.py`,
//! <https://github.com/openai/tiktoken>), read on 2026-11-30, and for newer models the names that its model pages are
//! known to list; the names of the other providers are theirs. `docs/tokens.md` has the list.

use crate::family::Family;

/// What counts a model's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counter {
    /// A vocabulary of OpenAI, by its name, and the feature that brings it.
    Vocabulary(&'static str, &'static str),
    /// The rule of thumb for a family.
    Heuristic(Family),
}

const O200K: Counter = Counter::Vocabulary("o200k_base", "openai");
const HARMONY: Counter = Counter::Vocabulary("o200k_harmony", "openai");
const CL100K: Counter = Counter::Vocabulary("cl100k_base", "openai");
const P50K: Counter = Counter::Vocabulary("p50k_base", "openai-legacy");
const R50K: Counter = Counter::Vocabulary("r50k_base", "openai-legacy");

/// Beginnings of model names; of several that fit the longest holds. What follows must be no letter or digit.
const RULES: &[(&str, Counter)] = &[
    ("gpt-4o", O200K),
    ("gpt-4.1", O200K),
    ("gpt-4.5", O200K),
    ("gpt-5", O200K),
    ("gpt-6", O200K),
    ("chatgpt-4o", O200K),
    ("codex-mini", O200K),
    ("computer-use-preview", O200K),
    ("o1", O200K),
    ("o3", O200K),
    ("o4", O200K),
    ("gpt-oss", HARMONY),
    ("gpt-4", CL100K),
    ("gpt-3.5", CL100K),
    ("gpt-35", CL100K),
    ("text-embedding-ada-002", CL100K),
    ("text-embedding-3", CL100K),
    ("davinci-002", CL100K),
    ("babbage-002", CL100K),
    ("text-davinci-003", P50K),
    ("text-davinci-002", P50K),
    ("code-davinci", P50K),
    ("code-cushman", P50K),
    ("text-davinci-001", R50K),
    ("davinci", R50K),
    ("curie", R50K),
    ("babbage", R50K),
    ("ada", R50K),
    ("gpt2", R50K),
    ("claude", Counter::Heuristic(Family::Anthropic)),
    ("gemini", Counter::Heuristic(Family::Google)),
    ("gemma", Counter::Heuristic(Family::Google)),
];

/// Names that stand for themselves.
const NAMES: &[(&str, Counter)] = &[
    ("o200k_base", O200K),
    ("o200k_harmony", HARMONY),
    ("cl100k_base", CL100K),
    ("p50k_base", P50K),
    ("r50k_base", R50K),
    ("openai", O200K),
    ("anthropic", Counter::Heuristic(Family::Anthropic)),
    ("google", Counter::Heuristic(Family::Google)),
    ("heuristic", Counter::Heuristic(Family::OpenAi)),
    ("heuristic:openai", Counter::Heuristic(Family::OpenAi)),
    ("heuristic:anthropic", Counter::Heuristic(Family::Anthropic)),
    ("heuristic:google", Counter::Heuristic(Family::Google)),
];

/// What counts for this name.
pub(crate) fn counter(name: &str) -> Option<Counter> {
    let exact = NAMES.iter().find(|(known, _)| *known == name);
    exact.map(|(_, counter)| *counter).or_else(|| counter_of_model(model(name)))
}

/// The model's own name, without what routers and clouds put before it.
pub(crate) fn model(name: &str) -> &str {
    let name = name.strip_prefix("ft:").unwrap_or(name);
    let name = name.rsplit_once('/').map_or(name, |(_, model)| model);
    let regional = name.split_once(".anthropic.").map(|(_, model)| model);
    regional.or_else(|| name.strip_prefix("anthropic.")).unwrap_or(name)
}

fn counter_of_model(model: &str) -> Option<Counter> {
    let fitting = RULES.iter().filter(|(prefix, _)| begins(model, prefix));
    fitting.max_by_key(|(prefix, _)| prefix.len()).map(|(_, counter)| *counter)
}

/// Whether a model's name begins so, and a new word follows.
pub(crate) fn begins(model: &str, prefix: &str) -> bool {
    let rest = model.strip_prefix(prefix);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric()))
}
