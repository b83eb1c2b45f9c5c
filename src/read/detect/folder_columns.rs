//! Partition columns, whose values are in the names of folders, as Hive, Spark, DuckDB and pyarrow write
//! them: `level=hard/rank=7/part-0.parquet`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use arrow::array::{Array, ArrayRef, StringArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, TimeUnit};
use arrow::util::display::{ArrayFormatter, FormatOptions};

use crate::carry::text::RequestedTypes;
use crate::read::{ColumnInfo, InferTypes, Keep, ReadOptions};
use crate::store::Location;
use crate::table::NO_FOLDER_VALUE as NO_VALUE;

/// A partition column: its value is in the name of a folder, and is the same in all records of an input.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FolderColumn {
    /// The name of the column.
    pub name: String,
    /// The value of the column in all records of the input; `None` for null.
    pub value: Option<String>,
}

/// The partition columns that the folders of a path state. If two folders have the same column, the inner one counts.
pub(crate) fn folder_columns(location: &Location) -> Vec<FolderColumn> {
    let text;
    let path = match location {
        Location::Standard => return Vec::new(),
        Location::Local(path) => path.as_path(),
        Location::Remote(url) => {
            text = url.key().split(['?', '#']).next().unwrap_or_default();
            Path::new(text)
        }
    };
    let mut columns: Vec<FolderColumn> = Vec::new();
    for folder in path.parent().into_iter().flat_map(Path::components) {
        let Component::Normal(folder) = folder else {
            continue;
        };
        let Some((name, value)) = folder.to_str().and_then(|folder| folder.split_once('=')) else {
            continue;
        };
        if name.is_empty() {
            continue;
        }
        let name = decode(name);
        let value = (value != NO_VALUE).then(|| decode(value));
        columns.retain(|column| !column.name.eq_ignore_ascii_case(&name));
        columns.push(FolderColumn { name, value });
    }
    columns
}

/// Removes each partition column that has the same name as one of the input's own columns.
pub(crate) fn without_input_columns(
    mut columns: Vec<FolderColumn>,
    own: &[ColumnInfo],
) -> Vec<FolderColumn> {
    columns.retain(|column| !own.iter().any(|own| column.is_called(&own.name)));
    columns
}

/// Whether the options copy the partition column to the output.
pub(crate) fn is_kept(column: &FolderColumn, keep: &Keep) -> bool {
    match keep {
        Keep::All => true,
        Keep::None => false,
        Keep::Only(names) => names.iter().any(|name| column.is_called(name)),
    }
}

impl FolderColumn {
    /// Whether the column has this name. Names that differ only in case are the same.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        name.trim().eq_ignore_ascii_case(&self.name)
    }
}

/// The types of the partition columns in the paths of all inputs, by name in lower case.
///
/// The values of a column are numbers, booleans, dates or timestamps if writing them as this type gives exactly
/// the original texts. Otherwise the column is text: `007` and `1.50` stay text.
pub(crate) fn types(paths: &[String], options: &ReadOptions) -> BTreeMap<String, DataType> {
    let mut values: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in paths {
        let columns = Location::parse(path).map_or_else(|_| Vec::new(), |at| folder_columns(&at));
        for column in columns {
            let name = column.name.to_ascii_lowercase();
            values.entry(name).or_default().extend(column.value);
        }
    }
    let requested_types = RequestedTypes::new(&options.column_types);
    let named_types = values.into_iter().map(|(name, values)| {
        let values: ArrayRef = std::sync::Arc::new(StringArray::from_iter_values(values));
        let requested_type = requested_types.type_of(&name);
        let requested_type = requested_type.filter(|asked| parse_as(&values, asked).is_some());
        let data_type = requested_type.unwrap_or_else(|| match options.infer_types {
            InferTypes::None => DataType::Utf8,
            InferTypes::Auto | InferTypes::All => narrowest_type(&values),
        });
        (name, data_type)
    });
    named_types.collect()
}

/// Converts texts to this type; `None` if one of the texts is not a valid value.
pub(crate) fn parse_as(values: &ArrayRef, data_type: &DataType) -> Option<ArrayRef> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    cast_with_options(values, data_type, &options).ok()
}

