use arrow::array::RecordBatch;
use arrow::csv::WriterBuilder;
use arrow::datatypes::SchemaRef;

use super::Group;
use super::format::{Format, Holds, Start, Started};
use super::text::{self, WriteText};
use crate::error::Error;

pub(super) static CSV: Format = Format {
    id: "csv",
    endings: &["csv"],
    doc: "Comma-separated text with a header line; binary values in hex",
    holds: Holds::Table,
    is_text: true,
    start: |start| delimited(start, b',', "CSV"),
};

pub(super) static TSV: Format = Format {
    id: "tsv",
    endings: &["tsv", "tab"],
    doc: "Tab-separated text with a header line, quoted like CSV; binary values in hex",
    holds: Holds::Table,
    is_text: true,
    start: |start| delimited(start, b'\t', "TSV"),
};

struct Delimited {
    schema: SchemaRef,
    delimiter: u8,
}

/// Nested columns have no place in such a file.
fn delimited(start: Start<'_>, delimiter: u8, name: &str) -> Result<Started, Error> {
    let mut fields = start.schema.fields().iter();
    if let Some(field) = fields.find(|field| field.data_type().is_nested()) {
        return Err(Error::Usage(format!(
            "column {} is nested ({}) and cannot be written as {name}: leave it out with --keep, \
             or write Parquet, Arrow or NDJSON",
            field.name(),
            field.data_type()
        )));
    }
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
