use arrow::array::{Array, RecordBatch};

use super::{ByteSink, Compression, Encode, Encoded, GroupLimits, Target};
use crate::error::Error;

/// Every batch by itself.
pub(super) const GROUP: GroupLimits = GroupLimits { rows: 0, bytes: 0 };

pub(super) struct LineEncoder {
    compression: Compression,
}

pub(super) fn start(
    compression: Compression,
    target: Target,
) -> Result<(LineEncoder, ByteSink), Error> {
    let empty = compression.compress(Vec::new());
    let empty = empty.map_err(|error| Error::Table(error.to_string()))?;
    Ok((LineEncoder { compression }, ByteSink::new(target, empty)))
}

impl Encode for LineEncoder {
    fn encode(&self, _: usize, batches: &[RecordBatch]) -> Result<Encoded, Error> {
        let mut bytes = Vec::new();
        for batch in batches {
            let column = |name| {
                batch
                    .column_by_name(name)
                    .map(arrow::array::AsArray::as_string::<i32>)
            };
            let (puzzles, solutions) = (column("puzzle"), column("solution"));
            for row in 0..batch.num_rows() {
                if let Some(puzzles) = puzzles {
                    bytes.extend_from_slice(puzzles.value(row).as_bytes());
                }
                if let Some(solutions) = solutions.filter(|solutions| solutions.is_valid(row)) {
                    bytes.push(b',');
                    bytes.extend_from_slice(solutions.value(row).as_bytes());
                }
                bytes.push(b'\n');
            }
        }
        let bytes = self.compression.compress(bytes);
        bytes
            .map(Encoded::Bytes)
            .map_err(|error| Error::Table(error.to_string()))
    }
}
