//! How a draft can break a rule.

use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{ActionKind, Code, Coded, DetailValue, Details};

type Ids = Vec<Arc<str>>;

/// One broken rule, with what broke it. Lists of ids are sorted and hold at most ten, except where a
/// field says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The actions do not name exactly the transcript's turns in order.
    #[error("the actions do not cover the turns one by one in order")]
    Coverage {
        /// Turns without an action.
        unplanned_turn_ids: Ids,
        /// Actions for turns that do not exist.
        unknown_turn_ids: Ids,
        /// Turns with more than one action.
        repeated_turn_ids: Ids,
    },
    /// A system turn, a pinned turn or one of the protected tail is not kept.
    #[error("untouchable turns are touched")]
    Untouchable {
        /// The turns.
        touched_turn_ids: Ids,
        /// What the draft does with each of them.
        actions: Vec<ActionKind>,
        /// How many turns at the end are protected.
        protected_recent_turns: u64,
    },
    /// Half of an exchange is removed.
    #[error("an exchange is separated: some of its turns are removed and some are not")]
    SplitExchange {
        /// The members that go.
        removed_turn_ids: Ids,
        /// The members that stay.
        retained_turn_ids: Ids,
    },
    /// The members of an exchange are removed in different ways.
    #[error("an exchange is removed in more than one way")]
    MixedExchange {
        /// The members.
        turn_ids: Ids,
        /// The distinct actions, by name.
        actions: Vec<ActionKind>,
        /// The distinct groups, the empty string standing for none.
        summary_groups: Ids,
    },
    /// A group is requested twice.
    #[error("a summary group is requested more than once")]
    RepeatedRequest {
        /// The group ids of all requests, with repeats.
        group_ids: Ids,
    },
    /// Groups and requests do not correspond.
    #[error("summary groups and requests do not correspond")]
    GroupsAndRequests {
        /// Groups that no request names.
        groups_without_request: Ids,
        /// Requests that no turn belongs to.
        requests_without_turns: Ids,
    },
    /// A request does not name its group's turns in order.
    #[error("the request for group `{group_id}` does not name the group's turns in order")]
    RequestTurns {
        /// The group.
        group_id: Arc<str>,
        /// The first ten turns that the request names, in its order.
        request_turn_ids: Ids,
        /// The first ten turns of the group, in transcript order.
        action_turn_ids: Ids,
    },
    /// A summary turn would take the id of an existing turn.
    #[error("a summary turn would take the id of an existing turn")]
    SummaryIdTaken {
        /// The groups.
        group_ids: Ids,
    },
    /// The requests do not stand in order of their first turns.
    #[error("the requests are not in order of their first turns")]
    RequestOrder {
        /// The first ten group ids, in order of the requests.
        group_ids: Ids,
    },
    /// The claimed tokens before are wrong.
    #[error("the plan claims {declared} tokens before, the transcript has {transcript}")]
    TokensBefore {
        /// What the plan claims, in tokens.
        declared: i128,
        /// What the transcript has, in tokens.
        transcript: u64,
    },
    /// The claimed tokens after are wrong.
    #[error("the plan claims {declared} tokens after, its actions give {derived}")]
    TokensAfter {
        /// What the plan claims, in tokens.
        declared: i128,
        /// What follows from the actions, in tokens.
        derived: u64,
    },
    /// The claim about the budget is wrong.
    #[error("the plan's claim about its budget is wrong: {tokens_after_estimate} tokens of {max_tokens}")]
    BudgetUnmet {
        /// What the plan claims.
        declared: bool,
        /// What follows from the actions, in tokens.
        tokens_after_estimate: u64,
        /// The budget, in tokens.
        max_tokens: u64,
    },
    /// The figures do not fit 64 bits.
    #[error("the tokens after the plan do not fit 64 bits")]
    FiguresOverflow,
    /// The estimator's ratio is no number.
    #[error("the estimator's ratio is {value}")]
    EstimatorRatio {
        /// `nan`, `inf` or `-inf`.
        value: &'static str,
    },
    /// A trim is unsound.
    #[error("the trim of turn `{turn_id}` {fault}")]
    Trim {
        /// The turn.
        turn_id: Arc<str>,
        /// What is wrong with it.
        fault: TrimFault,
    },
}

/// What is wrong with a trim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrimFault {
    /// A part is named that the turn does not have, or parts are out of order.
    #[error("names part {part}, which does not exist or does not come after the one before it")]
    PartOrder {
        /// The part's index.
        part: usize,
    },
    /// A range is empty, out of order, overlapping, outside its part or inside a character.
    #[error("keeps bytes {start}..{end} of part {part}, which is no range of it in order")]
    Range {
        /// The part's index.
        part: usize,
        /// Where the range starts, in bytes of the turn's content.
        start: usize,
        /// Where it ends.
        end: usize,
    },
    /// An indivisible part is cut.
    #[error("cuts part {part}, which must stay whole or go")]
    Divided {
        /// The part's index.
        part: usize,
    },
    /// Nothing is kept.
    #[error("keeps nothing")]
    Nothing,
    /// Everything is kept.
    #[error("keeps everything")]
    Everything,
    /// The trimmed turn is said to cost more.
    #[error("raises the turn's estimate from {before} to {after} tokens")]
    Dearer {
        /// The turn's estimate, in tokens.
        before: u64,
        /// The trim's estimate, in tokens.
        after: u64,
    },
}