/// The narrowest type that can hold all these texts and be written as the same texts.
fn narrowest_type(values: &ArrayRef) -> DataType {
    if values.is_empty() {
        return DataType::Utf8;
    }
    let utc = || Some("UTC".into());
    let candidates = [
        DataType::Int64,
        DataType::UInt64,
        DataType::Float64,
        DataType::Boolean,
        DataType::Date32,
        DataType::Timestamp(TimeUnit::Microsecond, None),
        DataType::Timestamp(TimeUnit::Nanosecond, None),
        DataType::Timestamp(TimeUnit::Microsecond, utc()),
        DataType::Timestamp(TimeUnit::Nanosecond, utc()),
    ];
    let round_trips_as = |candidate: &DataType| round_trips(values, candidate).unwrap_or(false);
    let fitting_type = candidates.into_iter().find(round_trips_as);
    fitting_type.unwrap_or(DataType::Utf8)
}

/// Whether parsing these texts as this type and writing the values gives the same texts; `None` if one of the texts is
/// not a value of the type.
fn round_trips(values: &ArrayRef, data_type: &DataType) -> Option<bool> {
    let parsed_values = parse_as(values, data_type)?;
    let formatter = ArrayFormatter::try_new(&parsed_values, &FormatOptions::default()).ok()?;
    let texts = values.as_any().downcast_ref::<StringArray>()?;
    // Spark and DuckDB write a space between the date and the time of a timestamp.
    let is_time = matches!(data_type, DataType::Timestamp(..));
    let is_unchanged = texts.iter().flatten().enumerate().all(|(at, text)| {
        let written_text = formatter.value(at).to_string();
        written_text == text || is_time && written_text.replacen('T', " ", 1) == text
    });
    Some(is_unchanged)
}

/// Decodes percent escapes such as `%2F`. A `%` that two hexadecimal digits do not follow is kept. If the result would
/// not be valid UTF-8, nothing is decoded.
fn decode(text: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut offset = 0;
    while let Some(byte) = bytes.get(offset) {
        match (
            byte,
            digit(bytes.get(offset + 1)),
            digit(bytes.get(offset + 2)),
        ) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                offset += 3;
            }
            _ => {
                decoded.push(*byte);
                offset += 1;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(path: &str) -> Vec<(String, Option<String>)> {
        let columns = folder_columns(&Location::parse(path).unwrap()).into_iter();
        columns.map(|column| (column.name, column.value)).collect()
    }

    #[test]
    fn folders_name_columns_and_values() {
        let column_with_value = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
        assert_eq!(
            columns("in/level=a%2Fb%3D%C3%BC/k=x=y/part=0.parquet"),
            [
                column_with_value("level", "a/b=ü"),
                column_with_value("k", "x=y")
            ]
        );
        assert_eq!(
            columns("/k=__HIVE_DEFAULT_PARTITION__/n%20o=%5F_HIVE_DEFAULT_PARTITION__/p.csv"),
            [("k".to_owned(), None), column_with_value("n o", NO_VALUE)]
        );
        assert_eq!(columns("k=1/K=/p.csv"), [column_with_value("K", "")]);
        assert_eq!(
            columns("=1/a/100%/x=%zz%ff/p.csv"),
            [column_with_value("x", "%zz%ff")]
        );
        assert_eq!(columns("-"), []);
    }

    #[test]
    fn values_get_the_narrowest_type_that_keeps_their_text() {
        use DataType::{Boolean, Date32, Float64, Int64, Timestamp, UInt64, Utf8};
        for (values, expected) in [
            (&["1", "-7", "0"][..], Int64),
            (&["18446744073709551615"], UInt64),
            (&["0.5", "1.0"], Float64),
            (&["1.50"], Utf8),
            (&["007", "8"], Utf8),
            (&["true", "false"], Boolean),
            (&["2024-01-31"], Date32),
            (&["2024-01-31T10:00:00", "2024-01-31T10:00:00.500"], {
                Timestamp(TimeUnit::Microsecond, None)
            }),
            (&["2024-01-31 10:00:00"], {
                Timestamp(TimeUnit::Microsecond, None)
            }),
            (&["2024-01-31T10:00:00Z"], {
                Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
            }),
            (&["2024-01-31", "x"], Utf8),
            (&["1", ""], Utf8),
            (&[" 1"], Utf8),
        ] {
            let paths: Vec<String> = values.iter().map(|v| format!("in/k={v}/p")).collect();
            let types = types(&paths, &ReadOptions::default());
            assert_eq!(types["k"], expected, "{values:?}");
        }
        let types_of_null = types(
            &["k=__HIVE_DEFAULT_PARTITION__/p".to_owned()],
            &ReadOptions::default(),
        );
        assert_eq!(types_of_null["k"], Utf8);
    }
}
