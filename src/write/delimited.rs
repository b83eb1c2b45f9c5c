use arrow::array::RecordBatch;
use arrow::csv::WriterBuilder;
use arrow::datatypes::{DataType, FieldRef, SchemaRef};

use super::Group;
use super::format::{Format, Holds, Start, Started, row_of_null};
use super::text::{self, WriteText};
use crate::error::Error;

pub(super) static CSV: Format = Format {
    id: "csv",
    endings: &["csv"],
    doc: "Comma-separated text with a header line; binary values in hex",
    holds: Holds::Table,
    is_text: true,
    store,
    start: |start| delimited(start, b','),
};

pub(super) static TSV: Format = Format {
    id: "tsv",
    endings: &["tsv", "tab"],
    doc: "Tab-separated text with a header line, quoted like CSV; binary values in hex",
    holds: Holds::Table,
    is_text: true,
    store,
    start: |start| delimited(start, b'\t'),
};

struct Delimited {
    schema: SchemaRef,
    delimiter: u8,
}

/// Nested columns have no place in such a file.
fn store(field: &FieldRef) -> Result<DataType, String> {
    if field.data_type().is_nested() {
        return Err("it is nested, which Parquet, Arrow and NDJSON can be".to_owned());
    }
    let writer = |batch: &RecordBatch| WriterBuilder::new().build(Vec::new()).write(batch);
    let written = row_of_null(field, field.data_type()).and_then(|batch| writer(&batch));
    match written {
        Ok(()) => Ok(field.data_type().clone()),
        Err(error) => Err(error.to_string()),
    }
}

fn delimited(start: Start<'_>, delimiter: u8) -> Result<Started, Error> {
    let format = Delimited {
        schema: start.schema.clone(),
        delimiter,
    };
    text::start(format, start)
}

impl Delimited {
    fn write(&self, with_head: bool, batch: &RecordBatch, text: &mut Vec<u8>) -> Result<(), Error> {
        let builder = WriterBuilder::new()
            .with_header(with_head)
            .with_delimiter(self.delimiter);
        Ok(builder.build(text).write(batch)?)
    }
}

impl WriteText for Delimited {
    fn head(&self) -> Result<Vec<u8>, Error> {
        let mut text = Vec::new();
        self.write(
            true,
            &RecordBatch::new_empty(self.schema.clone()),
            &mut text,
        )?;
        Ok(text)
    }

    fn rows(&self, group: &Group, text: &mut Vec<u8>) -> Result<(), Error> {
        let mut batches = group.batches.iter();
        batches.try_for_each(|batch| self.write(false, batch, text))
    }
}
