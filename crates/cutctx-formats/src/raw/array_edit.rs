//! Taking elements out of a JSON array and putting new ones in.

use alloc::string::String;
use alloc::vec::Vec;

use super::splices::{Span, Splices};

/// What happens to the elements of one array. Commas and white space follow the elements: the gaps between the
/// ones that stay are left as they are, and new elements repeat the array's own spacing.
#[derive(Debug)]
pub struct ArrayEdit<'a> {
    array: Span,
    elements: Vec<Span>,
    removed: Vec<bool>,
    inserted: Vec<(usize, String)>,
    text: &'a str,
}

impl<'a> ArrayEdit<'a> {
    /// An edit of the array at `array` whose elements stand at `elements`, in a file with the text `text`.
    #[must_use]
    pub fn new(text: &'a str, array: Span, elements: Vec<Span>) -> Self {
        let removed = elements.iter().map(|_| false).collect();
        Self { array, elements, removed, inserted: Vec::new(), text }
    }

    /// Takes an element out. An index past the end is ignored.
    pub fn remove(&mut self, index: usize) {
        if let Some(flag) = self.removed.get_mut(index) {
            *flag = true;
        }
    }

    /// Puts a new element (JSON text) before the element with this index, or at the end.
    pub fn insert(&mut self, index: usize, element: String) {
        self.inserted.push((index.min(self.elements.len()), element));
    }

    /// Whether no element stays and none is put in.
    #[must_use]
    pub fn leaves_nothing(&self) -> bool {
        self.inserted.is_empty() && self.removed.iter().all(|gone| *gone)
    }

    /// Adds the edits to `splices`.
    pub fn finish(mut self, splices: &mut Splices) {
        self.inserted.sort_by_key(|(index, _)| *index);
        if self.removed.iter().all(|gone| *gone) {
            self.replace_all(splices);
        } else {
            self.remove_elements(splices);
            self.insert_elements(splices);
        }
    }

    /// No old element stays: new ones take the place between the first and the last.
    fn replace_all(self, splices: &mut Splices) {
        let joint = self.joint();
        let texts: Vec<String> = self.inserted.into_iter().map(|(_, text)| text).collect();
        let inside =
            Span { start: self.array.start.saturating_add(1), end: self.array.end.saturating_sub(1) };
        let place = match (self.elements.first(), self.elements.last()) {
            (Some(first), Some(last)) if !texts.is_empty() => Span { start: first.start, end: last.end },
            _ => inside,
        };
        if !(place.is_empty() && texts.is_empty()) {
            splices.replace(place, texts.join(&joint));
        }
    }

    /// Runs of removed elements go with the comma before them, at the start with the one after them.
    fn remove_elements(&self, splices: &mut Splices) {
        let mut run: Option<Span> = None;
        let mut kept_end: Option<usize> = None;
        for (element, gone) in self.elements.iter().zip(&self.removed) {
            if *gone {
                let start = run.map_or_else(|| kept_end.unwrap_or(element.start), |run| run.start);
                run = Some(Span { start, end: element.end });
                continue;
            }
            if let Some(run) = run.take() {
                splices.remove(Span {
                    start: run.start,
                    end: if kept_end.is_none() { element.start } else { run.end },
                });
            }
            kept_end = Some(element.end);
        }
        if let Some(run) = run {
            splices.remove(run);
        }
    }

    /// New elements stand before the next kept one, at the end after the last kept one.
    fn insert_elements(&self, splices: &mut Splices) {
        let joint = self.joint();
        let mut waiting = self.inserted.iter().peekable();
        let mut last_kept = self.array.start;
        for (index, element) in self.elements.iter().enumerate() {
            if self.removed.get(index) == Some(&true) {
                continue;
            }
            while let Some((_, text)) = waiting.next_if(|(place, _)| *place <= index) {
                splices.insert(element.start, [text.as_str(), joint.as_str()].concat());
            }
            last_kept = element.end;
        }
        for (_, text) in waiting {
            splices.insert(last_kept, [joint.as_str(), text.as_str()].concat());
        }
    }

    /// The comma and white space that this array has between elements.
    fn joint(&self) -> String {
        let gap = match self.elements.as_slice() {
            [first, second, ..] => Span { start: first.end, end: second.start },
            _ => Span::default(),
        };
        let text = gap.of(self.text);
        if text.is_empty() { String::from(",") } else { String::from(text) }
    }
}
