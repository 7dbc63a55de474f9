//! Work in proportion to the file, counted and not timed.

use cutctx_formats::salvage::salvage;

use crate::laws::{WORK, check};

/// Pieces that, repeated, could make a careless reader start over and over.
const PIECES: [&str; 30] = [
    "{",
    "[",
    "\"",
    "\\",
    "}",
    "]",
    "{\n",
    "[\n",
    "\"\n",
    "{\"",
    "{\"a\":",
    "{\"a\":\n",
    "[{\"a\":\n",
    "{\"a\":[\n",
    "[\"\n",
    "{\"a\":\"x\n",
    "{\"a\":\"x\n[\n",
    "{\"a\":1}",
    "{\"a\":1}x",
    "x{\"a\":1}",
    "{\"a\":1}{\"b\":[\n",
    "{\"a\":{\"b\":1}\n",
    "[\",\"\n",
    "\",\"\n",
    "{}\n",
    "{\n}\n",
    "[\n]\n",
    "\\\"",
    "{\"a\":1},\n",
    "\0\0{\"",
];

fn work(bytes: &[u8]) -> usize {
    salvage(bytes).work()
}

#[test]
fn many_hostile_bytes_are_looked_at_a_few_times() {
    for piece in PIECES {
        for (head, tail) in
            [("", ""), ("{\"a\":1}\n", "\n{\"a\":1}"), ("{\"k\":[1,", "x"), ("{\"k\":\"", "\"}")]
        {
            let file = [head, &piece.repeat(200_000 / piece.len()), tail].concat();
            let work = work(file.as_bytes());
            assert!(work <= WORK * file.len(), "{head:?} {piece:?} {tail:?}: {work} for {}", file.len());
        }
    }
}

#[test]
fn pairs_of_hostile_pieces_are_looked_at_a_few_times() {
    for one in PIECES {
        for other in PIECES {
            let file = [one, other].concat().repeat(150);
            check(file.as_bytes());
            let halves = [one.repeat(150), other.repeat(150)].concat();
            check(halves.as_bytes());
        }
    }
}

#[test]
fn a_million_brackets_or_quotes() {
    for piece in ["{", "[", "\"", "{\"a\":1}", "{\n"] {
        let file = piece.repeat(1_000_000 / piece.len());
        let work = work(file.as_bytes());
        assert!(work <= WORK * file.len(), "{piece:?}: {work} for {}", file.len());
    }
}

#[test]
fn brackets_that_close_in_the_middle_of_nowhere() {
    let lines = 5_000;
    for (open, close) in [("[\n", "]\n"), ("{\"a\":\n", "}\n"), ("[\n", "\n]x\n"), ("{\"a\":[\n", "]}\n")] {
        let nest = [open.repeat(lines), "1\n".to_owned(), close.repeat(lines)].concat();
        for file in [
            nest.clone(),
            format!("{nest}x"),
            format!("{{\"k\":\n{nest}{{\"a\":1}}\n"),
            format!("{{\"k\":\"x\n{nest}\" z"),
            format!("{{\"a\":1}}\n{nest}"),
        ] {
            let work = work(file.as_bytes());
            assert!(work <= WORK * file.len(), "{open:?} {close:?}: {work} for {}", file.len());
        }
    }
}

#[test]
fn twice_the_file_is_twice_the_work() {
    for piece in PIECES {
        let file = |bytes: usize| ["{\"a\":1}\n", &piece.repeat(bytes / piece.len())].concat();
        let (once, twice) = (work(file(40_000).as_bytes()), work(file(80_000).as_bytes()));
        assert!(twice <= 2 * once + once / 10, "{piece:?}: {once} then {twice}");
    }
}
