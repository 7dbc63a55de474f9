//! Numbering texts by a hash table with open addressing.

use alloc::vec::Vec;

/// How many slots a text may look at before sorting takes over. Slots are at most half full, so with a good hash no
/// text looks at nearly as many.
const MOST_PROBES: usize = 128;

/// The numbers of the texts; all items again where too many of them collide.
pub(super) fn number<'a>(
    mut items: impl Iterator<Item = Option<&'a str>>,
    hash: impl Fn(&str) -> u64,
) -> Result<Vec<usize>, Vec<Option<&'a str>>> {
    let mut numbering = Numbering::for_items(items.size_hint().0);
    while let Some(item) = items.next() {
        if numbering.take(item, &hash).is_none() {
            let before = numbering.into_items();
            return Err(before.into_iter().chain([item]).chain(items).collect());
        }
    }
    Ok(numbering.numbers)
}

/// The items so far.
struct Numbering<'a> {
    table: Table,
    /// The number of each item.
    numbers: Vec<usize>,
    /// The text of each number.
    texts: Vec<Option<&'a str>>,
    /// The item before, if it was a text.
    before: Option<&'a str>,
}

impl<'a> Numbering<'a> {
    fn for_items(items: usize) -> Self {
        Self {
            table: Table::default(),
            numbers: Vec::with_capacity(items),
            texts: Vec::with_capacity(items),
            before: None,
        }
    }

    /// Numbers one more item; `None` when it collides with too many others.
    fn take(&mut self, item: Option<&'a str>, hash: impl Fn(&str) -> u64) -> Option<()> {
        let number = match item {
            // The members of an exchange are neighbours as a rule.
            Some(text) if self.before.is_some_and(|before| is_same(before, text)) => {
                self.numbers.last().copied()?
            }
            Some(text) => self.table.find(hash(text), text, &self.texts)?,
            None => self.texts.len(),
        };
        if number == self.texts.len() {
            self.texts.push(item);
        }
        self.before = item;
        self.numbers.push(number);
        Some(())
    }

    fn into_items(self) -> Vec<Option<&'a str>> {
        self.numbers.iter().map(|number| self.texts.get(*number).copied().flatten()).collect()
    }
}

/// Whether two texts are equal. Ids that follow each other differ at their ends as a rule.
fn is_same(left: &str, right: &str) -> bool {
    left.as_bytes().last() == right.as_bytes().last() && left == right
}

/// Where texts are found again.
#[derive(Default)]
struct Table {
    /// None at first, then a power of two of them.
    slots: Vec<Slot>,
    used: usize,
}

/// A place for a text; all zeros when it is free.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// Half of its hash; the lower bits of it say where to look first.
    tag: u32,
    /// One more than its number.
    number: u32,
}

impl Table {
    /// The number of a text, which is the next one where it was not met before.
    fn find(&mut self, hash: u64, text: &str, texts: &[Option<&str>]) -> Option<usize> {
        if self.used >= self.slots.len() / 2 {
            self.grow()?;
        }
        let tag = u32::try_from(hash & u64::from(u32::MAX)).ok()?;
        let is_known = |number: usize| texts.get(number).is_some_and(|known| *known == Some(text));
        let (at, slot) = self.probe(tag, is_known)?;
        if slot.number > 0 {
            return usize::try_from(slot.number).ok()?.checked_sub(1);
        }
        let number = u32::try_from(texts.len()).ok()?.checked_add(1)?;
        *self.slots.get_mut(at)? = Slot { tag, number };
        self.used = self.used.saturating_add(1);
        Some(texts.len())
    }

    /// The slot of a text with this tag, or the free one where it belongs.
    fn probe(&self, tag: u32, is_known: impl Fn(usize) -> bool) -> Option<(usize, Slot)> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = usize::try_from(tag).ok()?;
        for _ in 0..MOST_PROBES {
            at &= mask;
            let slot = *self.slots.get(at)?;
            let number = usize::try_from(slot.number).ok()?;
            if number == 0 || (slot.tag == tag && is_known(number.saturating_sub(1))) {
                return Some((at, slot));
            }
            at = at.wrapping_add(1);
        }
        None
    }

    /// Makes room for twice as many texts, and more at first.
    fn grow(&mut self) -> Option<()> {
        let size = self.slots.len().checked_mul(4)?.max(64);
        let slots = core::mem::replace(&mut self.slots, alloc::vec![Slot::default(); size]);
        for slot in slots.into_iter().filter(|slot| slot.number > 0) {
            let (at, _) = self.probe(slot.tag, |_| false)?;
            *self.slots.get_mut(at)? = slot;
        }
        Some(())
    }
}
