//! Containers that state more rows than they contain. Missing rows are an error.

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

/// The offsets of a stream's messages: the schema, followed by the record batches.
fn messages(bytes: &[u8], from: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = from;
    // The first message of a file is aligned to 8 bytes.
    while bytes[at..at + 8] == [0; 8] {
        at += 8;
    }
    loop {
        let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap()) as usize;
        if length == 0 {
            return found;
        }
        found.push(at);
        let head = &bytes[at + 8..at + 8 + length];
        let body = arrow::ipc::root_as_message(head).unwrap().bodyLength();
        at += 8 + length + body as usize;
    }
}

/// Asserts that reading fails at this byte with these words in the message. Returns the loss that
/// `--keep-going` reports.
fn damaged(dir: &TestDir, name: &str, byte: usize, words: &str) -> serde_json::Value {
    let message = dir.fail(&format!("convert {name} -o none.csv"), 3);
    let at = format!("{name}: at byte {byte}: ");
    assert!(
        message.contains(&at) && message.contains(words),
        "{message}"
    );
    assert!(!dir.exists("none.csv"));
    let kept = ["convert", name, "-o", "kept.csv", "--overwrite"];
    let kept = [
        &kept[..],
        &["--keep-going", "--allow-empty", "--summary", "-"],
    ]
    .concat();
    let summary: serde_json::Value = serde_json::from_str(&dir.succeed(&kept)).unwrap();
    let mut damage = summary["damaged"][0].clone();
    damage["rows_in"] = summary["rows_in"].clone();
    damage
}

#[test]
fn an_arrow_stream_ends_with_its_end_mark_and_nowhere_else() {
    let dir = TestDir::new();
    let whole = stream();
    let starts = messages(&whole, 0);
    let end = whole.len() - 8;
    let third = starts[3];

    dir.write("whole.arrows", &whole);
    let summary = dir.summary("convert whole.arrows -o out.csv");
    assert_eq!(summary["rows_in"], 600);

    let mut hole = whole.clone();
    hole[third..third + 64].fill(0);
    dir.write("hole.arrows", hole);
    let lost = damaged(&dir, "hole.arrows", third, "zeros stand where");
    assert_eq!(lost["rows_in"], 200);
    assert!(lost["stored_bytes_unread"].as_u64().is_some());

    dir.write("open.arrows", &whole[..end]);
    let lost = damaged(&dir, "open.arrows", end, "without its end mark");
    assert_eq!(lost["rows_in"], 600);
    dir.write("cut.arrows", &whole[..third]);
    damaged(&dir, "cut.arrows", third, "without its end mark");

    dir.write("two.arrows", [&whole[..], &whole].concat());
    damaged(
        &dir,
        "two.arrows",
        whole.len(),
        "goes on after its end mark",
    );
    let early = [&whole[..third], &whole[end..], &whole[third..]].concat();
    dir.write("early.arrows", early);
    damaged(
        &dir,
        "early.arrows",
        third + 8,
        "goes on after its end mark",
    );

    // The stream has its end mark, but the checksum of the gzip file is wrong.
    let mut sum = gzip(&whole);
    let at = sum.len() - 8;
    sum[at] ^= 1;
    dir.write("sum.arrows.gz", &sum);
    damaged(&dir, "sum.arrows.gz", sum.len(), "checksum");
}

#[test]
fn an_arrow_file_has_the_record_batches_that_its_footer_names_and_no_others() {
    let dir = TestDir::new();
    let whole = file();
    let starts = messages(&whole, 8);
    let tail = whole.len() - 10;
    let length = u32::from_le_bytes(whole[tail..tail + 4].try_into().unwrap()) as usize;
    let footer = tail - length;

    dir.write("whole.arrow", &whole);
    let summary = dir.summary("convert whole.arrow -o out.csv");
    assert_eq!(summary["rows_in"], 600);

    let mut hole = whole.clone();
    hole[starts[3]..starts[3] + 64].fill(0);
    dir.write("hole.arrow", hole);
    let lost = damaged(&dir, "hole.arrow", starts[3], "the Arrow data is damaged");
    assert_eq!(lost["rows_in"], 200);
    assert!(lost["rows_lost"].is_null(), "the hole had a number of rows");

    // If the body of a message is damaged, the number of its rows is still known.
    let mut body = whole.clone();
    let offsets = starts[4] - (starts[4] - starts[3]) / 2;
    body[offsets..starts[4]].fill(0xff);
    dir.write("body.arrow", body);
    let lost = damaged(&dir, "body.arrow", starts[3], "the Arrow data is damaged");
    assert_eq!(
        (&lost["rows_in"], &lost["rows_lost"]),
        (&200.into(), &400.into())
    );

    // The list of record batches: their number, and 24 bytes for each.
    let first = [
        &(BATCHES as u32).to_le_bytes()[..],
        &(starts[1] as u64).to_le_bytes(),
    ]
    .concat();
    let list = footer + memchr::memmem::find(&whole[footer..], &first).unwrap();
    for (count, at) in [(5, starts[6]), (0, starts[1])] {
        let mut fewer = whole.clone();
        fewer[list] = count;
        dir.write("fewer.arrow", fewer);
        let words = "a record batch or dictionary that its footer does not name";
        let lost = damaged(&dir, "fewer.arrow", at, words);
        assert_eq!(lost["rows_in"], u64::from(count) * 100);
    }
    let mut twice = whole.clone();
    twice.copy_within(list + 4..list + 28, list + 28);
    dir.write("twice.arrow", twice);
    damaged(&dir, "twice.arrow", footer, "names the same bytes twice");

    dir.write("two.arrow", [&whole[..], &whole].concat());
    damaged(&dir, "two.arrow", whole.len() - 6, "another Arrow file");
}

