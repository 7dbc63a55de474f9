//! Marks where text was cut out.

use crate::trim::Trim;
use alloc::borrow::Cow;
use alloc::format;

/// What stands where text was cut out: a line of its own, or within arguments of a call the character alone, so that
/// a text in JSON stays one.
pub(crate) const MARK: &str = "…";

/// From how many characters on a mark tells how much was cut out: telling it takes a dozen of them.
const MANY_CHARACTERS: usize = 400;

/// From how many lines on it tells lines and not characters.
const MANY_LINES: usize = 10;

impl Trim {
    /// The line that stands where text was cut out, unless it tells how much that was.
    pub const MARK: &str = MARK;

    /// What stands where this text was cut out of a turn: the mark, or one that tells how much it was. Little is not
    /// worth the tokens that telling it takes.
    ///
    /// ```
    /// use cutctx_types::Trim;
    /// let trim = Trim::new(Vec::new(), 1).with_counts(true);
    /// assert_eq!(trim.mark_of("three\nshort\nlines"), "…");
    /// assert_eq!(trim.mark_of(&"a line\n".repeat(120)), "… 120 lines …");
    /// assert_eq!(trim.mark_of(&"words ".repeat(500)), "… 3000 characters …");
    /// ```
    #[must_use]
    pub fn mark_of(&self, gone: &str) -> Cow<'static, str> {
        if !self.counted || gone.chars().nth(MANY_CHARACTERS.saturating_sub(1)).is_none() {
            return Cow::Borrowed(MARK);
        }
        Cow::Owned(match lines_of(gone) {
            lines @ MANY_LINES.. => format!("… {lines} lines …"),
            _ => format!("… {} characters …", gone.chars().count()),
        })
    }

    /// Whether a line is nothing but a mark.
    ///
    /// ```
    /// use cutctx_types::Trim;
    /// assert!(Trim::is_mark("…") && Trim::is_mark("… 120 lines …"));
    /// assert!(!Trim::is_mark("… some lines …") && !Trim::is_mark("and so on…"));
    /// ```
    #[must_use]
    pub fn is_mark(line: &str) -> bool {
        let Some(rest) = line.strip_prefix(MARK) else { return false };
        let counted = rest.strip_suffix(MARK).and_then(|rest| rest.strip_prefix(' '));
        let figure = counted
            .and_then(|rest| rest.strip_suffix(" lines ").or_else(|| rest.strip_suffix(" characters ")));
        rest.is_empty() || figure.is_some_and(is_figure)
    }
}

/// Over how many lines a text goes. The line ends on both sides of it are not its own.
fn lines_of(text: &str) -> usize {
    let text = text.strip_prefix('\n').unwrap_or(text);
    text.strip_suffix('\n').unwrap_or(text).split('\n').count()
}

/// Whether a text is a number as a mark has it.
fn is_figure(text: &str) -> bool {
    (2..=20).contains(&text.len()) && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    fn counted(gone: &str) -> Cow<'static, str> {
        Trim::new(Vec::new(), 1).with_counts(true).mark_of(gone)
    }

    #[test]
    fn a_mark_tells_lines_where_there_are_many_and_else_characters() {
        let line = "x".repeat(50);
        let lines = |count: usize| ["\n", &vec![line.as_str(); count].join("\n"), "\n"].concat();
        assert_eq!(counted(&lines(9)), "… 460 characters …");
        assert_eq!(counted(&lines(10)), "… 10 lines …");
        assert_eq!(counted(&"\n".repeat(399)), "…");
        assert_eq!(counted(&"\n".repeat(400)), "… 399 lines …");
        assert_eq!(counted(&"é".repeat(399)), "…");
        assert_eq!(counted(&"é".repeat(400)), "… 400 characters …");
        assert_eq!(Trim::new(Vec::new(), 1).mark_of(&"é\n".repeat(400)), "…");
    }

    #[test]
    fn every_mark_is_known_again_and_nothing_else() {
        for lines in [10_usize, 99, 100, 65_536] {
            assert!(Trim::is_mark(&counted(&"x\n".repeat(lines.saturating_mul(40)))));
            assert!(Trim::is_mark(&counted(&"x".repeat(lines.saturating_mul(50)))));
        }
        let others =
            ["", "……", "… …", "…  lines …", "… 012 lines …", "… 1 lines …", "… 120 lines…", " … 120 lines …"];
        for line in others.into_iter().chain(["… -12 lines …", "… 120 words …", "… 120 lines … "])
        {
            assert!(!Trim::is_mark(line), "{line}");
        }
    }
}
