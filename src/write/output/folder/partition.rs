//! The option `--partition-by`: subfolders named after the values of columns.

use std::collections::BTreeMap;

use arrow::array::{Array, ArrayRef, RecordBatch, UInt32Array};
use arrow::compute::take_record_batch;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::util::display::{ArrayFormatter, FormatOptions};

use crate::error::{Error, OptionError};
use crate::options::PARTITION_BY;
use crate::read::is_temporary_folder;
use crate::table::NO_FOLDER_VALUE as NO_VALUE;
use crate::table::columns::unknown_column;
use crate::write::output::{DivideRows, RowsByFolder};

/// The maximum length of a folder name in bytes, on Linux, macOS and Windows.
const MOST_NAME_BYTES: usize = 255;

/// Partitions rows by the values of columns. The values are stored in the names of folders and not in the
/// files, as in Hive, Spark, DuckDB and pyarrow: `level=easy/rank=3`.
pub(super) struct Partitioner {
    /// The names and the indices of the partition columns.
    partition_columns: Vec<(String, usize)>,
    /// The indices of the columns that are stored in the files.
    other_columns: Vec<usize>,
    schema: SchemaRef,
}

impl Partitioner {
    pub(super) fn new(schema: &SchemaRef, names: &[String]) -> Result<Partitioner, Error> {
        let mut key_columns = Vec::new();
        for name in names {
            let (at, field) = schema.column_with_name(name).ok_or_else(|| {
                let columns = schema.fields().iter().map(|field| field.name().clone());
                unknown_column(PARTITION_BY, name, &columns.collect::<Vec<_>>())
            })?;
            if key_columns.iter().any(|(_, taken)| *taken == at) {
                let problem = format!("column {name} is named twice");
                return Err(OptionError::new(PARTITION_BY, problem).into());
            }
            if field.data_type().is_nested() {
                let problem = format!("column {name} is nested, so it cannot name folders");
                return Err(OptionError::new(PARTITION_BY, problem).into());
            }
            key_columns.push((name.clone(), at));
        }
        let is_other = |at: &usize| key_columns.iter().all(|(_, taken)| taken != at);
        let other_columns: Vec<usize> = (0..schema.fields().len()).filter(is_other).collect();
        if other_columns.is_empty() {
            let problem = "all columns are named, so none is left for the files";
            return Err(OptionError::new(PARTITION_BY, problem).into());
        }
        Ok(Partitioner {
            schema: SchemaRef::new(Schema::project(schema, &other_columns)?),
            partition_columns: key_columns,
            other_columns,
        })
    }

    /// The schema of the files in the subfolders. It does not have the partition columns.
    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}

impl DivideRows for Partitioner {
    /// Divides the rows by their subfolder. The subfolders are ordered by name.
    fn divide(&self, batch: &RecordBatch) -> Result<RowsByFolder, Error> {
        let options = FormatOptions::default();
        let columns = self.partition_columns.iter().map(|(name, at)| {
            let column: &ArrayRef = batch.column(*at);
            Ok((name, column, ArrayFormatter::try_new(column, &options)?))
        });
        let columns: Vec<_> = columns.collect::<Result<_, Error>>()?;
        let mut rows: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut folder = String::new();
        let mut row = 0;
        while (row as usize) < batch.num_rows() {
            folder.clear();
            for (name, column, values) in &columns {
                if !folder.is_empty() {
                    folder.push('/');
                }
                let name_start = folder.len();
                percent_encode(name, &mut folder);
                folder.push('=');
                let value = if column.is_null(row as usize) {
                    NO_VALUE.to_owned()
                } else {
                    values.value(row as usize).to_string()
                };
                match value.as_str() {
                    NO_VALUE if column.is_null(row as usize) => folder.push_str(NO_VALUE),
                    // A text that equals the folder name for nulls is escaped, as in DuckDB.
                    NO_VALUE => {
                        folder.push_str("%5F");
                        folder.push_str(&NO_VALUE[1..]);
                    }
                    value => percent_encode(value, &mut folder),
                }
                // A folder with the name of a temporary one would not be read.
                if is_temporary_folder(&folder[name_start..]) {
                    folder.truncate(folder.len() - ".tmp".len());
                    folder.push_str("%2Etmp");
                }
                if folder.len() - name_start > MOST_NAME_BYTES {
                    return Err(too_long_error(name, &value, folder.len() - name_start));
                }
            }
            match rows.get_mut(&folder) {
                Some(rows) => rows.push(row),
                None => {
                    rows.insert(folder.clone(), vec![row]);
                }
            }
            row += 1;
        }
        let other_columns = batch.project(&self.other_columns)?;
        let mut batches_by_folder = BTreeMap::new();
        for (folder, rows) in rows {
            batches_by_folder.insert(
                folder,
                take_record_batch(&other_columns, &UInt32Array::from(rows))?,
            );
        }
        Ok(batches_by_folder)
    }
}

fn too_long_error(column: &str, value: &str, bytes: usize) -> Error {
    Error::FolderName {
        column: column.to_owned(),
        head: value.chars().take(40).collect(),
        bytes,
        longest: MOST_NAME_BYTES,
    }
}

/// Percent-encodes all characters except letters, digits and `_.-~`, as readers of partition folders
/// expect.
fn percent_encode(text: &str, into: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'-' | b'~' => {
                into.push(byte as char);
            }
            byte => into.push_str(&format!("%{byte:02X}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{StringArray, UInt8Array};

    use super::*;

    #[test]
    fn values_become_names_of_folders() {
        let levels = StringArray::from(vec![
            Some("a/b=ü"),
            None,
            Some("x"),
            Some(".."),
            Some(""),
            Some(NO_VALUE),
        ]);
        let batch = RecordBatch::try_from_iter([
            (
                "row",
                Arc::new(UInt8Array::from(vec![0, 1, 2, 3, 4, 5])) as ArrayRef,
            ),
            ("level", Arc::new(levels) as ArrayRef),
        ])
        .unwrap();
        let partition_by = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            Partitioner::new(&batch.schema(), &names)
        };
        let batches_by_folder = partition_by(&["level"]).unwrap().divide(&batch).unwrap();
        let folders: Vec<_> = batches_by_folder.keys().map(String::as_str).collect();
        assert_eq!(
            folders,
            [
                "level=",
                "level=%5F_HIVE_DEFAULT_PARTITION__",
                "level=..",
                "level=__HIVE_DEFAULT_PARTITION__",
                "level=a%2Fb%3D%C3%BC",
                "level=x"
            ]
        );
        assert!(
            batches_by_folder
                .values()
                .all(|part| part.num_rows() == 1 && part.num_columns() == 1)
        );
        assert!(partition_by(&["nothing"]).is_err());
        assert!(partition_by(&["level", "row"]).is_err());
    }
}
