//! Reading a specification.
//!
//! The members of all kinds are read into one flat struct, in whatever order they come, and the kind
//! then says which of them it has. An internally tagged enum would do the same with less code, but
//! serde buffers its content, and the buffer has no integers of more than 64 bits.

mod around;
mod choosing;
mod shortening;

use super::exemptions::ExemptionsSpec;
use super::manual::ManualSpec;
use super::number::{Bits, Float, double};
use super::{
    ChainSpec, DefaultChainSpec, DropOldestSpec, EstimatorSpec, MaskingSpec, PolicySpec, RollingSummarySpec,
    SummarizingSpec,
};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use cutctx_types::wire::{WireAction, WireRequest};
use cutctx_types::{CachePrices, DeclaredFigures, InvalidValue, PlanDraft, SummarizationRequest, TurnAction};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

impl<'de> Deserialize<'de> for PolicySpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SpecVisitor)
    }
}

struct SpecVisitor;

impl<'de> Visitor<'de> for SpecVisitor {
    type Value = PolicySpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a policy: an object with a kind")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PolicySpec, A::Error> {
        let mut seen: Vec<Key> = Vec::new();
        let mut members = Members::default();
        while let Some(key) = map.next_key::<Key>()? {
            if seen.contains(&key) {
                return Err(A::Error::custom(format!("the member `{}` is there twice", key.name())));
            }
            seen.push(key);
            members.read(key, &mut map)?;
        }
        let kind = members.kind.ok_or_else(|| A::Error::missing_field("kind"))?;
        match seen.into_iter().find(|key| !kind.has(*key)) {
            Some(key) => {
                Err(A::Error::custom(format!("a policy of this kind has no member `{}`", key.name())))
            }
            None => Ok(members.into_spec(kind)),
        }
    }
}

/// The kinds of policies.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    DropOldest,
    Masking,
    RepeatedResults,
    StaleReads,
    FailedResults,
    Clip,
    CallArguments,
    OpaqueReasoning,
    OldReasoning,
    LatestState,
    Cover,
    Recommended,
    Summarizing,
    RollingSummary,
    DefaultChain,
    Chain,
    PaysBack,
    FrozenHead,
    ProtectedTail,
    ClipActive,
    MinimumGain,
    Manual,
}

impl Kind {
    /// Whether a policy of this kind has a member.
    const fn has(self, key: Key) -> bool {
        match key {
            Key::Kind => true,
            Key::Version => !matches!(self, Self::Manual),
            Key::ExcludedTools | Key::ProtectedTurnIds => {
                matches!(self, Self::ClipActive) || !matches!(self, Self::Manual) && !self.has_members()
            }
            Key::KeepRecentResults => matches!(self, Self::Masking | Self::DefaultChain),
            Key::Placeholder | Key::Stub => matches!(self, Self::Masking),
            Key::Estimator => {
                matches!(self, Self::Masking | Self::Cover | Self::Recommended | Self::ClipActive)
                    || self.shortens()
            }
            Key::MinChars
            | Key::MaxChars
            | Key::HeadChars
            | Key::TailChars
            | Key::KeepRecentTurns
            | Key::StaleBy
            | Key::ReadTools
            | Key::WriteTools
            | Key::ShellTools
            | Key::StateTools => self.has_of_shortening(key),
            Key::WholeItems | Key::ChunkLines | Key::ChunkChars | Key::ContextLines | Key::Target => {
                self.has_of_choosing(key)
            }
            Key::WithinSteps
            | Key::WindowTokens
            | Key::Prices
            | Key::HeadShare
            | Key::TailTokens
            | Key::GainTokens
            | Key::GainShare => self.has_of_around(key),
            Key::Members => self.has_members(),
            Key::SummaryTokens => matches!(self, Self::RollingSummary),
            Key::PromptId | Key::MinSpanTurns => {
                matches!(self, Self::Summarizing | Self::RollingSummary | Self::DefaultChain)
            }
            Key::TargetRatio | Key::TargetRatioBits => matches!(self, Self::Summarizing | Self::DefaultChain),
            Key::Actions
            | Key::SummarizationRequests
            | Key::PolicyName
            | Key::PolicyVersion
            | Key::EstimatorRatio
            | Key::EstimatorRatioBits
            | Key::Via
            | Key::TokensBefore
            | Key::TokensAfterEstimate
            | Key::BudgetUnmet => matches!(self, Self::Manual),
        }
    }
}

/// How a manual plan is made.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Via {
    /// Its figures are derived.
    BuildPlan,
    /// Its figures are given, and checked.
    Constructor,
}

