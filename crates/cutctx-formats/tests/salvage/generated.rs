//! Damage of every kind at every place, drawn.

use cutctx_formats::salvage::{Damage, Remedy, salvage};
use proptest::prelude::*;

use crate::laws::{check, is_json, is_left, is_record, show};

/// The values of a record; texts hold what tempts a careless reader.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i32>().prop_map(|number| number.to_string()),
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("1.5e-3".to_owned()),
        Just(r#"[{"kind":"part","x":[]},{"y":{"z":"}"}}]"#.to_owned()),
        Just(r#"{"deep":[[["{\"kind\":\"a\"}"]]]}"#.to_owned()),
        "[a-z{}\\[\\]\":,\\\\\n\t é]{0,12}".prop_map(|text| serde_json::Value::from(text).to_string()),
    ]
}

fn record() -> impl Strategy<Value = String> {
    (any::<u16>(), prop::collection::vec(value(), 0..4)).prop_map(|(id, values)| {
        let members = values.iter().enumerate().map(|(n, value)| format!(",\"v{n}\":{value}"));
        format!("{{\"kind\":\"r\",\"id\":{id}{}}}", members.collect::<String>())
    })
}

/// What happens to a record when it is written.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Whole,
    /// Breaks off after this share of its bytes, with a line end or without.
    Torn(u8, bool),
    /// No line end.
    Glued,
    /// Its escaped line ends are raw.
    Raw,
    /// One token a line.
    Pretty,
    /// Zeros after it.
    Zeros(u8),
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        6 => Just(Fate::Whole),
        2 => (any::<u8>(), any::<bool>()).prop_map(|(share, ends)| Fate::Torn(share, ends)),
        1 => Just(Fate::Glued),
        1 => Just(Fate::Raw),
        1 => Just(Fate::Pretty),
        1 => (8..40_u8).prop_map(Fate::Zeros),
    ]
}

/// The record as it stands in the file.
fn written(record: &str, fate: Fate) -> String {
    match fate {
        Fate::Torn(share, ends) => {
            let cut = 1 + usize::from(share) * (record.len() - 2) / 255;
            let (half, _) = record.split_at(record.floor_char_boundary(cut));
            format!("{half}{}", if ends { "\n" } else { "" })
        }
        Fate::Glued => record.to_owned(),
        Fate::Raw if !record.contains(r"\\") => format!("{}\n", record.replace("\\n", "\n")),
        Fate::Whole | Fate::Raw => format!("{record}\n"),
        Fate::Pretty => {
            let value: serde_json::Value = serde_json::from_str(record).unwrap();
            format!("{}\n", serde_json::to_string_pretty(&value).unwrap())
        }
        Fate::Zeros(zeros) => format!("{record}{}", "\0".repeat(usize::from(zeros))),
    }
}

/// The records of a text as values, so that spacing and order of keys do not count.
fn values(text: &[u8]) -> Vec<String> {
    let lines = text.split(|byte| *byte == b'\n').filter(|line| is_record(line));
    lines.map(|line| serde_json::from_slice::<serde_json::Value>(line).unwrap().to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happens to some records, those that were written whole are had back, in order, and nothing else.
    #[test]
    fn whole_records_are_had_back_and_no_others(
        records in prop::collection::vec((record(), fate()), 1..12), last in record(), first in record(),
    ) {
        let mut file = format!("{first}\n");
        let mut whole = vec![first];
        let mut after_half = false;
        for (record, fate) in &records {
            let fate = if after_half && matches!(fate, Fate::Raw | Fate::Pretty) { &Fate::Whole } else { fate };
            file.push_str(&written(record, *fate));
            after_half = matches!(fate, Fate::Torn(_, false));
            if !matches!(fate, Fate::Torn(..)) {
                whole.push(record.clone());
            }
        }
        file.push_str(&last);
        whole.push(last);
        let salvaged = check(file.as_bytes());
        prop_assert!(!is_left(&salvaged), "{:?} in {file}", salvaged.findings());
        let wanted = values(whole.join("\n").as_bytes());
        prop_assert_eq!(values(salvaged.bytes()), wanted, "{:?} in {}", salvaged.findings(), file);
    }

    /// Any bytes at any place: everything is accounted for, no record on a line of its own is lost.
    #[test]
    fn any_noise_is_accounted_for(
        records in prop::collection::vec(record(), 1..6),
        noises in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(noise(), 0..12)), 0..4),
    ) {
        let mut file = records.join("\n").into_bytes();
        for (place, noise) in noises {
            let place = place.index(file.len());
            file.splice(place..place, noise);
        }
        check(&file);
    }

    #[test]
    fn any_bytes_are_accounted_for(bytes in prop::collection::vec(noise(), 0..120)) {
        check(&bytes);
    }

    /// The reader of values agrees with `serde_json` on what a record is.
    #[test]
    fn a_line_is_sound_if_it_is_json(line in prop::collection::vec(noise(), 0..24)) {
        let line: Vec<u8> = line.into_iter().filter(|byte| !matches!(byte, b'\n' | b'/' | b'#')).collect();
        let file = [b"{\"a\":1}\n".as_slice(), &line, b"\n{\"a\":1}\n"].concat();
        let is_blank = line.iter().all(|byte| b" \t\r".contains(byte));
        prop_assert_eq!(salvage(&file).is_sound(), is_blank || is_json(&line), "{}", show(&file));
    }

    #[test]
    fn a_file_cut_anywhere_loses_one_record(records in prop::collection::vec(record(), 2..6), cut: prop::sample::Index) {
        let file = records.join("\n") + "\n";
        let cut = file.floor_char_boundary(records[0].len() + 1 + cut.index(file.len() - records[0].len() - 1));
        let salvaged = check(&file.as_bytes()[..cut]);
        let kept = values(salvaged.bytes());
        prop_assert_eq!(&kept[..], &values(file.as_bytes())[..kept.len()]);
        prop_assert!(salvaged.findings().len() <= 1);
        let truncated = salvaged.findings().iter().all(|finding| (finding.kind, finding.remedy) == (Damage::Truncated, Remedy::Skipped));
        prop_assert!(truncated, "{:?}", salvaged.findings());
    }
}

/// Bytes that mean something here, and some that do not.
fn noise() -> impl Strategy<Value = u8> {
    prop_oneof![
        8 => prop::sample::select(b"{}[]\",:\\\n\r\t 0/#-1e.anu".to_vec()),
        1 => Just(0),
        1 => any::<u8>(),
    ]
}
