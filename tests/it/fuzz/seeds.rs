//! Small files in all input formats, which tests change at random.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int32Array, Int64Array, ListArray,
    RecordBatch, RunArray, StringArray, StringViewArray,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int32Type};
use arrow::ipc::CompressionType;
use arrow::ipc::writer::StreamWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

use crate::tables::{
    arrow_file, arrow_stream, batch, digits, lists_of_cells, nested, npy, npz, parquet,
};
use crate::util::{PUZZLE, SOLUTION, gzip};

/// An unchanged file, which a test changes at random: its name, which may have the extension of its format, and its
/// bytes.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The seeds in text formats, without compression.
pub(crate) fn texts() -> Vec<Seed> {
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..][..9]).collect();
    let decorate = |row: &&str| format!("|{}|{}|{}|\n", &row[..3], &row[3..6], &row[6..]);
    let decorated: Vec<String> = rows.iter().map(decorate).collect();
    let pencil_marks: String = PUZZLE
        .chars()
        .map(|cell| match cell {
            '.' => "123456789".to_owned(),
            digit => ('1'..='9')
                .map(|d| if d == digit { d } else { '.' })
                .collect(),
        })
        .collect();
    let groups: Vec<String> = PUZZLE
        .chars()
        .map(|cell| cell.to_string().replace('.', "123456789"))
        .collect();
    let zeros = PUZZLE.replace('.', "0");
    let grid: Vec<Vec<u32>> = rows
        .iter()
        .map(|row| {
            row.bytes()
                .map(|b| u32::from(b.saturating_sub(b'0')) % 10)
                .collect()
        })
        .collect();
    let board = rows.join("\n");
    [
        ("plain.txt", format!("# list\n{PUZZLE}\n{PUZZLE} # x\n")),
        ("count.txt", format!("2\n{zeros}\n{zeros}\n")),
        ("bank.txt", format!("0000183b305c {zeros}  1.2\n")),
        (
            "hodoku.txt",
            format!(":0000:x:{PUZZLE}:::\n:0300:3:{PUZZLE}:178 242:394:c:\n"),
        ),
        (
            "counted.txt",
            format!("{PUZZLE}:1:{SOLUTION}\n{PUZZLE}:2\n"),
        ),
        ("euler.txt", format!("Grid 01\n{board}\nGrid 02\n{board}\n")),
        (
            "one.sdk",
            format!("#A me\n#D a puzzle\n[Puzzle]\n{board}\n[State]\n{board}\n"),
        ),
        (
            "one.ss",
            format!(
                "{}---+---+---\n{}---+---+---\n{}",
                decorated[..3].concat(),
                decorated[3..6].concat(),
                decorated[6..].concat()
            ),
        ),
        (
            "open.xml",
            format!(
                "<?xml version=\"1.0\"?>\n<opensudoku><name>n</name><game data=\"{zeros}\"/><!-- <game/> --><game data='{zeros}' note=\"a &gt; b\"/></opensudoku>\n"
            ),
        ),
        ("marks.txt", format!("{pencil_marks}\n{pencil_marks} x\n")),
        ("groups.txt", groups.join(" ") + "\n"),
        (
            "table.csv",
            format!(
                "id,puzzle,solution,note\n1,{PUZZLE},{SOLUTION},\"a \"\"b\"\"\nc\"\n2,{zeros},,\n"
            ),
        ),
        (
            "table.tsv",
            format!("quizzes\tsolutions\n{zeros}\t{SOLUTION}\n"),
        ),
        (
            "array.json",
            format!("[\n {{\"puzzle\": \"{PUZZLE}\", \"n\": 1}},\n {{\"puzzle\": \"{PUZZLE}\", \"n\": null}}\n]\n"),
        ),
        (
            "grids.json",
            format!("[\"{PUZZLE}\",\n \"{PUZZLE}\"]\n"),
        ),
        (
            "objects.json",
            format!("{{\"puzzle\": \"{PUZZLE}\",\n \"n\": 1}},\n{{\"puzzle\": \"{PUZZLE}\"}}\n"),
        ),
        (
            "columns.json",
            format!("{{\"puzzle\": [\"{PUZZLE}\", \"{PUZZLE}\"], \"n\": [1, 2]}}\n"),
        ),
        (
            "typed.ndjson",
            format!("{{\"puzzle\":\"{PUZZLE}\",\"n\":1,\"ok\":true}}\n").repeat(3),
        ),
        (
            "keys.ndjson",
            (0..40).map(|key| format!("{{\"k{key}\":{key},\"puzzle\":\"{PUZZLE}\"}}\n")).collect(),
        ),
        (
            "twice.ndjson",
            format!("{{\"n\":1,\"puzzle\":\"x\",\"n\":0.12345678901234567890,\"puzzle\":\"{PUZZLE}\"}}\n"),
        ),
        (
            "wide.csv",
            format!("puzzle{}\n{PUZZLE}\n{PUZZLE}{}\n", ",a,B,,A".repeat(50), ",1".repeat(200)),
        ),
        (
            "rows.ndjson",
            format!("{{\"puzzle\":\"{PUZZLE}\",\"n\":1.50}}\n{{\"puzzle\":{grid:?},\"n\":null}}\n"),
        ),
    ]
    .into_iter()
    .map(|(name, text)| Seed {
        name: name.to_owned(),
        bytes: text.into_bytes(),
    })
    .collect()
}

