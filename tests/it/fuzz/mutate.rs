//! Random changes of a file's bytes, such as a disk error or a faulty program could make.

use sudoku_core::random::Rng;

/// Words that have a meaning in one of the formats.
const SPECIAL_WORDS: [&[u8]; 36] = [
    b"\n",
    b"\r\n",
    b"\r",
    b"\n\n",
    b"\"",
    b"\"\"",
    b"\",\"",
    b",",
    b"\t",
    b";",
    b"#",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b"null",
    b"NaN",
    b"1e999",
    b"\\u0000",
    b"\\ud800",
    b"<game data=\"",
    b"<!--",
    b"-->",
    b"]]>",
    b"&#0;",
    b"[Puzzle]",
    b"---+---+---",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xc3",
    b"PAR1",
    b"ARROW1",
    b"\xff\xff\xff\xff\x00\x00\x00\x00",
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    b"puzzle",
];

/// Bytes that have a special meaning for readers.
const SPECIAL_BYTES: [u8; 14] = [
    0, b'\n', b'"', b'<', b'{', b'.', b'5', 0x7f, 0x80, 0xff, b' ', b'|', b',', b'#',
];

/// Makes one to four random changes. Some of them copy parts of `other`, the bytes of another file.
pub(crate) fn mutate(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    for _ in 0..=rng.below(4) {
        match rng.below(4) {
            0 => change_text(bytes, rng),
            1 => change_number(bytes, rng),
            _ => change_bytes(bytes, other, rng),
        }
    }
}

/// A random position in the file, often near its start or end, where headers and footers are.
fn random_offset(bytes: &[u8], rng: &mut Rng) -> usize {
    let near_end = bytes.len().min(400);
    match rng.below(4) {
        0 => rng.below(near_end + 1),
        1 => bytes.len() - rng.below(near_end + 1),
        _ => rng.below(bytes.len() + 1),
    }
}

fn change_bytes(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let offset = random_offset(bytes, rng);
    let length = (1 + rng.below(64)).min(bytes.len() - offset);
    match rng.below(14) {
        0..=2 if offset < bytes.len() => bytes[offset] ^= 1 << rng.below(8),
        3 if offset < bytes.len() => bytes[offset] = SPECIAL_BYTES[rng.below(SPECIAL_BYTES.len())],
        4 => bytes.truncate(offset),
        5 => {
            let span: Vec<u8> = bytes.splice(offset..offset + length, []).collect();
            let destination = rng.below(bytes.len() + 1);
            bytes.splice(destination..destination, span);
        }
        6 => drop(bytes.splice(offset..offset + length, [])),
        7 => {
            let byte = SPECIAL_BYTES[rng.below(SPECIAL_BYTES.len())];
            let count = [1, 9, 82, 5000][rng.below(4)];
            bytes.splice(offset..offset, std::iter::repeat_n(byte, count));
        }
        8 => {
            let copy = bytes[offset..offset + length].repeat(1 + rng.below(20));
            bytes.splice(offset..offset, copy);
        }
        9 => {
            let random: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
            bytes.splice(offset..offset + length, random);
        }
        10 => {
            // A block of zeros, as after a disk error.
            let block_start = offset & !7;
            let block_end = (block_start + (8 << rng.below(8))).min(bytes.len());
            bytes[block_start..block_end].fill(0);
        }
        11 => {
            let copy_start = rng.below(other.len() + 1);
            let copy_end = (copy_start + rng.below(400)).min(other.len());
            bytes.splice(offset..offset, other[copy_start..copy_end].iter().copied());
        }
        12 => {
            let other_file = if rng.below(2) == 0 {
                other.to_vec()
            } else {
                bytes.clone()
            };
            bytes.extend(other_file);
        }
        _ if rng.below(400) == 0 => {
            // A line of equal bytes that exceeds the maximum length of a record.
            let byte = [b'5', b' ', b'"', 0][rng.below(4)];
            bytes.splice(offset..offset, std::iter::repeat_n(byte, 3 << 20));
        }
        _ => {
            let word = SPECIAL_WORDS[rng.below(SPECIAL_WORDS.len())];
            bytes.splice(offset..offset, word.iter().copied());
        }
    }
}

/// Moves, duplicates or removes lines, or changes their line ends.
fn change_text(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    if lines.is_empty() {
        return;
    }
    let line_index = rng.below(lines.len());
    let other_index = rng.below(lines.len());
    match rng.below(8) {
        0 => lines.swap(line_index, other_index),
        1 => drop(lines.remove(line_index)),
        2 => lines.insert(other_index, lines[line_index].clone()),
        3 => lines.insert(
            line_index,
            SPECIAL_WORDS[rng.below(SPECIAL_WORDS.len())].to_vec(),
        ),
        4 => lines.insert(line_index, b"\n".repeat(1 + rng.below(6))),
        5 => {
            let line = &mut lines[line_index];
            if line.last() == Some(&b'\n') {
                line.pop();
                line.extend(b"\r\n");
            }
        }
        6 => {
            let line = &mut lines[line_index];
            let insert_at = rng.below(line.len() + 1);
            let word = SPECIAL_WORDS[rng.below(SPECIAL_WORDS.len())];
            line.splice(insert_at..insert_at, word.iter().copied());
        }
        _ => {
            let line = &mut lines[line_index];
            line.truncate(rng.below(line.len() + 1));
        }
    }
    *bytes = lines.concat();
}

/// Changes an integer of 1, 2, 4 or 8 bytes, such as a size, a count or an offset.
fn change_number(bytes: &mut [u8], rng: &mut Rng) {
    let width = 1 << rng.below(4);
    if bytes.len() < width {
        return;
    }
    let mut offset = random_offset(bytes, rng).min(bytes.len() - width);
    if rng.below(2) == 0 {
        offset -= offset % width;
    }
    let mut number = [0; 8];
    number[..width].copy_from_slice(&bytes[offset..offset + width]);
    let number = u64::from_le_bytes(number);
    let changed_number = match rng.below(8) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 => number.wrapping_mul(2),
        3 => number / 2,
        4 => 0,
        5 => u64::MAX,
        6 => u64::MAX >> (65 - 8 * width),
        _ => number.wrapping_add(rng.below(64) as u64),
    };
    bytes[offset..offset + width].copy_from_slice(&changed_number.to_le_bytes()[..width]);
}