macro_rules! members {
    ($($key:ident $name:literal $field:ident: $type:ty,)*) => {
        /// The names of the members of all kinds.
        #[derive(Clone, Copy, PartialEq, Deserialize)]
        #[serde(field_identifier)]
        enum Key {
            $(#[serde(rename = $name)] $key,)*
        }

        impl Key {
            const fn name(self) -> &'static str {
                match self {
                    $(Self::$key => $name,)*
                }
            }
        }

        /// The members of all kinds.
        #[derive(Default)]
        struct Members {
            $($field: Option<$type>,)*
        }

        impl Members {
            fn read<'de, A: MapAccess<'de>>(&mut self, key: Key, map: &mut A) -> Result<(), A::Error> {
                match key {
                    $(Key::$key => self.$field = map.next_value()?,)*
                }
                Ok(())
            }
        }
    };
}

members! {
    Kind "kind" kind: Kind,
    Version "version" version: Arc<str>,
    KeepRecentResults "keep_recent_results" keep_recent_results: i128,
    Placeholder "placeholder" placeholder: Arc<str>,
    Stub "stub" stub: Arc<str>,
    Estimator "estimator" estimator: EstimatorSpec,
    MinChars "min_chars" min_chars: i128,
    MaxChars "max_chars" max_chars: i128,
    HeadChars "head_chars" head_chars: i128,
    TailChars "tail_chars" tail_chars: i128,
    KeepRecentTurns "keep_recent_turns" keep_recent_turns: i128,
    StaleBy "stale_by" stale_by: Arc<str>,
    ReadTools "read_tools" read_tools: Vec<Arc<str>>,
    WriteTools "write_tools" write_tools: Vec<Arc<str>>,
    ShellTools "shell_tools" shell_tools: Vec<Arc<str>>,
    StateTools "state_tools" state_tools: Vec<Arc<str>>,
    ExcludedTools "excluded_tools" excluded_tools: Vec<Arc<str>>,
    ProtectedTurnIds "protected_turn_ids" protected_turn_ids: Vec<Arc<str>>,
    PromptId "prompt_id" prompt_id: Arc<str>,
    TargetRatio "target_ratio" target_ratio: Float,
    TargetRatioBits "target_ratio_bits" target_ratio_bits: Bits,
    MinSpanTurns "min_span_turns" min_span_turns: i128,
    Members "members" members: Vec<PolicySpec>,
    WithinSteps "within_steps" within_steps: i128,
    WindowTokens "window_tokens" window_tokens: i128,
    Prices "prices" prices: CachePrices,
    HeadShare "head_share" head_share: i128,
    WholeItems "whole_items" whole_items: bool,
    ChunkLines "chunk_lines" chunk_lines: i128,
    ChunkChars "chunk_chars" chunk_chars: i128,
    ContextLines "context_lines" context_lines: i128,
    Target "target" target: Arc<str>,
    TailTokens "tail_tokens" tail_tokens: i128,
    GainTokens "gain_tokens" gain_tokens: i128,
    GainShare "gain_share" gain_share: i128,
    SummaryTokens "summary_tokens" summary_tokens: i128,
    Actions "actions" actions: Vec<WireAction>,
    SummarizationRequests "summarization_requests" summarization_requests: Vec<WireRequest>,
    PolicyName "policy_name" policy_name: String,
    PolicyVersion "policy_version" policy_version: String,
    EstimatorRatio "estimator_ratio" estimator_ratio: Float,
    EstimatorRatioBits "estimator_ratio_bits" estimator_ratio_bits: Bits,
    Via "via" via: Via,
    TokensBefore "tokens_before" tokens_before: i128,
    TokensAfterEstimate "tokens_after_estimate" tokens_after_estimate: i128,
    BudgetUnmet "budget_unmet" budget_unmet: bool,
}

impl Members {
    fn into_spec(self, kind: Kind) -> PolicySpec {
        match kind {
            Kind::DropOldest => PolicySpec::DropOldest(self.drop_oldest()),
            Kind::Masking => PolicySpec::Masking(self.masking()),
            Kind::RepeatedResults => PolicySpec::RepeatedResults(self.repeated_results()),
            Kind::StaleReads => PolicySpec::StaleReads(self.stale_reads()),
            Kind::FailedResults => PolicySpec::FailedResults(self.failed_results()),
            Kind::Clip => PolicySpec::Clip(self.clip()),
            Kind::CallArguments => PolicySpec::CallArguments(self.clip()),
            Kind::OpaqueReasoning => PolicySpec::OpaqueReasoning(self.opaque_reasoning()),
            Kind::OldReasoning => PolicySpec::OldReasoning(self.old_reasoning()),
            Kind::LatestState => PolicySpec::LatestState(self.latest_state()),
            Kind::Cover => PolicySpec::Cover(self.cover()),
            Kind::Recommended => PolicySpec::Recommended(self.recommended()),
            Kind::RollingSummary => PolicySpec::RollingSummary(self.rolling_summary()),
            Kind::Summarizing => PolicySpec::Summarizing(self.summarizing()),
            Kind::DefaultChain => PolicySpec::DefaultChain(self.default_chain()),
            Kind::Chain => PolicySpec::Chain(self.chain()),
            Kind::PaysBack => PolicySpec::PaysBack(self.pays_back()),
            Kind::FrozenHead => PolicySpec::FrozenHead(self.frozen_head()),
            Kind::ProtectedTail => PolicySpec::ProtectedTail(self.protected_tail()),
            Kind::ClipActive => PolicySpec::ClipActive(self.clip_active()),
            Kind::MinimumGain => PolicySpec::MinimumGain(self.minimum_gain()),
            Kind::Manual => PolicySpec::Manual(ManualSpec::read(self.draft())),
        }
    }

