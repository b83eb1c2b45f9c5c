//! Parquet files with a text column of puzzles.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use arrow::array::{Array, ArrayRef, AsArray};

use super::columns::choose;
use super::layout::{Layout, text_type};
use super::{
    Batch, BatchSource, Carried, Detection, Input, InputFormat, InputInfo, Parse, Payload,
    RawRecord, ReadOptions, Records,
};
use crate::error::Error;
use crate::reject::{RejectKind, RejectReason};
use crate::store::{self, Location};
use crate::store::{Failure, RandomAccess};

/// As many as there are in a batch of text.
const BATCH_ROWS: usize = 4096;

pub(super) fn open(path: &str, file: RandomAccess, options: &ReadOptions) -> Result<Input, Error> {
    let bytes = file.bytes();
    let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new(file))
        .map_err(|error| explain(path, bytes, &error))?;
    let fields = builder.schema().fields().clone();
    let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
    let columns = choose(path, &names, options, |at| {
        text_type(fields[at].data_type()).is_some()
    })?;
    let layout = Layout::new(path, &columns, &fields)?;

    let metadata = Arc::clone(builder.metadata());
    let mask = ProjectionMask::roots(builder.parquet_schema(), layout.roots.iter().copied());
    let builder = builder.with_projection(mask).with_batch_size(BATCH_ROWS);
    let reader = guarded(|| builder.build()).map_err(|error| explain(path, bytes, &error))?;

    let bytes_read = Arc::new(AtomicU64::new(0));
    let has_solutions = columns.solution.is_some();
    let first_carried = 1 + usize::from(has_solutions);
    Ok(Input {
        about: InputInfo {
            source: path.to_owned(),
            bytes: Some(bytes),
            compression: "none",
            format: InputFormat::Parquet.id(),
            has_solutions,
        },
        detection: Detection {
            why: "it starts with PAR1".to_owned(),
            columns: columns.roles(&names),
            ..Detection::default()
        },
        carried: layout.schema.fields()[first_carried..].to_vec(),
        source: Box::new(Source {
            path: path.to_owned(),
            reader: Some(reader),
            layout,
            metadata,
            row: 0,
            bytes,
            bytes_read: Arc::clone(&bytes_read),
        }),
        parser: Arc::new(Parser { has_solutions }),
        bytes_read,
    })
}

/// How many row groups a Parquet file has; `None` where it is none.
pub fn parquet_row_groups(path: &str) -> Result<Option<usize>, Error> {
    let Some(random) = store::open(&Location::parse(path)?)?.random else {
        return Ok(None);
    };
    let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new(random));
    Ok(builder
        .ok()
        .map(|builder| builder.metadata().num_row_groups()))
}

struct Source {
    path: String,
    /// `None` after an error.
    reader: Option<ParquetRecordBatchReader>,
    layout: Layout,
    metadata: Arc<ParquetMetaData>,
    row: u64,
    bytes: u64,
    bytes_read: Arc<AtomicU64>,
}

impl Source {
    /// Parquet is not read from front to back: the progress is the share of the rows.
    fn count(&self) {
        let rows = u64::try_from(self.metadata.file_metadata().num_rows()).unwrap_or(0);
        let done = u128::from(self.row.min(rows)) * u128::from(self.bytes);
        let read = done
            .checked_div(u128::from(rows))
            .and_then(|read| u64::try_from(read).ok());
        self.bytes_read
            .store(read.unwrap_or(self.bytes), Ordering::Relaxed);
    }

    /// Where the row group starts that the next row is in.
    fn byte_offset(&self) -> u64 {
        let mut end = 0;
        let group = self.metadata.row_groups().iter().find(|group| {
            end += u64::try_from(group.num_rows()).unwrap_or(0);
            end > self.row
        });
        let chunks = group.map(RowGroupMetaData::columns).unwrap_or_default();
        let starts = chunks.iter().filter_map(|chunk| {
            let start = chunk
                .dictionary_page_offset()
                .unwrap_or(chunk.data_page_offset());
            u64::try_from(start).ok()
        });
        starts.min().unwrap_or(self.bytes).min(self.bytes)
    }
}

impl BatchSource for Source {
    fn next(&mut self, _buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        let Some(reader) = &mut self.reader else {
            return Ok(None);
        };
        let layout = &self.layout;
        let read = guarded(|| match reader.next() {
            Some(read) => read.and_then(|batch| layout.arrange(&batch)).map(Some),
            None => Ok(None),
        });
        let columns = match read {
            Ok(Some(columns)) => columns,
            Ok(None) => return Ok(None),
            Err(error) => {
                self.reader = None;
                return Err(explain(&self.path, self.byte_offset(), &error));
            }
        };
        let batch = Batch {
            first_row: self.row,
            rows: columns.num_rows(),
            payload: Payload::Columns(columns),
        };
        self.row += batch.rows as u64;
        self.count();
        Ok(Some(batch))
    }
}

