//! Many jobs at once, answers in order.
//!
//! A thread reads ahead a little, the lines at hand are worked on together, and their answers are written in the order
//! of the lines. An answer is written as soon as no input is at hand, so that a program may talk to a batch line by
//! line. Memory is bounded by a few dozen of the longest lines, however long the input is.

use super::lines::{Line, Lines};
use super::run::answer_line;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Lines that are read together when they are at hand.
const PACKET_LINES: usize = 64;
/// The bytes after which a packet or a round is full.
const PACKET_BYTES: usize = 1 << 20;
/// Packets that are read ahead.
const PACKETS_AHEAD: usize = 4;
/// The most threads that are started, however many are asked for: more of them only get in each other's way.
pub const MOST_THREADS: usize = 256;
/// The size of the buffer of input, in bytes.
const BUFFER_BYTES: usize = 1 << 18;

/// How a batch is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The longest line that is read, in bytes; a longer one is answered as no job.
    pub max_line_bytes: usize,
    /// How many threads work on jobs, at most [`MOST_THREADS`]; 0 means one for each core.
    pub threads: usize,
}

impl Default for Options {
    /// Lines of up to 256 MiB, a thread for each core.
    fn default() -> Self {
        Self { max_line_bytes: 256 << 20, threads: 0 }
    }
}

impl Options {
    /// Options with this limit to the length of a line, in bytes.
    #[must_use]
    pub const fn with_max_line_bytes(mut self, bytes: usize) -> Self {
        self.max_line_bytes = bytes;
        self
    }

    /// Options with this many threads, at most [`MOST_THREADS`]; 0 means one for each core.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}

/// Why a batch stopped before its end. What is wrong with a line is an answer, not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The input cannot be read any further. The lines before were answered.
    #[error("the jobs cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The answers cannot be written.
    #[error("the answers cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The threads cannot be started.
    #[error("the threads cannot be started")]
    Threads,
}

/// What a batch came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Lines that were answered.
    pub jobs: u64,
    /// Of those, the ones that failed.
    pub failed: u64,
    /// Lines with nothing on them, which have no answer.
    pub blank: u64,
}

/// Answers every line of `input` on `output`, in order. `progress` is told the totals after every round.
///
/// ```
/// use cutctx::batch::parallel::{Options, run};
/// let mut answers = Vec::new();
/// let totals = run("no job\n\n{}\n".as_bytes(), &mut answers, Options::default(), |_| {})?;
/// assert_eq!((totals.jobs, totals.failed, totals.blank), (2, 2, 1));
/// assert_eq!(String::from_utf8_lossy(&answers).lines().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`BatchError`] when reading, writing or starting threads fails.
pub fn run(
    input: impl Read + Send + 'static,
    output: &mut (impl Write + ?Sized),
    options: Options,
    mut progress: impl FnMut(Totals),
) -> Result<Totals, BatchError> {
    let threads = options.threads.min(MOST_THREADS);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|_| BatchError::Threads)?;
    let packets = read_ahead(input, options.max_line_bytes)?;
    let mut totals = Totals::default();
    while let Some(round) = next_round(&packets) {
        answer_round(&pool, &round.lines, output, &mut totals).map_err(BatchError::Write)?;
        progress(totals);
        if let Some(error) = round.error {
            return Err(BatchError::Read(error));
        }
    }
    Ok(totals)
}

/// Starts the thread that reads. It is not waited for: where the answers are not wanted any more, it may be in the
/// middle of waiting for input, and ends as soon as it has some.
fn read_ahead(input: impl Read + Send + 'static, limit: usize) -> Result<Receiver<Packet>, BatchError> {
    let (sender, receiver) = sync_channel(PACKETS_AHEAD);
    let lines = Lines::new(BufReader::with_capacity(BUFFER_BYTES, input), limit);
    let thread = thread::Builder::new().name("cutctx-batch-reader".to_owned());
    thread.spawn(move || read_packets(lines, &sender)).map_err(|_| BatchError::Threads)?;
    Ok(receiver)
}

/// Lines that were read together, and what went wrong after them.
#[derive(Debug, Default)]
struct Packet {
    lines: Vec<Line>,
    error: Option<io::Error>,
}

/// Sends packets until the end, an error, or until nobody listens any more.
fn read_packets<R: Read>(mut lines: Lines<BufReader<R>>, sender: &SyncSender<Packet>) {
    loop {
        let packet = read_packet(&mut lines);
        let is_last = packet.lines.is_empty() || packet.error.is_some();
        if sender.send(packet).is_err() || is_last {
            return;
        }
    }
}

