//! A model that is a program.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use cutctx_context::ModelRequest;
use cutctx_messages::{Message, MessagePart};

use crate::completion::Completion;
use crate::error::{FailedAttempt, ModelError};
use crate::future::{Abandoned, BoxFuture, on_a_thread};
use crate::model::SummaryModel;

const TIMEOUT: Duration = Duration::from_secs(300);

/// How often a running program is looked after.
const LOOK: Duration = Duration::from_millis(20);

/// The longest answer that is read, in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// A model that is a program: it reads the request's texts from its standard input, one after the other with a blank
/// line between two, and writes the summary to its standard output.
///
/// Its standard error goes where ours goes. A program that ends with another code than 0, or not in time, has failed;
/// it is stopped when nobody waits for its answer any more. The answer is whole when the program has ended and nobody
/// holds its standard output open: what it started itself and left behind counts against the time limit, and is not
/// stopped.
///
/// ```
/// use cutctx_context::ModelRequest;
/// use cutctx_messages::{Message, TextPart};
/// use cutctx_models::{CommandModel, SummaryModel, block_on};
/// use cutctx_types::Role;
///
/// # #[cfg(unix)] {
/// let model = CommandModel::new("tr", ["a-z", "A-Z"]);
/// let ask = Message::new(Role::User, vec![TextPart::new("pole 7 is 4 m tall").unwrap().into()]).unwrap();
/// let answer = block_on(model.complete(&ModelRequest::new(vec![ask])));
/// assert_eq!(answer.unwrap().text, "POLE 7 IS 4 M TALL");
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct CommandModel {
    program: OsString,
    arguments: Vec<OsString>,
    timeout: Duration,
}

impl CommandModel {
    /// A program and its arguments, as they stand: no shell reads them.
    #[must_use]
    pub fn new<A: AsRef<OsStr>>(program: impl AsRef<OsStr>, arguments: impl IntoIterator<Item = A>) -> Self {
        let arguments = arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect();
        Self { program: program.as_ref().to_owned(), arguments, timeout: TIMEOUT }
    }

    /// A line for the system's shell.
    #[must_use]
    pub fn shell(line: &str) -> Self {
        if cfg!(windows) { Self::new("cmd", ["/C", line]) } else { Self::new("/bin/sh", ["-c", line]) }
    }

    /// The model with another time limit; 300 seconds without.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}

impl SummaryModel for CommandModel {
    fn provider_name(&self) -> &'static str {
        "command"
    }

    fn complete<'c>(&'c self, request: &'c ModelRequest) -> BoxFuture<'c, Result<Completion, FailedAttempt>> {
        let (model, prompt) = (self.clone(), texts(request));
        let answer = on_a_thread(move |abandoned| model.run(prompt, abandoned));
        Box::pin(async move { Ok(answer.await.unwrap_or_else(|| Err(failed("it could not be started")))?) })
    }
}

impl CommandModel {
    fn run(&self, prompt: String, abandoned: &Abandoned) -> Result<Completion, ModelError> {
        let mut running = self.start(prompt).map_err(|_| failed("it could not be started"))?;
        let text = running.wait(self.timeout, abandoned);
        if text.is_err() {
            running.stop();
        }
        text.map(|text| Completion::of(text.trim_end()))
    }

    fn start(&self, prompt: String) -> io::Result<Running> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        // A program may write before it has read everything: both must go on at once. Neither thread is waited for,
        // because what the program itself started may hold its pipes open for ever.
        let writing =
            thread::Builder::new().spawn(move || stdin.map(|mut pipe| pipe.write_all(prompt.as_bytes())));
        let (tell, answer) = channel();
        let reading = thread::Builder::new().spawn(move || {
            let Some(mut pipe) = stdout else { return };
            // The pipe is closed only after: a program that is cut off dies of it, and that would be heard first.
            tell.send(read(&mut pipe)).unwrap_or_default();
        });
        drop((writing, reading));
        Ok(Running { child, answer, heard: None })
    }
}

/// A program that runs, and what was heard of it.
struct Running {
    child: Child,
    answer: Receiver<Result<String, ModelError>>,
    heard: Option<Result<String, ModelError>>,
}

