//! The list for people: two lines a session, so that no path is ever broken into pieces.

use super::{ListedSession, Listing, UnreadLine};
use crate::show::{grouped, shell_word, visible};

/// All of it.
pub(super) fn text(listing: &Listing) -> String {
    let sessions = listing.sessions.iter().map(session);
    sessions.chain(listing.not_looked_at.iter().map(not_looked_at)).collect()
}

fn session(session: &ListedSession) -> String {
    let figures = format!(
        "{:>9} ago  {:<11}  {:>16}  {:>9}  {}",
        session.age_seconds.map_or_else(|| "unknown".to_owned(), age),
        session.tool,
        session.tokens.map_or_else(|| "-".to_owned(), |tokens| format!("{} tokens", grouped(tokens))),
        size(session.bytes),
        visible(session.project.as_deref().unwrap_or_default())
    );
    let path = shell_word(&session.path);
    let reason = session.reason.iter().map(|reason| format!("    not counted: {}\n", visible(reason)));
    core::iter::once(format!("{}\n    {path}\n", figures.trim_end())).chain(reason).collect()
}

fn not_looked_at(unread: &UnreadLine) -> String {
    format!("{}\n    could not be looked at: {}\n", visible(&unread.path), visible(&unread.reason))
}

/// Units of time, each with its length in seconds.
const TIMES: [(u64, &str); 4] = [(86_400, "days"), (3_600, "hours"), (60, "min"), (1, "s")];

/// An age in its largest unit, of which there are two at least.
fn age(seconds: u64) -> String {
    let unit = TIMES.into_iter().find(|(length, _)| seconds >= length.saturating_mul(2));
    let (length, name) = unit.unwrap_or((1, "s"));
    format!("{} {name}", grouped(seconds.checked_div(length).unwrap_or(seconds)))
}

/// Units of size, each with its length in bytes.
const SIZES: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];

/// A size with one digit after the point.
fn size(bytes: u64) -> String {
    let Some((length, name)) = SIZES.into_iter().find(|(length, _)| bytes >= *length) else {
        return format!("{bytes} B");
    };
    let tenths = bytes.saturating_mul(10).checked_div(length).unwrap_or(0);
    format!("{}.{} {name}", grouped(tenths / 10), tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_in_the_largest_unit_that_fits_twice() {
        for (seconds, shown) in [
            (0, "0 s"),
            (119, "119 s"),
            (120, "2 min"),
            (7_199, "119 min"),
            (7_200, "2 hours"),
            (172_799, "47 hours"),
            (172_800, "2 days"),
            (172_800_000, "2,000 days"),
        ] {
            assert_eq!(age(seconds), shown);
        }
    }

    #[test]
    fn sizes_have_one_digit_after_the_point() {
        for (bytes, shown) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (1_999, "1.9 kB"),
            (52_300_000, "52.3 MB"),
            (7_000_000_000, "7.0 GB"),
        ] {
            assert_eq!(size(bytes), shown);
        }
    }
}
