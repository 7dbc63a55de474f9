//! Pins as people express them.

#[cfg(test)]
mod laws;
#[cfg(test)]
mod texts;
