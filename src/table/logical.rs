//! The meaning of values beyond their Arrow type: UUID, JSON, and the like. Arrow calls them
//! extension types and stores them in the metadata of fields. Parquet calls them logical types;
//! some of these have no extension type in Arrow but the ones of this program.

use arrow::datatypes::{DataType, Field, FieldRef};

/// Arrow's name of an extension type.
const EXTENSION: &str = "ARROW:extension:name";

/// The parameters of an extension type.
const EXTENSION_METADATA: &str = "ARROW:extension:metadata";

/// Parquet's number of a field. The number of the input does not hold in the output.
const FIELD_ID: &str = "PARQUET:field_id";

/// A logical type of Parquet that Arrow has no name for.
const PARQUET: &str = "pipeline.parquet_type";

/// What the values of a column mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logical {
    /// 16 bytes.
    Uuid,
    /// Text that is JSON.
    Json,
    /// Truth values of a byte each.
    Bool8,
    /// Times of day in UTC. Arrow does not distinguish them from local times of day.
    TimeUtc,
    /// One of a fixed set of texts.
    Enum,
    /// Binary JSON.
    Bson,
}

const ALL: [Logical; 6] = [
    Logical::Uuid,
    Logical::Json,
    Logical::Bool8,
    Logical::TimeUtc,
    Logical::Enum,
    Logical::Bson,
];

impl Logical {
    /// The key in a field's metadata, and the value there.
    const fn mark(self) -> (&'static str, &'static str) {
        match self {
            Logical::Uuid => (EXTENSION, "arrow.uuid"),
            Logical::Json => (EXTENSION, "arrow.json"),
            Logical::Bool8 => (EXTENSION, "arrow.bool8"),
            Logical::TimeUtc => (PARQUET, "TIME in UTC"),
            Logical::Enum => (PARQUET, "ENUM"),
            Logical::Bson => (PARQUET, "BSON"),
        }
    }

    /// Whether values of this type can have this meaning.
    fn fits(self, data_type: &DataType) -> bool {
        use DataType as T;
        match self {
            Logical::Uuid => *data_type == T::FixedSizeBinary(16),
            Logical::Json => matches!(data_type, T::Utf8 | T::LargeUtf8 | T::Utf8View),
            // Within other columns it is read as bytes.
            Logical::Enum => Logical::Json.fits(data_type) || Logical::Bson.fits(data_type),
            Logical::Bool8 => *data_type == T::Int8,
            Logical::TimeUtc => matches!(data_type, T::Time32(_) | T::Time64(_)),
            Logical::Bson => matches!(data_type, T::Binary | T::LargeBinary | T::BinaryView),
        }
    }

    /// The meaning of the values of a field, where it is more than their type.
    pub(crate) fn of(field: &Field) -> Option<Logical> {
        ALL.into_iter().find(|logical| {
            let (key, name) = logical.mark();
            let is_named = field.metadata().get(key).is_some_and(|value| value == name);
            is_named && logical.fits(field.data_type())
        })
    }

    /// The field with this meaning.
    pub(crate) fn mark_field(self, field: Field) -> Field {
        let (key, name) = self.mark();
        let mut metadata = field.metadata().clone();
        metadata.insert(key.to_owned(), name.to_owned());
        if key == EXTENSION {
            metadata.entry(EXTENSION_METADATA.to_owned()).or_default();
        }
        field.with_metadata(metadata)
    }
}

/// The fields that a type is made of: the values of a list, the entries of a map, the fields of a
/// struct.
pub(crate) fn parts(data_type: &DataType) -> &[FieldRef] {
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

/// The field itself, or the first of those that it is made of, for which this is true.
pub(crate) fn find<'a>(field: &'a Field, is: &impl Fn(&Field) -> bool) -> Option<&'a Field> {
    match is(field) {
        true => Some(field),
        false => parts(field.data_type())
            .iter()
            .find_map(|part| find(part, is)),
    }
}

/// The type of a column in messages: its meaning, or its Arrow type.
pub(crate) fn name(field: &Field) -> String {
    let metadata = field.metadata();
    match metadata.get(EXTENSION).or(metadata.get(PARQUET)) {
        Some(name) => name.clone(),
        None => super::type_name(field.data_type()),
    }
}

/// The name of the field's extension type, if it has one.
pub(crate) fn extension(field: &Field) -> Option<&str> {
    field.metadata().get(EXTENSION).map(String::as_str)
}

/// The field for a new file: without metadata that refers to the old file.
pub(crate) fn carried(field: &Field) -> Field {
    let mut metadata = field.metadata().clone();
    metadata.remove(FIELD_ID);
    field.clone().with_metadata(metadata)
}

/// The field as a file's schema shows it.
pub(crate) fn shown(field: &FieldRef) -> Field {
    let mut metadata = field.metadata().clone();
    metadata.remove(PARQUET);
    Field::clone(field).with_metadata(metadata)
}
