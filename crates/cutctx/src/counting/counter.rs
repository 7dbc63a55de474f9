//! A counter chosen by name, or by what a session says.

use alloc::borrow::Cow;
use core::fmt;
use std::sync::OnceLock;

use cutctx_formats::{DeclaredTool, Dialect, Opening};
use cutctx_messages::{CallView, Media, MessageEstimator};
use cutctx_tokens::{Accuracy, Family, MessageCounter, TokenizerError, ToolSchema};
use cutctx_types::{Code, Coded, Details, Role, TokenEstimator};

use super::scale::Scale;

/// What counts where a session tells nothing: right within a few percent for most models' texts.
const UNKNOWN: &str = "heuristic:openai";

/// The format whose turns bring their own estimates.
const NATIVE: &str = "native";

/// What a name begins with where the file's own estimates stay as they are.
const OWN: &str = "own+";

/// Counts the tokens of messages; chosen by name, or when a session is opened.
///
/// Its [`name`](Counter::name) is written into plans and outputs: the tokenizer, where a model named it `@` and the
/// model (whose rules for images are its own), and where estimates are scaled `*` and the factor, such as
/// `heuristic:anthropic@claude-sonnet-4-5*1.083`. [`Counter::named`] reads it back. `own+` before it says that the turns
/// of a file that brings its own estimates keep them, and that it counts new text only.
pub struct Counter {
    /// Whether heuristics are taken for exact tokenizers, which are slower.
    quick: bool,
    chosen: OnceLock<Chosen>,
}

struct Chosen {
    counter: MessageCounter,
    /// By what it was asked for.
    name: String,
    /// Whether estimates that a file brings with it stay as they are.
    keeps_own: bool,
}

impl Counter {
    /// The counter that the opened session decides ([`Counter::choose`]): by the model that it names, else by the
    /// provider that its format belongs to.
    #[must_use]
    pub const fn auto() -> Self {
        Self { quick: false, chosen: OnceLock::new() }
    }

    /// The counter that the opened session decides, where many sessions are counted in passing: heuristics throughout.
    #[must_use]
    pub const fn quick() -> Self {
        Self { quick: true, chosen: OnceLock::new() }
    }

    /// The counter of this name, and the scale that the name has: a name of [`cutctx_tokens::Tokenizer::named`], or
    /// what [`Counter::name`] gives.
    ///
    /// # Errors
    ///
    /// [`CounterError`] when there is none, or the scale is none.
    pub fn named(name: &str) -> Result<(Self, Scale), CounterError> {
        let (rest, scale) = match name.rsplit_once('*').filter(|_| !name.starts_with("file:")) {
            None => (name, Scale::ONE),
            Some((rest, scale)) => {
                (rest, scale.parse().map_err(|()| CounterError::Scale { name: name.to_owned() })?)
            }
        };
        let (keeps_own, rest) = rest.strip_prefix(OWN).map_or((false, rest), |rest| (true, rest));
        let asked =
            rest.split_once('@').filter(|_| !rest.starts_with("file:")).map_or(rest, |(_, name)| name);
        let counter = MessageCounter::named(asked)?;
        let chosen = OnceLock::from(Chosen { counter, name: asked.to_owned(), keeps_own });
        Ok((Self { quick: false, chosen }, scale))
    }

    /// Chooses by what is known of a session, unless it is chosen already.
    pub fn choose(&self, opening: &Opening<'_>) {
        self.chosen.get_or_init(|| {
            let by_model = opening.model.as_deref().and_then(|model| self.of_name(model));
            let chosen = by_model.unwrap_or_else(|| self.of_provider(opening));
            Chosen { keeps_own: opening.format.name() == NATIVE, ..chosen }
        });
    }

    fn of_name(&self, name: &str) -> Option<Chosen> {
        let counter = MessageCounter::named(name).ok()?;
        let family = counter.tokenizer().family().filter(|_| self.quick && counter.tokenizer().is_exact());
        let counter = match family {
            None => counter,
            Some(family) => MessageCounter::named(&format!("heuristic:{family}")).ok()?,
        };
        let name = family.map_or_else(|| name.to_owned(), |family| format!("heuristic:{family}"));
        Some(Chosen { counter, name, keeps_own: false })
    }

