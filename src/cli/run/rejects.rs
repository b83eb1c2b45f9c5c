//! The table of rejected records: the one that the options name, or one beside the output.

use std::path::{Path, PathBuf};

use sudoku_pipeline::options::REJECTS;
use sudoku_pipeline::write::{
    Holds, OutputFormat, Table, TargetOptions, has_room_beside, names_stdout,
};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::one_table;

/// The table of rejected records.
pub(crate) struct Rejects {
    pub(crate) table: Table,
    /// Whether the table is written even if it has no rows, because the user has named it.
    pub(crate) always: bool,
}

/// The rejects table that the options name. If they name none, a table beside the output, which is only written if
/// there are rejects.
pub(super) fn rejects(
    requested_path: Option<PathBuf>,
    table: Option<&Table>,
    options: TargetOptions,
) -> Result<Option<Rejects>, CommandError> {
    Ok(match requested_path {
        Some(path) if names_stdout(&path) => {
            return Err(UsageError::NeedsFile {
                reason: "the rejects table needs a file",
                option: REJECTS,
            }
            .into());
        }
        Some(path) => Some(Rejects {
            table: one_table::table(path, None, options)?,
            always: true,
        }),
        None => table.and_then(beside_main_table).map(|table| Rejects {
            table,
            always: false,
        }),
    })
}

/// The format of the rejects. It is CSV if the format of the rows can hold only grids.
fn rejects_format(format: OutputFormat) -> OutputFormat {
    match format.holds {
        Holds::Grids | Holds::Puzzles => OutputFormat::CSV,
        Holds::Table => format,
    }
}

/// The rejects table beside an output: `graded.csv.gz` → `graded.rejects.csv.gz`. `None` for standard
/// output and for devices.
fn beside_main_table(table: &Table) -> Option<Table> {
    let path = table.path.as_deref().filter(|path| has_room_beside(path))?;
    let name = path.file_name()?.to_str()?;
    let format = rejects_format(table.format);
    let compression = table.compression.ending();
    let stem = Path::new(name.strip_suffix(compression)?)
        .file_stem()?
        .to_str()?;
    let ending = format!(".rejects.{}{compression}", format.extension());
    // A file name can have at most 255 bytes, so the stem is cut.
    let mut stem_end = stem.len().min(255 - ending.len());
    while !stem.is_char_boundary(stem_end) {
        stem_end -= 1;
    }
    let name = format!("{}{ending}", &stem[..stem_end]);
    Some(Table {
        path: Some(path.with_file_name(name)),
        format,
        ..table.clone()
    })
}
