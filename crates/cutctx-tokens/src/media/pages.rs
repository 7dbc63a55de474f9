//! The pages of a PDF document.

use cutctx_messages::Media;

use super::base64;

/// Bytes of a page where its document does not tell: scans are larger, plain text is smaller.
const BYTES_PER_PAGE: u64 = 50_000;

/// How many pages a document has: counted where its page objects can be read, else from its size; at least one.
pub(crate) fn pages(media: &Media<'_>) -> u64 {
    let counted = super::data(media).map_or(0, |data| page_objects(base64::decoded(data)));
    match counted {
        0 => media.bytes.unwrap_or(0).div_ceil(BYTES_PER_PAGE).max(1),
        pages => pages,
    }
}

/// How often `/Type /Page` stands there, in any spacing and not as the beginning of `/Pages`.
fn page_objects(bytes: impl Iterator<Item = u8>) -> u64 {
    const NAME: &[u8] = b"/Type/Page";
    let mut pages = 0_u64;
    let mut matched = 0_usize;
    for byte in bytes {
        if matched == NAME.len() {
            pages = pages.saturating_add(u64::from(!byte.is_ascii_alphabetic()));
            matched = 0;
        }
        let blank = byte.is_ascii_whitespace() && matched == b"/Type".len();
        if NAME.get(matched) == Some(&byte) {
            matched = matched.saturating_add(1);
        } else if !blank {
            matched = usize::from(byte == b'/');
        }
    }
    pages.saturating_add(u64::from(matched == NAME.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_objects_are_counted_and_the_tree_is_not() {
        let document = b"1 0 obj<</Type /Pages/Count 2>> <</Type/Page/Parent 1 0 R>> <</Type\n/Page >>";
        assert_eq!(page_objects(document.iter().copied()), 2);
        assert_eq!(page_objects(b"/Type/Page".iter().copied()), 1);
        assert_eq!(page_objects(b"/Type//Type/Page>".iter().copied()), 1);
    }
}
