//! Settings that are refused.

use cutctx_types::{Code, Coded, Details};

/// Why a setting is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("the setting `{setting}` {fault}")]
pub struct SettingError {
    setting: &'static str,
    fault: SettingFault,
}

/// What is wrong with a setting. The sentences follow its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SettingFault {
    /// It must be at least one.
    #[error("must be above zero")]
    MustBePositive,
    /// It must be at least this.
    #[error("must be at least {least}")]
    TooSmall {
        /// The smallest value there may be.
        least: u64,
    },
    /// A text must say something.
    #[error("is blank or holds the null character")]
    BadText,
    /// None of the thresholds is set.
    #[error("is not set, nor is any other threshold")]
    NoThreshold,
    /// A ratio must be above zero and at most one.
    #[error("must be above 0 and at most 1")]
    RatioRange,
    /// It is set without the settings that it needs.
    #[error("needs the other settings of the size mode")]
    NeedsSizeMode,
    /// What is kept must stay below what triggers.
    #[error("and the reserved output together are not below the trigger")]
    SizeOrder,
    /// Of two marks the one that must be lower is not.
    #[error("is not below the mark that it must be below")]
    Order,
    /// The room for the summary takes all there is.
    #[error("is set without the size mode, or is not below what is kept")]
    ReservedSummary,
    /// The policy inside must be free of side effects, and this one is not.
    #[error("is a policy with a checkpoint, which cannot be tried first")]
    ManagedBase,
}

impl SettingFault {
    /// As the error of this setting.
    #[must_use]
    pub const fn of(self, setting: &'static str) -> SettingError {
        SettingError { setting, fault: self }
    }

    /// A short stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MustBePositive => "must_be_positive",
            Self::TooSmall { .. } => "too_small",
            Self::BadText => "bad_text",
            Self::NoThreshold => "no_threshold",
            Self::RatioRange => "ratio_range",
            Self::NeedsSizeMode => "needs_size_mode",
            Self::SizeOrder => "size_order",
            Self::Order => "order",
            Self::ReservedSummary => "reserved_summary",
            Self::ManagedBase => "managed_base",
        }
    }
}

impl SettingError {
    /// The setting.
    #[must_use]
    pub const fn setting(self) -> &'static str {
        self.setting
    }

    /// What is wrong with it.
    #[must_use]
    pub const fn fault(self) -> SettingFault {
        self.fault
    }
}

impl Coded for SettingError {
    fn code(&self) -> Code {
        Code::VALIDATION_ERROR
    }

    fn details(&self) -> Details {
        Details::none().with("setting", self.setting).with("fault", self.fault.name())
    }
}

/// A count that must be at least one.
pub(crate) const fn positive(setting: &'static str, value: usize) -> Result<usize, SettingError> {
    if value == 0 { Err(SettingFault::MustBePositive.of(setting)) } else { Ok(value) }
}

/// A number of tokens that is not set, or at least one.
pub(crate) const fn positive_tokens(
    setting: &'static str,
    value: Option<u64>,
) -> Result<Option<u64>, SettingError> {
    match value {
        Some(0) => Err(SettingFault::MustBePositive.of(setting)),
        other => Ok(other),
    }
}
