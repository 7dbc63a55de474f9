//! Ids and times of new records: ids are made from the id of a group, so that the same plan gives the same file.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_types::Sha256Digest;

use crate::raw::{Object, Span, quoted};

/// The first of a group's ids that is not taken: 64 hexadecimal digits, shortened and spelled by `spell`.
pub(crate) fn fresh_id(group: &str, spell: fn(&str) -> String, taken: impl Fn(&str) -> bool) -> String {
    let mut round = 0_usize;
    loop {
        let id = spell(&Sha256Digest::of_bytes(format!("{round}\0{group}").as_bytes()).to_hex());
        if !taken(&id) {
            return id;
        }
        round = round.saturating_add(1);
    }
}

/// Sixteen digits.
pub(crate) fn short(hex: &str) -> String {
    String::from(hex.get(..16).unwrap_or(hex))
}

/// In the form of a UUID of version 8.
pub(crate) fn uuid(hex: &str) -> String {
    let digits = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!("{}-{}-8{}-a{}-{}", digits(0, 8), digits(8, 12), digits(13, 16), digits(17, 20), digits(20, 32))
}

/// The ids and times of the records of a list.
#[derive(Debug, Default)]
pub(crate) struct Stamps {
    /// The JSON strings of the ids, in the order of their texts.
    ids: Vec<Span>,
    /// For each record the JSON value of its time; empty where there is none.
    times: Vec<Span>,
}

impl Stamps {
    /// The ids and times under these keys of these records.
    pub(crate) fn new(records: &[Option<Object<'_>>], keys: (&str, &str), text: &str) -> Self {
        let mut stamps = Self::default();
        for record in records {
            let place = |key| record.as_ref().and_then(|record| record.get(key)).map(|value| value.span());
            stamps.ids.extend(place(keys.0));
            stamps.times.push(place(keys.1).unwrap_or_default());
        }
        stamps.ids.sort_unstable_by_key(|id| id.of(text));
        stamps
    }

    /// An id for the record of a group, as JSON text.
    pub(crate) fn id(&self, group: &str, spell: fn(&str) -> String, text: &str) -> String {
        let taken = |id: &str| {
            let id = quoted(id);
            self.ids.binary_search_by(|own| own.of(text).cmp(&id)).is_ok()
        };
        quoted(&fresh_id(group, spell, taken))
    }

    /// The time of a record, as JSON text; that of the last one past the end.
    pub(crate) fn time<'t>(&self, record: usize, text: &'t str) -> Option<&'t str> {
        let place = self.times.get(record).or_else(|| self.times.last())?;
        Some(place.of(text)).filter(|time| !time.is_empty())
    }
}
