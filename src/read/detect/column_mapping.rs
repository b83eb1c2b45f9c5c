//! Converts the columns of one input to the columns of the output.

use std::sync::Arc;

use arrow::array::{ArrayRef, StringArray, UInt32Array, new_null_array};
use arrow::compute::take;
use arrow::datatypes::{DataType, FieldRef};

use crate::carry::common_type::convert_without_loss;
use crate::carry::name_index::NameIndex;
use crate::error::{Error, InputError};
use crate::read::FolderColumn;
use crate::read::detect::folder_columns;

/// For each output column that is copied from the inputs, where one input has its values.
pub(crate) struct ColumnMapping {
    columns: Vec<(ColumnOrigin, FieldRef)>,
}

/// Where the values of an output column come from in one input.
enum ColumnOrigin {
    /// The input's own column with this index among its copied columns.
    Own(usize),
    /// The name of a folder in the input's path. The array has one value, which all rows share.
    Folder(ArrayRef),
    /// The input does not have the column, so all values are null.
    Absent,
}

impl ColumnMapping {
    /// Maps the columns of an input (`one`) to the columns of the output (`all`); `None` if the output lacks one of
    /// them.
    pub(crate) fn new(all: &[FieldRef], one: &[FieldRef]) -> Option<ColumnMapping> {
        let index = NameIndex::new(one.iter().map(|field| field.name()));
        let columns: Vec<_> = all
            .iter()
            .map(|field| {
                let origin = index
                    .index_of(field.name())
                    .map_or(ColumnOrigin::Absent, ColumnOrigin::Own);
                (origin, Arc::clone(field))
            })
            .collect();
        let is_own = |(origin, _): &&(ColumnOrigin, _)| matches!(origin, ColumnOrigin::Own(_));
        let match_count = columns.iter().filter(is_own).count();
        (match_count == one.len()).then_some(ColumnMapping { columns })
    }

    /// Adds the values of partition columns, from the path of the input `source`.
    ///
    /// # Errors
    ///
    /// A value cannot be converted to the column's common type.
    pub(crate) fn with_folders(
        mut self,
        source: &str,
        folders: &[FolderColumn],
    ) -> Result<ColumnMapping, Error> {
        for (origin, field) in &mut self.columns {
            let folder = folders.iter().find(|folder| folder.is_called(field.name()));
            if let (ColumnOrigin::Absent, Some(folder)) = (&origin, folder) {
                let value: ArrayRef = Arc::new(StringArray::from(vec![folder.value.as_deref()]));
                let value = folder_columns::parse_as(&value, field.data_type());
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

    /// Converts the columns of the input `source` to the common types, and orders them as in the output.
    ///
    /// # Errors
    ///
    /// A value cannot be converted to the column's common type.
    pub(crate) fn arrange(
        &self,
        source: &str,
        own_columns: &[ArrayRef],
        rows: usize,
    ) -> Result<Vec<ArrayRef>, Error> {
        let columns = self.columns.iter().map(|(origin, field)| {
            let data_type = field.data_type();
            let column = match origin {
                ColumnOrigin::Own(at) => own_columns.get(*at),
                ColumnOrigin::Folder(value) => {
                    return Ok(take(value, &UInt32Array::from(vec![0; rows]), None)?);
                }
                ColumnOrigin::Absent => None,
            };
            match column {
                None => Ok(new_null_array(data_type, rows)),
                Some(column) if column.data_type() == data_type => Ok(Arc::clone(column)),
                Some(column) => convert_without_loss(column, data_type).ok_or_else(|| {
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
