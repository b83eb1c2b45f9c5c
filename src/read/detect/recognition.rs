//! What was found out about an input when it was opened. Manifests keep it, so that a later run need not open an input
//! whose parts it keeps.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hash::fnv1a;
use crate::read::bytes::stored::InputCompression;
use crate::read::{ColumnInfo, FolderColumn, Input, InputFormat, InputInfo, ReadOptions};

/// The maximum number of columns of a recognition that is kept. An input with more columns is opened again.
const MOST_COLUMNS: usize = 100;

/// The format and the columns of an input.
#[derive(Clone, Debug)]
pub struct RecognisedInput {
    /// The format and the size, for summaries.
    pub info: InputInfo,
    /// All columns, in the order of the input.
    pub columns: Vec<ColumnInfo>,
    /// The columns that are copied to the output, with their names and types in the input.
    pub carried: Vec<FieldRef>,
    /// The partition columns that are copied to the output.
    pub folders: Vec<FolderColumn>,
}

impl From<&Input> for RecognisedInput {
    fn from(input: &Input) -> RecognisedInput {
        RecognisedInput {
            info: input.info.clone(),
            columns: input.detection.columns.clone(),
            carried: input.carried.clone(),
            folders: input.folders.clone(),
        }
    }
}

/// A [`RecognisedInput`] in the form in which manifests keep it. Equal ones share their memory, since a run can have many
/// thousand inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognition(Arc<KeptFields>);

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptFields {
    /// A hash of the options for reading, and of this program's version. With others, the result can differ.
    options: String,
    format: String,
    compression: String,
    has_solutions: bool,
    row_groups: Option<usize>,
    columns: Vec<ColumnInfo>,
    /// The names and types of the columns that are copied to the output.
    carried: Vec<(String, String)>,
    folders: Vec<FolderColumn>,
}

impl Recognition {
    /// The recognition of an input that was opened with these options; `None` if it has types or numbers of columns that
    /// are not kept.
    pub(crate) fn new(input: &RecognisedInput, options: &ReadOptions) -> Option<Recognition> {
        if input.columns.len().max(input.carried.len()) > MOST_COLUMNS {
            return None;
        }
        let carried = input.carried.iter().map(|field| {
            let names = (field.name().clone(), field.data_type().to_string());
            // Some types, and the metadata of extension types, are not in the text.
            (field_from_names(&names)? == **field).then_some(names)
        });
        Some(Recognition(Arc::new(KeptFields {
            options: options_hash(options),
            format: input.info.format.id.to_owned(),
            compression: input.info.compression.to_owned(),
            has_solutions: input.info.has_solutions,
            row_groups: input.info.row_groups,
            columns: input.columns.clone(),
            carried: carried.collect::<Option<_>>()?,
            folders: input.folders.clone(),
        })))
    }

    /// This recognition, in the memory of the other one if the two are equal.
    pub(crate) fn shared_with(self, other: Option<&Recognition>) -> Recognition {
        match other {
            Some(other) if *other == self => other.clone(),
            _ => self,
        }
    }

    /// The input as it would be recognised now; `None` if the options or the version of this program differ. `source` and
    /// `bytes` are the name and the size of the input. `find_format` returns the format with an id.
    pub(crate) fn to_recognised(
        &self,
        options: &ReadOptions,
        source: String,
        bytes: Option<u64>,
        find_format: fn(&str) -> Option<InputFormat>,
    ) -> Option<RecognisedInput> {
        let fields = &*self.0;
        if fields.options != options_hash(options) {
            return None;
        }
        let carried = (fields.carried.iter()).map(|names| field_from_names(names).map(Arc::new));
        Some(RecognisedInput {
            info: InputInfo {
                source,
                bytes,
                compression: InputCompression::from_id(&fields.compression)?.id(),
                format: find_format(&fields.format)?,
                has_solutions: fields.has_solutions,
                row_groups: fields.row_groups,
            },
            columns: fields.columns.clone(),
            carried: carried.collect::<Option<_>>()?,
            folders: fields.folders.clone(),
        })
    }
}

impl Serialize for Recognition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Recognition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Recognition, D::Error> {
        KeptFields::deserialize(deserializer).map(|fields| Recognition(Arc::new(fields)))
    }
}

fn field_from_names((name, data_type): &(String, String)) -> Option<Field> {
    Some(Field::new(name, data_type.parse::<DataType>().ok()?, true))
}

fn options_hash(options: &ReadOptions) -> String {
    let text = format!("{} {options:?}", env!("CARGO_PKG_VERSION"));
    format!("{:016x}", fnv1a(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::formats::open;

    #[test]
    fn a_kept_recognition_equals_the_opened_input() {
        let mut file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
        let puzzle = ".".repeat(81);
        write!(file, "id,puzzle,note\n1,{puzzle},a\n").unwrap();
        let options = ReadOptions::default();
        let name = file.path().display().to_string();
        let opened = RecognisedInput::from(&open(&name, &options).unwrap());
        let kept = Recognition::new(&opened, &options).unwrap();
        let kept: Recognition =
            serde_json::from_str(&serde_json::to_string(&kept).unwrap()).unwrap();
        let known = kept.to_recognised(&options, name, opened.info.bytes, InputFormat::from_id);
        assert_eq!(format!("{:?}", known.unwrap()), format!("{opened:?}"));
        let other_options = ReadOptions {
            any_table: true,
            ..options
        };
        let known = kept.to_recognised(&other_options, String::new(), None, InputFormat::from_id);
        assert!(known.is_none());
    }

    #[test]
    fn a_type_that_its_text_does_not_restore_is_not_kept() {
        let options = ReadOptions::default();
        let with_type = |data_type: DataType| {
            let field = Field::new("x", data_type, true);
            let with_metadata = field
                .clone()
                .with_metadata([("ARROW:extension:name".to_owned(), "x".to_owned())].into());
            [field, with_metadata].map(|field| {
                let input = RecognisedInput {
                    info: InputInfo {
                        source: "a".to_owned(),
                        bytes: None,
                        compression: "none",
                        format: InputFormat::CSV,
                        has_solutions: false,
                        row_groups: None,
                    },
                    columns: Vec::new(),
                    carried: vec![Arc::new(field)],
                    folders: Vec::new(),
                };
                Recognition::new(&input, &options)
            })
        };
        let [plain, extended] = with_type(DataType::Int64);
        assert!(plain.is_some() && extended.is_none());
        let item = Field::new("item", DataType::Utf8, false);
        for data_type in [
            DataType::Decimal128(10, 2),
            DataType::List(Arc::new(item)),
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
        ] {
            let [plain, _] = with_type(data_type.clone());
            let restored = plain.map(|kept| {
                let known = kept
                    .to_recognised(&options, String::new(), None, InputFormat::from_id)
                    .unwrap();
                known.carried[0].data_type().clone()
            });
            assert!(restored.is_none_or(|restored| restored == data_type));
        }
    }
}
