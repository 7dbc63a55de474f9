//! How long a sound is.

use cutctx_messages::Media;

use super::base64;

/// Bytes of a second where the sound does not tell: 128 kilobits.
const BYTES_PER_SECOND: u64 = 16_000;

/// The seconds of a sound, rounded up: from the header of a WAV or MP3 file, else from its size.
pub(crate) fn seconds(media: &Media<'_>) -> u64 {
    let rate = super::data(media).and_then(|data| bytes_per_second(&base64::prefix(data, 4_096)));
    let rate = rate.filter(|rate| *rate > 0).unwrap_or(BYTES_PER_SECOND);
    media.bytes.unwrap_or(0).div_ceil(rate).max(1)
}

fn bytes_per_second(header: &[u8]) -> Option<u64> {
    match header {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', chunks @ ..] => wave(chunks),
        [b'I', b'D', b'3', ..] => None,
        _ => mp3_frame(header),
    }
}

/// The byte rate stands in the format chunk, which comes first in all but rare files.
fn wave(chunks: &[u8]) -> Option<u64> {
    let at = chunks.windows(4).position(|name| name == b"fmt ")?;
    let rate: [u8; 4] = chunks.get(at.saturating_add(16)..)?.first_chunk().copied()?;
    Some(u64::from(u32::from_le_bytes(rate)))
}

/// The bit rate of a first frame of MPEG-1 layer III.
fn mp3_frame(header: &[u8]) -> Option<u64> {
    const KILOBITS: [u64; 16] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0];
    let [0xFF, 0xFA | 0xFB, third, ..] = header else { return None };
    KILOBITS.get(usize::from(third >> 4)).map(|kilobits| kilobits.saturating_mul(125))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_file_tells_its_byte_rate() {
        let mut file = b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00".to_vec();
        file.extend([0x80, 0x3E, 0, 0, 0x00, 0x7D, 0, 0, 2, 0, 16, 0]);
        assert_eq!(bytes_per_second(&file), Some(32_000));
    }

    #[test]
    fn an_mp3_frame_tells_its_bit_rate() {
        assert_eq!(bytes_per_second(&[0xFF, 0xFB, 0x90, 0]), Some(16_000));
        assert_eq!(bytes_per_second(b"OggS"), None);
    }
}
