//! Tests of the bytes of an input: containers, damage, and bytes that are peeked at.

use super::*;
use std::io::Write;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn read_all(bytes: &[u8]) -> (Vec<u8>, Result<u64, String>) {
    let mut stored = InputBytes::new("in", bytes, io::empty()).unwrap();
    let mut text = Vec::new();
    let mut buffer = [0; 1000];
    loop {
        match stored.read(&mut buffer) {
            Ok(0) => return (text, Ok(stored.bytes_read.load(Ordering::Relaxed))),
            Ok(read) => text.extend_from_slice(&buffer[..read]),
            Err(error) => return (text, Err(error.to_string())),
        }
    }
}

#[test]
fn every_container_gives_the_same_text() {
    let text = b"a line\n".repeat(5000);
    let (one, two) = text.split_at(12_345);
    let three_members = [gzip(one), gzip(b""), gzip(two)].concat();
    let padded_members = [three_members.clone(), vec![0; 3000]].concat();
    let frames = [
        zstd::encode_all(one, 1).unwrap(),
        zstd::encode_all(two, 1).unwrap(),
    ];
    for stored in [
        text.clone(),
        gzip(&text),
        three_members,
        padded_members,
        frames.concat(),
    ] {
        let (read, end) = read_all(&stored);
        assert!(read == text);
        assert_eq!(end, Ok(stored.len() as u64), "every stored byte is counted");
    }
}

#[test]
fn a_damaged_stream_is_an_error_with_its_byte_and_reason() {
    let text: Vec<u8> = (0..50_000u32).flat_map(|n| (n * n).to_le_bytes()).collect();
    let compressed = gzip(&text);
    let cut_at = compressed.len() / 2;
    let (read, end) = read_all(&compressed[..cut_at]);
    assert!(!read.is_empty() && text.starts_with(&read));
    let error_start = format!("in: at byte {cut_at}: ");
    assert_eq!(
        end,
        Err(error_start.clone() + "the gzip stream ends early: the file is truncated")
    );

    let mut bad_sum = compressed.clone();
    bad_sum[compressed.len() - 6] ^= 1;
    let (_, end) = read_all(&bad_sum);
    assert!(
        end.unwrap_err()
            .ends_with("the gzip checksum does not match: the file is damaged")
    );

    let garbage = [compressed.as_slice(), b"what is this doing here?"].concat();
    let (read, end) = read_all(&garbage);
    assert!(read == text);
    let end_offset = compressed.len();
    let problem = "the gzip stream is damaged (bytes that are not gzip follow its last member)";
    assert_eq!(end, Err(format!("in: at byte {end_offset}: {problem}")));

    let zstd_bytes = zstd::encode_all(&text[..], 1).unwrap();
    let (_, end) = read_all(&zstd_bytes[..zstd_bytes.len() / 2]);
    assert!(
        end.unwrap_err()
            .ends_with("the zstd stream ends early: the file is truncated")
    );
}

/// Regression test: whole streams that need a dictionary or a large window were reported as damaged.
#[test]
fn a_zstd_stream_with_a_dictionary_or_a_large_window_is_named() {
    let stream = |head: &[u8]| {
        let last_block_of_7_bytes = [7 << 3 | 1, 0, 0];
        [
            &[0x28, 0xb5, 0x2f, 0xfd],
            head,
            &last_block_of_7_bytes,
            b"a line\n",
        ]
        .concat()
    };
    let (read, end) = read_all(&stream(&[0, 0x40]));
    assert_eq!((&*read, end.is_ok()), (&b"a line\n"[..], true));
    let (_, end) = read_all(&stream(&[1, 0x40, 7]));
    assert!(end.unwrap_err().contains("needs the dictionary"));
    let (_, end) = read_all(&stream(&[0, 0x90]));
    assert!(end.unwrap_err().contains("zstd -d --long=31"));
}

#[test]
fn looking_does_not_lose_bytes() {
    let mut stored = InputBytes::new("in", b"abcdef", io::empty()).unwrap();
    assert_eq!(stored.peek(4).unwrap(), b"abcd");
    assert_eq!(stored.peek(2).unwrap(), b"ab");
    assert_eq!(stored.peek(5).unwrap(), b"abcde");
    assert_eq!(stored.peek(4).unwrap(), b"abcd");
    stored.skip(1);
    let mut buffer = [0; 10];
    let mut decompressed = Vec::new();
    while let Ok(count @ 1..) = stored.read(&mut buffer) {
        decompressed.extend_from_slice(&buffer[..count]);
    }
    assert_eq!(decompressed, b"bcdef");
}
