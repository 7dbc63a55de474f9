//! What can be told of images, documents and sounds from their bytes.

mod base64;
pub(crate) mod billing;
pub(crate) mod image;
mod pages;
mod seconds;

use cutctx_messages::{Media, MediaSource};

/// The base64 text of a medium that is in the message, as such or as a `data:` link.
fn data<'m>(media: &'m Media<'_>) -> Option<&'m str> {
    if let MediaSource::Base64(data) = &media.source {
        return Some(data);
    }
    if let MediaSource::Url(link) = &media.source {
        return Some(&**link).filter(|link| link.starts_with("data:"));
    }
    None
}
