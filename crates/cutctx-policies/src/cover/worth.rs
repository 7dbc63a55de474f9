//! What kinds of text are worth.

use super::decay::ONE;
use cutctx_types::{PartKind, Role};

/// What a kind of text is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Worth {
    /// The factor of the names in it, in tenths.
    pub(super) names: u64,
    /// The worth of its length, in hundredths; a character is worth 0.04 of it.
    pub(super) length: u64,
    /// Whether the worth of its length does not fade.
    pub(super) lasts: bool,
    /// Whether it is talk, which is kept whole where there is room: what was said, and arguments.
    pub(super) is_talk: bool,
}

impl Worth {
    const USER: Self = Self { names: 20, length: 300, lasts: true, is_talk: true };
    const TEXT: Self = Self { names: 15, length: 200, lasts: false, is_talk: true };
    const ARGUMENTS: Self = Self { names: 13, length: 600, lasts: false, is_talk: true };
    const RESULT: Self = Self { names: 10, length: 50, lasts: false, is_talk: false };
    const REASONING: Self = Self { names: 7, length: 5, lasts: false, is_talk: false };

    /// A summary that is still to be written stands for much in little.
    pub(super) const STAND_IN: Self = Self { names: 0, length: 1_200, lasts: true, is_talk: true };

    /// The worth of a part of a turn; nothing for what cannot be read.
    pub(super) const fn of(role: Role, kind: PartKind) -> Option<Self> {
        match (role, kind) {
            (_, PartKind::OpaqueReasoning) => None,
            (_, PartKind::Reasoning) => Some(Self::REASONING),
            (_, PartKind::CallArguments) => Some(Self::ARGUMENTS),
            (Role::User, PartKind::Text) => Some(Self::USER),
            (Role::Assistant | Role::System, PartKind::Text) => Some(Self::TEXT),
            _ => Some(Self::RESULT),
        }
    }

    /// The factor of the names, at a worth of the turn by age: `kind × (0.7 + 0.3 r)` in fixed point.
    pub(super) const fn weight(self, recency: u64) -> u64 {
        let faded = ONE.saturating_mul(7).saturating_add(recency.saturating_mul(3));
        self.names.saturating_mul(faded) / 100
    }

    /// What so many characters are worth: `0.04 × characters × base × r` in fixed point.
    pub(super) fn of_length(self, characters: usize, recency: u64) -> u64 {
        let characters = u64::try_from(characters).unwrap_or(u64::MAX);
        let recency = if self.lasts { ONE } else { recency };
        characters.saturating_mul(self.length).saturating_mul(recency) / 2_500
    }
}

/// The most results that show a name again and count.
const MOST_SHOWN_AGAIN: u64 = 3;

/// What a name is worth, in fixed point: `1 + 16 u/(u + 4)`, where `u` is how much it is in use, and a fifth of that for a
/// plain word. Each turn that names it counts one for that, and each that shows it again, after the first, 0.6 up to three
/// times.
pub(super) fn of_name(naming_turns: u64, showing_turns: u64, is_plain: bool) -> u64 {
    let again = showing_turns.saturating_sub(1).min(MOST_SHOWN_AGAIN);
    let tenths = naming_turns.saturating_mul(10).saturating_add(again.saturating_mul(6));
    let (whole, part) = (tenths.saturating_mul(17).saturating_add(40), tenths.saturating_add(40));
    let worth = ONE.saturating_mul(whole).checked_div(part).unwrap_or(ONE);
    if is_plain { worth / 5 } else { worth }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_are_those_of_the_documentation() {
        assert_eq!(Worth::USER.weight(ONE), 2 * ONE);
        assert_eq!(Worth::RESULT.weight(ONE / 2), ONE * 85 / 100);
        assert_eq!(Worth::ARGUMENTS.of_length(100, ONE), 24 * ONE);
        assert_eq!(Worth::USER.of_length(100, ONE / 2), 12 * ONE);
        assert_eq!(Worth::RESULT.of_length(100, ONE / 2), ONE);
        // 1 + 16u/(u+4)
        assert_eq!((of_name(0, 0, false), of_name(0, 1, false)), (ONE, ONE));
        assert_eq!((of_name(4, 0, false), of_name(4, 1, false)), (9 * ONE, 9 * ONE));
        assert_eq!((of_name(0, 2, false), of_name(1, 2, false)), (ONE * 142 / 46, ONE * 312 / 56));
        assert_eq!(of_name(0, 4, false), of_name(0, 99, false));
        assert_eq!(of_name(12, 0, true), ONE * 13 / 5);
    }
}