/// The seeds in text formats, compressed with gzip and zstd, or in UTF-16.
pub(crate) fn packed_texts() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for Seed { name, bytes } in texts() {
        let utf16: Vec<u8> = String::from_utf8_lossy(&bytes)
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (name, bytes) in [
            (format!("{name}.gz"), gzip(&bytes)),
            (
                format!("{name}.zst"),
                zstd::encode_all(&bytes[..], 1).unwrap(),
            ),
            (
                format!("utf16-{name}"),
                [&[0xff, 0xfe][..], &utf16].concat(),
            ),
        ] {
            seeds.push(Seed { name, bytes });
        }
    }
    seeds
}

const ROWS: usize = 12;

/// NumPy arrays, and archives with several arrays.
pub(crate) fn arrays() -> Vec<Seed> {
    let grids = npy("|u1", "(2, 81)", &[digits(PUZZLE), digits(PUZZLE)].concat());
    let solutions_npy = npy(
        "|u1",
        "(2, 9, 9)",
        &[digits(SOLUTION), digits(SOLUTION)].concat(),
    );
    let files = [
        ("puzzles", grids.clone()),
        ("solutions", solutions_npy),
        ("rating", npy("<f4", "(2,)", &[0, 0, 128, 63, 0, 0, 0, 64])),
        ("name", npy("|S2", "(2,)", b"abc\0")),
    ];
    [
        ("grids.npy", grids),
        ("texts.npy", npy("|S81", "(1,)", PUZZLE.as_bytes())),
        ("stored.npz", npz(&files, false)),
        ("deflated.npz", npz(&files, true)),
    ]
    .map(|(name, bytes)| Seed {
        name: name.to_owned(),
        bytes,
    })
    .into()
}

/// Columns in which rows share values: views, dictionaries with small keys, and run-end encoded columns.
fn batch_of_shared_values() -> RecordBatch {
    let long_text = "a text that is longer than a view".repeat(3);
    let texts = |n: usize| (!n.is_multiple_of(5)).then(|| [&long_text[..], "short"][n % 2]);
    let views: ArrayRef = Arc::new((0..ROWS).map(texts).collect::<StringViewArray>());
    let words: ArrayRef = Arc::new((0..ROWS).map(texts).collect::<StringArray>());
    let cast_to = |column: &ArrayRef, data_type| cast(column, &data_type).unwrap();
    let dictionary = |key| DataType::Dictionary(Box::new(key), Box::new(DataType::Utf8));
    let run_ends = Arc::new(Int32Array::from_iter_values([2, 7, ROWS as i32]));
    let values: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None, Some(&long_text)]));
    let run_array: ArrayRef = Arc::new(RunArray::try_new(&run_ends, &values).unwrap());
    let lists = (0..ROWS).map(|n| (n % 4 > 0).then(|| vec![Some(n as i32); n % 3]));
    let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists));
    let item_field = Arc::new(Field::new("item", DataType::Int32, true));
    batch(vec![
        (
            "puzzle",
            cast_to(
                &(Arc::new(StringArray::from(vec![PUZZLE; ROWS])) as _),
                dictionary(DataType::Int8),
            ),
        ),
        ("view", views.clone()),
        ("bytes", cast_to(&views, DataType::BinaryView)),
        ("word", cast_to(&words, dictionary(DataType::Int8))),
        ("run", run_array),
        ("lists", cast_to(&lists, DataType::ListView(item_field))),
    ])
}

