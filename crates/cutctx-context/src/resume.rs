//! The way back into a machine that waits for an answer.

use alloc::boxed::Box;
use core::fmt;

/// What a machine does with an answer. Dropping it leaves nothing behind.
pub struct Resume<A, S>(Box<dyn FnOnce(A) -> S + Send>);

impl<A, S> Resume<A, S> {
    /// Goes on with this function.
    #[must_use]
    pub fn new(next: impl FnOnce(A) -> S + Send + 'static) -> Self {
        Self(Box::new(next))
    }

    /// Goes on.
    pub fn resume(self, answer: A) -> S {
        (self.0)(answer)
    }
}

impl<A, S> fmt::Debug for Resume<A, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resume")
    }
}
