//! Writes NDJSON: one JSON object on each line.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, AsArray, PrimitiveArray, RecordBatch};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, FieldRef, Float16Type, Float32Type, Float64Type,
};
use arrow::error::ArrowError;
use arrow::json::writer::{LineDelimited, NullableEncoder, make_encoder};
use arrow::json::{Encoder, EncoderFactory, EncoderOptions, WriterBuilder};

use crate::error::Error;
use crate::table::layout::Holds;
use crate::write::RowGroup;
use crate::write::formats::format::{WriteFormat, null_row};
use crate::write::formats::text::{self, WriteText};

pub(crate) static FORMAT: WriteFormat = WriteFormat {
    id: "ndjson",
    endings: &["ndjson", "jsonl"],
    doc: "A JSON object a line, every column in each; binary values in hex, NaN and infinities as \
          strings",
    holds: Holds::Table,
    folder: None,
    is_text: true,
    has_types: true,
    has_logical_types: false,
    store: stored_type,
    start: |start| text::start_text(NdjsonWriter, start),
};

struct NdjsonWriter;

fn stored_type(field: &FieldRef) -> Result<DataType, String> {
    let written_row =
        null_row(field, field.data_type()).and_then(|batch| write_batch(&batch, &mut Vec::new()));
    match written_row {
        Ok(()) => Ok(field.data_type().clone()),
        Err(error) => Err(error.to_string()),
    }
}

fn write_batch(batch: &RecordBatch, text: &mut Vec<u8>) -> Result<(), ArrowError> {
    // Nulls are written, because some readers infer the columns from the first rows. Without nulls, they would miss
    // columns.
    let builder = WriterBuilder::new()
        .with_explicit_nulls(true)
        .with_encoder_factory(Arc::new(NonFiniteEncoders));
    builder.build::<_, LineDelimited>(text).write(batch)
}

impl WriteText for NdjsonWriter {
    fn write_rows(&self, group: &RowGroup, text: &mut Vec<u8>) -> Result<(), Error> {
        let mut batches = group.batches.iter();
        Ok(batches.try_for_each(|batch| write_batch(batch, text))?)
    }
}

static DEFAULT_OPTIONS: LazyLock<EncoderOptions> = LazyLock::new(EncoderOptions::default);

/// Writes NaN and infinities as strings. JSON has no numbers for them, and a null would lose them. The strings
/// are those of Protobuf, and the readers of this program convert them back.
#[derive(Debug)]
struct NonFiniteEncoders;

impl EncoderFactory for NonFiniteEncoders {
    fn make_default_encoder<'a>(
        &self,
        field: &'a FieldRef,
        array: &'a dyn Array,
        _: &'a EncoderOptions,
    ) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
        match array.data_type() {
            DataType::Float16 => float_encoder::<Float16Type>(field, array, f64::from),
            DataType::Float32 => float_encoder::<Float32Type>(field, array, f64::from),
            DataType::Float64 => float_encoder::<Float64Type>(field, array, |value| value),
            _ => Ok(None),
        }
    }
}

/// An encoder that writes NaN and infinities as strings. `None` if all values are finite: Arrow's own encoder is then
/// sufficient.
fn float_encoder<'a, T: ArrowPrimitiveType>(
    field: &'a FieldRef,
    array: &'a dyn Array,
    to_f64: fn(T::Native) -> f64,
) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
    let array: &'a PrimitiveArray<T> = array.as_primitive();
    if array
        .iter()
        .flatten()
        .all(|value| to_f64(value).is_finite())
    {
        return Ok(None);
    }
    let finite = make_encoder(field, array, &DEFAULT_OPTIONS)?;
    let encoder = FloatEncoder {
        array,
        to_f64,
        finite_encoder: finite,
    };
    let nulls = array.nulls().cloned();
    Ok(Some(NullableEncoder::new(Box::new(encoder), nulls)))
}

struct FloatEncoder<'a, T: ArrowPrimitiveType> {
    array: &'a PrimitiveArray<T>,
    to_f64: fn(T::Native) -> f64,
    finite_encoder: NullableEncoder<'a>,
}

impl<T: ArrowPrimitiveType> Encoder for FloatEncoder<'_, T> {
    fn encode(&mut self, row: usize, text: &mut Vec<u8>) {
        let value = (self.to_f64)(self.array.value(row));
        if value.is_finite() {
            self.finite_encoder.encode(row, text);
        } else if value.is_nan() {
            text.extend_from_slice(b"\"NaN\"");
        } else if value > 0.0 {
            text.extend_from_slice(b"\"Infinity\"");
        } else {
            text.extend_from_slice(b"\"-Infinity\"");
        }
    }
}
