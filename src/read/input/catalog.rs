//! Opens all inputs of a run to learn their formats, and unifies the columns that they carry.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, StringArray, UInt32Array, new_null_array};
use arrow::compute::{CastOptions, cast_with_options, take};
use arrow::datatypes::{DataType, Field, FieldRef, Fields};

use crate::error::{Error, InputError};
use crate::read::input::folder_columns;
use crate::read::{FolderColumn, Input, InputInfo, ReadOptions, open};
use crate::store::{FileMetadata, Location};
use crate::table::cast::cast_column;
use crate::table::logical;

/// The inputs of a run, in the order in which they are read.
pub struct Catalog {
    /// The properties of each input.
    pub inputs: Vec<CatalogInput>,
    /// The carried columns of all inputs together. Column names that differ only in case are the
    /// same.
    pub carried: Vec<FieldRef>,
    /// Whether any of them has a column of given solutions.
    pub has_solutions: bool,
    /// For each carried column: its distinct types, each with the first input that has it.
    types: Vec<Vec<(FieldRef, String)>>,
    /// For each carried column: whether every input with a nested type can read it as text instead.
    has_text: Vec<bool>,
}

/// An input of the catalog.
pub struct CatalogInput {
    /// Its path, as it was given.
    pub path: String,
    /// Its format and size, or the error that prevents determining them.
    pub info: Result<InputInfo, Error>,
    /// Its size and time, or version, when it was opened.
    pub metadata: FileMetadata,
    /// The opened input, if it cannot be opened again or is the only one.
    pub opened: Option<Input>,
}

impl Catalog {
    /// Opens every input. An input with bad data stays in the catalog, and its error is reported
    /// when it is read.
    ///
    /// # Errors
    /// An input cannot be read, or columns of one name have types without a common type.
    pub fn of(paths: &[String], options: &ReadOptions) -> Result<Catalog, Error> {
        let mut catalog = Catalog {
            inputs: Vec::with_capacity(paths.len()),
            carried: Vec::new(),
            has_solutions: false,
            types: Vec::new(),
            has_text: Vec::new(),
        };
        let folder_types = folder_columns::types(paths, options);
        for path in paths {
            let known = match open(path, options) {
                Ok(input) => {
                    catalog.carry(path, &input, &folder_types)?;
                    catalog.has_solutions |= input.info.has_solutions;
                    let keep = paths.len() == 1 || can_be_read_once(path);
                    CatalogInput {
                        path: path.clone(),
                        info: Ok(input.info.clone()),
                        metadata: input.metadata.clone(),
                        opened: keep.then_some(input),
                    }
                }
                Err(error) if error.is_about_data() => CatalogInput {
                    path: path.clone(),
                    info: Err(error),
                    metadata: FileMetadata::default(),
                    opened: None,
                },
                Err(error) => return Err(error),
            };
            catalog.inputs.push(known);
        }
        Ok(catalog)
    }

    /// Adds the carried columns of an input. `folder_types` are the types of columns in the names of
    /// folders.
    fn carry(
        &mut self,
        path: &str,
        input: &Input,
        folder_types: &BTreeMap<String, DataType>,
    ) -> Result<(), Error> {
        // JSON values of any type can be read as text.
        let is_json = ["ndjson", "json"].contains(&input.info.format);
        let in_folders = input.folders.iter().map(|column| {
            let data_type = folder_types.get(&column.name.to_ascii_lowercase());
            let data_type = data_type.cloned().unwrap_or(DataType::Utf8);
            Arc::new(Field::new(&column.name, data_type, true))
        });
        let in_folders: Vec<FieldRef> = in_folders.collect();
        for field in input.carried.iter().chain(&in_folders) {
            let is = |known: &FieldRef| known.name().eq_ignore_ascii_case(field.name());
            let has_text = is_json || !field.data_type().is_nested();
            let Some(at) = self.carried.iter().position(is) else {
                self.carried.push(Arc::clone(field));
                self.types.push(vec![(Arc::clone(field), path.to_owned())]);
                self.has_text.push(has_text);
                continue;
            };
            let same = |(known, _): &(FieldRef, String)| {
                known.data_type() == field.data_type() && known.metadata() == field.metadata()
            };
            if !self.types[at].iter().any(same) {
                self.types[at].push((Arc::clone(field), path.to_owned()));
            }
            self.has_text[at] &= has_text;
            let has_text = self.has_text[at];
            match &mut self.carried[at] {
                known if known.data_type() == field.data_type() => {
                    if known.metadata() != field.metadata() {
                        // The values share only their storage type.
                        let plain = Field::clone(known).with_metadata(Default::default());
                        *known = Arc::new(plain);
                    }
                }
                known => {
                    let text = has_text.then_some(DataType::Utf8);
                    let both = common(known.data_type(), field.data_type()).or(text);
                    let both = both.ok_or_else(|| InputError::TypesDiffer {
                        column: field.name().clone(),
                        data_type: field.data_type().clone(),
                        input: path.to_owned(),
                        earlier: known.data_type().clone(),
                    })?;
                    *known = Arc::new(Field::new(known.name(), both, true));
                }
            }
        }
        Ok(())
    }

