//! Reading lines of any bytes, with a limit to their length.

use std::io::{self, BufRead};

/// A line without its line feed, and which one it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// Counted from 1.
    pub number: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether it was longer than the limit, and was cut there.
    pub cut: bool,
}

impl Line {
    /// Whether there is nothing on it but white space of JSON.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
    }
}

/// The lines of a reader, one by one. Lines longer than the limit are cut and marked; memory stays bounded.
///
/// ```
/// use cutctx::batch::lines::Lines;
/// let mut lines = Lines::new("one\ntwo and more\n".as_bytes(), 3);
/// assert_eq!(lines.next_line()?.unwrap().bytes, b"one");
/// let long = lines.next_line()?.unwrap();
/// assert!(long.cut && long.number == 2 && long.bytes == b"two");
/// assert!(lines.next_line()?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    limit: usize,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a reader, of at most `limit` bytes each.
    pub const fn new(reader: R, limit: usize) -> Self {
        Self { reader, limit, number: 0 }
    }

    /// The next line; `None` at the end.
    ///
    /// # Errors
    ///
    /// Those of the reader.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut line = Line { number: self.number.saturating_add(1), bytes: Vec::new(), cut: false };
        let mut begun = false;
        loop {
            let buffer = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if buffer.is_empty() {
                break;
            }
            begun = true;
            let feed = buffer.iter().position(|byte| *byte == b'\n');
            let (piece, used) = match feed.and_then(|feed| buffer.split_at_checked(feed)) {
                Some((piece, _)) => (piece, piece.len().saturating_add(1)),
                None => (buffer, buffer.len()),
            };
            line.take(piece, self.limit);
            self.reader.consume(used);
            if feed.is_some() {
                break;
            }
        }
        self.number = line.number;
        Ok(begun.then_some(line))
    }
}

impl<R: io::Read> Lines<io::BufReader<R>> {
    /// Whether another whole line is at hand without waiting for more input.
    #[must_use]
    pub fn has_line_at_hand(&self) -> bool {
        self.reader.buffer().contains(&b'\n')
    }
}

impl Line {
    fn take(&mut self, piece: &[u8], limit: usize) {
        let room = limit.saturating_sub(self.bytes.len());
        let fitting = piece.get(..room).unwrap_or(piece);
        self.cut |= fitting.len() < piece.len();
        self.bytes.extend_from_slice(fitting);
    }
}
