//! What of a line a format reads.

/// What a value of a line is worth to its format, so that a large file can be read without holding all of it.
///
/// A format whose files are lines gives this for the whole line ([`Format::worth`](crate::Format::worth)). What is no
/// use to it stays in the file, and so does the middle of long texts, which is fetched when the turns are made. It
/// must name everything that reading, rendering and the rules look at: what it leaves out is not there for them.
///
/// ```
/// use cutctx_formats::Worth;
///
/// const BLOCKS: Worth = Worth::Blocks(&[("text", Worth::Said), ("content", Worth::Text), ("input", Worth::Json)]);
/// const LINE: Worth = Worth::Members(&[("id", Worth::Whole), ("message", Worth::Members(&[("content", BLOCKS)]))]);
/// # let _ = LINE;
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Worth {
    /// Every character counts.
    Whole,
    /// A value that counts only where it is one of these, spelled so, such as `true`. Any other one is as good as none.
    OneOf(&'static [&'static str]),
    /// A string that only becomes text of a turn. A format may look at how it begins and ends (64 and 32 bytes),
    /// whether it is blank, and whether it equals another one.
    Text,
    /// As [`Worth::Text`], for what may be a person's words or a harness's: where it begins with `<` all of it counts,
    /// because its tags tell who speaks.
    Said,
    /// JSON of which the text itself, as it is spelled, becomes text of a turn, such as the arguments of a call. As
    /// with [`Worth::Text`], for all strings in it.
    Json,
    /// Of an object only these members count. A value that is no object counts whole.
    Members(&'static [(&'static str, Self)]),
    /// What somebody said: a text as of [`Worth::Said`], or a list of objects of which all members count, these ones as
    /// it says. A member of [`Worth::Text`] that is a list itself is such a list again.
    Blocks(&'static [(&'static str, Self)]),
}