    /// A message for each column that has several types.
    pub fn unified(&self) -> impl Iterator<Item = String> {
        let columns = self.carried.iter().zip(&self.types);
        columns
            .filter(|(_, types)| types.len() > 1)
            .map(|(field, types)| {
                let types: Vec<String> = types
                    .iter()
                    .map(|(field, path)| format!("{} in {path}", logical::name(field)))
                    .collect();
                let becomes = logical::name(field);
                format!(
                    "column {} is {}: it becomes {becomes}",
                    field.name(),
                    types.join(", ")
                )
            })
    }
}

/// Whether an input can be read only once: standard input, pipes, devices.
fn can_be_read_once(path: &str) -> bool {
    match Location::parse(path) {
        Ok(Location::Standard) => true,
        Ok(Location::Local(path)) => {
            std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
        }
        Ok(Location::Remote(_)) | Err(_) => false,
    }
}

/// The type that holds the values of both types, if necessary text.
fn common(a: &DataType, b: &DataType) -> Option<DataType> {
    let is_binary = |of: &DataType| {
        use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
        matches!(of, Binary | BinaryView | FixedSizeBinary(_) | LargeBinary)
    };
    let both = |is: &dyn Fn(&DataType) -> bool| is(a) && is(b);
    match (a, b) {
        _ if a == b => return Some(a.clone()),
        (DataType::List(one), DataType::List(other)) => {
            let item = common(one.data_type(), other.data_type())?;
            let item = Field::clone(one).with_data_type(item).with_nullable(true);
            return Some(DataType::List(Arc::new(item)));
        }
        (DataType::Struct(one), DataType::Struct(other)) => return fields_of(one, other),
        _ => {}
    }
    if a.is_nested() || b.is_nested() || is_binary(a) != is_binary(b) {
        return None;
    }
    let is_number = |of: &DataType| of.is_integer() || of.is_floating();
    Some(if both(&is_binary) {
        DataType::LargeBinary
    } else if both(&DataType::is_unsigned_integer) {
        DataType::UInt64
    } else if both(&DataType::is_integer) && ![a, b].contains(&&DataType::UInt64) {
        DataType::Int64
    } else if both(&is_number) && !both(&DataType::is_integer) {
        // An integer that the float cannot represent is refused when it is read.
        DataType::Float64
    } else {
        DataType::Utf8
    })
}

/// The fields of both structs, matched by name.
fn fields_of(one: &Fields, other: &Fields) -> Option<DataType> {
    let mut fields: Vec<FieldRef> = Vec::new();
    for field in one.iter().chain(other) {
        match fields.iter_mut().find(|known| known.name() == field.name()) {
            None => fields.push(Arc::new(Field::clone(field).with_nullable(true))),
            Some(known) => {
                let both = common(known.data_type(), field.data_type())?;
                *known = Arc::new(Field::clone(known).with_data_type(both));
            }
        }
    }
    Some(DataType::Struct(fields.into()))
}

/// The mapping from the carried columns of one input to those of all inputs.
pub(crate) struct ColumnMapping {
    columns: Vec<(ColumnOrigin, FieldRef)>,
}

/// Where an input has the values of a column.
enum ColumnOrigin {
    /// In its n-th carried column.
    Own(usize),
    /// In the name of a folder: an array of one value.
    Folder(ArrayRef),
    /// Nowhere: they are null.
    Absent,
}

impl ColumnMapping {
    /// Returns `None` if the input has a column that is not in `all`.
    pub(crate) fn new(all: &[FieldRef], one: &[FieldRef]) -> Option<ColumnMapping> {
        let is = |own: &FieldRef, field: &FieldRef| own.name().eq_ignore_ascii_case(field.name());
        let at = |field: &FieldRef| one.iter().position(|own| is(own, field));
        let columns: Vec<_> = all
            .iter()
            .map(|field| {
                let origin = at(field).map_or(ColumnOrigin::Absent, ColumnOrigin::Own);
                (origin, Arc::clone(field))
            })
            .collect();
        let is_own = |(origin, _): &&(ColumnOrigin, _)| matches!(origin, ColumnOrigin::Own(_));
        let found = columns.iter().filter(is_own).count();
        (found == one.len()).then_some(ColumnMapping { columns })
    }

