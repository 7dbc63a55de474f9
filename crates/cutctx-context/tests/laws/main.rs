//! What holds for every session.

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod budgeted;
#[cfg(test)]
mod checkpoint;
#[cfg(test)]
mod extract;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod simulation;
