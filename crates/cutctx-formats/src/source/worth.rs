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
    /// because its tags tell who speaks. A format may look at 192 bytes of its beginning and of its end.
    Said,
    /// Base64 text, or a link that may hold such data (`data:…,…`): how it begins (192 bytes) and how long it is. Of an
    /// object the same of all strings in it.
    Data,
    /// JSON of which the text itself, as it is spelled, becomes text of a turn, such as the arguments of a call. As
    /// with [`Worth::Text`], for all strings in it.
    Json,
    /// The arguments of a call: a string is one of [`Worth::Text`], anything else [`Worth::Json`].
    Arguments,
    /// What a tool wrote: a text as of [`Worth::Text`] of which a format may look at 192 bytes at both ends, or a list as
    /// of [`Worth::Blocks`]. Anything else counts whole.
    Output(&'static [(&'static str, Self)]),
    /// What a tool gave back or a block holds: a text as of [`Worth::Said`], a list as of [`Worth::Blocks`], or other JSON
    /// as of [`Worth::Json`].
    Result(&'static [(&'static str, Self)]),
    /// JSON as of [`Worth::Json`]; but where it is an object with a single member of one of these names, and that is a
    /// string, it is worth that [`Worth::Text`].
    Single(&'static [&'static str]),
    /// Of an object only these members count. A value that is no object counts whole. What names a model always stays.
    Members(&'static [(&'static str, Self)]),
    /// Of an object all members count, these ones as it says. A value that is no object counts whole.
    All(&'static [(&'static str, Self)]),
    /// An object that counts as its member `type` says, or as the last one says when it says none of these.
    ByType(&'static [(&'static str, Self)], &'static Self),
    /// A list of which every element is worth this. A value that is no list counts whole.
    List(&'static Self),
    /// What somebody said: a text as of [`Worth::Said`], or a list of objects of which all members count, these ones as
    /// it says. A member of [`Worth::Text`] that is a list or an object itself is such a list or object again.
    Blocks(&'static [(&'static str, Self)]),
}
