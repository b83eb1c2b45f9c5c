//! Small files that earlier versions read wrongly, or for which they panicked, each with the correct result.

use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeListArray, StringArray};
use arrow::datatypes::DataType;
use arrow::ipc::{
    Field, FieldArgs, Map, MapArgs, Message, MessageArgs, MessageHeader, MetadataVersion, Schema,
    SchemaArgs, Type, root_as_message,
};
use flatbuffers::{FlatBufferBuilder, WIPOffset};

use super::Seed;
use super::check::check;
use super::readers::folder;
use crate::tables::{arrow_file, arrow_stream, batch, digits, lists_of_cells, parquet};
use crate::util::{PUZZLE, gzip};

/// The correct result of reading a file.
#[derive(Clone, Copy, Debug)]
enum Answer {
    /// The number of records, including rejects, and the number of rejects.
    Records(u64, u64),
    /// The file is refused with exit code 3. The message must contain this word.
    Refused(&'static str),
}

use Answer::{Records, Refused};

struct CorpusFile {
    name: &'static str,
    bytes: Vec<u8>,
    answer: Answer,
}

/// All files of the corpus, for tests that change them at random.
pub(crate) fn files() -> Vec<Seed> {
    let corpus_files = corpus_files_of_all_kinds().into_iter();
    corpus_files
        .map(|CorpusFile { name, bytes, .. }| Seed {
            name: name.to_owned(),
            bytes,
        })
        .collect()
}

fn corpus_files_of_all_kinds() -> Vec<CorpusFile> {
    [
        arrow(),
        parquet_files(),
        layouts(),
        containers(),
        unsupported_formats(),
        texts(),
        boards(),
    ]
    .into_iter()
    .flatten()
    .map(|(name, bytes, answer)| CorpusFile {
        name,
        bytes,
        answer,
    })
    .collect()
}

type Entry = (&'static str, Vec<u8>, Answer);

/// The offsets of the messages in an Arrow file or stream.
fn messages(bytes: &[u8]) -> Vec<usize> {
    let mut message_starts = Vec::new();
    let mut offset = bytes.windows(4).position(|word| word == [0xff; 4]).unwrap();
    while let Some(head) = bytes.get(offset..offset + 8) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        if head[..4] != [0xff; 4] || length == 0 {
            break;
        }
        message_starts.push(offset);
        let message = root_as_message(&bytes[offset + 8..offset + 8 + length]).unwrap();
        offset += 8 + length + usize::try_from(message.bodyLength()).unwrap();
    }
    message_starts
}

/// A stream whose only column is a map without keys and values.
fn map_without_fields() -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let name = builder.create_string("puzzle");
    let map = Map::create(&mut builder, &MapArgs { keysSorted: false });
    let children = builder.create_vector::<WIPOffset<Field<'_>>>(&[]);
    let field = Field::create(
        &mut builder,
        &FieldArgs {
            name: Some(name),
            nullable: true,
            type_type: Type::Map,
            type_: Some(map.as_union_value()),
            children: Some(children),
            ..FieldArgs::default()
        },
    );
    let fields = builder.create_vector(&[field]);
    let schema = Schema::create(
        &mut builder,
        &SchemaArgs {
            fields: Some(fields),
            ..SchemaArgs::default()
        },
    );
    let message = Message::create(
        &mut builder,
        &MessageArgs {
            version: MetadataVersion::V5,
            header_type: MessageHeader::Schema,
            header: Some(schema.as_union_value()),
            ..MessageArgs::default()
        },
    );
    builder.finish(message, None);
    let message_bytes = builder.finished_data();
    let padded_length = message_bytes.len().next_multiple_of(8);
    let length = u32::try_from(padded_length).unwrap().to_le_bytes();
    let mut bytes = [&[0xff; 4][..], &length, message_bytes].concat();
    bytes.resize(8 + padded_length, 0);
    bytes.extend([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    bytes
}

/// Twelve grids in a column of fixed-size lists. The schema states a list size of 0.
fn empty_lists() -> Vec<u8> {
    let item_field = arrow::datatypes::Field::new("item", DataType::Int64, true);
    let grids = FixedSizeListArray::new_null(Arc::new(item_field), 0, 12);
    arrow_file(&batch(vec![("grid", Arc::new(grids))]), 4, None)
}

fn arrow() -> Vec<Entry> {
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; 9]));
    let table = batch(vec![("puzzle", puzzles)]);
    let file = arrow_file(&table, 3, None);
    let stream = arrow_stream(&table, 3, None);
    let with_hole = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        // The first message is the schema, so index 2 is the second record batch.
        let second_message = messages(&bytes)[2];
        bytes[second_message..second_message + 16].fill(0);
        bytes
    };
    let wrong_length = {
        let mut bytes = file.clone();
        let second_message = messages(&bytes)[2];
        bytes[second_message + 4] ^= 8;
        bytes
    };
    let without_end = stream[..stream.len() - 8].to_vec();
    vec![
        ("whole.arrow", file.clone(), Records(9, 0)),
        ("whole.arrows", stream.clone(), Records(9, 0)),
        ("hole.arrow", with_hole(&file), Refused("byte")),
        ("other-length.arrow", wrong_length, Refused("footer")),
        ("hole.arrows", with_hole(&stream), Refused("byte")),
        ("twice.arrows", stream.repeat(2), Refused("byte")),
        ("without-end.arrows", without_end, Refused("byte")),
        ("empty-lists.arrow", empty_lists(), Refused("grid")),
        ("map.arrows", map_without_fields(), Refused("map.arrows")),
    ]
}

