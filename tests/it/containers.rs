//! Containers that state more rows than they contain. Missing rows are an error.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow::ipc::writer::{FileWriter, StreamWriter};

use crate::util::{PUZZLE, Place, gzip};

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
fn damaged(place: &Place, name: &str, byte: usize, words: &str) -> serde_json::Value {
    let said = place.fail(&format!("convert {name} -o none.csv"), 3);
    let at = format!("{name}: at byte {byte}: ");
    assert!(said.contains(&at) && said.contains(words), "{said}");
    assert!(!place.exists("none.csv"));
    let kept = ["convert", name, "-o", "kept.csv", "--overwrite"];
    let kept = [
        &kept[..],
        &["--keep-going", "--allow-empty", "--summary", "-"],
    ]
    .concat();
    let summary: serde_json::Value = serde_json::from_str(&place.succeed(&kept)).unwrap();
    let mut damage = summary["damaged"][0].clone();
    damage["rows_in"] = summary["rows_in"].clone();
    damage
}

#[test]
fn an_arrow_stream_ends_with_its_end_mark_and_nowhere_else() {
    let place = Place::new();
    let whole = stream();
    let starts = messages(&whole, 0);
    let end = whole.len() - 8;
    let third = starts[3];

    place.write("whole.arrows", &whole);
    let summary = place.summary("convert whole.arrows -o out.csv");
    assert_eq!(summary["rows_in"], 600);

    let mut hole = whole.clone();
    hole[third..third + 64].fill(0);
    place.write("hole.arrows", hole);
    let lost = damaged(&place, "hole.arrows", third, "zeros stand where");
    assert_eq!(lost["rows_in"], 200);
    assert!(lost["stored_bytes_unread"].as_u64().is_some());

    place.write("open.arrows", &whole[..end]);
    let lost = damaged(&place, "open.arrows", end, "without its end mark");
    assert_eq!(lost["rows_in"], 600);
    place.write("cut.arrows", &whole[..third]);
    damaged(&place, "cut.arrows", third, "without its end mark");

    place.write("two.arrows", [&whole[..], &whole].concat());
    damaged(
        &place,
        "two.arrows",
        whole.len(),
        "goes on after its end mark",
    );
    let early = [&whole[..third], &whole[end..], &whole[third..]].concat();
    place.write("early.arrows", early);
    damaged(
        &place,
        "early.arrows",
        third + 8,
        "goes on after its end mark",
    );

    // The stream has its end mark, but the checksum of the gzip file is wrong.
    let mut sum = gzip(&whole);
    let at = sum.len() - 8;
    sum[at] ^= 1;
    place.write("sum.arrows.gz", &sum);
    damaged(&place, "sum.arrows.gz", sum.len(), "checksum");
}

#[test]
fn an_arrow_file_has_the_record_batches_that_its_footer_names_and_no_others() {
    let place = Place::new();
    let whole = file();
    let starts = messages(&whole, 8);
    let tail = whole.len() - 10;
    let length = u32::from_le_bytes(whole[tail..tail + 4].try_into().unwrap()) as usize;
    let footer = tail - length;

    place.write("whole.arrow", &whole);
    let summary = place.summary("convert whole.arrow -o out.csv");
    assert_eq!(summary["rows_in"], 600);

    let mut hole = whole.clone();
    hole[starts[3]..starts[3] + 64].fill(0);
    place.write("hole.arrow", hole);
    let lost = damaged(&place, "hole.arrow", starts[3], "the Arrow data is damaged");
    assert_eq!(lost["rows_in"], 200);
    assert!(lost["rows_lost"].is_null(), "the hole had a number of rows");

    // If the body of a message is damaged, the number of its rows is still known.
    let mut body = whole.clone();
    let offsets = starts[4] - (starts[4] - starts[3]) / 2;
    body[offsets..starts[4]].fill(0xff);
    place.write("body.arrow", body);
    let lost = damaged(&place, "body.arrow", starts[3], "the Arrow data is damaged");
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
        place.write("fewer.arrow", fewer);
        let words = "a record batch or dictionary that its footer does not name";
        let lost = damaged(&place, "fewer.arrow", at, words);
        assert_eq!(lost["rows_in"], u64::from(count) * 100);
    }
    let mut twice = whole.clone();
    twice.copy_within(list + 4..list + 28, list + 28);
    place.write("twice.arrow", twice);
    damaged(&place, "twice.arrow", footer, "names the same bytes twice");

    place.write("two.arrow", [&whole[..], &whole].concat());
    damaged(&place, "two.arrow", whole.len() - 6, "another Arrow file");
}

