//! A slow, simple implementation of the text readers, which scans a whole text byte by byte. The tests compare it with
//! the real readers, for many sizes of reads and of batches.

use std::io::{self, Read};

use crate::error::Error;
use crate::formats::decompressed::text;
use crate::read::bytes::chunker::ChunkLimits;
use crate::read::bytes::stored::InputBytes;
use crate::read::{Batch, Carried, Input, Payload, ReadOptions, TextChunk};
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::random::Rng;

pub(super) const PUZZLE: &str =
    "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

/// The maximum length of a record in these tests. It is so small that batches can end anywhere even in short texts.
const MOST_RECORD_BYTES: usize = 300;
pub(super) const KEPT_BYTES: usize = 64;

/// A record that the slow reader found: its position, its text, and whether it is broken.
struct SlowRecord<'a> {
    line: u64,
    byte_offset: u64,
    text: &'a [u8],
    broken: bool,
}

/// Splits a text into records, starting at the offset `start`: as CSV if there is a `delimiter`, otherwise into lines.
fn slow_records(text: &[u8], start: usize, delimiter: Option<u8>) -> Vec<SlowRecord<'_>> {
    let mut slow_records = Vec::new();
    let mut record_start = start;
    while record_start < text.len() {
        let mut quoted = false;
        let mut quote_start = record_start;
        let mut misquoted = false;
        let mut at_field_start = true;
        let mut record_end = None;
        let mut offset = record_start;
        while offset < text.len()
            && offset < record_start + MOST_RECORD_BYTES
            && record_end.is_none()
            && !misquoted
        {
            let byte = text[offset];
            if quoted {
                if byte == b'"' && text.get(offset + 1) == Some(&b'"') {
                    offset += 1;
                } else if byte == b'"' {
                    quoted = false;
                    let byte_after = text
                        .get(offset + 1)
                        .filter(|_| offset + 1 < record_start + MOST_RECORD_BYTES);
                    let ends_field = |byte: &u8| Some(*byte) == delimiter || b"\r\n".contains(byte);
                    misquoted = !byte_after.is_none_or(ends_field)
                        && text[quote_start..offset].contains(&b'\n');
                }
            } else if byte == b'"' && at_field_start && delimiter.is_some() {
                quoted = true;
                quote_start = offset;
                at_field_start = false;
            } else if byte == b'\n' {
                record_end = Some(offset + 1);
            } else {
                at_field_start = Some(byte) == delimiter;
            }
            offset += 1;
        }
        let broken = misquoted
            || record_end.is_none() && (quoted || text.len() - record_start >= MOST_RECORD_BYTES);
        let record_end = record_end.unwrap_or_else(|| {
            let line_end = text[record_start..].iter().position(|byte| *byte == b'\n');
            match line_end {
                Some(line_end) if broken => record_start + line_end + 1,
                _ => text.len(),
            }
        });
        let record = &text[record_start..record_end];
        let is_record = match delimiter {
            Some(_) => !matches!(record, b"\n" | b"\r\n" | b"\r"),
            None => !record.starts_with(b"#") && (broken || !record.trim_ascii().is_empty()),
        };
        if is_record {
            slow_records.push(SlowRecord {
                line: 1 + text[..record_start]
                    .iter()
                    .filter(|byte| **byte == b'\n')
                    .count() as u64,
                byte_offset: record_start as u64,
                text: if broken {
                    &record[..record.len().min(KEPT_BYTES)]
                } else {
                    record
                },
                broken,
            });
        }
        record_start = record_end;
    }
    slow_records
}

/// The parsed records in a batch, each as text for comparison.
fn describe(input: &Input, batch: &Batch) -> Vec<String> {
    let records = input.parser.parse(batch).unwrap();
    assert_eq!(records.rows.len(), batch.rows);
    let Carried::Text { width, fields, .. } = records.carried else {
        panic!("text formats carry text");
    };
    assert_eq!(
        (width, fields.len()),
        (input.carried.len(), width * batch.rows)
    );
    let puzzle = |puzzle| match puzzle {
        Ok(text) => format!("{text:?}"),
        Err(RejectReason { kind, .. }) => kind.id().to_owned(),
    };
    let rows = records.rows.into_iter().enumerate();
    rows.map(|(at, row)| {
        format!(
            "row {}, {:?}: {} {:?} {:?} in {:?}",
            batch.first_row + at as u64,
            row.position,
            puzzle(row.puzzle),
            row.solution,
            &fields[at * width..][..width],
            row.raw
        )
    })
    .collect()
}

