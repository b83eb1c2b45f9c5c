//! Tests that reading damaged files of every columnar format ends with rows, or with an error that states the
//! position, and never panics.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, ListArray, RecordBatch, StringArray, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Fields, Int32Type, Schema};
use arrow::ipc::CompressionType;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

use crate::error::Error;
use crate::formats::open;
use crate::read::{Keep, ReadOptions};
use sudoku_core::random::Rng;

const ROWS: usize = 300;

/// A table with all kinds of columns: puzzles as lists and as text, a dictionary, numbers, texts, and views.
fn table() -> RecordBatch {
    let mut rng = Rng::new(1);
    let texts: Vec<String> = (0..ROWS)
        .map(|_| {
            let digits = (0..81).map(|_| rng.below(10).to_string());
            digits.collect()
        })
        .collect();
    let lists = texts.iter().map(|text| {
        let digits = text.bytes().map(|digit| Some(i32::from(digit - b'0')));
        Some(digits.collect::<Vec<_>>())
    });
    let grids: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists));
    let levels: ArrayRef =
        Arc::new(StringArray::from_iter((0..ROWS).map(|n| {
            (n % 5 > 0).then_some(["easy", "a longer name of a level"][n % 2])
        })));
    let dictionary = DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::Utf8));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("grid", grids),
        ("level", cast(&levels, &dictionary).unwrap()),
        ("n", Arc::new(Int64Array::from_iter_values(0..ROWS as i64))),
        ("text", Arc::new(StringArray::from(texts.clone()))),
        ("view", Arc::new(StringViewArray::from_iter_values(&texts))),
    ];
    let columns = columns
        .into_iter()
        .map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn as_parquet(table: &RecordBatch, properties: WriterProperties) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), table.schema(), Some(properties)).unwrap();
    writer.write(table).unwrap();
    writer.into_inner().unwrap()
}

fn as_arrow(table: &RecordBatch, codec: Option<CompressionType>, is_file: bool) -> Vec<u8> {
    let options = IpcWriteOptions::default();
    let options = options.try_with_compression(codec).unwrap();
    let (schema, half) = (table.schema(), table.slice(0, ROWS / 2));
    if is_file {
        let mut writer = FileWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
        writer.write(&half).unwrap();
        writer.write(&half).unwrap();
        return writer.into_inner().unwrap();
    }
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
    writer.write(&half).unwrap();
    writer.write(&half).unwrap();
    writer.into_inner().unwrap()
}

/// The same table in Parquet and Arrow files, with several encodings and compressions.
pub(crate) fn files() -> Vec<Vec<u8>> {
    let table = table();
    let delta = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(100))
        .set_column_encoding("n".into(), Encoding::DELTA_BINARY_PACKED)
        .set_column_encoding("level".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
        .set_column_encoding("text".into(), Encoding::DELTA_BYTE_ARRAY)
        .build();
    let zstd = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    let mut files = vec![
        as_parquet(&table, WriterProperties::default()),
        as_parquet(&table, delta),
        as_parquet(&table, zstd),
    ];
    for codec in [
        None,
        Some(CompressionType::ZSTD),
        Some(CompressionType::LZ4_FRAME),
    ] {
        files.push(as_arrow(&table, codec, true));
        files.push(as_arrow(&table, codec, false));
    }
    files
}

/// Reads all rows of a file, and returns their number.
fn read(path: &str, keep: Keep) -> Result<u64, Error> {
    let options = ReadOptions {
        keep,
        ..ReadOptions::default()
    };
    let mut input = open(path, &options)?;
    let mut rows = 0;
    while let Some(batch) = input.source.next(Vec::new())? {
        let records = input.parser.parse(&batch)?;
        assert_eq!(records.rows.len(), batch.rows);
        assert_eq!(batch.first_row, rows);
        rows += batch.rows as u64;
    }
    assert!(matches!(input.source.next(Vec::new()), Ok(None)));
    Ok(rows)
}

/// Damages a file: changes a few bytes, mostly near the start and the end, where sizes and counts are, or
/// truncates the file.
fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(3) {
        let last_bytes = 1200.min(bytes.len());
        let changed_offset = match rng.below(3) {
            0 => bytes.len() - 1 - rng.below(last_bytes),
            1 => rng.below(last_bytes),
            _ => rng.below(bytes.len()),
        };
        bytes[changed_offset] = match rng.below(3) {
            0 => bytes[changed_offset] ^ 1 << rng.below(8),
            1 => [0, 0x7f, 0x80, 0xff][rng.below(4)],
            _ => rng.next_u64() as u8,
        };
    }
    match rng.below(12) {
        0 => bytes.truncate(rng.below(bytes.len())),
        1 => {
            let source = rng.below(bytes.len() - 8);
            let destination = rng.below(bytes.len() - 8);
            bytes.copy_within(source..source + 8, destination);
        }
        _ => {}
    }
}

/// A schema with a map whose entries lack the key and value fields.
#[test]
fn a_map_of_no_fields_is_damage() {
    let entries = Field::new("entries", DataType::Struct(Fields::empty()), false);
    let fields = vec![
        Field::new("puzzle", DataType::Utf8, true),
        Field::new("tags", DataType::Map(Arc::new(entries), false), true),
    ];
    let schema = Schema::new(fields);
    let folder = tempfile::tempdir().unwrap();
    let file = FileWriter::try_new(Vec::new(), &schema).unwrap();
    let stream = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    for (name, bytes) in [
        ("in.arrow", file.into_inner().unwrap()),
        ("in.arrows", stream.into_inner().unwrap()),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let error = read(path.to_str().unwrap(), Keep::All).unwrap_err();
        assert_eq!(error.exit_code(), 3, "{error}");
        let message = error.to_string();
        assert!(
            message.contains(name) && message.contains("at byte "),
            "{message}"
        );
    }
}

#[test]
fn damage_anywhere_is_an_error_or_other_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in");
    let name = path.to_str().unwrap();
    let seed = 7;
    let mut outcomes = [0; 2];
    for (number, whole) in files().into_iter().enumerate() {
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(read(name, Keep::All).unwrap(), 300, "file {number}");
        for case in 0..250 {
            let mut rng = Rng::for_item(seed, number as u64 * 1_000_000 + case);
            let mut bytes = whole.clone();
            damage(&mut bytes, &mut rng);
            eprintln!("seed {seed}, file {number}, case {case}");
            drop(File::create(&path).unwrap());
            std::fs::write(&path, &bytes).unwrap();
            let keep = match rng.below(2) {
                0 => Keep::All,
                _ => Keep::None,
            };
            match read(name, keep) {
                Ok(_) => outcomes[0] += 1,
                Err(error) => {
                    assert_eq!(error.exit_code(), 3, "{error}");
                    outcomes[1] += 1;
                }
            }
        }
    }
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
}
