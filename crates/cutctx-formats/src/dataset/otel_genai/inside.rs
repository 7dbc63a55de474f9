//! Messages that are JSON inside of a text.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::parts::Dialogue;
use super::{NAME, Read};
use crate::dataset::chat::{Found, Framed, finished, read_with, refused};
use crate::document::Document;
use crate::error::{FormatError, Place, RecordFault};
use crate::format::Lens;
use crate::layout::{LayoutBuilder, LayoutLens};
use crate::raw::{Node, Span, Splices, quoted};
use crate::request::ReadRequest;
use crate::source::Source;
use crate::standing::Standing;
use crate::view::View;

/// The way back into a text inside of a file.
#[derive(Debug)]
struct Inside {
    /// The text, unescaped.
    text: Source,
    lens: LayoutLens<Framed>,
    /// The JSON string that it stands in.
    place: Span,
}

impl Lens for Inside {
    fn render(&self, view: &View<'_>) -> Result<Splices, FormatError> {
        let inner = self.lens.render(&view.over(&self.text))?;
        let mut splices = Splices::new();
        for remark in inner.remarks() {
            for _ in 0..remark.count {
                splices.note(remark.kind, self.place.start);
            }
        }
        if !inner.is_empty() {
            splices.replace(self.place, quoted(&inner.apply(self.text.text())?));
        }
        Ok(splices)
    }

    fn standings(&self) -> Vec<Standing> {
        alloc::vec![Standing::whole(self.place)]
    }
}

/// Reads the messages that a JSON string holds.
pub(super) fn read_inside(
    value: Node<'_>,
    reader: &mut Dialogue,
    document: &Document<'_>,
    request: &ReadRequest<'_>,
) -> Result<Read, FormatError> {
    let text = value.string().unwrap_or_default().to_string();
    let not_a_list = || refused(RecordFault::Field("messages").into(), NAME, value.start(), 0, document);
    let list = Node::parse(&text, 0).ok().and_then(Found::at).ok_or_else(not_a_list)?;
    let builder = LayoutBuilder::new(NAME, request).inside_of(value.span());
    let chat = read_with(builder, NAME, &list, document, reader);
    let chat = chat.map_err(|error| placed(error, value, document))?;
    let (transcript, layout) = finished(chat)?;
    let lens = layout.spelled(Framed(reader.form.summary()));
    let text = Source::of_bytes(text.into_bytes())?;
    Ok((transcript, Box::new(Inside { text, lens, place: value.span() })))
}

/// An error inside of the text stands where the text stands.
fn placed(error: FormatError, value: Node<'_>, document: &Document<'_>) -> FormatError {
    let at = Place::of(value.start(), document.text());
    if let FormatError::Record { format, record, fault, .. } = error {
        FormatError::Record { format, at, record, fault }
    } else {
        error
    }
}
