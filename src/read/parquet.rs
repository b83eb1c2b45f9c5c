use std::borrow::Cow;
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::sniff::Columns;
use super::{
    Batch, BatchSource, Carried, Input, InputFormat, InputInfo, Parse, Payload, RawRecord,
    ReadOptions, Records,
};
use crate::error::Error;
use crate::reject::{RejectKind, RejectReason};

/// Rows in a batch.
const BATCH_ROWS: usize = 4096;

pub(super) fn open(
    mut about: InputInfo,
    bytes_read: Arc<AtomicU64>,
    options: &ReadOptions,
) -> Result<Input, Error> {
    about.format = InputFormat::Parquet.id();
    let source = about.source.clone();
    let file = File::open(&source).map_err(|error| Error::Read {
        source_name: source.clone(),
        error,
    })?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)
        .map_err(|error| corrupt(&source, about.bytes.unwrap_or(0), &error))?;
    let schema = builder.schema().clone();
    let names = schema.fields().iter().map(|field| field.name().clone());
    let columns = Columns::find(&source, names.collect(), options)?;
    for at in [Some(columns.puzzle), columns.solution]
        .into_iter()
        .flatten()
    {
        let field = schema.field(at);
        if !is_text(field.data_type()) {
            return Err(Error::UnknownFormat {
                source_name: source,
                what: format!(
                    "column {} is {}, and puzzles and solutions are read from strings: name \
                     another with --puzzle-column or --solution-column",
                    field.name(),
                    field.data_type()
                ),
            });
        }
    }
    let carried = columns.carried(&options.keep);
    about.has_solutions = columns.solution.is_some();
    let total_rows = builder.metadata().file_metadata().num_rows().max(1) as u64;

    let mut wanted: Vec<usize> = carried.iter().map(|(at, _)| *at).collect();
    wanted.push(columns.puzzle);
    wanted.extend(columns.solution);
    wanted.sort_unstable();
    let place = |at: usize| wanted.binary_search(&at).unwrap_or_default();
    let roots = ProjectionMask::roots(builder.parquet_schema(), wanted.iter().copied());
    let parser = ParquetParser {
        puzzle: place(columns.puzzle),
        solution: columns.solution.map(place),
        carried: carried.iter().map(|(at, _)| place(*at)).collect(),
    };
    let reader = builder
        .with_projection(roots)
        .with_batch_size(BATCH_ROWS)
        .build()
        .map_err(|error| corrupt(&source, 0, &error))?;
    Ok(Input {
        carried: carried
            .iter()
            .map(|(at, name)| carried_field(&schema, *at, name))
            .collect(),
        source: Box::new(ParquetSource {
            name: source,
            reader,
            row: 0,
            total_rows,
            size: about.bytes.unwrap_or(0),
            bytes_read: bytes_read.clone(),
        }),
        about,
        parser: Arc::new(parser),
        bytes_read,
    })
}

fn carried_field(schema: &Schema, at: usize, name: &str) -> Arc<Field> {
    Arc::new(schema.field(at).clone().with_name(name))
}

/// Types whose values are text, one way or another.
fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, value) => is_text(value),
        _ => false,
    }
}

fn corrupt(source: &str, byte_offset: u64, error: &dyn std::fmt::Display) -> Error {
    Error::Corrupt {
        source_name: source.to_owned(),
        byte_offset,
        what: format!("this is no intact Parquet file: {error}"),
    }
}

struct ParquetSource {
    name: String,
    reader: ParquetRecordBatchReader,
    row: u64,
    total_rows: u64,
    size: u64,
    bytes_read: Arc<AtomicU64>,
}

impl ParquetSource {
    /// Rows say how far the file is read: its bytes are not read in order.
    fn position(&self) -> u64 {
        let share = self.row.min(self.total_rows) as f64 / self.total_rows as f64;
        (self.size as f64 * share) as u64
    }
}

impl BatchSource for ParquetSource {
    fn next(&mut self, _: Vec<u8>) -> Result<Option<Batch>, Error> {
        let rows = match self.reader.next() {
            None => return Ok(None),
            Some(Ok(rows)) => rows,
            Some(Err(error)) => return Err(corrupt(&self.name, self.position(), &error)),
        };
        let batch = Batch {
            first_row: self.row,
            rows: rows.num_rows(),
            payload: Payload::Columns(rows),
        };
        self.row += batch.rows as u64;
        self.bytes_read.store(self.position(), Ordering::Relaxed);
        Ok(Some(batch))
    }
}

/// Places of the columns in the batches.
struct ParquetParser {
    puzzle: usize,
    solution: Option<usize>,
    carried: Vec<usize>,
}

impl Parse for ParquetParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let Payload::Columns(columns) = &batch.payload else {
            return Err(Error::Table("Parquet rows are no text".into()));
        };
        let puzzles = texts(columns, self.puzzle)?;
        let solutions = self.solution.map(|at| texts(columns, at)).transpose()?;
        let rows = (0..batch.rows)
            .map(|row| {
                let puzzle = puzzles.value(row);
                RawRecord {
                    solution: solutions.as_ref().and_then(|texts| texts.value(row)),
                    raw: puzzle.clone().unwrap_or_default(),
                    puzzle: puzzle.ok_or_else(|| {
                        RejectReason::new(RejectKind::NullValue, "the puzzle is null")
                    }),
                    position: None,
                }
            })
            .collect();
        let carried: Vec<ArrayRef> = self
            .carried
            .iter()
            .map(|at| columns.column(*at).clone())
            .collect();
        Ok(Records {
            rows,
            carried: Carried::Columns(carried),
        })
    }
}

/// A column of strings: as it is in the batch, or turned into plain ones.
enum Texts<'a> {
    Own(StringArray),
    Borrowed(&'a StringArray),
}

fn texts(columns: &RecordBatch, at: usize) -> Result<Texts<'_>, Error> {
    let column = columns.column(at);
    if let Some(plain) = column.as_any().downcast_ref::<StringArray>() {
        return Ok(Texts::Borrowed(plain));
    }
    let plain = cast(column, &DataType::Utf8)?;
    let plain = plain.as_any().downcast_ref::<StringArray>();
    plain
        .cloned()
        .map(Texts::Own)
        .ok_or_else(|| Error::Table("strings that are none".into()))
}

impl<'a> Texts<'a> {
    fn value(&self, row: usize) -> Option<Cow<'a, [u8]>> {
        match self {
            Texts::Borrowed(texts) => {
                (texts.is_valid(row)).then(|| Cow::Borrowed(texts.value(row).as_bytes()))
            }
            Texts::Own(texts) => {
                (texts.is_valid(row)).then(|| Cow::Owned(texts.value(row).as_bytes().to_vec()))
            }
        }
        .filter(|text| !text.is_empty())
    }
}
