//! Documents point at files that exist, and exist in a clone, and at headings that stand in them.

use super::Complaint;
use super::files::File;

/// Every relative link of a Markdown file that leads to nothing, or out of the checkout.
///
/// `exists` answers for a path from the root.
pub(super) fn dead(file: &File, exists: &dyn Fn(&str) -> bool) -> Vec<Complaint> {
    if !file.ends_in(&["md"]) {
        return Vec::new();
    }
    let links = links(file).filter(|(_, target)| is_relative(target));
    let dead = links.filter(|(_, target)| !resolved(&file.path, target).is_some_and(|path| exists(&path)));
    dead.map(|(number, target)| nowhere(file, number, target)).collect()
}

/// Every link of a Markdown file to a heading that the document it names does not have.
pub(super) fn without_heading(file: &File, files: &[File]) -> Vec<Complaint> {
    if !file.ends_in(&["md"]) {
        return Vec::new();
    }
    let is_dead = |target: &str| {
        let Some((document, heading)) = target.split_once('#') else { return false };
        let path = if document.is_empty() { Some(file.path.clone()) } else { resolved(&file.path, document) };
        let named =
            path.and_then(|path| files.iter().find(|file| file.path == path && file.ends_in(&["md"])));
        named.is_some_and(|named| !headings(named).any(|known| known == heading))
    };
    let links = links(file).filter(|(_, target)| !target.contains("://"));
    let dead = links.filter(|(_, target)| is_dead(target));
    dead.map(|(number, target)| nowhere(file, number, target)).collect()
}

fn nowhere(file: &File, number: usize, target: &str) -> Complaint {
    Complaint::new(file, number, format!("the link to {target} leads nowhere"))
}

/// The links of a document, each with its line.
fn links(file: &File) -> impl Iterator<Item = (usize, &str)> {
    prose(file).flat_map(|(number, line)| targets(line).into_iter().map(move |target| (number, target)))
}

/// The headings of a document as links name them (small letters, digits, and hyphens for spaces), and its marks
/// `<a id="name">`.
fn headings(file: &File) -> impl Iterator<Item = String> {
    let titles = prose(file).filter_map(|(_, line)| {
        let (marks, title) = line.split_once(' ')?;
        (!marks.is_empty() && marks.bytes().all(|mark| mark == b'#')).then_some(title)
    });
    let titles = titles.map(|title| title.trim().chars().filter_map(spelled).collect());
    let marks = prose(file).flat_map(|(_, line)| line.split("<a id=\"").skip(1));
    titles.chain(marks.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())))
}

/// A letter of a heading as links spell it, if they do.
fn spelled(letter: char) -> Option<char> {
    match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ if letter.is_alphanumeric() => Some(letter.to_ascii_lowercase()),
        _ => None,
    }
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
    fn a_link_to_a_heading_that_is_not_there_is_found() {
        let links = "[a](#two-versions-100) [b](batch.md#jobs) [c](#here)\n[d](#two) [e](batch.md#job)\n";
        let headings = "# `Two` versions, 1.0.0\n<a id=\"here\"></a>\n```\n# two\n```\n";
        let policies = File::new("docs/policies.md", [links, headings].concat());
        let files = [policies, File::new("docs/batch.md", "# Batch\n## Jobs\n")];
        let found = files.iter().flat_map(|file| without_heading(file, &files));
        let found: Vec<String> = found.map(|complaint| complaint.to_string()).collect();
        let nowhere = |target: &str| format!("docs/policies.md:2: the link to {target} leads nowhere");
        assert_eq!(found, [nowhere("#two"), nowhere("batch.md#job")]);
    }

    #[test]
    fn addresses_headings_and_code_are_not_files() {
        check("[a](https://example.org/x) [b](#heading) `[c](x.md)`\n```\n[d](y.md)\n```\n", &[]);
    }
}
