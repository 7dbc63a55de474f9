//! Models behind HTTP, against a real server on this machine.

#![cfg(feature = "ureq")]

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod answers;
#[cfg(test)]
mod counted;
#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "servers in trouble take their time")]
mod counting_trouble;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod server;
#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "servers in trouble take their time")]
mod trouble;
