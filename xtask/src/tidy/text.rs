//! Rules for every text: spaces, open ends, words.

use super::Complaint;
use super::files::File;

/// Words that only mean something where the text was written, never in a clone.
const WORDS: [&str; 4] = [
    concat!("/wo", "rk/"),
    concat!("helper ", "session"),
    concat!("shared/", "design"),
    concat!("shared/", "spec"),
];

/// Marks of unfinished work.
const MARKS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// No space at the end of a line, no carriage return, one newline at the end of the file.
pub(super) fn spaces(file: &File) -> Vec<Complaint> {
    if !is_written_by_hand(file) {
        return Vec::new();
    }
    let trailing = file.lines().filter(|(_, line)| line.ends_with([' ', '\t', '\r']));
    let trailing = trailing.map(|(number, _)| Complaint::new(file, number, "space at the end of the line"));
    let last = file.text.lines().count();
    let cut = !file.text.is_empty() && !file.text.ends_with('\n');
    let loose = file.text.ends_with("\n\n");
    let ends = [(cut, "no newline at the end of the file"), (loose, "empty line at the end of the file")];
    let ends = ends.into_iter().filter(|(wrong, _)| *wrong).map(|(_, what)| Complaint::new(file, last, what));
    trailing.chain(ends).collect()
}

/// A mark of unfinished work names its issue: `#12` or `issue 12`.
pub(super) fn open_ends(file: &File) -> Vec<Complaint> {
    if !is_written_by_hand(file) {
        return Vec::new();
    }
    let open = file.lines().filter(|(_, line)| MARKS.iter().any(|mark| has_word(line, mark)));
    let open = open.filter(|(_, line)| !names_an_issue(line));
    open.map(|(number, _)| Complaint::new(file, number, "unfinished work without the number of its issue"))
        .collect()
}

/// No word of [`WORDS`] in any file.
pub(super) fn words(file: &File) -> Vec<Complaint> {
    let found = file.lines().flat_map(|(number, line)| {
        let words = WORDS.iter().filter(move |word| line.contains(**word));
        words.map(move |word| Complaint::new(file, number, format!("`{word}` means nothing in a clone")))
    });
    found.collect()
}

/// Prose, code and scripts; data may look as it likes.
fn is_written_by_hand(file: &File) -> bool {
    file.ends_in(&["rs", "toml", "md", "sh"]) || file.path.starts_with(".ci/")
}

fn has_word(line: &str, word: &str) -> bool {
    let letters = |part: char| !part.is_alphanumeric() && part != '_';
    line.split(letters).any(|part| part == word)
}

fn names_an_issue(line: &str) -> bool {
    ["#", "issue "].iter().any(|before| {
        let mut after = line.split(before).skip(1);
        after.any(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: fn(&File) -> Vec<Complaint>, path: &str, text: &str, expected: &[usize]) {
        let found = rule(&File::new(path, text));
        let lines: Vec<usize> = found.iter().map(|complaint| complaint.line).collect();
        assert_eq!(lines, expected, "{text:?}");
    }

    #[test]
    fn a_space_or_tab_at_the_end_of_a_line_is_found() {
        check(spaces, "a.md", "good\nbad \nbad\t\n", &[2, 3]);
    }

    #[test]
    fn a_file_ends_with_exactly_one_newline() {
        check(spaces, "a.rs", "one\ntwo", &[2]);
        check(spaces, "a.rs", "one\n\n", &[2]);
        check(spaces, "a.rs", "one\n", &[]);
    }

    #[test]
    fn data_may_end_as_it_likes() {
        check(spaces, "a.jsonl", "{} ", &[]);
    }

    #[test]
    fn a_mark_of_unfinished_work_needs_an_issue() {
        let mark = MARKS[0];
        check(open_ends, "a.rs", &format!("// {mark}: later\n"), &[1]);
        check(open_ends, "a.rs", &format!("// {mark}(#12): later\n"), &[]);
        check(open_ends, "a.rs", &format!("// {mark}, issue 3\n"), &[]);
        check(open_ends, "a.rs", &format!("// {mark}S are a list\n"), &[]);
    }

    #[test]
    fn a_word_that_means_nothing_in_a_clone_is_found_in_any_file() {
        for word in WORDS {
            check(words, "a.json", &format!("\n\"{word}x\"\n"), &[2]);
        }
        check(words, "a.json", "rework/it", &[]);
    }
}
