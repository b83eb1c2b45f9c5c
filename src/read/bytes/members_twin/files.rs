//! Makes gzip and zstd files of members of all kinds, whole and damaged.

use std::io::Write;

use flate2::{Compression, GzBuilder};

use sudoku_core::random::Rng;

/// A text of rows, which begins and ends anywhere in a row.
fn some_text(rng: &mut Rng) -> Vec<u8> {
    let size = match rng.below(12) {
        0 => 0,
        1 => 1,
        2 => 85,
        3 => rng.below(400_000),
        _ => rng.below(4_000),
    };
    let is_repeated = rng.below(8) == 0;
    let mut text = Vec::new();
    for at in 0..size {
        text.push(match (at + size) % 85 {
            81 => b',',
            83 => b'\r',
            84 => b'\n',
            _ if is_repeated => b'.',
            _ => b'0' + rng.below(10) as u8,
        });
    }
    text
}

/// A gzip member with these fields in its header.
fn gzip_member(text: &[u8], fields: Option<&[u8]>, name: Option<&str>, level: u32) -> Vec<u8> {
    let mut builder = GzBuilder::new();
    if let Some(fields) = fields {
        builder = builder.extra(fields);
    }
    if let Some(name) = name {
        builder = builder.filename(name);
    }
    let mut encoder = builder.write(Vec::new(), Compression::new(level));
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A member whose header states its size, changed by `error`.
pub(super) fn sized_member(
    text: &[u8],
    id: &[u8; 2],
    name: Option<&str>,
    level: u32,
    error: i64,
) -> Vec<u8> {
    let field = |size: usize| {
        let size = (size as i64 + error).max(0);
        let size = match id {
            b"BC" => (size as u16).wrapping_sub(1).to_le_bytes().to_vec(),
            _ => (size as u32).to_le_bytes().to_vec(),
        };
        let other_field = b"xy\x01\0z".to_vec();
        let length = vec![size.len() as u8, 0];
        [other_field, id.to_vec(), length, size].concat()
    };
    let size = gzip_member(text, Some(&field(0)), name, level).len();
    gzip_member(text, Some(&field(size)), name, level)
}

/// The empty member at the end of a BGZF file.
const BGZF_END: [u8; 28] = [
    0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0,
    0, 0,
];

/// A gzip file of members of all kinds. Those of `tame` files have right sizes.
pub(super) fn gzip_file(rng: &mut Rng, tame: bool) -> Vec<u8> {
    let mut file = Vec::new();
    for _ in 0..=rng.below(14) {
        let text = some_text(rng);
        let level = [0, 1, 6][rng.below(3)];
        let name = (rng.below(5) == 0).then_some("a.csv");
        let kinds = if tame { 8 } else { 12 };
        file.extend(match rng.below(kinds) {
            0 => gzip_member(&text, None, name, level),
            1..=4 => sized_member(&text, b"IG", name, level, 0),
            5 | 6 => sized_member(&text[..text.len().min(60_000)], b"BC", name, level, 0),
            7 => BGZF_END.to_vec(),
            8 => sized_member(&text, b"IG", name, level, rng.below(41) as i64 - 20),
            9 => vec![0; rng.below(40)],
            10 => sized_member(&text, b"IG", None, level, 1 << 31),
            _ => gzip_member(&text, Some(b"IG\x04"), name, level),
        });
    }
    if !file.starts_with(&[0x1f, 0x8b]) {
        file.splice(..0, gzip_member(b"a,b\n", None, None, 6));
    }
    if rng.below(4) == 0 {
        file.extend(BGZF_END);
    }
    file
}

/// A zstd frame, with or without the size of its text and a checksum.
pub(super) fn zstd_frame(text: &[u8], has_size: bool, has_checksum: bool) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(has_checksum).unwrap();
    let size = has_size.then_some(text.len() as u64);
    encoder.set_pledged_src_size(size).unwrap();
    encoder.include_contentsize(has_size).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A frame that decoders skip.
fn skippable_frame(size: usize) -> Vec<u8> {
    let length = (size as u32).to_le_bytes();
    [&[0x53, 0x2a, 0x4d, 0x18][..], &length, &vec![7; size]].concat()
}

pub(super) fn zstd_file(rng: &mut Rng, tame: bool) -> Vec<u8> {
    let mut file = Vec::new();
    for _ in 0..=rng.below(14) {
        let text = some_text(rng);
        let has_checksum = rng.below(2) == 0;
        file.extend(match rng.below(if tame { 9 } else { 10 }) {
            0..=3 => zstd_frame(&text, true, has_checksum),
            4..=6 => zstd_frame(&text, false, has_checksum),
            7 => zstd::bulk::compress(&text, 3).unwrap(),
            8 => skippable_frame(rng.below(60)),
            // A frame that needs a dictionary.
            _ => [0x28, 0xb5, 0x2f, 0xfd, 1, 0x40, 7, 7 << 3 | 1, 0, 0].to_vec(),
        });
    }
    file
}

/// Damages a file: flips bits, cuts it, or adds bytes to it.
pub(super) fn damage(file: &mut Vec<u8>, rng: &mut Rng) {
    match rng.below(8) {
        0 => file.truncate(8 + rng.below(file.len())),
        1 => file.extend_from_slice(b"what is this?"),
        _ => {
            for _ in 0..=rng.below(2) {
                let at = rng.below(file.len()).max(4);
                if let Some(byte) = file.get_mut(at) {
                    *byte ^= 1 << rng.below(8);
                }
            }
        }
    }
}

/// Small files with several members of each kind.
pub(super) fn small_files() -> [Vec<u8>; 3] {
    let rows = [
        "53..7....,1\r\n",
        "6..195...,2\r",
        "\n.98....6.,3\r\n",
        "8...6...3,4",
    ];
    let ours = rows.map(|row| sized_member(row.as_bytes(), b"IG", None, 6, 0));
    let bgzf = rows.map(|row| sized_member(row.as_bytes(), b"BC", None, 6, 0));
    let frames = rows.map(|row| zstd_frame(row.as_bytes(), true, row.len() % 2 == 0));
    let unsized_frame = zstd_frame(b"\n5.......7,5\n", false, true);
    [
        ours.concat(),
        [&bgzf.concat()[..], &BGZF_END].concat(),
        [frames.concat(), skippable_frame(3), unsized_frame].concat(),
    ]
}