/// A Parquet file whose footer states a wrong number of values for its last column.
fn parquet_with_wrong_value_count(column: ArrayRef, values: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = parquet(&batch(vec![("grid", column)]), Default::default());
    // In the footer, the path of the column is followed by the codec 0 and the number of values.
    let needle = [&[0x15, 0, 0x16], values, &[0x16]].concat();
    let mut windows = bytes.windows(needle.len());
    let replace_at = windows.position(|window| window == needle).unwrap() + 3;
    bytes[replace_at..replace_at + other.len()].copy_from_slice(other);
    bytes
}

fn parquet_files() -> Vec<Entry> {
    let texts: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; 12]));
    let lists = lists_of_cells(&[PUZZLE; 12]);
    // The two files have 12 texts and 972 digits. Zigzag encoding doubles these numbers of values.
    let text_file = |other| parquet_with_wrong_value_count(texts.clone(), &[24], other);
    let list_file = |other| parquet_with_wrong_value_count(lists.clone(), &[0x98, 0x0f], other);
    let refused_values = Refused("values");
    vec![
        ("whole-texts.parquet", text_file(&[24]), Records(12, 0)),
        ("fewer-than-none.parquet", text_file(&[55]), refused_values),
        ("fewer-texts.parquet", text_file(&[22]), refused_values),
        ("whole-lists.parquet", list_file(&[0x98]), Records(12, 0)),
        ("more-in-lists.parquet", list_file(&[0x9a]), refused_values),
        ("fewer-in-lists.parquet", list_file(&[0x96]), refused_values),
    ]
}

