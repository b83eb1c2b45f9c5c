//! Logical types of columns, such as UUID and JSON, which give values a meaning beyond their Arrow type.
//! Arrow calls them extension types, and stores them in the metadata of fields. Some logical types of
//! Parquet have no extension type in Arrow, so this program uses names of its own for them.

use arrow::datatypes::{DataType, Field, FieldRef};

/// The metadata key for the name of an extension type.
const EXTENSION_NAME_KEY: &str = "ARROW:extension:name";

/// The metadata key for the parameters of an extension type.
const EXTENSION_METADATA_KEY: &str = "ARROW:extension:metadata";

/// The metadata key for Parquet's field number. The number is only meaningful in the file that it was read from.
const FIELD_ID_KEY: &str = "PARQUET:field_id";

/// The metadata key for logical types of Parquet that have no extension type in Arrow.
const PARQUET_TYPE_KEY: &str = "pipeline.parquet_type";

/// The logical type of a column: the meaning of its values beyond their Arrow type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogicalKind {
    /// A UUID, stored as 16 bytes.
    Uuid,
    /// A JSON document, stored as text.
    Json,
    /// Booleans, stored as one byte each.
    Bool8,
    /// A time of day in UTC. Arrow's type for times of day does not say whether they are in UTC.
    TimeUtc,
    /// A text from a fixed list of values.
    Enum,
    /// Binary JSON.
    Bson,
}

const ALL_TYPES: [LogicalKind; 6] = [
    LogicalKind::Uuid,
    LogicalKind::Json,
    LogicalKind::Bool8,
    LogicalKind::TimeUtc,
    LogicalKind::Enum,
    LogicalKind::Bson,
];

impl LogicalKind {
    /// The key and the value that mark the logical type in the metadata of a field.
    const fn metadata_entry(self) -> (&'static str, &'static str) {
        match self {
            LogicalKind::Uuid => (EXTENSION_NAME_KEY, "arrow.uuid"),
            LogicalKind::Json => (EXTENSION_NAME_KEY, "arrow.json"),
            LogicalKind::Bool8 => (EXTENSION_NAME_KEY, "arrow.bool8"),
            LogicalKind::TimeUtc => (PARQUET_TYPE_KEY, "TIME in UTC"),
            LogicalKind::Enum => (PARQUET_TYPE_KEY, "ENUM"),
            LogicalKind::Bson => (PARQUET_TYPE_KEY, "BSON"),
        }
    }

    /// Whether a column of this Arrow type can have this logical type.
    fn fits_arrow_type(self, data_type: &DataType) -> bool {
        use DataType as T;
        match self {
            LogicalKind::Uuid => *data_type == T::FixedSizeBinary(16),
            LogicalKind::Json => matches!(data_type, T::Utf8 | T::LargeUtf8 | T::Utf8View),
            // Inside a nested column, the reader returns an enum as bytes, and not as text.
            LogicalKind::Enum => {
                LogicalKind::Json.fits_arrow_type(data_type)
                    || LogicalKind::Bson.fits_arrow_type(data_type)
            }
            LogicalKind::Bool8 => *data_type == T::Int8,
            LogicalKind::TimeUtc => matches!(data_type, T::Time32(_) | T::Time64(_)),
            LogicalKind::Bson => matches!(data_type, T::Binary | T::LargeBinary | T::BinaryView),
        }
    }

    /// The logical type of a field; `None` if it has none.
    pub(crate) fn from_field(field: &Field) -> Option<LogicalKind> {
        ALL_TYPES.into_iter().find(|logical| {
            let (key, name) = logical.metadata_entry();
            let is_named = field.metadata().get(key).is_some_and(|value| value == name);
            is_named && logical.fits_arrow_type(field.data_type())
        })
    }

    /// Marks a field with the logical type, in the field's metadata.
    pub(crate) fn mark_field(self, field: Field) -> Field {
        let (key, name) = self.metadata_entry();
        let mut metadata = field.metadata().clone();
        metadata.insert(key.to_owned(), name.to_owned());
        if key == EXTENSION_NAME_KEY {
            metadata
                .entry(EXTENSION_METADATA_KEY.to_owned())
                .or_default();
        }
        field.with_metadata(metadata)
    }
}

/// The direct children of a type: the items of a list, the entries of a map, the fields of a struct.
pub(crate) fn child_fields(data_type: &DataType) -> &[FieldRef] {
    match data_type {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => std::slice::from_ref(item),
        DataType::Struct(fields) => fields,
        _ => &[],
    }
}

/// Finds the first field for which `is` is true, in the field itself and its children at any depth.
pub(crate) fn find_field<'a>(field: &'a Field, is: &impl Fn(&Field) -> bool) -> Option<&'a Field> {
    if is(field) {
        Some(field)
    } else {
        child_fields(field.data_type())
            .iter()
            .find_map(|part| find_field(part, is))
    }
}

/// The name of a column's type in messages: the name of its logical type, or of its Arrow type if it has none.
pub(crate) fn type_name(field: &Field) -> String {
    let metadata = field.metadata();
    match metadata
        .get(EXTENSION_NAME_KEY)
        .or(metadata.get(PARQUET_TYPE_KEY))
    {
        Some(name) => name.clone(),
        None => crate::carry::type_name(field.data_type()),
    }
}

/// The name of the field's extension type; `None` if it has none.
pub(crate) fn extension_name(field: &Field) -> Option<&str> {
    field.metadata().get(EXTENSION_NAME_KEY).map(String::as_str)
}

/// The field of an output column that is copied from this input field. Metadata that is only meaningful in the input is
/// left out.
pub(crate) fn carried_field(field: &Field) -> Field {
    let mut metadata = field.metadata().clone();
    metadata.remove(FIELD_ID_KEY);
    field.clone().with_metadata(metadata)
}

/// The field as the schema of an output file states it.
pub(crate) fn stored_field(field: &FieldRef) -> Field {
    let mut metadata = field.metadata().clone();
    metadata.remove(PARQUET_TYPE_KEY);
    Field::clone(field).with_metadata(metadata)
}