    fn of_provider(&self, opening: &Opening<'_>) -> Chosen {
        let name = match (opening.format.about().dialect, opening.format.name()) {
            (_, NATIVE) => "chars/4",
            (_, "codex-rollout") => "openai",
            (Dialect::Anthropic, _) => "anthropic",
            (Dialect::Gemini, _) | (_, "gemini-cli") => "google",
            _ => UNKNOWN,
        };
        self.of_name(name).unwrap_or_else(Chosen::of_nothing)
    }

    fn chosen(&self) -> &Chosen {
        self.chosen.get_or_init(Chosen::of_nothing)
    }

    /// What counts.
    #[must_use]
    pub fn counter(&self) -> &MessageCounter {
        &self.chosen().counter
    }

    /// Its name, by which it can be had again.
    #[must_use]
    pub fn name(&self) -> String {
        let Chosen { counter, name, keeps_own } = self.chosen();
        let tokenizer = counter.tokenizer().name();
        let own = if *keeps_own { OWN } else { "" };
        if tokenizer == name.as_str() { format!("{own}{name}") } else { format!("{own}{tokenizer}@{name}") }
    }

    /// Whether estimates that a file brings with it stay as they are: where nothing else was asked for.
    #[must_use]
    pub fn keeps_own(&self) -> bool {
        self.chosen().keeps_own
    }

    /// Its name with a scale, unless that changes nothing.
    #[must_use]
    pub fn name_scaled_by(&self, scale: Scale) -> String {
        if scale == Scale::ONE { self.name() } else { format!("{}*{scale}", self.name()) }
    }

    /// How far its counts of texts were off where the truth was known.
    #[must_use]
    pub fn accuracy(&self) -> Accuracy {
        self.counter().accuracy()
    }

    /// What these definitions of tools cost, with the start of the answer, in tokens.
    #[must_use]
    pub fn tools(&self, tools: &[DeclaredTool]) -> u64 {
        let schemas =
            tools.iter().map(|tool| ToolSchema::new(&tool.name, &tool.description, &tool.parameters));
        let schemas: Vec<ToolSchema<'_>> = schemas.collect();
        self.counter().overhead("", &schemas).total()
    }

    /// Whose models it counts for, where its name tells.
    #[must_use]
    pub fn family(&self) -> Option<Family> {
        self.counter().tokenizer().family()
    }
}

impl Chosen {
    fn of_nothing() -> Self {
        let heuristic = cutctx_tokens::Heuristic::new(Family::OpenAi);
        let framing = cutctx_tokens::Framing::of(Family::OpenAi, UNKNOWN);
        let counter = MessageCounter::of_texts(heuristic.into()).with_framing(framing);
        Self { counter, name: UNKNOWN.to_owned(), keeps_own: false }
    }
}

impl MessageEstimator for Counter {
    fn text(&self, text: &str) -> u64 {
        self.counter().text(text)
    }

    fn label(&self) -> Cow<'_, str> {
        Cow::Owned(self.name())
    }

    fn call(&self, call: &CallView<'_>) -> u64 {
        self.counter().call(call)
    }

    fn media(&self, media: &Media<'_>) -> u64 {
        self.counter().media(media)
    }

    fn hidden(&self, bytes: u64) -> u64 {
        self.counter().hidden(bytes)
    }

    fn framing(&self, role: Role) -> u64 {
        self.counter().framing(role)
    }

    fn chars_per_token(&self) -> Option<f64> {
        self.counter().chars_per_token()
    }
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counter")
            .field("name", &self.chosen.get().map(|_| self.name()))
            .finish_non_exhaustive()
    }
}

/// Why there is no counter of a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CounterError {
    /// There is no tokenizer of the name.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// What stands behind the star is no scale.
    #[error("`{name}` ends in no scale between 0.25 and 4")]
    Scale {
        /// The name.
        name: String,
    },
}

impl Coded for CounterError {
    fn code(&self) -> Code {
        match self {
            Self::Tokenizer(error) => error.code(),
            Self::Scale { .. } => Code::new("TOKENIZER_SCALE"),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Tokenizer(error) => error.details(),
            Self::Scale { name } => Details::none().with("name", name.clone()),
        }
    }
}
