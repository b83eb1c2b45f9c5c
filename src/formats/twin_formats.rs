//! Tests every text format with small and large batches, and with records that never end.

use std::io::{self, Read};

use super::input_formats;
use super::twin::{KEPT_BYTES, PUZZLE, SlowReader, read};
use crate::error::Error;
use crate::formats::decompressed::text;
use crate::read::bytes::chunker::ChunkLimits;
use crate::read::bytes::stored::InputBytes;
use crate::read::{Batch, Input, InputFormat, Payload, ReadOptions};
use sudoku_core::random::Rng;

/// Reads a text with these batch limits, at most `most` bytes at a time. Returns its records as text.
fn read_in_chunks(
    text_bytes: &[u8],
    format: InputFormat,
    limits: ChunkLimits,
    most: usize,
) -> Vec<String> {
    let slow_reader = SlowReader {
        text: text_bytes.to_vec(),
        offset: 0,
        most_bytes: most,
        rng: Rng::new(limits.chunk as u64),
        fails_at_end: false,
    };
    let options = ReadOptions {
        format: Some(format),
        puzzle_column: [InputFormat::NDJSON, InputFormat::JSON]
            .contains(&format)
            .then(|| "puzzle".to_owned()),
        ..ReadOptions::default()
    };
    let input_bytes = InputBytes::new("in", b"", slow_reader).unwrap();
    let mut input = text("in", None, input_bytes, &options, limits).unwrap();
    let (mut reported, end) = read(&mut input);
    match end {
        // Reading a truncated JSON array ends with this error.
        Err(Error::Corrupt { what, .. }) if format == InputFormat::JSON => reported.push(what),
        end => end.unwrap(),
    }
    reported
}

/// The next batch of the input. An error is allowed only for a truncated JSON array.
fn next(input: &mut Input, format: InputFormat) -> Option<Batch> {
    match input.source.next(Vec::new()) {
        Err(Error::Corrupt { .. }) if format == InputFormat::JSON => None,
        batch => batch.unwrap(),
    }
}

/// Pieces of text from every format. The tests join them at random. The result is sometimes valid.
const TEXT_PIECES: [&str; 57] = [
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\n\n",
    "53..7....\n",
    "53..7....\n",
    "53..7....\n",
    "53..7....\n",
    "53..7....\n53..7....\n53..7....\n",
    "53..7....\n53..7....\n53..7....\n53..7....\n53..7....\n53..7....\n53..7....\n53..7....\n53..7....\n",
    "53..7...\n",
    "---------\n",
    "---------\n",
    "--3--4---\n",
    "123456789\n",
    "---+---+---\n",
    "*---*---*\n",
    "Grid 1\n",
    "53.a7....\n",
    "12.4\n",
    "12.4\n12.4\n12.4\n12.4\n",
    "17\n",
    "# c\n",
    "[State]\n",
    "[Puzzle]\n",
    "|53.|.7.|...|\n",
    "\"53..7....\",\n",
    "* 5 3 . . 7 . . . . *\n",
    "* 5 3 . . 7 . . . . *\n* 5 3 . . 7 . . . . *\n* 5 3 . . 7 . . . . *\n",
    "Row A: 53..7....\n",
    "Row A: 53..7....\nRow B: 53..7....\nRow C: 53..7....\n",
    "1 2 3 4 5 6 7 8 9\n",
    "A B C D E F G H I\n",
    "prose\n",
    "prose\nand more\n",
    "- 53..7....\n",
    "|5 12 3|4 5 6|7 8 9|\n",
    PUZZLE,
    "{\"puzzle\": \"p\"}\n",
    "{\"puzzle\": 1, \"a\": [1]}\n",
    "{\"puzzle\": \"],\\\"\"},\n",
    ",",
    "]\n",
    "{\"b\": ",
    "}",
    "<game data=\"1\"/>",
    "<game data='2'>",
    "</game>",
    "<!-- ",
    "-->",
    "<![CDATA[",
    "]]>",
    "<game data=\"",
    "\"",
    ":1",
    "\u{e9}",
];

#[test]
fn texts_of_every_format_are_the_same_wherever_they_are_cut() {
    let seed = 96;
    let record = 64 * 1024;
    for format in input_formats().filter(|format| format.text.is_some()) {
        if format == InputFormat::CSV {
            continue;
        }
        for case in 0..1000 {
            let mut rng = Rng::for_item(seed, case);
            let first_piece = rng.below(TEXT_PIECES.len());
            let width = 1 + rng.below(TEXT_PIECES.len());
            let count = rng.below(80);
            let body: String = (0..count)
                .map(|_| TEXT_PIECES[(first_piece + rng.below(width)) % TEXT_PIECES.len()])
                .collect();
            let start = if format == InputFormat::JSON {
                "[{\"puzzle\": 1},\n"
            } else {
                "{\"puzzle\": 1}\n"
            };
            let mut text = format!("{start}{body}").into_bytes();
            if rng.below(4) == 0 {
                let changed_offset = rng.below(text.len() + 1);
                text.insert(changed_offset, 0xff);
            }
            eprintln!("{} case {case}", format.id);
            let limits = |chunk| ChunkLimits {
                chunk,
                record,
                most_kept: KEPT_BYTES,
                rows: 5,
            };
            let expected = read_in_chunks(&text, format, limits(record), 1 << 20);
            for chunk in [1, 2 + rng.below(100), 100 + rng.below(400)] {
                let rows_in_chunks =
                    read_in_chunks(&text, format, limits(chunk), 1 + rng.below(60));
                let display = String::from_utf8_lossy(&text);
                assert_eq!(
                    rows_in_chunks, expected,
                    "{}, seed {seed}, case {case}, chunk {chunk}: {display}",
                    format.id
                );
            }
        }
    }
}