    fn exemptions(&mut self) -> ExemptionsSpec {
        ExemptionsSpec {
            excluded_tools: self.excluded_tools.take().unwrap_or_default(),
            protected_turn_ids: self.protected_turn_ids.take().unwrap_or_default(),
        }
    }

    fn drop_oldest(mut self) -> DropOldestSpec {
        let exemptions = self.exemptions();
        DropOldestSpec { version: self.version, exemptions }
    }

    fn masking(mut self) -> MaskingSpec {
        let exemptions = self.exemptions();
        MaskingSpec {
            version: self.version,
            keep_recent_results: self.keep_recent_results,
            placeholder: self.placeholder,
            stub: self.stub,
            estimator: self.estimator,
            exemptions,
        }
    }

    fn summarizing(mut self) -> SummarizingSpec {
        let exemptions = self.exemptions();
        SummarizingSpec {
            version: self.version,
            prompt_id: self.prompt_id,
            target_ratio: double(self.target_ratio, self.target_ratio_bits),
            min_span_turns: self.min_span_turns,
            exemptions,
        }
    }

    fn rolling_summary(mut self) -> RollingSummarySpec {
        let exemptions = self.exemptions();
        RollingSummarySpec {
            version: self.version,
            prompt_id: self.prompt_id,
            summary_tokens: self.summary_tokens,
            min_span_turns: self.min_span_turns,
            exemptions,
        }
    }

    fn default_chain(mut self) -> DefaultChainSpec {
        let exemptions = self.exemptions();
        DefaultChainSpec {
            version: self.version,
            prompt_id: self.prompt_id,
            keep_recent_results: self.keep_recent_results,
            target_ratio: double(self.target_ratio, self.target_ratio_bits),
            min_span_turns: self.min_span_turns,
            exemptions,
        }
    }

    fn chain(self) -> ChainSpec {
        ChainSpec { version: self.version, members: self.members.unwrap_or_default() }
    }

    /// The manual plan. Actions are made before requests, and each one's replacement before it.
    fn draft(self) -> Result<PlanDraft, InvalidValue> {
        let declared = self.declared()?;
        let actions = self.actions.unwrap_or_default().into_iter().map(TurnAction::try_from);
        let actions: Vec<TurnAction> = actions.collect::<Result<_, _>>()?;
        let requests = self.summarization_requests.unwrap_or_default().into_iter();
        let requests = requests.map(SummarizationRequest::try_from).collect::<Result<Vec<_>, _>>()?;
        let name = self.policy_name.unwrap_or_else(|| String::from("manual"));
        let version = self.policy_version.unwrap_or_else(|| String::from("2.0.0"));
        let mut draft = PlanDraft::new(name, version, actions)
            .with_requests(requests)
            .with_estimator_ratio(double(self.estimator_ratio, self.estimator_ratio_bits));
        draft.declared = declared;
        Ok(draft)
    }

    /// The figures that a manual plan claims: all three or none.
    fn declared(&self) -> Result<Option<DeclaredFigures>, InvalidValue> {
        let figures = match (self.tokens_before, self.tokens_after_estimate, self.budget_unmet) {
            (Some(before), Some(after), Some(unmet)) => Some(DeclaredFigures::new(before, after, unmet)),
            (None, None, None) => None,
            _ => return Err(refused("tokens_before", "comes with the other two figures or without them")),
        };
        let via = if figures.is_some() { Via::Constructor } else { Via::BuildPlan };
        match self.via {
            Some(named) if named != via => Err(refused("via", "does not go with the figures given")),
            _ => Ok(figures),
        }
    }
}

const fn refused(setting: &'static str, reason: &'static str) -> InvalidValue {
    InvalidValue::Setting { setting, value: None, reason }
}
