//! What is asked for on the command line.

use std::path::PathBuf;

/// The words behind the verb.
#[derive(Debug, PartialEq, Eq, Default)]
pub(crate) struct Request {
    pub(super) folder: Option<PathBuf>,
    /// One part of the projects alone.
    pub(super) part: Option<String>,
    pub(super) write: bool,
}

impl Request {
    /// Reads the words: a folder, and `--part PART` or `--write`, each at most once. What is written is about all parts.
    pub(crate) fn of(words: &[&str]) -> Result<Self, String> {
        let mut request = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--write" if !request.write => request.write = true,
                "--part" if request.part.is_none() => request.part = Some(part(words.next().copied())?),
                path if !path.starts_with('-') && request.folder.is_none() => {
                    request.folder = Some(path.into());
                }
                _ => return Err("a folder and --part PART or --write are expected here".to_owned()),
            }
        }
        if request.write && request.part.is_some() {
            return Err("--write is about all parts; leave --part out".to_owned());
        }
        Ok(request)
    }
}

fn part(word: Option<&str>) -> Result<String, String> {
    let known = word.filter(|word| ["tuning", "unseen", "all"].contains(word));
    known.map(str::to_owned).ok_or_else(|| "behind --part stands tuning, unseen or all".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_and_the_options_may_stand_in_any_order() {
        let folder = || Some(PathBuf::from("data"));
        let expected = Request { folder: folder(), part: None, write: true };
        assert_eq!(Request::of(&["data", "--write"]).as_ref(), Ok(&expected));
        assert_eq!(Request::of(&["--write", "data"]).as_ref(), Ok(&expected));
        let expected = Request { folder: folder(), part: Some("unseen".to_owned()), write: false };
        assert_eq!(Request::of(&["--part", "unseen", "data"]).as_ref(), Ok(&expected));
        assert_eq!(Request::of(&[]), Ok(Request::default()));
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let wrong: [&[&str]; 5] =
            [&["a", "b"], &["--read"], &["--part"], &["--part", "half"], &["--part", "all", "--write"]];
        for words in wrong {
            assert!(Request::of(words).is_err(), "{words:?}");
        }
    }
}
