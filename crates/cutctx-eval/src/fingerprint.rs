//! Texts as 64-bit numbers, the same on every machine.

/// The number that the empty text begins with (FNV-1a).
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
/// What each byte is multiplied with (FNV-1a).
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The number of a text. Different texts have different numbers, but for one chance in billions.
pub(crate) fn fingerprint(text: &str) -> u64 {
    continued(OFFSET, text.as_bytes())
}

/// The number of a text with something behind it.
pub(crate) fn fingerprint_with(text: &str, end: &str) -> u64 {
    continued(continued(OFFSET, text.as_bytes()), end.as_bytes())
}

/// The number of several numbers in a row.
pub(crate) fn joined(numbers: &[u64]) -> u64 {
    numbers.iter().fold(OFFSET, |hash, number| mixed(hash ^ number).wrapping_mul(PRIME))
}

/// A number whose every bit depends on every bit of another (the finalizer of `SplitMix64`).
pub(crate) const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

fn continued(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_number_that_the_published_function_gives() {
        assert_eq!(fingerprint(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fingerprint_with("fo", "obar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn the_order_of_numbers_counts() {
        assert_ne!(joined(&[1, 2]), joined(&[2, 1]));
        assert_ne!(joined(&[0]), joined(&[0, 0]));
    }
}
