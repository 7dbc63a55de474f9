//! How `cutctx compact` is called where whole files are measured.

/// One way to call it.
pub(super) struct Way {
    /// What the tables call it.
    pub(super) name: &'static str,
    /// What is said beside the session, the budget and where to write.
    pub(super) arguments: &'static [&'static str],
}

/// As it comes, and with the policy and the counter that cost next to nothing: what reading, editing and writing alone take.
pub(super) const WAYS: [Way; 2] = [
    Way { name: "as it comes", arguments: &[] },
    Way { name: "drop-oldest, chars/4", arguments: &["--policy", "drop-oldest", "--tokenizer", "chars/4"] },
];
