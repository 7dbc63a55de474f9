//! Fates and reasons in words.

use cutctx::{KeptReason, TurnFate};

/// A turn's fate in one word.
pub(crate) const fn fate_name(fate: &TurnFate) -> &'static str {
    match fate {
        TurnFate::Kept { .. } => "kept",
        TurnFate::Masked => "masked",
        TurnFate::Trimmed => "trimmed",
        TurnFate::Summarized { .. } => "summarized",
        TurnFate::Dropped => "dropped",
        TurnFate::Appended => "appended",
    }
}

/// Why, in a few words.
pub(crate) fn reason(fate: &TurnFate) -> String {
    let words = match fate {
        TurnFate::Kept { reason } => kept_because(*reason),
        TurnFate::Masked => "a stub stands for it",
        TurnFate::Trimmed => "parts are left out",
        TurnFate::Summarized { group } => return format!("into {group}"),
        TurnFate::Dropped => "gone, with its exchange",
        TurnFate::Appended => "came after the plan",
    };
    words.to_owned()
}

const fn kept_because(reason: KeptReason) -> &'static str {
    match reason {
        KeptReason::System => "system turn",
        KeptReason::Pinned => "pinned",
        KeptReason::ProtectedTail => "one of the last turns",
        KeptReason::LockedByExchange => "its exchange is protected",
        KeptReason::PolicyKept => "no need to touch it",
    }
}
