//! Tests files that state how many rows they contain, such as Arrow files and compressed texts: if rows are
//! missing, reading fails.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow::ipc::writer::{FileWriter, StreamWriter};

use crate::util::{PUZZLE, TestDir, gzip};

/// The number of record batches in a file.
const BATCHES: usize = 6;
const ROWS: usize = 100;

fn batch(number: usize) -> RecordBatch {
    let ids = Int64Array::from_iter_values((0..ROWS).map(|row| (number * ROWS + row) as i64));
    let puzzles = StringArray::from_iter_values((0..ROWS).map(|_| PUZZLE));
    let columns: [(&str, ArrayRef); 2] = [("id", Arc::new(ids)), ("puzzle", Arc::new(puzzles))];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn stream() -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch(0).schema()).unwrap();
    for number in 0..BATCHES {
        writer.write(&batch(number)).unwrap();
    }
    writer.into_inner().unwrap()
}

fn file() -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch(0).schema()).unwrap();
    for number in 0..BATCHES {
        writer.write(&batch(number)).unwrap();
    }
    writer.into_inner().unwrap()
}

/// The offsets of the messages in an Arrow stream: first the schema, then the record batches.
fn messages(bytes: &[u8], from: usize) -> Vec<usize> {
    let mut offsets = Vec::new();
    let mut offset = from;
    // In a file, the first message is aligned to 8 bytes.
    while bytes[offset..offset + 8] == [0; 8] {
        offset += 8;
    }
    loop {
        let length = u32::from_le_bytes(bytes[offset + 4..offset + 8].try_into().unwrap()) as usize;
        if length == 0 {
            return offsets;
        }
        offsets.push(offset);
        let description = &bytes[offset + 8..offset + 8 + length];
        let body_length = arrow::ipc::root_as_message(description)
            .unwrap()
            .bodyLength();
        offset += 8 + length + body_length as usize;
    }
}

/// Asserts that reading fails at this byte, with a message that contains `words`. Returns the damage that
/// `--keep-going` reports.
fn assert_damaged(dir: &TestDir, name: &str, byte: usize, words: &str) -> serde_json::Value {
    let message = dir.fail(&format!("convert {name} -o none.csv"), 3);
    let expected_location = format!("{name}: at byte {byte}: ");
    assert!(
        message.contains(&expected_location) && message.contains(words),
        "{message}"
    );
    assert!(!dir.exists("none.csv"));
    let keep_arguments = ["convert", name, "-o", "kept.csv", "--overwrite"];
    let keep_arguments = [
        &keep_arguments[..],
        &["--max-damaged=1", "--allow-empty", "--summary", "-"],
    ]
    .concat();
    let summary: serde_json::Value = serde_json::from_str(&dir.succeed(&keep_arguments)).unwrap();
    let mut damage = summary["damaged"][0].clone();
    damage["rows_in"] = summary["rows_in"].clone();
    damage
}

#[test]
fn an_arrow_stream_ends_with_its_end_mark_and_nowhere_else() {
    let dir = TestDir::new();
    let stream_bytes = stream();
    let message_offsets = messages(&stream_bytes, 0);
    let end_mark_offset = stream_bytes.len() - 8;
    let third_message = message_offsets[3];

    dir.write("whole.arrows", &stream_bytes);
    let summary = dir.summary("convert whole.arrows -o out.csv");
    assert_eq!(summary["rows_in"], 600);

    let mut bytes_with_hole = stream_bytes.clone();
    bytes_with_hole[third_message..third_message + 64].fill(0);
    dir.write("hole.arrows", bytes_with_hole);
    let lost_rows = assert_damaged(&dir, "hole.arrows", third_message, "zeros stand where");
    assert_eq!(lost_rows["rows_in"], 200);
    assert!(lost_rows["stored_bytes_unread"].as_u64().is_some());

    dir.write("open.arrows", &stream_bytes[..end_mark_offset]);
    let lost_rows = assert_damaged(&dir, "open.arrows", end_mark_offset, "without its end mark");
    assert_eq!(lost_rows["rows_in"], 600);
    dir.write("cut.arrows", &stream_bytes[..third_message]);
    assert_damaged(&dir, "cut.arrows", third_message, "without its end mark");

    dir.write("two.arrows", [&stream_bytes[..], &stream_bytes].concat());
    assert_damaged(
        &dir,
        "two.arrows",
        stream_bytes.len(),
        "goes on after its end mark",
    );
    let bytes_with_early_end = [
        &stream_bytes[..third_message],
        &stream_bytes[end_mark_offset..],
        &stream_bytes[third_message..],
    ]
    .concat();
    dir.write("early.arrows", bytes_with_early_end);
    assert_damaged(
        &dir,
        "early.arrows",
        third_message + 8,
        "goes on after its end mark",
    );

    // The stream is complete, but the checksum of the gzip file around it is wrong.
    let mut wrong_checksum = gzip(&stream_bytes);
    let checksum_offset = wrong_checksum.len() - 8;
    wrong_checksum[checksum_offset] ^= 1;
    dir.write("sum.arrows.gz", &wrong_checksum);
    assert_damaged(&dir, "sum.arrows.gz", wrong_checksum.len(), "checksum");
}

