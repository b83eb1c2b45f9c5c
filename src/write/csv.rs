use arrow::array::RecordBatch;
use arrow::csv::WriterBuilder;
use arrow::datatypes::SchemaRef;

use super::{ByteSink, Compression, Encode, Encoded, GroupLimits, Target};
use crate::error::Error;

/// Every batch by itself.
pub(super) const GROUP: GroupLimits = GroupLimits { rows: 0, bytes: 0 };

pub(super) struct CsvEncoder {
    compression: Compression,
}

/// Nested columns have no place in a CSV file.
pub(super) fn start(
    schema: &SchemaRef,
    compression: Compression,
    target: Target,
) -> Result<(CsvEncoder, ByteSink), Error> {
    if let Some(field) = schema
        .fields()
        .iter()
        .find(|field| field.data_type().is_nested())
    {
        return Err(Error::Usage(format!(
            "column {} is nested ({}) and cannot be written as CSV: leave it out with --keep, or \
             write Parquet",
            field.name(),
            field.data_type()
        )));
    }
    let encoder = CsvEncoder { compression };
    let header = encoder.bytes(true, &[RecordBatch::new_empty(schema.clone())])?;
    Ok((encoder, ByteSink::new(target, header)))
}

impl CsvEncoder {
    fn bytes(&self, header: bool, batches: &[RecordBatch]) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut writer = WriterBuilder::new().with_header(header).build(&mut bytes);
        for batch in batches {
            writer.write(batch)?;
        }
        drop(writer);
        self.compression
            .compress(bytes)
            .map_err(|error| Error::Table(error.to_string()))
    }
}

impl Encode for CsvEncoder {
    fn encode(&self, group: usize, batches: &[RecordBatch]) -> Result<Encoded, Error> {
        self.bytes(group == 0, batches).map(Encoded::Bytes)
    }
}