thread_local! {
    /// Whether a panic on this thread is caught and becomes an error.
    static GUARDED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Keeps panics that damaged Parquet files cause in the crates that decode them, and that this
/// crate turns into errors, off standard error. For the start of a program.
pub fn quiet_guarded_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !GUARDED.get() {
            usual(panic);
        }
    }));
}

/// The crates that decode Parquet answer some damage, above all in the embedded Arrow schema, with
/// a panic: here it becomes an error like the others. Nothing that took part may be used after it.
fn guarded<T, E: Into<ParquetError>>(
    decode: impl FnOnce() -> Result<T, E>,
) -> Result<T, ParquetError> {
    GUARDED.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(false);
    match decoded {
        Ok(decoded) => decoded.map_err(Into::into),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Err(ParquetError::General(text.unwrap_or("panic").to_owned()))
        }
    }
}

/// The system's errors are told apart from damage; they are wrapped up to three times.
fn explain(path: &str, byte_offset: u64, error: &ParquetError) -> Error {
    let source_name = path.to_owned();
    if let Some(failure) = Failure::within(error) {
        let error = failure.clone().into();
        return Error::Read { source_name, error };
    }
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        let number = inner
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::raw_os_error);
        if let Some(number) = number {
            let error = std::io::Error::from_raw_os_error(number);
            return Error::Read { source_name, error };
        }
        cause = inner.source();
    }
    Error::Corrupt {
        source_name,
        byte_offset,
        what: format!("the Parquet file is damaged or cut short ({error})"),
    }
}

/// Columns are apart already: this hands their values out row by row.
struct Parser {
    has_solutions: bool,
}

impl Parse for Parser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let Payload::Columns(columns) = &batch.payload else {
            return Err(Error::Table("a batch of text is not Parquet".to_owned()));
        };
        let columns = columns.columns();
        let solutions = columns.get(1).filter(|_| self.has_solutions);
        let rows = (0..batch.rows)
            .map(|row| {
                let puzzle = columns.first().and_then(|column| value(column, row));
                let missing = || RejectReason::new(RejectKind::NullValue, "the puzzle is null");
                RawRecord {
                    puzzle: puzzle.map(Cow::Borrowed).ok_or_else(missing),
                    solution: solutions
                        .and_then(|column| value(column, row))
                        .filter(|text| !text.is_empty())
                        .map(Cow::Borrowed),
                    position: None,
                    raw: puzzle.unwrap_or_default(),
                }
            })
            .collect();
        let carried = columns.get(1 + usize::from(self.has_solutions)..);
        Ok(Records {
            rows,
            carried: Carried::Columns(carried.unwrap_or_default().to_vec()),
        })
    }
}