#[test]
fn an_arrow_file_has_the_record_batches_that_its_footer_names_and_no_others() {
    let dir = TestDir::new();
    let file_bytes = file();
    let message_offsets = messages(&file_bytes, 8);
    let footer_end = file_bytes.len() - 10;
    let length =
        u32::from_le_bytes(file_bytes[footer_end..footer_end + 4].try_into().unwrap()) as usize;
    let footer = footer_end - length;

    dir.write("whole.arrow", &file_bytes);
    let summary = dir.summary("convert whole.arrow -o out.csv");
    assert_eq!(summary["rows_in"], 600);

    let mut bytes_with_hole = file_bytes.clone();
    bytes_with_hole[message_offsets[3]..message_offsets[3] + 64].fill(0);
    dir.write("hole.arrow", bytes_with_hole);
    let lost_rows = assert_damaged(
        &dir,
        "hole.arrow",
        message_offsets[3],
        "the Arrow data is damaged",
    );
    assert_eq!(lost_rows["rows_in"], 200);
    assert!(
        lost_rows["rows_lost"].is_null(),
        "the hole had a number of rows"
    );

    // If only the body of a message is damaged, the number of its rows is still known.
    let mut damaged_body = file_bytes.clone();
    let offsets = message_offsets[4] - (message_offsets[4] - message_offsets[3]) / 2;
    damaged_body[offsets..message_offsets[4]].fill(0xff);
    dir.write("body.arrow", damaged_body);
    let lost_rows = assert_damaged(
        &dir,
        "body.arrow",
        message_offsets[3],
        "the Arrow data is damaged",
    );
    assert_eq!(
        (&lost_rows["rows_in"], &lost_rows["rows_lost"]),
        (&200.into(), &400.into())
    );

    // The list of record batches in the footer: their number, followed by 24 bytes for each.
    let footer_list_start = [
        &(BATCHES as u32).to_le_bytes()[..],
        &(message_offsets[1] as u64).to_le_bytes(),
    ]
    .concat();
    let footer_list =
        footer + memchr::memmem::find(&file_bytes[footer..], &footer_list_start).unwrap();
    for (count, at) in [(5, message_offsets[6]), (0, message_offsets[1])] {
        let mut fewer_batches = file_bytes.clone();
        fewer_batches[footer_list] = count;
        dir.write("fewer.arrow", fewer_batches);
        let expected_message = "a record batch or dictionary that its footer does not name";
        let lost_rows = assert_damaged(&dir, "fewer.arrow", at, expected_message);
        assert_eq!(lost_rows["rows_in"], u64::from(count) * 100);
    }
    let mut repeated_batch = file_bytes.clone();
    repeated_batch.copy_within(footer_list + 4..footer_list + 28, footer_list + 28);
    dir.write("twice.arrow", repeated_batch);
    assert_damaged(&dir, "twice.arrow", footer, "names the same bytes twice");

    dir.write("two.arrow", [&file_bytes[..], &file_bytes].concat());
    assert_damaged(
        &dir,
        "two.arrow",
        file_bytes.len() - 6,
        "another Arrow file",
    );
}

