//! What a file holds beside turns: ballast, open calls, earlier compactions.

#[cfg(test)]
mod ballast;
#[cfg(test)]
mod files;
#[cfg(test)]
mod inventory;
