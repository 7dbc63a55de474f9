//! Arguments of calls that were cut.

use cutctx_messages::DurableObject;

/// What a part of a turn that stands for a call leaves of the call's arguments: they are an object again, or nothing.
pub(super) fn left_of(part: &str) -> DurableObject {
    let arguments = part.strip_prefix("[call ").and_then(|call| call.split_once(' ')).map(|(_, rest)| rest);
    let object = arguments.and_then(|arguments| arguments.strip_suffix(']'));
    object.and_then(|object| serde_json::from_str(object).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_object_any_more_is_empty() {
        assert_eq!(left_of(r#"[call write {"text":"01…789"}]"#).len(), 1);
        for gone in ["[call write …", "[call write…]", "", "…", r#"[call write {"text":"01…]"#] {
            assert!(left_of(gone).is_empty(), "{gone}");
        }
    }
}
