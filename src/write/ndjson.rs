use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, FieldRef};
use arrow::json::WriterBuilder;
use arrow::json::writer::LineDelimited;

use super::Group;
use super::format::{Format, Holds, row_of_null};
use super::text::{self, WriteText};
use crate::error::Error;

pub(super) static FORMAT: Format = Format {
    id: "ndjson",
    endings: &["ndjson", "jsonl"],
    doc: "A JSON object a line, every column in each; binary values in hex",
    holds: Holds::Table,
    is_text: true,
    store,
    start: |start| text::start(Ndjson, start),
};

struct Ndjson;

fn store(field: &FieldRef) -> Result<DataType, String> {
    let written =
        row_of_null(field, field.data_type()).and_then(|batch| write(&batch, &mut Vec::new()));
    match written {
        Ok(()) => Ok(field.data_type().clone()),
        Err(error) => Err(error.to_string()),
    }
}

fn write(batch: &RecordBatch, text: &mut Vec<u8>) -> Result<(), arrow::error::ArrowError> {
    // Nulls are written, so that a reader that looks at the first rows alone sees every column.
    let builder = WriterBuilder::new().with_explicit_nulls(true);
    builder.build::<_, LineDelimited>(text).write(batch)
}

impl WriteText for Ndjson {
    fn rows(&self, group: &Group, text: &mut Vec<u8>) -> Result<(), Error> {
        let mut batches = group.batches.iter();
        Ok(batches.try_for_each(|batch| write(batch, text))?)
    }
}
