//! What Parquet says about the values of columns and Arrow has no type for: UUIDs, JSON, times in UTC.

use std::sync::Arc;

use ::parquet::basic::{ConvertedType, LogicalType};
use ::parquet::file::metadata::FileMetaData;
use ::parquet::schema::types::{Type, TypePtr};
use arrow::datatypes::{DataType, Field, FieldRef, Fields};

use crate::error::{Error, InputError};
use crate::table::cast::with_parts;
use crate::table::logical::{Logical, parts};

/// The metadata in which writers that know Arrow put its schema.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// The fields, with what Parquet says of them.
pub(super) fn described(fields: &Fields, metadata: &FileMetaData) -> Fields {
    let types = metadata.schema_descr().root_schema().get_fields();
    if fields.len() != types.len() {
        return fields.clone();
    }
    let fields = fields.iter().zip(types);
    fields
        .map(|(field, stored)| describe(field, stored))
        .collect()
}

fn describe(field: &FieldRef, stored: &Type) -> FieldRef {
    if stored.is_primitive() {
        return match logical(stored) {
            Some(logical) => {
                let text = (logical == Logical::Enum).then_some(DataType::Utf8);
                let data_type = text.unwrap_or_else(|| field.data_type().clone());
                let field = Field::clone(field).with_data_type(data_type);
                Arc::new(logical.mark_field(field))
            }
            None => Arc::clone(field),
        };
    }
    let types = types_of_parts(field.data_type(), stored);
    if parts(field.data_type()).len() != types.len() {
        return Arc::clone(field);
    }
    let mut types = types.iter();
    let data_type = with_parts(field.data_type(), |part| match types.next() {
        // As text it would be of another type within the column.
        Some(stored) if stored.is_primitive() && logical(stored) == Some(Logical::Enum) => {
            Arc::new(Logical::Enum.mark_field(Field::clone(part)))
        }
        Some(stored) => describe(part, stored),
        None => Arc::clone(part),
    });
    Arc::new(Field::clone(field).with_data_type(data_type))
}

/// The types in the file of the fields that a nested column is made of.
fn types_of_parts<'a>(data_type: &DataType, stored: &'a Type) -> &'a [TypePtr] {
    let types = stored.get_fields();
    match (data_type, types) {
        (DataType::Struct(_) | DataType::Map(..), _) => types,
        // A list is a group of a repeated group of its values, or of the repeated values themselves.
        (_, [repeated]) if repeated.is_group() && repeated.get_fields().len() == 1 => {
            repeated.get_fields()
        }
        _ => types,
    }
}

fn logical(stored: &Type) -> Option<Logical> {
    let about = stored.get_basic_info();
    match (about.logical_type_ref(), about.converted_type()) {
        (Some(LogicalType::Uuid), _) => Some(Logical::Uuid),
        (Some(LogicalType::Json), _) | (None, ConvertedType::JSON) => Some(Logical::Json),
        (Some(LogicalType::Bson), _) | (None, ConvertedType::BSON) => Some(Logical::Bson),
        (Some(LogicalType::Enum), _) | (None, ConvertedType::ENUM) => Some(Logical::Enum),
        (Some(LogicalType::Time(time)), _) if time.is_adjusted_to_u_t_c => Some(Logical::TimeUtc),
        _ => None,
    }
}

/// Refuses a column of Parquet's INTERVAL: months, days and milliseconds, of which the decoder leaves
/// out the months unless an Arrow schema says what there is.
pub(super) fn refuse_interval(
    path: &str,
    root: usize,
    metadata: &FileMetaData,
) -> Result<(), Error> {
    fn has_interval(stored: &Type) -> bool {
        match stored.is_primitive() {
            true => stored.get_basic_info().converted_type() == ConvertedType::INTERVAL,
            false => stored.get_fields().iter().any(|part| has_interval(part)),
        }
    }
    let is_described = metadata
        .key_value_metadata()
        .is_some_and(|pairs| pairs.iter().any(|pair| pair.key == ARROW_SCHEMA));
    let stored = metadata.schema_descr().root_schema().get_fields().get(root);
    match stored.filter(|stored| !is_described && has_interval(stored)) {
        None => Ok(()),
        Some(stored) => Err(InputError::Interval {
            input: path.to_owned(),
            column: stored.name().to_owned(),
        }
        .into()),
    }
}
