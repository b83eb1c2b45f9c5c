//! Infers the types of the columns of delimited text from its first records.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};

use super::CsvParser;
use super::cutter::is_record;
use crate::carry::text::{ColumnTypes, InferredType, RequestedTypes, Syntax};
use crate::error::Error;
use crate::read::bytes::chunker::Cut;
use crate::read::bytes::head::Head;
use crate::read::bytes::without_cr;
use crate::read::text::fields;
use crate::read::{InferTypes, ReadOptions, RecordPosition};

impl CsvParser {
    /// The types of the columns that are copied to the output; `None` if all are text. Types that options set take
    /// precedence over inferred types.
    pub(super) fn infer_types(
        &self,
        head: &Head<'_>,
        start: usize,
        options: &ReadOptions,
    ) -> Result<Option<Arc<ColumnTypes>>, Error> {
        let mut inferred_types = vec![InferredType::default(); self.carried.len()];
        if options.infer_types == InferTypes::All {
            let body_bytes = head.bytes.get(start..).unwrap_or_default();
            let complete = self.cut(body_bytes, head.is_all);
            // The fields of a record are dropped before the next record is read. In a table with many columns, short
            // records have many more fields than bytes.
            let mut fields = Vec::new();
            let mut record_start = 0;
            while record_start < complete.end {
                let end = fields::record(body_bytes, record_start, self.delimiter).end;
                if is_record(&body_bytes[record_start..end]) {
                    fields.clear();
                    let first_position = RecordPosition {
                        line: 1,
                        byte_offset: 0,
                    };
                    self.parse_record(
                        without_cr(&body_bytes[record_start..end]),
                        first_position,
                        &mut fields,
                    );
                    for (seen, field) in inferred_types.iter_mut().zip(&fields) {
                        if let Some(field) = field {
                            seen.add_value(Syntax::Plain, field);
                        }
                    }
                }
                record_start = end + 1;
            }
        }
        let requested_types = RequestedTypes::new(&options.column_types);
        let fields: Vec<FieldRef> = (self.carried.iter().zip(&inferred_types))
            .map(|(field, seen)| {
                let requested_type = requested_types.type_of(field.name());
                // A CSV field cannot hold a list or a struct.
                let requested_type = requested_type.filter(|data_type| !data_type.is_nested());
                let data_type = requested_type.unwrap_or_else(|| seen.data_type());
                Arc::new(Field::new(field.name(), data_type, true)) as FieldRef
            })
            .collect();
        let are_all_text = fields
            .iter()
            .all(|field| *field.data_type() == DataType::Utf8);
        let types = || Arc::new(ColumnTypes::new(head.source_name, Syntax::Plain, fields));
        Ok((!are_all_text).then(types))
    }
}
