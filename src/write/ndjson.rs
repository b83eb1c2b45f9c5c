use std::sync::Arc;

use arrow::array::{RecordBatch, new_null_array};
use arrow::datatypes::{Schema, SchemaRef};
use arrow::json::WriterBuilder;
use arrow::json::writer::LineDelimited;

use super::Group;
use super::format::{Format, Holds, Start, Started};
use super::text::{self, WriteText};
use crate::error::Error;

pub(super) static FORMAT: Format = Format {
    id: "ndjson",
    endings: &["ndjson", "jsonl"],
    doc: "A JSON object a line, every column in each; binary values in hex",
    holds: Holds::Table,
    is_text: true,
    start,
};

struct Ndjson;

fn start(start: Start<'_>) -> Result<Started, Error> {
    refuse_unknown_types(start.schema)?;
    text::start(Ndjson, start)
}

/// A column that JSON has no place for is told before the work rather than in the middle of it.
fn refuse_unknown_types(schema: &SchemaRef) -> Result<(), Error> {
    for field in schema.fields() {
        let values = new_null_array(field.data_type(), 1);
        let schema = Arc::new(Schema::new(vec![
            field.as_ref().clone().with_nullable(true),
        ]));
        let written = RecordBatch::try_new(schema, vec![values])
            .and_then(|batch| write(&batch, &mut Vec::new()));
        if let Err(error) = written {
            return Err(Error::Usage(format!(
                "column {} ({}) cannot be written as NDJSON: {error}: leave it out with --keep, \
                 or write Parquet or Arrow",
                field.name(),
                field.data_type()
            )));
        }
    }
    Ok(())
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
