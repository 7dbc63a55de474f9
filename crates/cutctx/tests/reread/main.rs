//! What a plan says is left is no less than what the written file is read to hold, and a second pass has nothing to do.

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod files;
#[cfg(test)]
mod passes;
#[cfg(test)]
mod signed;
#[cfg(test)]
mod trims;
