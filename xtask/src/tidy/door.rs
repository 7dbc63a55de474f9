//! A public type with private fields has an invariant to keep, so serde must not be a second door to it.
//!
//! Such a struct either has no `Deserialize` or goes through a conversion of its own (`#[serde(try_from = "…")]`, or
//! `from` when no value is wrong); a `#[serde(transparent)]` wrapper says that every value of the inner type is fine.
//! Structs that are not `pub` are the private business of their module.

use super::Complaint;
use super::files::File;

/// Every public struct that derives `Deserialize`, has a private field, and names no way in.
pub(super) fn unchecked(file: &File) -> Vec<Complaint> {
    if !file.ends_in(&["rs"]) {
        return Vec::new();
    }
    let lines: Vec<(usize, &str)> = file.lines().map(|(number, line)| (number, line.trim())).collect();
    let mut found = Vec::new();
    let mut attributes = Attributes::default();
    for (index, (number, line)) in lines.iter().enumerate() {
        if attributes.takes(line) {
            continue;
        }
        if is_public_struct(line) && attributes.open_door() && has_private_field(lines.iter().skip(index)) {
            found.push(Complaint::new(file, *number, "private fields and `Deserialize`, but no `try_from`"));
        }
        attributes = Attributes::default();
    }
    found
}

/// The attributes above an item, as far as they are read.
#[derive(Default)]
struct Attributes {
    text: String,
    depth: usize,
}

impl Attributes {
    /// Takes the line when it is part of an attribute, or a comment between attributes.
    fn takes(&mut self, line: &str) -> bool {
        if self.depth == 0 && !line.starts_with("#[") {
            return line.starts_with("//");
        }
        self.text.push_str(line);
        let opened = self.depth.saturating_add(line.matches('[').count());
        self.depth = opened.saturating_sub(line.matches(']').count());
        true
    }

    /// Whether serde is let in without a check.
    fn open_door(&self) -> bool {
        let checked = ["try_from = ", "(from = ", " from = ", "transparent"]
            .iter()
            .any(|word| self.text.contains(word));
        self.text.contains("Deserialize") && !checked
    }
}

fn is_public_struct(line: &str) -> bool {
    line.starts_with("pub ") && line.contains("struct ")
        || line.starts_with("pub(") && line.contains(") struct ")
}

/// Whether the struct that starts with these lines has a field without `pub`.
fn has_private_field<'l>(mut lines: impl Iterator<Item = &'l (usize, &'l str)>) -> bool {
    let Some((_, head)) = lines.next() else {
        return false;
    };
    if let Some((_, fields)) = head.split_once('(').filter(|(before, _)| before.contains("struct ")) {
        return !fields.trim_start().starts_with("pub");
    }
    let body = lines.map(|(_, line)| *line).take_while(|line| !line.starts_with('}'));
    !head.ends_with(';') && !head.ends_with('}') && body.into_iter().any(is_private_field)
}

/// `name: Type`, with nothing before the name.
fn is_private_field(line: &str) -> bool {
    let Some((name, _)) = line.split_once(": ") else {
        return false;
    };
    let letters = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    !name.is_empty() && name.chars().all(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[usize]) {
        let found = unchecked(&File::new("a.rs", text));
        assert_eq!(found.iter().map(|complaint| complaint.line).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_private_field_with_deserialize_is_found() {
        check("#[derive(Clone, Deserialize)]\npub struct Budget {\n    max: u64,\n}\n", &[2]);
    }

    #[test]
    fn a_derive_over_several_lines_is_read_whole() {
        check(
            "#[derive(\n    Clone,\n    Deserialize,\n)]\n/// Doc.\npub struct Budget {\n    max: u64,\n}\n",
            &[6],
        );
    }

    #[test]
    fn a_tuple_struct_counts_as_well() {
        check("#[derive(Deserialize)]\npub struct Tokens(u64);\n", &[2]);
        check("#[derive(Deserialize)]\npub struct Tokens(pub u64);\n", &[]);
    }

    #[test]
    fn a_struct_for_the_crate_counts_as_well() {
        check("#[derive(Deserialize)]\npub(crate) struct Line {\n    text: String,\n}\n", &[2]);
        check("#[derive(Deserialize)]\npub(crate) struct Line {\n    pub(crate) text: String,\n}\n", &[]);
    }

    #[test]
    fn try_from_is_a_checked_door() {
        check(
            "#[derive(Deserialize)]\n#[serde(try_from = \"Wire\")]\npub struct Budget {\n    max: u64,\n}\n",
            &[],
        );
    }

    #[test]
    fn from_is_a_door_of_its_own_and_only_as_a_whole_word() {
        check("#[derive(Deserialize)]\n#[serde(from = \"Wire\")]\npub struct Metadata(Map);\n", &[]);
        check("#[derive(Deserialize)]\n#[serde(rename = \"from\")]\npub struct Metadata(Map);\n", &[3]);
    }

    #[test]
    fn public_fields_and_private_structs_are_fine() {
        check("#[derive(Deserialize)]\npub struct Draft {\n    pub actions: Vec<u8>,\n}\n", &[]);
        check("#[derive(Deserialize)]\nstruct Wire {\n    max: u64,\n}\n", &[]);
    }

    #[test]
    fn the_attributes_of_one_item_do_not_reach_the_next() {
        check("#[derive(Deserialize)]\nstruct Wire;\npub struct Budget {\n    max: u64,\n}\n", &[]);
    }
}
