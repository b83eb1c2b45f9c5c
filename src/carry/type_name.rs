//! The names of Arrow types in messages and in `--types`.

use arrow::datatypes::{DataType, TimeUnit};

/// The types that `--types` names, in the order of its help.
pub fn named_types() -> [(&'static str, DataType); 8] {
    [
        ("text", DataType::Utf8),
        ("int64", DataType::Int64),
        ("uint64", DataType::UInt64),
        ("float64", DataType::Float64),
        ("boolean", DataType::Boolean),
        ("date", DataType::Date32),
        ("timestamp", timestamp_type()),
        ("timestamptz", timestamptz_type()),
    ]
}

/// The name of an Arrow type in `--types`. If `--types` has no name for the type, the name that Arrow prints.
pub fn type_name(data_type: &DataType) -> String {
    let mut named_types = named_types().into_iter();
    let named_type = named_types.find(|(_, named)| named == data_type);
    named_type.map_or_else(|| data_type.to_string(), |(name, _)| name.to_owned())
}

/// A timestamp without a zone, in microseconds.
pub(crate) fn timestamp_type() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, None)
}

/// A moment, in microseconds since 1970-01-01 in UTC.
pub(crate) fn timestamptz_type() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}