/// The records that the slow reader finds, each as text. The parser gets every record as a separate batch.
fn expected_records(input: &Input, slow_records: &[SlowRecord<'_>]) -> Vec<String> {
    let rows = slow_records.iter().zip(0..).flat_map(|(piece, first_row)| {
        let broken = RejectReason::new(RejectKind::TruncatedRecord, "");
        let chunk = TextChunk {
            bytes: piece.text.to_vec(),
            byte_offset: piece.byte_offset,
            first_line: piece.line,
            broken: piece.broken.then_some(broken),
        };
        let payload = Payload::Text(chunk);
        describe(
            input,
            &Batch {
                first_row,
                rows: 1,
                payload,
            },
        )
    });
    rows.collect()
}

/// A reader that returns only a few bytes at a time, with occasional `Interrupted` errors.
pub(super) struct SlowReader {
    pub(super) text: Vec<u8>,
    pub(super) offset: usize,
    pub(super) most_bytes: usize,
    pub(super) rng: Rng,
    pub(super) fails_at_end: bool,
}

impl Read for SlowReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rng.below(8) == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.offset == self.text.len() && self.fails_at_end {
            return Err(io::Error::from_raw_os_error(5));
        }
        let count = (1 + self.rng.below(self.most_bytes)).min(buffer.len());
        let remaining = &self.text[self.offset..];
        let count = count.min(remaining.len());
        buffer[..count].copy_from_slice(&remaining[..count]);
        self.offset += count;
        Ok(count)
    }
}

fn open_text(text_bytes: &[u8], chunk: usize, most: usize, fails_at_end: bool) -> Input {
    let slow_reader = SlowReader {
        text: text_bytes.to_vec(),
        offset: 0,
        most_bytes: most,
        rng: Rng::new(chunk as u64),
        fails_at_end,
    };
    let limits = ChunkLimits {
        chunk,
        record: MOST_RECORD_BYTES,
        most_kept: KEPT_BYTES,
        rows: 5,
    };
    let input_bytes = InputBytes::new("in", b"", slow_reader).unwrap();
    text("in", None, input_bytes, &ReadOptions::default(), limits).unwrap()
}

/// Reads an input to its end, and reuses the buffers. Returns the records as text, and the error at the end, if there
/// is one.
pub(super) fn read(input: &mut Input) -> (Vec<String>, Result<(), Error>) {
    let mut all_records = Vec::new();
    let mut buffer = Vec::new();
    loop {
        let batch = match input.source.next(buffer) {
            Ok(Some(batch)) => batch,
            Ok(None) => return (all_records, Ok(())),
            Err(error) => return (all_records, Err(error)),
        };
        assert_eq!(batch.first_row, all_records.len() as u64);
        assert!(batch.rows > 0);
        all_records.extend(describe(input, &batch));
        let Payload::Text(chunk) = batch.payload else {
            panic!("text formats give text");
        };
        buffer = chunk.bytes;
    }
}

fn check(text: &[u8], start: usize, delimiter: Option<u8>, chunks: impl Iterator<Item = usize>) {
    let slow_records = slow_records(text, start, delimiter);
    for chunk in chunks {
        for most in [1, 7, 1000] {
            let mut input = open_text(text, chunk, most, false);
            let format = if delimiter.is_some() { "csv" } else { "lines" };
            assert_eq!(input.info.format.id, format);
            let expected = expected_records(&input, &slow_records);
            let (reported, end) = read(&mut input);
            end.unwrap();
            let display = String::from_utf8_lossy(text);
            for (reported, expected) in reported.iter().zip(&expected) {
                assert_eq!(
                    reported, expected,
                    "chunk {chunk}, reads up to {most}: {display:?}"
                );
            }
            assert_eq!(reported.len(), expected.len(), "chunk {chunk}: {display:?}");
        }
    }
}

