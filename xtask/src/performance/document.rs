//! The measured parts of a document.

use std::fs;

use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// A measured part of the document, between `<!-- begin NAME -->` and `<!-- end NAME -->`.
pub(crate) struct Section {
    pub(crate) name: &'static str,
    pub(crate) text: String,
}

/// Replaces the measured parts; the rest of the document stays.
pub(crate) fn renew(workspace: &Workspace, document: &str, sections: &[Section]) -> Verdict {
    let path = workspace.root().join(document);
    let renewed = fs::read_to_string(&path)
        .map_err(|error| error.to_string())
        .and_then(|text| sections.iter().try_fold(text, |text, section| replaced(&text, section)))
        .and_then(|text| fs::write(&path, text).map_err(|error| error.to_string()));
    match renewed {
        Ok(()) => Verdict::Passed,
        Err(why) => Verdict::Failed(format!("{document}: {why}")),
    }
}

pub(crate) fn replaced(document: &str, section: &Section) -> Result<String, String> {
    let (begin, end) =
        (format!("<!-- begin {} -->\n", section.name), format!("<!-- end {} -->", section.name));
    let parts = document.split_once(&begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some((before, after))
    });
    let (before, after) = parts.ok_or_else(|| format!("the marks of `{}` are missing", section.name))?;
    Ok(format!("{before}{begin}\n{}\n{end}{after}", section.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str =
        "# Speed\n<!-- begin a -->\nold\n<!-- end a -->\nwords\n<!-- begin b -->\n<!-- end b -->\n";

    #[test]
    fn only_the_named_part_is_replaced() {
        let after = replaced(BEFORE, &Section { name: "a", text: "new\n".to_owned() }).unwrap();
        let expected =
            "# Speed\n<!-- begin a -->\n\nnew\n\n<!-- end a -->\nwords\n<!-- begin b -->\n<!-- end b -->\n";
        assert_eq!(after, expected);
    }

    #[test]
    fn replacing_twice_is_replacing_once() {
        let section = Section { name: "b", text: "new\n".to_owned() };
        let once = replaced(BEFORE, &section).unwrap();
        assert_eq!(replaced(&once, &section).unwrap(), once);
    }

    #[test]
    fn missing_marks_are_named() {
        let refused = replaced(BEFORE, &Section { name: "c", text: String::new() });
        assert!(refused.unwrap_err().contains("`c`"));
    }

    #[test]
    fn the_document_has_the_marks_of_every_part() {
        let path = Workspace::here().root().join("docs/performance.md");
        let document = fs::read_to_string(path).unwrap();
        for name in ["machine", "cases-200", "cases-4000", "instructions", "formats", "files", "large"] {
            assert!(replaced(&document, &Section { name, text: String::new() }).is_ok(), "{name}");
        }
    }
}
