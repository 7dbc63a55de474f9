//! Documents point at files that exist, and exist in a clone.

use super::Complaint;
use super::files::File;

/// Every relative link of a Markdown file that leads to nothing, or out of the checkout.
///
/// `exists` answers for a path from the root.
pub(super) fn dead(file: &File, exists: &dyn Fn(&str) -> bool) -> Vec<Complaint> {
    if !file.ends_in(&["md"]) {
        return Vec::new();
    }
    let links =
        prose(file).flat_map(|(number, line)| targets(line).into_iter().map(move |target| (number, target)));
    let links = links.filter(|(_, target)| is_relative(target));
    let dead = links.filter(|(_, target)| !resolved(&file.path, target).is_some_and(|path| exists(&path)));
    dead.map(|(number, target)| Complaint::new(file, number, format!("the link to {target} leads nowhere")))
        .collect()
}

/// The lines outside fenced code.
fn prose(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    file.lines().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// What the links of a line point at: `[text](target)` and `[name]: target`.
fn targets(line: &str) -> Vec<&str> {
    let outside_code = line.split('`').step_by(2);
    let inline = outside_code.flat_map(|part| part.split("](").skip(1));
    let inline = inline.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let named = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
    inline.chain(named).filter_map(|target| target.split_whitespace().next()).collect()
}

fn is_relative(target: &str) -> bool {
    !target.contains("://") && !target.starts_with('#') && !target.starts_with("mailto:")
}

/// The path from the root, without the heading; nothing when it leads out of the root.
fn resolved(document: &str, target: &str) -> Option<String> {
    let target = target.split('#').next()?;
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(target.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[usize]) {
        let file = File::new("docs/policies.md", text);
        let found = dead(&file, &|path| ["README.md", "docs/batch.md"].contains(&path));
        assert_eq!(found.iter().map(|complaint| complaint.line).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_link_to_a_missing_file_is_found() {
        check("See [here](batch.md),\nsee [there](missing.md).\n", &[2]);
        check("[there]: missing.md\n", &[1]);
    }

    #[test]
    fn a_link_is_read_from_the_folder_of_its_document() {
        check("[up](../README.md) and [with a heading](batch.md#jobs)\n", &[]);
        check("[not here](README.md)\n", &[1]);
    }

    #[test]
    fn a_link_out_of_the_checkout_is_found() {
        check("[out](../../README.md)\n", &[1]);
    }

    #[test]
    fn addresses_headings_and_code_are_not_files() {
        check("[a](https://example.org/x) [b](#heading) `[c](x.md)`\n```\n[d](y.md)\n```\n", &[]);
    }
}