/// Each of these texts is one record that is longer than the limit. The reader must not hold it in memory.
#[test]
fn endless_records_use_no_memory_in_any_format() {
    let endless = [
        "5",
        " ",
        "\n",
        "53..7....\n",
        "x\n",
        "# ",
        "-",
        "---------\n",
        "<game data='1'/>",
        "<game ",
        "<!-- ",
        "&",
        "{\"puzzle\":",
        "[State]\n",
        "Grid\n\n",
        "\"a\n",
    ];
    for format in input_formats().filter(|format| format.text.is_some()) {
        for part in endless {
            let start = match format.id {
                "json" => "[{\"puzzle\": 1},\n",
                "ndjson" => "{\"puzzle\": 1}\n",
                "csv" => "puzzle\n",
                _ => "[State]\n<!-- ",
            };
            let body = part.repeat((1 << 20) / part.len());
            let parts = (0..3).map(move |_| io::Cursor::new(body.clone().into_bytes()));
            let mut endless: Box<dyn Read + Send> = Box::new(io::Cursor::new(start.as_bytes()));
            for part in parts {
                endless = Box::new(endless.chain(part));
            }
            let input_bytes = InputBytes::new("in", b"", endless).unwrap();
            let options = ReadOptions {
                format: Some(format),
                ..ReadOptions::default()
            };
            let mut input =
                text("in", None, input_bytes, &options, ChunkLimits::default()).unwrap();
            eprintln!("{} {part:?}", format.id);
            let mut rows = 0;
            while let Some(batch) = next(&mut input, format) {
                let Payload::Text(chunk) = &batch.payload else {
                    panic!("text")
                };
                assert!(chunk.bytes.len() <= 1 << 20);
                assert_eq!(batch.first_row, rows);
                rows += batch.rows as u64;
                assert_eq!(input.parser.parse(&batch).unwrap().rows.len(), batch.rows);
            }
        }
    }
}

/// Changes a text at random: inverts, removes, reverses, repeats or inserts bytes.
fn mutate(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + rng.below(4) {
        let cut_start = rng.below(text.len() + 1);
        let cut_end = cut_start + rng.below((text.len() - cut_start).min(200) + 1);
        match rng.below(7) {
            0 if cut_start < text.len() => text[cut_start] ^= 1 << rng.below(8),
            1 => drop(text.drain(cut_start..cut_end)),
            2 => text[cut_start..cut_end].reverse(),
            3 => {
                let part = text[cut_start..cut_end].repeat(1 + rng.below(3));
                drop(text.splice(cut_start..cut_start, part));
            }
            4 => text.insert(cut_start, [0, b'\n', b'\r', b'"', b'<', 0xff][rng.below(6)]),
            5 => drop(text.splice(
                cut_start..cut_start,
                vec![b' ' + rng.below(90) as u8; rng.below(3000)],
            )),
            _ => text.truncate(cut_start.max(1)),
        }
    }
    text
}

#[test]
fn mutated_texts_are_rows_and_rejects_or_an_error() {
    let seed = 404;
    let mut counts = [0; 3];
    let texts = input_formats().filter_map(|format| Some((format, format.text?)));
    for (format, text_format) in texts {
        let body = text_format.example().repeat(30);
        for case in 0..600 {
            eprintln!("{format}, seed {seed}, case {case}");
            let mut rng = Rng::for_item(seed, case);
            let bytes = mutate(body.as_bytes(), &mut rng);
            let options = ReadOptions {
                format: (case % 2 == 0).then_some(format),
                ..ReadOptions::default()
            };
            let limits = ChunkLimits {
                rows: 8192,
                chunk: 1 + rng.below(2000),
                record: 2000,
                most_kept: KEPT_BYTES,
            };
            let input_bytes = InputBytes::new("in", b"", io::Cursor::new(bytes)).unwrap();
            let Ok(mut input) = text("in", None, input_bytes, &options, limits) else {
                counts[0] += 1;
                continue;
            };
            while let Some(batch) = next(&mut input, format) {
                for row in input.parser.parse(&batch).unwrap().rows {
                    let puzzle_read = row
                        .puzzle
                        .and_then(|text| Ok(sudoku_core::text::normalise(&text)?));
                    counts[1 + usize::from(puzzle_read.is_err())] += 1;
                }
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
}