#[test]
fn checksums_of_parquet_pages_are_checked() {
    let dir = TestDir::new();
    // This file was written by pyarrow 26 with `write_page_checksum=True`.
    let parquet_bytes = include_bytes!("../../golden/page_checksums.parquet").to_vec();
    dir.write("whole.parquet", &parquet_bytes);
    let summary = dir.summary("convert whole.parquet -o out.csv");
    assert_eq!(summary["rows_in"], 3);

    let puzzle = memchr::memmem::find(&parquet_bytes, PUZZLE.as_bytes()).unwrap();
    let mut corrupted = parquet_bytes.clone();
    corrupted[puzzle + 2] = b'4';
    dir.write("flipped.parquet", corrupted);
    let lost_rows = assert_damaged(
        &dir,
        "flipped.parquet",
        4,
        "the checksum of the page at byte 4 does not match",
    );
    assert_eq!(
        (&lost_rows["rows_in"], &lost_rows["rows_lost"]),
        (&0.into(), &3.into())
    );
}

#[test]
fn gzip_and_zstd_have_the_size_and_the_sum_that_they_say() {
    let dir = TestDir::new();
    let text = format!("{PUZZLE}\n").repeat(500);
    let gzip = gzip(text.as_bytes());
    for (name, from_end) in [("crc", 8), ("size", 4)] {
        let mut bytes = gzip.clone();
        let checksum_offset = bytes.len() - from_end;
        bytes[checksum_offset] ^= 1;
        let name = format!("{name}.txt.gz");
        dir.write(&name, &bytes);
        assert_damaged(&dir, &name, bytes.len(), "the gzip checksum does not match");
    }
    let truncated_gzip = &gzip[..gzip.len() - 4];
    dir.write("cut.txt.gz", truncated_gzip);
    assert_damaged(&dir, "cut.txt.gz", truncated_gzip.len(), "truncated");
    dir.write("more.txt.gz", [&gzip[..], b"more"].concat());
    assert_damaged(&dir, "more.txt.gz", gzip.len(), "follow its last member");

    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder
        .set_pledged_src_size(Some(text.len() as u64))
        .unwrap();
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    let zstd = encoder.finish().unwrap();
    // In a zstd frame, the magic bytes are followed by a descriptor and a size. For a text this short there is no
    // window descriptor.
    let size = 5;
    let stated_bytes = u16::from_le_bytes(zstd[size..size + 2].try_into().unwrap());
    assert_eq!(usize::from(stated_bytes) + 256, text.len());
    for (name, at, words) in [
        ("size", size, "the zstd stream is damaged"),
        ("sum", zstd.len() - 1, "the zstd checksum does not match"),
    ] {
        let mut bytes = zstd.clone();
        bytes[at] ^= 1;
        let name = format!("{name}.txt.zst");
        dir.write(&name, &bytes);
        let message = dir.fail(&format!("convert {name} -o none.csv"), 3);
        assert!(
            message.contains(words) && message.contains("at byte"),
            "{message}"
        );
    }
}

/// The first line of a list of puzzles may state the number of puzzles that follow.
#[test]
fn a_list_of_puzzles_has_as_many_as_its_first_line_says() {
    let dir = TestDir::new();
    let puzzle_list = |count: usize, lines: usize| {
        format!("# a list\n{count}\n{}", format!("{PUZZLE}\n").repeat(lines))
    };
    dir.write("whole.txt", puzzle_list(2000, 2000));
    dir.write("more.txt", puzzle_list(1999, 2000));
    dir.write("less.txt", puzzle_list(49_151, 2000));
    dir.write("less.txt.gz", gzip(puzzle_list(49_151, 2000).as_bytes()));
    for name in ["whole.txt", "more.txt"] {
        let summary = dir.summary(&format!("convert {name} -o out.csv --overwrite"));
        assert_eq!(summary["rows_out"], 2000, "{name}");
    }
    for name in ["less.txt", "less.txt.gz"] {
        let convert_arguments = ["convert", name, "-o", "out.csv", "--overwrite"];
        let message = dir.fail(&convert_arguments, 3);
        assert!(
            message.contains("counts 49151 puzzles, and it has 2000"),
            "{message}"
        );
        let summary = dir.summary(&[&convert_arguments[..], &["--max-damaged", "1"]].concat());
        assert_eq!(summary["rows_out"], 2000, "{name}");
        assert_eq!(summary["damaged"][0]["rows_lost"], 47_151, "{name}");
        // With a limit, the stated number of records need not be reached.
        let summary = dir.summary(&[&convert_arguments[..], &["--limit", "5"]].concat());
        assert_eq!(summary["rows_out"], 5, "{name}");
    }
}
