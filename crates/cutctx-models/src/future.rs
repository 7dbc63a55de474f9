//! Futures without a runtime: one that a thread fulfils, and a loop that waits for one.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::task::Wake;
use core::future::Future;
use core::pin::{Pin, pin};
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

/// A future that may be sent between threads, on the heap: what the object-safe traits of this crate answer with.
pub type BoxFuture<'f, T> = Pin<Box<dyn Future<Output = T> + Send + 'f>>;

/// Waits for a future on the thread that asks. No runtime is needed; a future that needs one must be given to it
/// instead.
///
/// ```
/// assert_eq!(cutctx_models::block_on(async { 6 * 7 }), 42);
/// ```
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Whether nobody waits any more for what a thread does.
#[derive(Debug, Clone, Default)]
pub struct Abandoned(Arc<AtomicBool>);

impl Abandoned {
    /// Whether the future was dropped. Work that takes long asks now and then, and stops.
    #[must_use]
    pub fn is_so(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Does blocking work on a thread of its own, as a future that any runtime, or none, can wait for.
///
/// The work begins at once. Dropping the future abandons it: the work learns it from [`Abandoned`], and its answer
/// goes nowhere. `None` when the thread could not be started or ended without an answer.
pub fn on_a_thread<T, W>(work: W) -> BoxFuture<'static, Option<T>>
where
    T: Send + 'static,
    W: FnOnce(&Abandoned) -> T + Send + 'static,
{
    let abandoned = Abandoned::default();
    let slot = Arc::new(Slot::default());
    let answer = Answer { slot: Arc::clone(&slot) };
    let seen = abandoned.clone();
    let started = thread::Builder::new().spawn(move || answer.give(work(&seen)));
    if started.is_err() {
        slot.close();
    }
    Box::pin(Waiting { slot, abandoned })
}

/// How long a thread that only waits goes without asking whether anybody still does.
const NAP: Duration = Duration::from_millis(100);

/// Waits for time to pass, on a thread of its own, which ends soon after nobody waits for it any more.
pub(crate) async fn pause(delay: Duration) {
    let paused = on_a_thread(move |abandoned| sleep(delay, abandoned)).await;
    paused.unwrap_or_default();
}

#[expect(clippy::disallowed_methods, reason = "a provider asked for time before the next attempt")]
fn sleep(delay: Duration, abandoned: &Abandoned) {
    let mut left = delay;
    while !left.is_zero() && !abandoned.is_so() {
        let nap = left.min(NAP);
        thread::sleep(nap);
        left = left.saturating_sub(nap);
    }
}

/// Where a thread leaves its answer.
struct Slot<T>(Mutex<State<T>>);

struct State<T> {
    answer: Option<T>,
    closed: bool,
    waker: Option<Waker>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Mutex::new(State { answer: None, closed: false, waker: None }))
    }
}

impl<T> Slot<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        let waker = {
            let mut state = self.state();
            state.closed = true;
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The thread's end of a slot: closes it even when the work panics.
struct Answer<T> {
    slot: Arc<Slot<T>>,
}

impl<T> Answer<T> {
    fn give(self, answer: T) {
        self.slot.state().answer = Some(answer);
    }
}

impl<T> Drop for Answer<T> {
    fn drop(&mut self) {
        self.slot.close();
    }
}

/// The waiting end of a slot.
struct Waiting<T> {
    slot: Arc<Slot<T>>,
    abandoned: Abandoned,
}

impl<T> Future for Waiting<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = self.slot.state();
        if state.closed {
            return Poll::Ready(state.answer.take());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl<T> Drop for Waiting<T> {
    fn drop(&mut self) {
        self.abandoned.0.store(true, Ordering::Release);
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests wait for threads")]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_thread_answers_whoever_waits() {
        let answer = block_on(on_a_thread(|_| {
            thread::sleep(Duration::from_millis(5));
            7
        }));
        assert_eq!(answer, Some(7));
    }

    #[test]
    fn a_thread_that_panics_gives_nothing() {
        let nothing: Option<u8> = block_on(on_a_thread(|_| {
            std::panic::resume_unwind(Box::new("on purpose"));
        }));
        assert_eq!(nothing, None);
    }

    #[test]
    fn dropping_the_future_tells_the_work() {
        let (tell, told) = channel();
        let future = on_a_thread(move |abandoned| {
            while !abandoned.is_so() {
                thread::sleep(Duration::from_millis(1));
            }
            tell.send(()).unwrap();
        });
        drop(future);
        assert_eq!(told.recv_timeout(Duration::from_secs(10)), Ok(()));
    }

    #[test]
    fn a_wait_that_nobody_waits_for_ends() {
        let (tell, told) = channel();
        let future = on_a_thread(move |abandoned| {
            sleep(Duration::from_secs(3600), abandoned);
            tell.send(()).unwrap();
        });
        drop(future);
        assert_eq!(told.recv_timeout(Duration::from_secs(10)), Ok(()));
    }
}
