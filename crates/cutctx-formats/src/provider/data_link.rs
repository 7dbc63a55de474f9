//! Media given by a link, or as the data itself.

use cutctx_messages::{Detail, Media};

use crate::raw::{Node, Object};
use crate::source::whole_length;

/// A link, or the data itself as `data:<type>;base64,<data>`.
pub(super) fn by_link<'a>(medium: Media<'a>, link: Option<Node<'a>>) -> Media<'a> {
    let Some(rest) = link.and_then(|link| link.text().strip_prefix("\"data:")) else {
        return match link.and_then(|link| link.string()) {
            Some(link) => medium.with_url(link),
            None => medium,
        };
    };
    let Some((head, data)) = rest.split_once(',') else { return medium };
    let label = head.split(';').next().filter(|label| label.len() < 100 && !label.is_empty());
    let medium = match label {
        Some(label) => medium.with_label(label),
        None => medium,
    };
    with_data(medium, data)
}

/// The data alone, as base64 text.
pub(super) fn sized<'a>(medium: Media<'a>, data: Option<Node<'a>>) -> Media<'a> {
    match data.and_then(|data| data.text().strip_prefix('"')) {
        Some(data) => with_data(medium, data),
        None => medium,
    }
}

/// How closely an image is to be looked at, as its object says.
pub(crate) fn detail(image: &Object<'_>) -> Detail {
    image.string("detail").map_or(Detail::Automatic, |detail| Detail::named(&detail))
}

/// The data up to the quote behind it. Of a large file not all of it may be held.
fn with_data<'a>(medium: Media<'a>, data: &'a str) -> Media<'a> {
    let data = data.strip_suffix('"').unwrap_or(data);
    medium.with_base64_data(data).with_base64(whole_length(data))
}
