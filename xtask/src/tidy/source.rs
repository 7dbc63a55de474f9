//! Rules for Rust files: the opening, the name, the size.

use super::Complaint;
use super::files::File;

/// The longest file, in lines and without its tests.
const LONGEST: usize = 500;

/// A Rust file opens with `//!`: what it is for.
pub(super) fn opening(file: &File) -> Vec<Complaint> {
    let wrong = file.ends_in(&["rs"]) && !file.text.starts_with("//!");
    let complaint = || Complaint::new(file, 1, "a Rust file opens with `//!`, saying what it is for");
    wrong.then(complaint).into_iter().collect()
}

/// No `mod.rs`, and no module that is a drawer for everything.
pub(super) fn name(file: &File) -> Vec<Complaint> {
    let last = file.path.rsplit('/').next().unwrap_or(&file.path);
    let what = match last {
        "mod.rs" => Some("write `foo.rs` beside `foo/`, not `foo/mod.rs`"),
        "utils.rs" | "util.rs" | "common.rs" | "helpers.rs" => Some("name the module after its one idea"),
        _ => None,
    };
    what.map(|what| Complaint::new(file, 1, what)).into_iter().collect()
}

/// A file of a library or program is at most [`LONGEST`] lines long, its tests at the foot not counted.
pub(super) fn size(file: &File) -> Vec<Complaint> {
    let lines = without_tests(&file.text);
    let wrong = file.ends_in(&["rs"]) && file.path.contains("src/") && lines > LONGEST;
    let what = format!("{lines} lines without tests, more than {LONGEST}: split it along its ideas");
    wrong.then(|| Complaint::new(file, lines, what)).into_iter().collect()
}

/// The number of lines before the test module at the foot.
fn without_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let foot = lines.windows(2).position(|pair| match pair {
        [first, second] => first.starts_with("#[cfg(test)]") && second.starts_with("mod "),
        _ => false,
    });
    foot.unwrap_or(lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rust_file_without_an_opening_is_found() {
        assert_eq!(opening(&File::new("a.rs", "use core::fmt;\n")).len(), 1);
        assert_eq!(opening(&File::new("a.rs", "//! What for.\n")).len(), 0);
        assert_eq!(opening(&File::new("a.toml", "[package]\n")).len(), 0);
    }

    #[test]
    fn a_drawer_module_is_found() {
        assert_eq!(name(&File::new("crates/x/src/utils.rs", "")).len(), 1);
        assert_eq!(name(&File::new("crates/x/src/rule/mod.rs", "")).len(), 1);
        assert_eq!(name(&File::new("crates/x/src/rule.rs", "")).len(), 0);
    }

    #[test]
    fn a_long_file_is_found_and_its_tests_do_not_count() {
        let body = "//! Long.\n".repeat(LONGEST);
        let tests = "#[cfg(test)]\nmod tests {\n}\n";
        assert_eq!(size(&File::new("x/src/a.rs", format!("{body}{tests}"))).len(), 0);
        assert_eq!(size(&File::new("x/src/a.rs", format!("{body}//!\n{tests}"))).len(), 1);
    }
}