    /// Adds the columns in the names of the folders of this input, which is called `source`.
    ///
    /// # Errors
    /// A value does not fit the common type.
    pub(crate) fn with_folders(
        mut self,
        source: &str,
        folders: &[FolderColumn],
    ) -> Result<ColumnMapping, Error> {
        for (origin, field) in &mut self.columns {
            let folder = folders.iter().find(|folder| folder.is_called(field.name()));
            if let (ColumnOrigin::Absent, Some(folder)) = (&origin, folder) {
                let value: ArrayRef = Arc::new(StringArray::from(vec![folder.value.as_deref()]));
                let value = folder_columns::parsed(&value, field.data_type());
                *origin = ColumnOrigin::Folder(value.ok_or_else(|| InputError::ValueLost {
                    input: source.to_owned(),
                    column: field.name().clone(),
                    data_type: DataType::Utf8,
                    wanted: field.data_type().clone(),
                })?);
            }
        }
        Ok(self)
    }

    /// Arranges the columns of this input, which is called `source`, as the columns of all inputs.
    ///
    /// # Errors
    /// A value does not fit the common type.
    pub(crate) fn arrange(
        &self,
        source: &str,
        own: &[ArrayRef],
        rows: usize,
    ) -> Result<Vec<ArrayRef>, Error> {
        let columns = self.columns.iter().map(|(origin, field)| {
            let data_type = field.data_type();
            let column = match origin {
                ColumnOrigin::Own(at) => own.get(*at),
                ColumnOrigin::Folder(value) => {
                    return Ok(take(value, &UInt32Array::from(vec![0; rows]), None)?);
                }
                ColumnOrigin::Absent => None,
            };
            match column {
                None => Ok(new_null_array(data_type, rows)),
                Some(column) if column.data_type() == data_type => Ok(Arc::clone(column)),
                Some(column) => without_loss(column, data_type).ok_or_else(|| {
                    let error = InputError::ValueLost {
                        input: source.to_owned(),
                        column: field.name().clone(),
                        data_type: column.data_type().clone(),
                        wanted: data_type.clone(),
                    };
                    error.into()
                }),
            }
        });
        columns.collect()
    }
}

/// Converts the values to another type, if no value is lost.
fn without_loss(column: &ArrayRef, data_type: &DataType) -> Option<ArrayRef> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    let cast = |column: &ArrayRef, to: &DataType| cast_with_options(column, to, &options).ok();
    if column.data_type().is_nested() {
        let all = cast_column(column, data_type).ok()?;
        let back = cast_column(&all, column.data_type()).ok()?;
        return (back.as_ref() == column.as_ref()).then_some(all);
    }
    let all = cast(column, data_type)?;
    if column.data_type().is_integer() && data_type.is_floating() {
        let back = cast(&all, column.data_type())?;
        return (back.to_data() == column.to_data()).then_some(all);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_brought_together_without_loss() {
        use DataType::{
            Binary, Boolean, Decimal128, FixedSizeBinary, Float32, Float64, Int8, Int64,
            LargeBinary, LargeUtf8, UInt8, UInt64, Utf8,
        };
        for (a, b, both) in [
            (Int8, Int64, Int64),
            (Int64, UInt64, Utf8),
            (UInt8, UInt64, UInt64),
            (Decimal128(20, 2), Decimal128(20, 1), Utf8),
            (Decimal128(20, 2), Float64, Utf8),
            (Binary, FixedSizeBinary(3), LargeBinary),
            (Int64, Float32, Float64),
            (Utf8, LargeUtf8, Utf8),
            (Boolean, Int64, Utf8),
            (Int64, Utf8, Utf8),
        ] {
            assert_eq!(common(&a, &b), Some(both.clone()));
            assert_eq!(common(&b, &a), Some(both));
        }
        let list = DataType::new_list(Int64, true);
        assert_eq!(common(&list, &Utf8), None);
        assert_eq!(common(&Binary, &Utf8), None);
    }

    #[test]
    fn a_float_takes_the_integers_that_it_can_hold() {
        use arrow::array::Int64Array;
        let fits = |values: Vec<Option<i64>>| {
            let column: ArrayRef = Arc::new(Int64Array::from(values));
            without_loss(&column, &DataType::Float64).is_some()
        };
        assert!(fits(vec![Some(1), None, Some(-(1 << 53)), Some(1 << 60)]));
        assert!(!fits(vec![Some(1), Some((1 << 53) + 1)]));
        assert!(!fits(vec![Some(i64::MAX)]));
    }
}