fn value(column: &ArrayRef, row: usize) -> Option<&[u8]> {
    if column.is_null(row) {
        return None;
    }
    match column.as_string_opt::<i32>() {
        Some(text) => Some(text.value(row).as_bytes()),
        None => column.as_binary_opt::<i32>().map(|bytes| bytes.value(row)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Keep;
    use crate::rng::Rng;
    use ::parquet::arrow::ArrowWriter;
    use arrow::array::{Int64Array, RecordBatch, StringArray};
    use arrow::compute::cast;
    use arrow::datatypes::{DataType, Field};

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    fn stored(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns
                .into_iter()
                .map(|(name, column)| (name, column, true)),
        )
        .unwrap();
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    }

    fn opened(bytes: &[u8], options: &ReadOptions) -> Result<Input, Error> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.parquet");
        std::fs::write(&path, bytes).unwrap();
        let file = std::fs::File::open(&path).unwrap();
        let file = RandomAccess::file(file, bytes.len() as u64);
        open("in.parquet", file, options)
    }

    fn strings<const N: usize>(values: [Option<&str>; N]) -> ArrayRef {
        Arc::new(StringArray::from(values.to_vec()))
    }

    fn numbers(count: i64) -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(0..count))
    }

    /// Puzzles and solutions, as text.
    fn rows(input: &mut Input) -> Result<Vec<String>, Error> {
        let mut all = Vec::new();
        while let Some(batch) = input.source.next(Vec::new())? {
            assert_eq!(batch.first_row, all.len() as u64);
            let records = input.parser.parse(&batch)?;
            assert_eq!(records.rows.len(), batch.rows);
            for row in records.rows {
                let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
                let puzzle = match &row.puzzle {
                    Ok(puzzle) => text(puzzle),
                    Err(reason) => reason.kind.id().to_owned(),
                };
                let solution = row.solution.map(|solution| text(&solution));
                all.push(format!("{puzzle} {}", solution.unwrap_or_default()));
            }
        }
        Ok(all)
    }

    #[test]
    fn columns_are_found_by_name_and_carried_with_their_type() {
        let bytes = stored(vec![
            ("n", numbers(3)),
            ("solution", strings([Some("s"), None, Some("")])),
            ("Puzzle", strings([Some("p"), None, Some("q")])),
        ]);
        let mut input = opened(&bytes, &ReadOptions::default()).unwrap();
        assert!(input.about.has_solutions);
        assert_eq!(*input.carried[0], Field::new("n", DataType::Int64, true));
        let batch = input.source.next(Vec::new()).unwrap().unwrap();
        let Carried::Columns(carried) = input.parser.parse(&batch).unwrap().carried else {
            panic!("Parquet carries columns");
        };
        assert_eq!(carried, [numbers(3)]);
        assert_eq!(input.bytes_read.load(Ordering::Relaxed), bytes.len() as u64);

        let none = ReadOptions {
            keep: Keep::None,
            ..ReadOptions::default()
        };
        let mut input = opened(&bytes, &none).unwrap();
        assert!(input.carried.is_empty());
        assert_eq!(rows(&mut input).unwrap(), ["p s", "null_value ", "q "]);
    }

    #[test]
    fn every_kind_of_text_is_read() {
        let text = strings([Some(PUZZLE), None, Some(PUZZLE)]);
        let dictionary = |key| DataType::Dictionary(Box::new(key), Box::new(DataType::Utf8));
        for kind in [
            DataType::Utf8,
            DataType::LargeUtf8,
            DataType::Utf8View,
            DataType::Binary,
            DataType::LargeBinary,
            DataType::BinaryView,
            dictionary(DataType::Int32),
            dictionary(DataType::UInt8),
        ] {
            let column = cast(&text, &kind).unwrap();
            let mut input =
                opened(&stored(vec![("board", column)]), &ReadOptions::default()).unwrap();
            let expected = [
                format!("{PUZZLE} "),
                "null_value ".to_owned(),
                format!("{PUZZLE} "),
            ];
            assert_eq!(rows(&mut input).unwrap(), expected, "{kind}");
        }
    }

    #[test]
    fn a_column_that_is_no_text_is_named_with_its_type() {
        let bytes = stored(vec![("grid", numbers(1)), ("a", strings([Some("p")]))]);
        let message = opened(&bytes, &ReadOptions::default())
            .err()
            .unwrap()
            .to_string();
        assert_eq!(
            message,
            "in.parquet: column \"grid\" holds Int64; grids are read from columns of text"
        );
        let bytes = stored(vec![("grid", numbers(1)), ("board", strings([Some("p")]))]);
        let mut input = opened(&bytes, &ReadOptions::default()).unwrap();
        assert_eq!(
            rows(&mut input).unwrap(),
            ["p "],
            "the one that is text is taken"
        );
    }

    #[test]
    fn many_rows_come_in_batches_and_progress_is_told() {
        let text = vec![PUZZLE; 10_000];
        let column: ArrayRef = Arc::new(StringArray::from(text));
        let mut input = opened(&stored(vec![("quiz", column)]), &ReadOptions::default()).unwrap();
        let mut sizes = Vec::new();
        let mut progress = Vec::new();
        while let Some(batch) = input.source.next(Vec::new()).unwrap() {
            sizes.push(batch.rows);
            progress.push(input.bytes_read.load(Ordering::Relaxed));
        }
        assert_eq!(sizes, [4096, 4096, 1808]);
        assert!(progress.is_sorted());
        assert_eq!(progress.last().copied(), input.about.bytes);
    }

    #[test]
    fn damage_anywhere_is_an_error_and_no_panic() {
        let texts: Vec<String> = (0..300).map(|n| format!("{n}{PUZZLE}")).collect();
        let column: ArrayRef = Arc::new(StringArray::from(texts));
        let whole = stored(vec![("quiz", column), ("n", numbers(300))]);
        let mut outcomes = [0; 2];
        let seed = 7;
        for case in 0..500 {
            let mut rng = Rng::for_item(seed, case);
            let mut bytes = whole.clone();
            for _ in 0..1 + rng.below(3) {
                let end = if rng.below(2) == 0 { 1200 } else { bytes.len() };
                let at = bytes.len() - 1 - rng.below(end.min(bytes.len()));
                bytes[at] = rng.next_u64() as u8;
            }
            if rng.below(8) == 0 {
                bytes.truncate(rng.below(bytes.len()));
            }
            eprintln!("seed {seed}, case {case}");
            let read =
                opened(&bytes, &ReadOptions::default()).and_then(|mut input| rows(&mut input));
            match read {
                Ok(_) => outcomes[0] += 1,
                Err(error) => {
                    assert_eq!(error.exit_code(), 3, "{error}");
                    outcomes[1] += 1;
                }
            }
        }
        assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
    }
}