#[test]
fn checksums_of_parquet_pages_are_checked() {
    let dir = TestDir::new();
    // Written by pyarrow 26 with write_page_checksum=True.
    let whole = include_bytes!("../golden/page_checksums.parquet").to_vec();
    dir.write("whole.parquet", &whole);
    let summary = dir.summary("convert whole.parquet -o out.csv");
    assert_eq!(summary["rows_in"], 3);

    let puzzle = memchr::memmem::find(&whole, PUZZLE.as_bytes()).unwrap();
    let mut flipped = whole.clone();
    flipped[puzzle + 2] = b'4';
    dir.write("flipped.parquet", flipped);
    let lost = damaged(
        &dir,
        "flipped.parquet",
        4,
        "the checksum of the page at byte 4 does not match",
    );
    assert_eq!(
        (&lost["rows_in"], &lost["rows_lost"]),
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
        let at = bytes.len() - from_end;
        bytes[at] ^= 1;
        let name = format!("{name}.txt.gz");
        dir.write(&name, &bytes);
        damaged(&dir, &name, bytes.len(), "the gzip checksum does not match");
    }
    let cut = &gzip[..gzip.len() - 4];
    dir.write("cut.txt.gz", cut);
    damaged(&dir, "cut.txt.gz", cut.len(), "truncated");
    dir.write("more.txt.gz", [&gzip[..], b"more"].concat());
    damaged(&dir, "more.txt.gz", gzip.len(), "follow its last member");

    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder
        .set_pledged_src_size(Some(text.len() as u64))
        .unwrap();
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    let zstd = encoder.finish().unwrap();
    // A descriptor and a size follow the magic bytes. The text is so short that there is no window.
    let size = 5;
    let stated = u16::from_le_bytes(zstd[size..size + 2].try_into().unwrap());
    assert_eq!(usize::from(stated) + 256, text.len());
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

/// The first line of a list may state the number of puzzles that follow.
#[test]
fn a_list_of_puzzles_has_as_many_as_its_first_line_says() {
    let dir = TestDir::new();
    let list = |count: usize, lines: usize| {
        format!("# a list\n{count}\n{}", format!("{PUZZLE}\n").repeat(lines))
    };
    dir.write("whole.txt", list(2000, 2000));
    dir.write("more.txt", list(1999, 2000));
    dir.write("less.txt", list(49_151, 2000));
    dir.write("less.txt.gz", gzip(list(49_151, 2000).as_bytes()));
    for name in ["whole.txt", "more.txt"] {
        let summary = dir.summary(&format!("convert {name} -o out.csv --overwrite"));
        assert_eq!(summary["rows_out"], 2000, "{name}");
    }
    for name in ["less.txt", "less.txt.gz"] {
        let to = ["convert", name, "-o", "out.csv", "--overwrite"];
        let message = dir.fail(&to, 3);
        assert!(
            message.contains("counts 49151 puzzles, and it has 2000"),
            "{message}"
        );
        let summary = dir.summary(&[&to[..], &["--keep-going"]].concat());
        assert_eq!(summary["rows_out"], 2000, "{name}");
        assert_eq!(summary["damaged"][0]["rows_lost"], 47_151, "{name}");
        // With a limit, the stated number of records need not be reached.
        let summary = dir.summary(&[&to[..], &["--limit", "5"]].concat());
        assert_eq!(summary["rows_out"], 5, "{name}");
    }
}