/// At least one line, unless it is the end, and those that are at hand after it.
fn read_packet<R: Read>(lines: &mut Lines<BufReader<R>>) -> Packet {
    let (mut packet, mut bytes) = (Packet::default(), 0_usize);
    loop {
        match lines.next_line() {
            Ok(Some(line)) => {
                bytes = bytes.saturating_add(line.bytes.len());
                packet.lines.push(line);
            }
            Ok(None) => break,
            Err(error) => {
                packet.error = Some(error);
                break;
            }
        }
        if packet.lines.len() >= PACKET_LINES || bytes >= PACKET_BYTES || !lines.has_line_at_hand() {
            break;
        }
    }
    packet
}

/// What has been read by now, at least one packet; `None` at the end.
fn next_round(packets: &Receiver<Packet>) -> Option<Packet> {
    let mut round = packets.recv().ok()?;
    let mut bytes = bytes_of(&round.lines);
    while round.error.is_none()
        && bytes < PACKET_BYTES
        && let Ok(packet) = packets.try_recv()
    {
        bytes = bytes.saturating_add(bytes_of(&packet.lines));
        round.lines.extend(packet.lines);
        round.error = packet.error;
    }
    (!round.lines.is_empty() || round.error.is_some()).then_some(round)
}

fn bytes_of(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.bytes.len()).fold(0, usize::saturating_add)
}

fn answer_round(
    pool: &ThreadPool,
    round: &[Line],
    output: &mut (impl Write + ?Sized),
    totals: &mut Totals,
) -> io::Result<()> {
    let answers: Vec<Option<(String, bool)>> = pool.install(|| round.par_iter().map(answer).collect());
    for answer in answers {
        let Some((json, failed)) = answer else {
            totals.blank = totals.blank.saturating_add(1);
            continue;
        };
        output.write_all(json.as_bytes())?;
        output.write_all(b"\n")?;
        totals.jobs = totals.jobs.saturating_add(1);
        totals.failed = totals.failed.saturating_add(u64::from(failed));
    }
    output.flush()
}

fn answer(line: &Line) -> Option<(String, bool)> {
    if line.is_blank() && !line.cut {
        return None;
    }
    let answer = answer_line(line);
    Some((answer.to_json(), answer.failure.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives some lines and then fails.
    struct Failing(&'static [u8]);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() { Err(io::ErrorKind::ConnectionReset.into()) } else { self.0.read(buffer) }
        }
    }

    /// Takes some bytes and then fails.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_before_an_error_of_reading_are_answered() {
        let mut answers = Vec::new();
        let ended = run(Failing(b"{}\n{}\n{"), &mut answers, Options::default(), |_| {});
        assert!(matches!(ended, Err(BatchError::Read(_))), "{ended:?}");
        assert_eq!(String::from_utf8(answers).unwrap().lines().count(), 2);
    }

    #[test]
    fn an_error_of_writing_ends_the_batch_however_much_input_is_left() {
        let endless = io::repeat(b'\n').chain(io::repeat(b'x'));
        let input = io::Cursor::new(b"{}\n").chain(io::Cursor::new(b"[]\n").chain(endless));
        let ended = run(input, &mut Full(10), Options::default(), |_| {});
        assert!(matches!(ended, Err(BatchError::Write(_))), "{ended:?}");
    }

    #[test]
    fn more_threads_than_make_sense_are_not_started() {
        let mut answers = Vec::new();
        let options = Options::default().with_threads(usize::MAX);
        let totals = run(io::Cursor::new("{}\n"), &mut answers, options, |_| {}).unwrap();
        assert_eq!(totals.jobs, 1);
    }

    #[test]
    fn progress_counts_up_to_the_totals() {
        let mut seen = Vec::new();
        let input = "{}\n\n".repeat(1_000);
        let totals =
            run(io::Cursor::new(input), &mut io::sink(), Options::default().with_threads(2), |totals| {
                seen.push(totals);
            });
        let totals = totals.unwrap();
        assert_eq!((totals.jobs, totals.failed, totals.blank), (1_000, 1_000, 1_000));
        assert_eq!(seen.last(), Some(&totals));
        assert!(seen.is_sorted_by_key(|totals| totals.jobs));
    }
}
