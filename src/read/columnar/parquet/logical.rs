//! Parquet's logical types that Arrow has no type for, such as JSON and times in UTC.

use std::sync::Arc;

use ::parquet::basic::{ConvertedType, LogicalType};
use ::parquet::file::metadata::FileMetaData;
use ::parquet::schema::types::{Type, TypePtr};
use arrow::datatypes::{DataType, Field, FieldRef, Fields};

use crate::carry::logical::{LogicalKind, child_fields};
use crate::carry::parts::with_parts;
use crate::error::{Error, InputError};

/// The metadata key under which writers that know Arrow store the Arrow schema.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// Marks each field with the logical type that the Parquet file states for it.
pub(super) fn with_logical_types(fields: &Fields, metadata: &FileMetaData) -> Fields {
    let types = metadata.schema_descr().root_schema().get_fields();
    if fields.len() != types.len() {
        return fields.clone();
    }
    let fields = fields.iter().zip(types);
    fields
        .map(|(field, stored)| with_logical_type(field, stored))
        .collect()
}

fn with_logical_type(field: &FieldRef, stored: &Type) -> FieldRef {
    if stored.is_primitive() {
        return match logical_kind(stored) {
            Some(logical) => {
                let text_type = (logical == LogicalKind::Enum).then_some(DataType::Utf8);
                let data_type = text_type.unwrap_or_else(|| field.data_type().clone());
                let field = Field::clone(field).with_data_type(data_type);
                Arc::new(logical.mark_field(field))
            }
            None => Arc::clone(field),
        };
    }
    let types = child_types(field.data_type(), stored);
    if child_fields(field.data_type()).len() != types.len() {
        return Arc::clone(field);
    }
    let mut types = types.iter();
    let data_type = with_parts(field.data_type(), |part| match types.next() {
        // An enum inside a nested column is not converted to text here, because that would change the nested type.
        Some(stored)
            if stored.is_primitive() && logical_kind(stored) == Some(LogicalKind::Enum) =>
        {
            Arc::new(LogicalKind::Enum.mark_field(Field::clone(part)))
        }
        Some(stored) => with_logical_type(part, stored),
        None => Arc::clone(part),
    });
    Arc::new(Field::clone(field).with_data_type(data_type))
}

/// The Parquet types of the children of a nested column.
fn child_types<'a>(data_type: &DataType, stored: &'a Type) -> &'a [TypePtr] {
    let types = stored.get_fields();
    match (data_type, types) {
        (DataType::Struct(_) | DataType::Map(..), _) => types,
        // A list is stored as a group with a repeated group, or as a group with repeated values.
        (_, [repeated]) if repeated.is_group() && repeated.get_fields().len() == 1 => {
            repeated.get_fields()
        }
        _ => types,
    }
}

fn logical_kind(stored: &Type) -> Option<LogicalKind> {
    let type_info = stored.get_basic_info();
    match (type_info.logical_type_ref(), type_info.converted_type()) {
        (Some(LogicalType::Uuid), _) => Some(LogicalKind::Uuid),
        (Some(LogicalType::Json), _) | (None, ConvertedType::JSON) => Some(LogicalKind::Json),
        (Some(LogicalType::Bson), _) | (None, ConvertedType::BSON) => Some(LogicalKind::Bson),
        (Some(LogicalType::Enum), _) | (None, ConvertedType::ENUM) => Some(LogicalKind::Enum),
        (Some(LogicalType::Time(time)), _) if time.is_adjusted_to_u_t_c => {
            Some(LogicalKind::TimeUtc)
        }
        _ => None,
    }
}

/// Refuses a column of Parquet's INTERVAL type, which consists of months, days and milliseconds. If the file has
/// no Arrow schema, the decoder would drop the months.
pub(super) fn refuse_interval(
    path: &str,
    root: usize,
    metadata: &FileMetaData,
) -> Result<(), Error> {
    fn has_interval(stored: &Type) -> bool {
        if stored.is_primitive() {
            stored.get_basic_info().converted_type() == ConvertedType::INTERVAL
        } else {
            stored.get_fields().iter().any(|part| has_interval(part))
        }
    }
    let has_arrow_schema = metadata
        .key_value_metadata()
        .is_some_and(|pairs| pairs.iter().any(|pair| pair.key == ARROW_SCHEMA));
    let stored_type = metadata.schema_descr().root_schema().get_fields().get(root);
    match stored_type.filter(|stored_type| !has_arrow_schema && has_interval(stored_type)) {
        None => Ok(()),
        Some(stored_type) => Err(InputError::Unsupported {
            input: path.to_owned(),
            column: stored_type.name().to_owned(),
            problem: "INTERVAL, whose months would be lost: convert it to text before, or "
                .to_owned(),
        }
        .into()),
    }
}