impl Running {
    #[expect(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        reason = "a program of somebody else has a time limit"
    )]
    fn wait(&mut self, timeout: Duration, abandoned: &Abandoned) -> Result<String, ModelError> {
        let begun = std::time::Instant::now();
        loop {
            self.listen();
            if let Some(text) = self.outcome()? {
                return Ok(text);
            }
            if abandoned.is_so() {
                return Err(failed("nobody waits for it"));
            }
            if begun.elapsed() > timeout {
                return Err(ModelError::Timeout);
            }
            thread::sleep(LOOK);
        }
    }

    fn listen(&mut self) {
        if self.heard.is_some() {
            return;
        }
        match self.answer.try_recv() {
            Ok(answer) => self.heard = Some(answer),
            Err(TryRecvError::Disconnected) => self.heard = Some(Err(failed("its answer could not be read"))),
            Err(TryRecvError::Empty) => {}
        }
    }

    /// The answer, once the program has ended and nobody can add to it; one that is too long is the end in any case.
    fn outcome(&mut self) -> Result<Option<String>, ModelError> {
        if let Some(Err(error @ ModelError::TooLong { .. })) = &self.heard {
            return Err(error.clone());
        }
        match self.child.try_wait() {
            Ok(Some(status)) if status.success() => self.heard.take().transpose(),
            Ok(Some(_)) => Err(failed("it ended with an error")),
            Ok(None) => Ok(None),
            Err(_) => Err(failed("it could not be waited for")),
        }
    }

    fn stop(&mut self) {
        // It may have ended by itself in between.
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

fn read(pipe: &mut impl Read) -> Result<String, ModelError> {
    let mut bytes = Vec::new();
    let read = pipe.take(MOST_BYTES.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|_| failed("its answer could not be read"))?;
    if u64::try_from(bytes.len()).map_or(true, |length| length > MOST_BYTES) {
        return Err(ModelError::TooLong { limit: MOST_BYTES });
    }
    String::from_utf8(bytes).map_err(|_| ModelError::Malformed { what: "it is no UTF-8" })
}

fn failed(what: &str) -> ModelError {
    ModelError::Other { what: Arc::from(what), retryable: Some(false) }
}

fn texts(request: &ModelRequest) -> String {
    let parts = request.messages.iter().flat_map(Message::content);
    let texts =
        parts.filter_map(|part| if let MessagePart::Text(text) = part { Some(&*text.text) } else { None });
    texts.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
#[cfg(unix)]
#[expect(clippy::disallowed_types, reason = "the tests measure a time limit")]
mod tests {
    use super::*;
    use crate::future::block_on;
    use cutctx_messages::TextPart;
    use cutctx_types::Role;
    use std::time::Instant;

    /// Far longer than any limit below, far shorter than the programs run.
    const SOON: Duration = Duration::from_secs(15);

    fn answer(line: &str, prompt: &str, timeout: Duration) -> Result<String, ModelError> {
        let part = TextPart::new(prompt).unwrap().into();
        let request = ModelRequest::new(vec![Message::new(Role::User, vec![part]).unwrap()]);
        let model = CommandModel::shell(line).with_timeout(timeout);
        let answer = soon(line, || block_on(model.complete(&request)));
        answer.map(|completion| completion.text).map_err(|failed| failed.error)
    }

    fn soon<T>(line: &str, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let done = work();
        assert!(begun.elapsed() < SOON, "{line}: {:?}", begun.elapsed());
        done
    }

    const SHORT: Duration = Duration::from_millis(300);

    #[test]
    fn what_a_program_leaves_behind_does_not_outlast_the_time_limit() {
        for line in ["sleep 30 & echo done", "sleep 30 | cat", "trap '' TERM INT HUP; sleep 30; echo late"] {
            assert_eq!(answer(line, "x", SHORT), Err(ModelError::Timeout), "{line}");
        }
        assert!(answer("sleep 30 & exit 3", "x", SOON).is_err());
    }

    #[test]
    fn a_program_that_leaves_something_behind_silently_has_answered() {
        assert_eq!(answer("sleep 30 >/dev/null & echo done", "x", SOON).as_deref(), Ok("done"));
    }

    #[test]
    fn an_endless_answer_is_refused_while_the_program_still_runs() {
        let too_long = Err(ModelError::TooLong { limit: MOST_BYTES });
        assert_eq!(answer("head -c 100000000 /dev/zero", "x", SOON), too_long);
        assert_eq!(answer("trap '' PIPE; head -c 20000000 /dev/zero; sleep 30", "x", SOON), too_long);
    }

    #[test]
    fn a_program_need_not_read_what_it_is_given() {
        let long = "word ".repeat(400_000);
        assert_eq!(answer("exec <&-; echo done", &long, SOON).as_deref(), Ok("done"));
        assert_eq!(answer("cat", &long, SOON).as_deref(), Ok(long.trim_end()));
    }

    #[test]
    fn what_is_no_text_is_no_answer() {
        let malformed = Err(ModelError::Malformed { what: "it is no UTF-8" });
        assert_eq!(answer(r"printf '\377'", "x", SOON), malformed);
        assert!(matches!(answer(r"printf '\377'; exit 1", "x", SOON), Err(ModelError::Other { .. })));
    }
}
