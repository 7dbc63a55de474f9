//! Which projects are for tuning, and which stay unseen.

use core::fmt;
use core::str::FromStr;
use cutctx::types::Sha256Digest;

/// A part of the projects, by a fixed rule: a policy is tuned on the one and confirmed on the other.
///
/// Sessions of a project are alike, so a project is never parted. Where the first byte of the SHA-256 of a project's
/// name is odd, the project is for tuning, and else it is unseen. The rule knows nothing of what sessions hold. Stop-words
/// are those of all projects in any case, so that a part has the figures that it contributes to the whole.
///
/// ```
/// use cutctx_eval::Split;
/// assert_ne!(Split::Tuning.holds("pump"), Split::Unseen.holds("pump"));
/// assert!(Split::All.holds("pump"));
/// assert_eq!("unseen".parse(), Ok(Split::Unseen));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "two parts and their whole")]
pub enum Split {
    /// All projects. The default.
    #[default]
    All,
    /// Those that settings may be chosen on.
    Tuning,
    /// Those that confirm a choice.
    Unseen,
}

impl Split {
    /// Whether the part has a project.
    #[must_use]
    pub fn holds(self, project: &str) -> bool {
        match self {
            Self::All => true,
            Self::Tuning => is_for_tuning(project),
            Self::Unseen => !is_for_tuning(project),
        }
    }

    /// Its name on a command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Tuning => "tuning",
            Self::Unseen => "unseen",
        }
    }
}

fn is_for_tuning(project: &str) -> bool {
    let digest = Sha256Digest::of_bytes(project.as_bytes());
    let [first, ..] = digest.as_bytes();
    first % 2 == 1
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Split {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = [Self::All, Self::Tuning, Self::Unseen];
        let found = known.into_iter().find(|split| split.as_str() == text);
        found.ok_or_else(|| "expected all, tuning or unseen".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_the_first_byte_of_the_digest() {
        // printf %s NAME | sha256sum
        for (project, is_for_tuning) in [("a", false), ("b", false), ("e", true), ("pump", true), ("", true)]
        {
            assert_eq!(Split::Tuning.holds(project), is_for_tuning, "{project}");
            assert_ne!(Split::Unseen.holds(project), is_for_tuning, "{project}");
            assert!(Split::All.holds(project));
        }
    }

    #[test]
    fn parts_have_names() {
        for split in [Split::All, Split::Tuning, Split::Unseen] {
            assert_eq!(split.to_string().parse(), Ok(split));
        }
        assert!("both".parse::<Split>().is_err());
    }
}