/// Layouts of puzzles, and concatenated files, that earlier versions refused or read wrongly.
fn layouts() -> Vec<Entry> {
    let puzzles = |rows| Arc::new(StringArray::from(vec![PUZZLE; rows])) as ArrayRef;
    let parquet_table = |rows| parquet(&batch(vec![("puzzle", puzzles(rows))]), Default::default());
    let key_array = arrow::array::Int8Array::from(vec![0; 5]);
    let lists = arrow::array::DictionaryArray::new(key_array, lists_of_cells(&[PUZZLE]));
    let lists = batch(vec![("grid", Arc::new(lists) as _)]);
    let item_field = Arc::new(arrow::datatypes::Field::new(
        "item",
        DataType::Float64,
        true,
    ));
    let views = DataType::ListView(item_field);
    let views = arrow::compute::cast(&lists_of_cells(&[PUZZLE; 3]), &views).unwrap();
    let counts: ArrayRef = Arc::new(StringArray::from(vec!["1"; 4]));
    let counts = batch(vec![("puzzle", puzzles(4)), ("solutions", counts)]);
    let null_column = Arc::new(arrow::array::NullArray::new(2)) as ArrayRef;
    let batch_with_nulls = batch(vec![("puzzle", puzzles(2)), ("x", null_column)]);
    let digits = digits(PUZZLE);
    let one_hot: Vec<u8> = { digits.iter() }
        .flat_map(|digit| (0..10).map(move |class| u8::from(class == *digit)))
        .collect();
    let npy = |quote: &str, shape: &str, items: &[u8]| {
        let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}\n");
        let header = header.replace('\'', quote);
        let length = u16::try_from(header.len()).unwrap().to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), items].concat()
    };
    vec![
        (
            "two.parquet",
            [parquet_table(3), parquet_table(2)].concat(),
            Refused("another Parquet file"),
        ),
        ("lists.arrow", arrow_file(&lists, 2, None), Records(5, 0)),
        (
            "views.arrow",
            arrow_file(&batch(vec![("grid", views)]), 2, None),
            Records(3, 0),
        ),
        ("counts.arrow", arrow_file(&counts, 3, None), Records(4, 0)),
        (
            "nothing.arrow",
            arrow_file(&batch_with_nulls, 2, None),
            Records(2, 0),
        ),
        (
            "pairs.npy",
            npy("'", "(1, 2, 81)", &digits.repeat(2)),
            Records(1, 0),
        ),
        (
            "one-hot.npy",
            npy("\"", "(1, 81, 10)", &one_hot),
            Records(1, 0),
        ),
    ]
}

fn containers() -> Vec<Entry> {
    let text = format!("{PUZZLE}\n").repeat(20);
    let packed = gzip(text.as_bytes());
    let mut wrong_size = packed.clone();
    let size = wrong_size.len() - 4;
    wrong_size[size] ^= 1;
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    let mut wrong_sum = encoder.finish().unwrap();
    *wrong_sum.last_mut().unwrap() ^= 1;
    vec![
        ("members.txt.gz", packed.repeat(2), Records(40, 0)),
        ("wrong-size.txt.gz", wrong_size, Refused("byte")),
        ("wrong-sum.txt.zst", wrong_sum, Refused("byte")),
    ]
}

/// A tar archive with one CSV file.
fn tar() -> Vec<u8> {
    let text = format!("puzzle\n{PUZZLE}\n");
    let mut header = vec![0; 512];
    header[..10].copy_from_slice(b"puzzle.csv");
    header[100..107].copy_from_slice(b"0000644");
    header[108..115].copy_from_slice(b"0000000");
    header[116..123].copy_from_slice(b"0000000");
    let size = format!("{:011o}", text.len());
    header[124..135].copy_from_slice(size.as_bytes());
    header[136..147].copy_from_slice(b"00000000000");
    header[148..156].fill(b' ');
    header[156] = b'0';
    header[257..265].copy_from_slice(b"ustar\x0000");
    let header_checksum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{header_checksum:06o}\0 ").as_bytes());
    let mut bytes = [&header, text.as_bytes()].concat();
    bytes.resize(bytes.len().next_multiple_of(512) + 1024, 0);
    bytes
}

