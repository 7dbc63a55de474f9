//! The yardstick for session files: parses each line of a file as a `serde_json::Value` and writes it out again.
//!
//! `value_roundtrip IN OUT`.

use core::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = files.as_slice() else {
        return Err("usage: value_roundtrip IN OUT".into());
    };
    round_trip(BufReader::new(File::open(from)?), BufWriter::new(File::create(to)?))
}

fn round_trip(mut from: impl BufRead, mut to: impl Write) -> Result<(), Box<dyn Error>> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        let value: Value = serde_json::from_slice(&line)?;
        serde_json::to_writer(&mut to, &value)?;
        to.write_all(b"\n")?;
        line.clear();
    }
    Ok(to.flush()?)
}
