//! Measures one case in this process; `cargo xtask performance` calls it and makes the tables.
//!
//! * `measure list`: the cases, a name and what it does on each line.
//! * `measure time CASE TURNS CHARACTERS [ROUNDS]`: the median of CPU time, in microseconds.
//! * `measure once CASE TURNS CHARACTERS`: one round, inside the function `measured_region`, which is what to
//!   count instructions in.
//! * `measure session FORMAT BYTES`: a made-up session file on standard output.
//! * `measure grown FILE BYTES`: an example of a format, made as long as that, on standard output.
//! * `measure file WAY FILE [ROUNDS]`: as `time`, of reading and writing a file, as `session` or by `values`.
//! * `measure file-once WAY FILE`: as `once`, of the same.

#![expect(clippy::print_stdout, reason = "what it measured is what it is for")]

use acceptance::cases::{Case, Failure, Round, Rounds};
use acceptance::session_file::Way;
use acceptance::sessions::{SessionKind, grown};
use core::any::Any;
use std::fs;
use std::io::{self, BufWriter, Write};

/// How many rounds the median is taken over unless told otherwise.
const ROUNDS: usize = 9;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["list"] => Case::ALL.iter().for_each(|case| println!("{}\t{}", case.name, case.what)),
        ["time", case, turns, characters] => time(&prepare(case, turns, characters)?, ROUNDS),
        ["time", case, turns, characters, rounds] => {
            time(&prepare(case, turns, characters)?, rounds.parse()?);
        }
        ["once", case, turns, characters] => drop(measured_region(prepare(case, turns, characters)?())),
        ["session", format, bytes] => session(format, bytes.parse()?)?,
        ["grown", file, bytes] => print!("{}", longer(file, bytes.parse()?)?),
        ["file", way, file] => time(&through(way, file)?, ROUNDS),
        ["file", way, file, rounds] => time(&through(way, file)?, rounds.parse()?),
        ["file-once", way, file] => drop(measured_region(through(way, file)?())),
        _ => return Err("it does none of that; its first lines say what it does".into()),
    }
    Ok(())
}

fn prepare(case: &str, turns: &str, characters: &str) -> Result<Rounds, Failure> {
    let case = Case::named(case).ok_or("there is no such case; `measure list` names them")?;
    case.prepare(turns.parse()?, characters.parse()?)
}

/// Prints the median of some rounds, after one that does not count.
fn time(rounds: &Rounds, count: usize) {
    drop(measured_region(rounds()));
    let mut micros: Vec<u128> = (0..count.max(1)).map(|_| timed(rounds())).collect();
    micros.sort_unstable();
    println!("{}", micros.get(micros.len() / 2).copied().unwrap_or_default());
}

fn timed(round: Round) -> u128 {
    let before = clock::now();
    let result = measured_region(round);
    let took = clock::now().saturating_sub(before);
    drop(result);
    took
}

/// What is measured, under a name that a profiler can find.
#[inline(never)]
fn measured_region(round: Round) -> Box<dyn Any> {
    round()
}

fn longer(file: &str, bytes: usize) -> Result<String, Failure> {
    grown(&fs::read_to_string(file)?, bytes).ok_or_else(|| "its records are no list".into())
}

fn through(way: &str, file: &str) -> Result<Rounds, Failure> {
    let way = Way::named(way).ok_or("a way is `session` or `values`")?;
    way.rounds(&fs::read(file)?)
}

fn session(format: &str, bytes: usize) -> Result<(), Failure> {
    let kind = SessionKind::named(format).ok_or("no sessions of that format are made up")?;
    let mut out = BufWriter::new(io::stdout().lock());
    kind.write(bytes, &mut out)?;
    Ok(out.flush()?)
}

/// CPU time of this process, so that other work on the machine does not count.
#[cfg(unix)]
mod clock {
    use rustix::time::{ClockId, clock_gettime};

    /// Microseconds since some moment.
    pub(super) fn now() -> u128 {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        let (seconds, nanos) = (u128::try_from(time.tv_sec), u128::try_from(time.tv_nsec));
        seconds.unwrap_or(0).saturating_mul(1_000_000).saturating_add(nanos.unwrap_or(0) / 1_000)
    }
}

/// Elsewhere the time on the wall has to do.
#[cfg(not(unix))]
mod clock {
    /// Microseconds since some moment.
    #[expect(clippy::disallowed_types, reason = "measuring time is what this program is for")]
    pub(super) fn now() -> u128 {
        use std::sync::OnceLock;
        use std::time::Instant;
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_micros()
    }
}