/// Files in unsupported formats. The error names the format, and the file is not read as text.
fn unsupported_formats() -> Vec<Entry> {
    let with_zeros = |magic: &[u8]| [magic, &[0; 200]].concat();
    vec![
        ("puzzles.tar", tar(), Refused("tar")),
        (
            "board.png",
            with_zeros(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
            Refused("PNG"),
        ),
        ("table.orc", with_zeros(b"ORC\n"), Refused("ORC")),
        ("table.avro", with_zeros(b"Obj\x01"), Refused("Avro")),
        (
            "table.sqlite",
            with_zeros(b"SQLite format 3\0"),
            Refused("SQLite"),
        ),
        ("table.pdf", with_zeros(b"%PDF-1.7\n"), Refused("PDF")),
        ("text.lz4", with_zeros(b"\x04\x22\x4d\x18"), Refused("lz4")),
    ]
}

fn texts() -> Vec<Entry> {
    let zeros = PUZZLE.replace('.', "0");
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let types = format!(
        "{{\"puzzle\":\"{PUZZLE}\",\"n\":1,\"x\":1.5,\"ok\":true,\"tags\":[1,2],\"by\":{{\"name\":\"a\"}}}}\n\
         {{\"puzzle\":\"{PUZZLE}\",\"n\":null,\"x\":2,\"ok\":null,\"tags\":[],\"by\":null}}\n"
    );
    vec![
        ("types.ndjson", types.into_bytes(), Records(2, 0)),
        (
            "quotes.csv",
            format!("puzzle,note\n{PUZZLE},\"\"\n{PUZZLE},\n{PUZZLE},\"a\nb\"\n{PUZZLE},\"open\n")
                .into_bytes(),
            Records(4, 1),
        ),
        ("utf16.txt", utf16(&format!("{zeros}\n")), Refused("UTF-16")),
        (
            "macs.txt",
            format!("{PUZZLE}\r{PUZZLE}\r").into_bytes(),
            Refused("carriage returns"),
        ),
        ("nothing.txt", Vec::new(), Records(0, 0)),
    ]
}

/// Boards with decorated rows, followed by prose.
fn boards() -> Vec<Entry> {
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..][..9]).collect();
    let decorated_board = |row: &dyn Fn(&str) -> String| -> Vec<u8> {
        rows.iter()
            .map(|cells| row(cells) + "\n")
            .collect::<String>()
            .into_bytes()
    };
    let with_zero_cells = |cells: &str| cells.replace('.', "0");
    let with_spaces = |cells: &str| {
        cells
            .chars()
            .map(String::from)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let plain_board = String::from_utf8(decorated_board(&|cells| cells.to_owned())).unwrap();
    let prose = "This line is prose that no board has, 123456789 times.";
    vec![
        (
            "quoted.sdk",
            decorated_board(&|cells| format!("\"{}\",", with_zero_cells(cells))),
            Records(1, 0),
        ),
        (
            "named.sdk",
            decorated_board(&|cells| format!("Row A: {}", with_zero_cells(cells))),
            Records(1, 0),
        ),
        (
            "stars.sdk",
            decorated_board(&|cells| format!("* {} *", with_spaces(&with_zero_cells(cells)))),
            Records(1, 0),
        ),
        (
            "brackets.sdk",
            decorated_board(&|cells| {
                format!(
                    "[{}],",
                    with_spaces(&with_zero_cells(cells)).replace(' ', ", ")
                )
            }),
            Records(1, 0),
        ),
        (
            "prose.sdk",
            format!("{plain_board}\n{plain_board}\n{prose}\n").into_bytes(),
            Records(3, 1),
        ),
        // Regression test: a line was taken for a drawn line of a board if it had no digits, three blanks, and a first
        // character that can draw lines.
        (
            "blanks.ss",
            b"--X\n.6....28.\n...419..5".to_vec(),
            Records(1, 1),
        ),
        (
            "no-rule.sdk",
            format!("{plain_board}\n-X?x-X?\n{plain_board}").into_bytes(),
            Records(2, 0),
        ),
    ]
}

#[test]
fn files_of_the_corpus_give_the_correct_result() {
    let folder = folder();
    let mut wrong_readings = Vec::new();
    for CorpusFile {
        name,
        bytes,
        answer,
    } in corpus_files_of_all_kinds()
    {
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        let outcome = check(&path, &bytes, None);
        let is_right = match (answer, &outcome.refused) {
            (Records(records, rejects), None) => {
                (records, rejects) == (outcome.records, outcome.rejects)
            }
            (Refused(word), Some((3, message))) => message.contains(word),
            _ => false,
        };
        if !is_right {
            wrong_readings.push(format!("{name}: expected {answer:?}, got {outcome:?}"));
        }
    }
    assert!(wrong_readings.is_empty(), "{}", wrong_readings.join("\n"));
}

/// With `FUZZ_CORPUS=FOLDER`, writes the seeds and the corpus to a folder, for other fuzzers.
#[test]
fn the_seeds_and_the_corpus_are_written_on_request() {
    let Ok(folder) = std::env::var("FUZZ_CORPUS") else {
        return;
    };
    std::fs::create_dir_all(&folder).unwrap();
    for Seed { name, bytes } in super::readers::seeds() {
        std::fs::write(format!("{folder}/{name}"), bytes).unwrap();
    }
}
