//! The loop of an agent, replayed.

#[cfg(test)]
mod loops;
#[cfg(test)]
mod measures;
#[cfg(test)]
mod pains;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod stability;
