//! Quoted phrases.

use super::{Kind, Reference};

/// The fewest bytes between the quotes.
const SHORTEST: usize = 8;
/// The most bytes between the quotes.
const LONGEST: usize = 80;

/// Tells the phrases of a line: two words or more between two quotes of one kind.
pub(super) fn scan(line: &str, found: &mut impl FnMut(Kind, Reference)) {
    let mut done = 0;
    for (place, quote) in line.match_indices(['"', '\'', '`']) {
        if place >= done
            && let Some(phrase) = phrase_at(line, place, quote)
        {
            found(Kind::Name, Reference::spelled(phrase));
            done = place.saturating_add(phrase.len()).saturating_add(2);
        }
    }
}

/// The phrase whose opening quote stands at this byte, if it is one.
fn phrase_at<'l>(line: &'l str, place: usize, quote: &str) -> Option<&'l str> {
    let before = line.get(..place)?.chars().next_back();
    let rest = line.get(place.saturating_add(quote.len())..)?;
    let window = rest.as_bytes().get(..rest.len().min(LONGEST.saturating_add(1)))?;
    let length = window.iter().position(|byte| quote.as_bytes().first() == Some(byte))?;
    let phrase = rest.get(..length)?;
    let after = rest.get(length.saturating_add(1)..)?.chars().next();
    let is_apart = [before, after].into_iter().flatten().all(|beside| !beside.is_alphanumeric());
    let is_phrase = length >= SHORTEST && phrase.contains(' ') && phrase.trim().len() == length;
    (is_apart && is_phrase).then_some(phrase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(line: &str) -> Vec<Reference> {
        let mut all = Vec::new();
        scan(line, &mut |_, phrase| all.push(phrase));
        all
    }

    #[test]
    fn phrases_are_told_from_what_stands_between_two_of_them() {
        let line = r#"{"first": "the valve is shut", "second": "the pump runs dry"}"#;
        assert_eq!(phrases(line), ["the valve is shut", "the pump runs dry"].map(Reference::spelled));
    }

    #[test]
    fn apostrophes_open_no_phrase() {
        assert_eq!(phrases("it doesn't run and it won't run"), []);
    }

    #[test]
    fn a_phrase_has_two_words_and_ends_on_its_line() {
        assert_eq!(phrases(r#""valve_is_shut" "short s" "no end here"#), []);
        assert_eq!(phrases(&format!("\"{} {}\"", "a".repeat(60), "b".repeat(60))), []);
    }
}
