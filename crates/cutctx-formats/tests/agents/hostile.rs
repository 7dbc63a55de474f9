//! Files that are cut short, changed at random, or made to take long.

#![expect(clippy::disallowed_types, reason = "time is what is tested")]

use core::time::Duration;
use std::time::Instant;

use cutctx_formats::{Fate, Session};
use cutctx_types::CharRatioEstimator;

use crate::examples::EXAMPLES;
use crate::laws::{Dice, check_get_put};

/// Whatever the bytes are: an error, or a session that comes out as it was.
fn check_any(bytes: Vec<u8>) {
    if let Ok(session) = Session::read(bytes, &CharRatioEstimator::default()) {
        check_get_put(&session);
        let dropped: Vec<Fate<'_>> = session
            .transcript()
            .turns()
            .iter()
            .map(
                |turn| {
                    if turn.pinned() || turn.tool_call_id().is_some() { Fate::Kept } else { Fate::Dropped }
                },
            )
            .collect();
        match session.render(&dropped, &[]) {
            Ok(rendered) => drop(rendered.to_text()),
            Err(error) => assert!(error.to_string().contains("cannot be changed"), "{error}"),
        }
    }
}

#[test]
fn files_cut_short_are_no_trouble() {
    for (_, _, text, _) in EXAMPLES {
        let step = (text.len() / 150).max(1);
        for end in (0..text.len()).step_by(step) {
            check_any(text.as_bytes()[..end].to_vec());
        }
    }
}

#[test]
fn files_changed_at_random_are_no_trouble() {
    let swaps = ["null", "{}", "[]", "\"\"", "7", "\"x\"", "[{}]", "true", "[\"a\"]", "{\"type\":\"text\"}"];
    for (seed, (_, _, text, _)) in EXAMPLES.iter().enumerate() {
        let mut dice = Dice::new(u64::try_from(seed).unwrap());
        let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
        for _ in 0..400 {
            // A string, which may be a key, becomes another value or the name of another field.
            let first = dice.roll(quotes.len() - 1);
            let (start, end) = (quotes[first], quotes[first + 1] + 1);
            let swap = swaps[dice.roll(swaps.len())];
            let changed = [text.get(..start).unwrap(), swap, text.get(end..).unwrap()];
            check_any(changed.concat().into_bytes());
        }
    }
}

#[test]
fn lines_in_any_order_and_number_are_no_trouble() {
    for (seed, (_, name, text, _)) in
        EXAMPLES.iter().enumerate().filter(|(_, (_, name, _, _))| name.contains(".jsonl"))
    {
        let mut dice = Dice::new(u64::try_from(seed).unwrap());
        let lines: Vec<&str> = text.lines().collect();
        for _ in 0..60 {
            let count = 1 + dice.roll(2 * lines.len());
            let picked: Vec<&str> = (0..count).map(|_| lines[dice.roll(lines.len())]).collect();
            check_any(picked.join("\n").into_bytes());
        }
        assert!(!lines.is_empty(), "{name}");
    }
}

/// Reads, drops every other turn that may go, and writes, in the time that a linear reader needs many times over.
fn check_speed(name: &str, text: String) {
    let bytes = text.len();
    let begun = Instant::now();
    let session = Session::read(text, &CharRatioEstimator::default()).unwrap();
    let fates: Vec<Fate<'_>> = session
        .transcript()
        .turns()
        .iter()
        .enumerate()
        .map(|(index, turn)| match index % 3 {
            0 if !turn.pinned() && turn.tool_call_id().is_none() => Fate::Dropped,
            1 if !turn.pinned() => Fate::Masked("[short]"),
            _ => Fate::Kept,
        })
        .collect();
    let written = session.render(&fates, &[]).unwrap().to_text();
    let took = begun.elapsed();
    eprintln!("{name}: {bytes} bytes to {} in {took:?}", written.len());
    assert!(took < Duration::from_secs(30), "{name}: {took:?}");
}

#[test]
fn long_files_take_time_in_proportion() {
    let pi = |parent: fn(usize) -> usize| {
        let header = "{\"type\":\"session\",\"id\":\"s\",\"version\":3,\"timestamp\":\"t\",\"cwd\":\"/\"}\n"
            .to_owned();
        let entry = |n: usize| {
            format!(
                "{{\"type\":\"message\",\"id\":\"m{n}\",\"parentId\":\"m{}\",\"timestamp\":\"t\",\"message\":{{\"role\":\"user\",\"content\":\"word {n}\"}}}}\n",
                parent(n)
            )
        };
        header + &(0..60_000).map(entry).collect::<String>()
    };
    check_speed("pi, one long branch", pi(|n| n.saturating_sub(1)));
    check_speed("pi, entries that follow themselves", pi(|n| n));
    check_speed("pi, a star", pi(|_| 0));
    let same = "{\"uuid\":\"u\",\"parentUuid\":\"u\",\"sessionId\":\"s\",\"type\":\"user\",\"message\":{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]}}\n";
    check_speed("qwen, one id", same.repeat(60_000));
    let call = "{\"role\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"name\":\"a\",\"input\":{}}]}}\n";
    let result = "{\"role\":\"user\",\"message\":{\"content\":[{\"type\":\"tool-result\",\"name\":\"b\",\"content\":\"c\"}]}}\n";
    check_speed("cursor, calls and results apart", call.repeat(30_000) + &result.repeat(30_000));
    let gemini = |n: usize| format!("{{\"id\":\"{}\",\"type\":\"user\",\"content\":\"word\"}}\n", n % 7);
    check_speed(
        "gemini, messages written again",
        "{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n".to_owned()
            + &(0..60_000).map(gemini).collect::<String>(),
    );
    let stored = |n: usize| {
        format!(
            "{{\n\"id\":\"msg_{n}\",\"sessionID\":\"s\",\"role\":\"user\"\n}}\n{{\"id\":\"prt_{n}\",\"messageID\":\"msg_{n}\",\"sessionID\":\"s\",\"type\":\"text\",\"text\":\"a\"}}\n"
        )
    };
    check_speed("opencode, records", (0..30_000).map(stored).collect());
}

#[test]
fn deep_nesting_is_no_trouble() {
    let deep = "[".repeat(100_000);
    for start in [
        "{\"role\":\"user\",\"message\":{\"content\":",
        "{\"step_index\":1,\"source\":\"MODEL\",\"type\":\"X\",\"content\":",
        "",
    ] {
        check_any([start, deep.as_str()].concat().into_bytes());
        check_any([start, deep.as_str(), &"]".repeat(100_000), "}}"].concat().into_bytes());
    }
}
