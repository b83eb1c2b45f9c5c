//! Groups tables by the kind of their rows: puzzles, rejects, or runs of solvers.

use std::path::Path;

use crate::counts::tables::{rejects, runs};
use crate::error::Error;
use crate::formats::open;
use crate::read::{InputFormat, ReadOptions, can_be_read_once, expand};

/// The names of tables, grouped by their kind of rows.
pub(super) struct TablesByKind {
    pub(super) row_tables: Vec<String>,
    pub(super) rejects_tables: Vec<String>,
    /// Whether the rows of all tables are runs of solvers.
    pub(super) have_only_runs: bool,
    /// Whether any table has puzzles and can be read a second time.
    pub(super) has_puzzles: bool,
}

impl TablesByKind {
    /// Groups the tables by the kind of their rows. Also finds rejects tables in the same folders.
    pub(super) fn find(
        names: &[String],
        read: &ReadOptions,
        allow_empty: bool,
    ) -> Result<TablesByKind, Error> {
        let expanded = expand(names)?;
        expanded.log_skipped();
        if !allow_empty {
            expanded.refuse_empty(true)?;
        }
        let given_inputs = expanded.inputs;
        let mut tables = TablesByKind {
            row_tables: Vec::new(),
            rejects_tables: Vec::new(),
            have_only_runs: true,
            has_puzzles: false,
        };
        for name in &given_inputs {
            if can_be_read_once(name) {
                tables.have_only_runs = false;
                tables.row_tables.push(name.clone());
                continue;
            }
            let opened_input = match open(name, read) {
                Ok(opened) => opened,
                // This error is not reported here, but when the job reads the input.
                Err(error) if error.is_about_data() => {
                    tables.have_only_runs = false;
                    tables.row_tables.push(name.clone());
                    continue;
                }
                Err(error) => return Err(error),
            };
            let columns = opened_input
                .carried
                .iter()
                .map(|field| field.name().as_str());
            let columns: Vec<&str> = columns.collect();
            if rejects::is_rejects_table(&columns) {
                tables.rejects_tables.push(name.clone());
                continue;
            }
            let is_text = opened_input.info.format == InputFormat::CSV
                && !opened_input.detection.has_puzzles();
            if let ([only], true, false) = (columns.as_slice(), is_text, has_csv_extension(name)) {
                return Err(Error::UnknownFormat {
                    source_name: name.clone(),
                    what: format!(
                        "this text holds no table: each line is one field, and none is a puzzle; the first \
                         is {only:?}. If it is a table of one column, let its name end with .csv"
                    ),
                });
            }
            tables.have_only_runs &= runs::is_runs_table(&columns);
            tables.has_puzzles |= opened_input.detection.has_puzzles();
            tables.row_tables.push(name.clone());
        }
        tables.have_only_runs &= !tables.row_tables.is_empty();
        for found in rejects_tables_beside(names, &given_inputs) {
            if !tables.rejects_tables.contains(&found) {
                tables.rejects_tables.push(found);
            }
        }
        Ok(tables)
    }
}

/// Finds the rejects tables in the named folders, and those beside the tables: `graded.parquet` →
/// `graded.rejects.parquet`.
fn rejects_tables_beside(names: &[String], tables: &[String]) -> Vec<String> {
    let mut files = Vec::new();
    for name in names.iter().filter(|name| Path::new(name).is_dir()) {
        let rejects = Path::new(name).join("_rejects");
        if rejects.is_dir() {
            // If a run has no rejects, this folder is empty.
            let rejects = expand(&[rejects.display().to_string()]);
            files.extend(rejects.unwrap_or_default().inputs);
        }
    }
    for name in tables {
        let path = Path::new(name);
        let file = path.file_name().and_then(|name| name.to_str());
        let Some((stem, ending)) = file.and_then(|file| file.split_once('.')) else {
            continue;
        };
        let rejects = path.with_file_name(format!("{stem}.rejects.{ending}"));
        if rejects.is_file()
            && !ending.starts_with("rejects")
            && let Some(rejects) = rejects.to_str()
            && !tables.iter().any(|table| table == rejects)
        {
            files.push(rejects.to_owned());
        }
    }
    files
}

/// Whether the name has the extension of a delimited text format, such as `.csv`.
fn has_csv_extension(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name_without_ending = [".gz", ".zst", ".zip"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let name_without_ending = name_without_ending.unwrap_or(&name);
    name_without_ending.ends_with(".csv") || name_without_ending.ends_with(".tsv")
}