#[test]
fn checksums_of_parquet_pages_are_checked() {
    let place = Place::new();
    // Written by pyarrow 26 with write_page_checksum=True.
    let whole = include_bytes!("../golden/page_checksums.parquet").to_vec();
    place.write("whole.parquet", &whole);
    let summary = place.summary("convert whole.parquet -o out.csv");
    assert_eq!(summary["rows_in"], 3);

    let puzzle = memchr::memmem::find(&whole, PUZZLE.as_bytes()).unwrap();
    let mut flipped = whole.clone();
    flipped[puzzle + 2] = b'4';
    place.write("flipped.parquet", flipped);
    let lost = damaged(
        &place,
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
    let place = Place::new();
    let text = format!("{PUZZLE}\n").repeat(500);
    let gzip = gzip(text.as_bytes());
    for (name, from_end) in [("crc", 8), ("size", 4)] {
        let mut bytes = gzip.clone();
        let at = bytes.len() - from_end;
        bytes[at] ^= 1;
        let name = format!("{name}.txt.gz");
        place.write(&name, &bytes);
        damaged(
            &place,
            &name,
            bytes.len(),
            "the gzip checksum does not match",
        );
    }
    let cut = &gzip[..gzip.len() - 4];
    place.write("cut.txt.gz", cut);
    damaged(&place, "cut.txt.gz", cut.len(), "truncated");
    place.write("more.txt.gz", [&gzip[..], b"more"].concat());
    damaged(&place, "more.txt.gz", gzip.len(), "follow its last member");

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
        place.write(&name, &bytes);
        let said = place.fail(&format!("convert {name} -o none.csv"), 3);
        assert!(said.contains(words) && said.contains("at byte"), "{said}");
    }
}

/// The first line of a list may state the number of puzzles that follow.
#[test]
fn a_list_of_puzzles_has_as_many_as_its_first_line_says() {
    let place = Place::new();
    let list = |count: usize, lines: usize| {
        format!("# a list\n{count}\n{}", format!("{PUZZLE}\n").repeat(lines))
    };
    place.write("whole.txt", list(2000, 2000));
    place.write("more.txt", list(1999, 2000));
    place.write("less.txt", list(49_151, 2000));
    place.write("less.txt.gz", gzip(list(49_151, 2000).as_bytes()));
    for name in ["whole.txt", "more.txt"] {
        let summary = place.summary(&format!("convert {name} -o out.csv --overwrite"));
        assert_eq!(summary["rows_out"], 2000, "{name}");
    }
    for name in ["less.txt", "less.txt.gz"] {
        let to = ["convert", name, "-o", "out.csv", "--overwrite"];
        let said = place.fail(&to, 3);
        assert!(
            said.contains("counts 49151 puzzles, and it has 2000"),
            "{said}"
        );
        let summary = place.summary(&[&to[..], &["--keep-going"]].concat());
        assert_eq!(summary["rows_out"], 2000, "{name}");
        assert_eq!(summary["damaged"][0]["rows_lost"], 47_151, "{name}");
        // With a limit, the stated number of records need not be reached.
        let summary = place.summary(&[&to[..], &["--limit", "5"]].concat());
        assert_eq!(summary["rows_out"], 5, "{name}");
    }
}
