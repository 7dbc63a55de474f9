//! What holds for every session.

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod budgeted;
#[cfg(test)]
mod checkpoint;
#[cfg(test)]
mod compactors;
#[cfg(test)]
mod earlier;
#[cfg(test)]
mod extract;
#[cfg(test)]
mod frozen;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod live;
#[cfg(test)]
mod rich;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod turns;
