//! The table of layers: who may use whom.
//!
//! ARCHITECTURE.md draws the same picture, `deny.toml` says it once more from the side of the crate that is used.
//! Whoever adds a crate adds a row; whoever adds an edge says why in the review.

/// What the shipped code (normal and build dependencies) of one member may use.
pub(crate) struct Member {
    /// The package.
    pub(crate) name: &'static str,
    /// Its height; an edge leads strictly down.
    pub(crate) layer: u8,
    /// The members it may use.
    pub(crate) members: &'static [&'static str],
    /// The packages of others that it may use.
    pub(crate) others: Others,
}

/// Which packages of others a member may use.
pub(crate) enum Others {
    /// These always, and these behind a feature only.
    Only { always: &'static [&'static str], optional: &'static [&'static str] },
    /// Whatever the root manifest lists; a reviewer and `deny.toml` look at it.
    Listed,
}

/// Every member, in the order of the layers.
pub(crate) const TABLE: &[Member] = &[
    Member {
        name: "cutctx-types",
        layer: 0,
        members: &[],
        others: only(&["serde", "thiserror", "sha2", "foldhash"], &[]),
    },
    Member {
        name: "cutctx-invariants",
        layer: 1,
        members: &["cutctx-types"],
        others: only(&["serde", "serde_json", "thiserror"], &["proptest"]),
    },
    Member {
        name: "cutctx-policies",
        layer: 2,
        members: &["cutctx-types", "cutctx-invariants"],
        others: only(&["serde"], &[]),
    },
    Member {
        name: "cutctx-exec",
        layer: 2,
        members: &["cutctx-types", "cutctx-invariants"],
        others: only(&["serde", "thiserror"], &[]),
    },
    Member {
        name: "cutctx-messages",
        layer: 2,
        members: &["cutctx-types"],
        others: only(&["serde", "serde_json", "thiserror"], &[]),
    },
    Member {
        name: "cutctx-formats",
        layer: 3,
        members: &["cutctx-types", "cutctx-messages", "cutctx-exec"],
        others: Others::Listed,
    },
    Member {
        name: "cutctx-tokens",
        layer: 3,
        members: &["cutctx-types", "cutctx-messages"],
        others: Others::Listed,
    },
    Member {
        name: "cutctx-context",
        layer: 4,
        members: &["cutctx-types", "cutctx-invariants", "cutctx-policies", "cutctx-exec", "cutctx-messages"],
        others: only(&["serde", "serde_json", "thiserror", "unicode-general-category"], &[]),
    },
    Member {
        name: "cutctx-models",
        layer: 5,
        members: &["cutctx-types", "cutctx-messages", "cutctx-context"],
        others: Others::Listed,
    },
    Member {
        name: "cutctx",
        layer: 6,
        members: &[
            "cutctx-types",
            "cutctx-invariants",
            "cutctx-policies",
            "cutctx-exec",
            "cutctx-messages",
            "cutctx-formats",
            "cutctx-tokens",
            "cutctx-context",
            "cutctx-models",
        ],
        others: Others::Listed,
    },
    Member { name: "cutctx-eval", layer: 7, members: &["cutctx"], others: Others::Listed },
    Member { name: "cutctx-cli", layer: 8, members: &["cutctx", "cutctx-eval"], others: Others::Listed },
    Member { name: "xtask", layer: 9, members: &[], others: only(&["serde_json"], &[]) },
    Member {
        name: "acceptance",
        layer: 9,
        members: &[
            "cutctx-types",
            "cutctx-invariants",
            "cutctx-policies",
            "cutctx-exec",
            "cutctx-messages",
            "cutctx-formats",
            "cutctx-tokens",
            "cutctx-context",
            "cutctx-models",
            "cutctx",
            "cutctx-eval",
        ],
        others: Others::Listed,
    },
];

const fn only(always: &'static [&'static str], optional: &'static [&'static str]) -> Others {
    Others::Only { always, optional }
}

/// The row of a member.
pub(crate) fn row(name: &str) -> Option<&'static Member> {
    TABLE.iter().find(|member| member.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_of_the_table_leads_to_a_lower_layer() {
        for member in TABLE {
            for used in member.members {
                let below = row(used).unwrap().layer < member.layer;
                assert!(below, "{} may use {used}, which is not below it", member.name);
            }
        }
    }

    #[test]
    fn deny_toml_lists_the_same_users_for_each_crate() {
        let config =
            std::fs::read_to_string(crate::workspace::Workspace::here().root().join("deny.toml")).unwrap();
        for used in TABLE.iter().filter(|member| member.name.starts_with("cutctx")) {
            let users = TABLE.iter().filter(|member| member.members.contains(&used.name));
            let users: Vec<String> = users.map(|member| format!("\"{}\"", member.name)).collect();
            let line = format!("{{ crate = \"{}\", wrappers = [{}] }}", used.name, users.join(", "));
            let banned = format!("{{ crate = \"{}\", wrappers", used.name);
            let expected = !users.is_empty();
            assert_eq!(config.contains(&line), expected, "deny.toml and the table differ on {line}");
            assert_eq!(config.contains(&banned), expected, "deny.toml has another line for {}", used.name);
        }
    }
}
