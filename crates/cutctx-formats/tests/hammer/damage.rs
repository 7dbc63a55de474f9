//! Ways to damage a file.

use core::ops::Range;

use crate::dice::Dice;

/// A damage: it changes the bytes, some of them with the help of another file.
type Damage = fn(&mut Vec<u8>, &[u8], &mut Dice);

const DAMAGES: [Damage; 14] = [
    flip_bits,
    cut_off,
    cut_out,
    splice,
    put_tokens,
    repeat_line,
    swap_lines,
    drop_line,
    replace_number,
    exchange_strings,
    nest_deeply,
    grow_string,
    put_zeros,
    unescape_line_ends,
];

/// One to four damages.
pub(crate) fn damage(bytes: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    for _ in 0..=dice.roll(4) {
        DAMAGES[dice.roll(DAMAGES.len())](&mut damaged, other, dice);
    }
    damaged
}

fn flip_bits(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(bytes.len());
        let bit = 1 << dice.roll(8);
        let flipped = bytes.get(at).map(|byte| byte ^ bit);
        bytes.splice(at..(at + 1).min(bytes.len()), flipped);
    }
}

fn cut_off(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    bytes.truncate(dice.roll(bytes.len() + 1));
}

fn cut_out(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    let range = dice.range(bytes.len(), 300);
    bytes.drain(range);
}

fn splice(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let (from, at) = (dice.range(other.len(), 4_000), dice.roll(bytes.len() + 1));
    bytes.splice(at..at, other[from].iter().copied());
}

fn put_tokens(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    const TOKENS: [&str; 12] = ["{", "}", "[", "]", "\"", ",", ":", "\\", "null", "\n", "{}", "\\ud800"];
    let at = dice.roll(bytes.len() + 1);
    bytes.splice(at..at, TOKENS[dice.roll(TOKENS.len())].bytes());
}

fn repeat_line(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    let line = line(bytes, dice);
    let copy = bytes[line.clone()].repeat(1 + dice.roll(3));
    bytes.splice(line.start..line.start, copy);
}

fn swap_lines(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    let (one, two) = (line(bytes, dice), line(bytes, dice));
    let (first, second) = if one.start < two.start { (one, two) } else { (two, one) };
    if first.end <= second.start {
        let (early, late) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
        bytes.splice(second, early);
        bytes.splice(first, late);
    }
}

fn drop_line(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    let line = line(bytes, dice);
    bytes.drain(line);
}

fn replace_number(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    const NUMBERS: [&str; 8] = ["0", "-1", "1e999", "18446744073709551616", "0.5", "\"7\"", "null", "-0"];
    let at = dice.roll(bytes.len());
    let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|inside| at + inside) else {
        return;
    };
    let digits = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    bytes.splice(start..start + digits, NUMBERS[dice.roll(NUMBERS.len())].bytes());
}

/// One string takes the place of another: ids, roles and types among them.
fn exchange_strings(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    let (Some(one), Some(two)) = (string(bytes, dice), string(bytes, dice)) else { return };
    let text = bytes[two].to_vec();
    bytes.splice(one, text);
}

/// A value becomes very deep.
fn nest_deeply(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    let Some(string) = string(bytes, dice) else { return };
    let depth = 1 << dice.roll(12);
    let (open, close) = if dice.roll(2) == 0 { ("[", "]") } else { ("{\"content\":", "}") };
    let nest = [open.repeat(depth), "1".to_owned(), close.repeat(depth)].concat();
    bytes.splice(string, nest.into_bytes());
}

fn grow_string(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    let Some(string) = string(bytes, dice) else { return };
    let text = ["x", "\\n", "\\\"", "é", "\\u00e9"][dice.roll(5)].repeat(1 << dice.roll(14));
    let inside = string.start + 1;
    bytes.splice(inside..inside, text.into_bytes());
}

fn put_zeros(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    let range = dice.range(bytes.len(), 20);
    bytes.splice(range, vec![0; 1 << dice.roll(9)]);
}

fn unescape_line_ends(bytes: &mut Vec<u8>, _: &[u8], dice: &mut Dice) {
    let at = dice.roll(bytes.len());
    let found = bytes[at..].windows(2).position(|pair| pair == b"\\n");
    if let Some(start) = found.map(|inside| at + inside) {
        bytes.splice(start..start + 2, *b"\n");
    }
}

/// The line, with its end, around a place.
fn line(bytes: &[u8], dice: &mut Dice) -> Range<usize> {
    let at = dice.roll(bytes.len());
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |feed| at + feed + 1);
    start..end
}

/// A short string after a place, quotes included.
fn string(bytes: &[u8], dice: &mut Dice) -> Option<Range<usize>> {
    let at = dice.roll(bytes.len());
    let start = at + bytes[at..].iter().position(|byte| *byte == b'"')?;
    let length = bytes[start + 1..].iter().take(200).position(|byte| *byte == b'"')?;
    Some(start..start + length + 2)
}
