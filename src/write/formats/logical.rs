//! Adds the logical types of columns, such as UUID, to the schema of a Parquet file.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema};
use parquet::arrow::ArrowSchemaConverter;
use parquet::basic::LogicalType;
use parquet::errors::ParquetError;
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};

use crate::carry::logical::{LogicalKind, child_fields, find_field};

/// The Parquet schema for these fields, with logical types; `None` if no field has a logical type to add.
pub(crate) fn schema_with_logical_types(
    schema: &Schema,
) -> Result<Option<SchemaDescriptor>, ParquetError> {
    if !schema.fields().iter().any(|field| has_logical(field)) {
        return Ok(None);
    }
    let default_schema = ArrowSchemaConverter::new().convert(schema)?;
    let root = default_schema.root_schema();
    let fields = root.get_fields().iter().zip(schema.fields());
    let fields = fields.map(|(default_type, field)| with_logical_type(default_type, field));
    let root = Type::group_type_builder(root.name())
        .with_fields(fields.collect::<Result<_, _>>()?)
        .build()?;
    Ok(Some(SchemaDescriptor::new(Arc::new(root))))
}

fn has_logical(field: &Field) -> bool {
    find_field(field, &|field| LogicalKind::from_field(field).is_some()).is_some()
}

fn with_logical_type(default_type: &TypePtr, field: &Field) -> Result<TypePtr, ParquetError> {
    if !has_logical(field) {
        return Ok(Arc::clone(default_type));
    }
    match (field.data_type(), child_types(default_type)) {
        (DataType::Struct(fields), types) => {
            let types = types.iter().zip(fields);
            let types = types.map(|(default_type, field)| with_logical_type(default_type, field));
            return group_type(default_type, types.collect::<Result<_, _>>()?);
        }
        (DataType::Map(entries, _), [pair]) => {
            return group_type(default_type, vec![with_logical_type(pair, entries)?]);
        }
        // Parquet stores a list as a group that contains a repeated group of the list's items.
        (nested, [repeated])
            if let ([item], [element]) = (child_fields(nested), child_types(repeated)) =>
        {
            let repeated = group_type(repeated, vec![with_logical_type(element, item)?])?;
            return group_type(default_type, vec![repeated]);
        }
        _ => {}
    }
    let type_info = default_type.get_basic_info();
    let logical = match LogicalKind::from_field(field) {
        Some(LogicalKind::Uuid) => LogicalType::Uuid,
        Some(LogicalKind::Json) => LogicalType::Json,
        Some(LogicalKind::Bson) => LogicalType::Bson,
        Some(LogicalKind::Enum) => LogicalType::Enum,
        Some(LogicalKind::TimeUtc) => match type_info.logical_type_ref() {
            Some(LogicalType::Time(time)) => {
                let mut time = time.clone();
                time.is_adjusted_to_u_t_c = true;
                LogicalType::Time(time)
            }
            _ => return Ok(Arc::clone(default_type)),
        },
        // Parquet has no type for this boolean: it is stored as an 8-bit integer. The Arrow schema in the metadata says
        // that it is a boolean.
        Some(LogicalKind::Bool8) | None => return Ok(Arc::clone(default_type)),
    };
    let Type::PrimitiveType {
        physical_type,
        type_length,
        ..
    } = default_type.as_ref()
    else {
        return Ok(Arc::clone(default_type));
    };
    let type_builder = Type::primitive_type_builder(default_type.name(), *physical_type)
        .with_repetition(type_info.repetition())
        .with_length(*type_length)
        .with_logical_type(Some(logical));
    type_builder.build().map(Arc::new)
}

/// A copy of the type of a group, with these fields instead of its own.
fn group_type(default_type: &Type, fields: Vec<TypePtr>) -> Result<TypePtr, ParquetError> {
    let type_info = default_type.get_basic_info();
    let group = Type::group_type_builder(default_type.name())
        .with_repetition(type_info.repetition())
        .with_converted_type(type_info.converted_type())
        .with_logical_type(type_info.logical_type_ref().cloned())
        .with_fields(fields);
    group.build().map(Arc::new)
}

/// The types of a group's fields; empty for a column that is not a group.
fn child_types(stored: &Type) -> &[TypePtr] {
    if stored.is_group() {
        stored.get_fields()
    } else {
        &[]
    }
}