impl Violation {
    /// A short name of the rule that is broken, stable like a code.
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::Coverage { .. } => "coverage",
            Self::Untouchable { .. } => "untouchable",
            Self::SplitExchange { .. } | Self::MixedExchange { .. } => "exchange",
            Self::RepeatedRequest { .. } => "repeated-request",
            Self::GroupsAndRequests { .. } => "groups-and-requests",
            Self::RequestTurns { .. } => "request-turns",
            Self::SummaryIdTaken { .. } => "summary-id",
            Self::RequestOrder { .. } => "request-order",
            Self::TokensBefore { .. }
            | Self::TokensAfter { .. }
            | Self::BudgetUnmet { .. }
            | Self::FiguresOverflow => "figures",
            Self::EstimatorRatio { .. } => "estimator-ratio",
            Self::Trim { .. } => "trim",
        }
    }
}

impl TrimFault {
    /// A short name of the fault, stable like a code.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PartOrder { .. } => "part-order",
            Self::Range { .. } => "range",
            Self::Divided { .. } => "divided",
            Self::Nothing => "nothing",
            Self::Everything => "everything",
            Self::Dearer { .. } => "dearer",
        }
    }

    /// Details with the fault's name and figures behind them.
    fn add_to(self, details: Details) -> Details {
        let details = details.with("fault", self.name());
        match self {
            Self::PartOrder { part } | Self::Divided { part } => details.with("part", part),
            Self::Range { part, start, end } => {
                details.with("part", part).with("start", start).with("end", end)
            }
            Self::Dearer { before, after } => details.with("before", before).with("after", after),
            Self::Nothing | Self::Everything => details,
        }
    }
}

fn names(kinds: &[ActionKind]) -> DetailValue {
    DetailValue::Texts(kinds.iter().map(|kind| Arc::from(kind.as_str())).collect())
}

impl Coded for Violation {
    fn code(&self) -> Code {
        if *self == Self::FiguresOverflow { Code::TOKEN_OVERFLOW } else { Code::VALIDATION_ERROR }
    }

    fn details(&self) -> Details {
        let details = Details::none();
        match self.clone() {
            Self::Coverage { unplanned_turn_ids, unknown_turn_ids, repeated_turn_ids } => details
                .with("unplanned_turn_ids", unplanned_turn_ids)
                .with("unknown_turn_ids", unknown_turn_ids)
                .with("repeated_turn_ids", repeated_turn_ids),
            Self::Untouchable { touched_turn_ids, actions, protected_recent_turns } => details
                .with("touched_turn_ids", touched_turn_ids)
                .with("actions", names(&actions))
                .with("protected_recent_turns", protected_recent_turns),
            Self::SplitExchange { removed_turn_ids, retained_turn_ids } => details
                .with("removed_turn_ids", removed_turn_ids)
                .with("retained_turn_ids", retained_turn_ids),
            Self::MixedExchange { turn_ids, actions, summary_groups } => details
                .with("turn_ids", turn_ids)
                .with("actions", names(&actions))
                .with("summary_groups", summary_groups),
            Self::RepeatedRequest { group_ids }
            | Self::SummaryIdTaken { group_ids }
            | Self::RequestOrder { group_ids } => details.with("group_ids", group_ids),
            Self::GroupsAndRequests { groups_without_request, requests_without_turns } => details
                .with("groups_without_request", groups_without_request)
                .with("requests_without_turns", requests_without_turns),
            Self::RequestTurns { group_id, request_turn_ids, action_turn_ids } => details
                .with("group_id", group_id)
                .with("request_turn_ids", request_turn_ids)
                .with("action_turn_ids", action_turn_ids),
            Self::TokensBefore { declared, transcript } => {
                details.with("declared", declared).with("transcript", transcript)
            }
            Self::TokensAfter { declared, derived } => {
                details.with("declared", declared).with("derived", derived)
            }
            Self::BudgetUnmet { declared, tokens_after_estimate, max_tokens } => details
                .with("declared", declared)
                .with("tokens_after_estimate", tokens_after_estimate)
                .with("max_tokens", max_tokens),
            Self::FiguresOverflow => details,
            Self::EstimatorRatio { value } => details.with("value", value),
            Self::Trim { turn_id, fault } => fault.add_to(details.with("turn_id", turn_id)),
        }
    }
}