#[test]
fn lines_are_the_same_wherever_they_are_cut() {
    let long_field = "x".repeat(MOST_RECORD_BYTES);
    let text = format!(
        "\u{feff}# head\n{PUZZLE}\r\n\n  \r\n{PUZZLE} # naïve\n#{long_field}{long_field}\n{PUZZLE}1\n{long_field}\n{long_field}{long_field}\r\nshort\n{PUZZLE}"
    );
    check(text.as_bytes(), 3, None, 1..=MOST_RECORD_BYTES);
}

#[test]
fn csv_records_are_the_same_wherever_they_are_cut() {
    let long_field = "x".repeat(MOST_RECORD_BYTES);
    let header = "\u{feff}id,puzzle,\"no\nte\"\n";
    let text = format!(
        "{header}1,p,n\r\n\r\n2,\"p\np\",\"say \"\"n\"\"\"\n\n3,\"p\"q\"\n4,p,\u{e9}\n{long_field},\n5,\"{long_field}\n6,p,\"a\n{long_field}\",\n7,p,\"not closed\n8,p\n9,p,last"
    );
    check(
        text.as_bytes(),
        header.len(),
        Some(b','),
        1..=MOST_RECORD_BYTES,
    );
}

#[test]
fn random_texts_are_the_same_wherever_they_are_cut() {
    let seed = 20;
    let text_parts = [
        "\n", "\n", "\r\n", "\r", "\"", "\"\"", "\"", ";", ";", "#", "a", "\u{e9}", " ", PUZZLE,
    ];
    for case in 0..300 {
        let mut rng = Rng::for_item(seed, case);
        let count = rng.below(120);
        let body: String = (0..count)
            .map(|_| text_parts[rng.below(text_parts.len())])
            .collect();
        let (header, delimiter) = match rng.below(2) {
            0 => ("a;puzzle;b\r\n", Some(b';')),
            _ => ("x\n", None),
        };
        let start = delimiter.map_or(0, |_| header.len());
        let mut text = format!("{header}{body}").into_bytes();
        if rng.below(4) == 0 {
            let at = start.max(2) + rng.below(text.len() - start.max(2) + 1);
            text.insert(at, 0xff);
        }
        let chunk = 1 + rng.below(MOST_RECORD_BYTES);
        eprintln!("seed {seed}, case {case}");
        check(
            &text,
            start,
            delimiter,
            [1, chunk, MOST_RECORD_BYTES].into_iter(),
        );
    }
}

#[test]
fn records_before_a_read_error_are_kept() {
    let text = format!("{PUZZLE}\n{PUZZLE} x\n{PUZZLE} cut").into_bytes();
    for chunk in 1..MOST_RECORD_BYTES {
        let mut input = open_text(&text, chunk, 50, true);
        let (reported, end) = read(&mut input);
        assert_eq!(reported.len(), 2, "the record that the error cut is none");
        assert!(matches!(end, Err(Error::Read { .. })));
        assert!(matches!(input.source.next(Vec::new()), Ok(None)));
    }
}

#[test]
fn an_endless_line_is_rejected_with_its_length_and_uses_no_memory() {
    let line = io::repeat(b'5').take(40 << 20);
    let lines_after = io::Cursor::new(format!("\n{PUZZLE}\n"));
    let count_line = io::Cursor::new("1\n");
    let input_bytes =
        InputBytes::new("in", b"", count_line.chain(line).chain(lines_after)).unwrap();
    let mut input = text(
        "in",
        None,
        input_bytes,
        &ReadOptions::default(),
        ChunkLimits::default(),
    )
    .unwrap();
    let mut rows = Vec::new();
    while let Some(batch) = input.source.next(Vec::new()).unwrap() {
        let Payload::Text(chunk) = &batch.payload else {
            panic!("lines are text");
        };
        assert!(chunk.bytes.len() <= 64 * 1024);
        let reason = chunk.broken.as_ref().map(|reason| reason.message.clone());
        rows.push((chunk.first_line, chunk.byte_offset, reason));
    }
    let message = "the line has 41943041 bytes, and a record must be shorter than 1048576, the limit that `max_record_bytes` raises";
    assert_eq!(
        rows,
        [
            (1, 0, None),
            (2, 2, Some(message.to_owned())),
            (3, 41_943_043, None)
        ]
    );
}
