//! The names of Arrow types in messages and in `--types`.

use arrow::datatypes::DataType;

/// The name of an Arrow type in `--types`. If `--types` has no name for the type, the name that Arrow prints.
pub fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Boolean => "boolean".to_owned(),
        DataType::Int64 => "int64".to_owned(),
        DataType::UInt64 => "uint64".to_owned(),
        DataType::Float64 => "float64".to_owned(),
        DataType::Utf8 => "text".to_owned(),
        other => other.to_string(),
    }
}
