//! Ids as short as they can be told apart.

/// The fewest characters of an id that are shown.
const SHORTEST: usize = 8;

/// The ids of a session, each of which can be shown by its beginning. `--pin` takes such beginnings.
#[derive(Debug)]
pub(crate) struct ShortIds<'i> {
    sorted: Vec<&'i str>,
}

impl<'i> ShortIds<'i> {
    pub(crate) fn of(ids: impl Iterator<Item = &'i str>) -> Self {
        let mut sorted: Vec<&str> = ids.collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self { sorted }
    }

    /// The beginning of an id that no other one has, of eight characters at least.
    pub(crate) fn short<'t>(&self, id: &'t str) -> &'t str {
        let place = self.sorted.partition_point(|other| *other < id);
        let before = place.checked_sub(1).and_then(|place| self.sorted.get(place));
        let after = self.sorted.iter().skip(place).find(|other| **other != id);
        let shared =
            before.into_iter().chain(after).map(|other| shared_characters(id, other)).max().unwrap_or(0);
        let shown = shared.saturating_add(1).max(SHORTEST);
        id.char_indices().nth(shown).and_then(|(end, _)| id.get(..end)).unwrap_or(id)
    }
}

fn shared_characters(left: &str, right: &str) -> usize {
    left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_shown_by_what_no_other_one_begins_with() {
        let ids =
            ShortIds::of(["aaaaaaaa-1", "aaaaaaaa-2xyz", "b", "cccccccccccc", "cccccccccccc.1"].into_iter());
        let shown: Vec<&str> = ids.sorted.iter().map(|id| ids.short(id)).collect();
        assert_eq!(shown, ["aaaaaaaa-1", "aaaaaaaa-2", "b", "cccccccccccc", "cccccccccccc."]);
    }

    #[test]
    fn characters_are_not_cut_in_two() {
        let ids = ShortIds::of(["日本語日本語日本語日本語"].into_iter());
        assert_eq!(ids.short("日本語日本語日本語日本語"), "日本語日本語日本");
    }
}