/// A stream whose second record batch has another dictionary.
fn stream_with_new_dictionary() -> Vec<u8> {
    let batch_of_words = |words: [&'static str; 2]| {
        let words: ArrayRef = Arc::new(StringArray::from_iter_values(
            (0..ROWS).map(|n| words[n % 2]),
        ));
        let dictionary = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
        let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; ROWS]));
        batch(vec![
            ("puzzle", puzzles),
            ("word", cast(&words, &dictionary).unwrap()),
        ])
    };
    let dictionary_parts = [batch_of_words(["a", "b"]), batch_of_words(["c", "a"])];
    let mut writer = StreamWriter::try_new(Vec::new(), &dictionary_parts[0].schema()).unwrap();
    dictionary_parts
        .iter()
        .for_each(|part| writer.write(part).unwrap());
    writer.into_inner().unwrap()
}

/// A table with these puzzles, and with columns of common types.
fn table(puzzles: ArrayRef) -> RecordBatch {
    let levels: ArrayRef =
        Arc::new(StringArray::from_iter((0..ROWS).map(|n| {
            (n % 5 > 0).then_some(["easy", "a longer name of a level"][n % 2])
        })));
    let dictionary = DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::Utf8));
    let lists = (0..ROWS).map(|n| (n % 4 > 0).then(|| vec![Some(n as i32); n % 3]));
    let third_or_null = |n: usize| (!n.is_multiple_of(7)).then_some(n as f64 / 3.0);
    batch(vec![
        ("puzzle", puzzles),
        ("level", cast(&levels, &dictionary).unwrap()),
        ("n", Arc::new(Int64Array::from_iter_values(0..ROWS as i64))),
        (
            "third",
            Arc::new((0..ROWS).map(third_or_null).collect::<Float64Array>()),
        ),
        (
            "even",
            Arc::new(BooleanArray::from_iter((0..ROWS).map(|n| Some(n % 2 == 0)))),
        ),
        (
            "day",
            Arc::new(Date32Array::from_iter_values(0..ROWS as i32)),
        ),
        (
            "list",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists)),
        ),
    ])
}

/// The seeds in the formats Parquet and Arrow.
pub(crate) fn columnar() -> Vec<Seed> {
    let texts = vec![PUZZLE; ROWS];
    let views = StringViewArray::from_iter_values(&texts);
    let plain_table = table(Arc::new(StringArray::from(texts.clone())));
    let table_of_views = table(Arc::new(views));
    let small_table = batch(vec![(
        "puzzle",
        Arc::new(StringArray::from(texts.clone())) as _,
    )]);
    let lists = table(lists_of_cells(&texts));
    let nested_lists = batch(vec![("grid", nested(&texts))]);
    let default_properties = WriterProperties::builder();
    let delta = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(5))
        .set_column_encoding("n".into(), Encoding::DELTA_BINARY_PACKED)
        .set_column_encoding("level".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
        .set_column_encoding("puzzle".into(), Encoding::DELTA_BYTE_ARRAY)
        .build();
    let with_codec = |codec| WriterProperties::builder().set_compression(codec).build();
    let zstd = CompressionType::ZSTD;
    let lz4 = CompressionType::LZ4_FRAME;
    [
        (
            "plain.parquet",
            parquet(&plain_table, default_properties.build()),
        ),
        ("delta.parquet", parquet(&plain_table, delta)),
        (
            "zstd.parquet",
            parquet(
                &table_of_views,
                with_codec(Compression::ZSTD(ZstdLevel::default())),
            ),
        ),
        (
            "snappy.parquet",
            parquet(&small_table, with_codec(Compression::SNAPPY)),
        ),
        (
            "lists.parquet",
            parquet(&lists, with_codec(Compression::UNCOMPRESSED)),
        ),
        (
            "nested.parquet",
            parquet(&nested_lists, with_codec(Compression::UNCOMPRESSED)),
        ),
        ("plain.arrow", arrow_file(&plain_table, 5, None)),
        ("zstd.arrow", arrow_file(&table_of_views, 7, Some(zstd))),
        ("small.arrow", arrow_file(&small_table, 4, None)),
        ("nested.arrow", arrow_file(&nested_lists, 4, Some(lz4))),
        ("plain.arrows", arrow_stream(&plain_table, 5, None)),
        ("lz4.arrows", arrow_stream(&lists, 5, Some(lz4))),
        ("small.arrows", arrow_stream(&small_table, 4, None)),
        (
            "shared.arrow",
            arrow_file(&batch_of_shared_values(), 5, None),
        ),
        (
            "shared.arrows",
            arrow_stream(&batch_of_shared_values(), 7, Some(zstd)),
        ),
        ("replaced.arrows", stream_with_new_dictionary()),
    ]
    .into_iter()
    .map(|(name, bytes)| Seed {
        name: name.to_owned(),
        bytes,
    })
    .collect()
}
