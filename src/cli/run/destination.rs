//! The destinations of tables and texts. Their formats are chosen, and conflicts between paths are reported, before the
//! work starts.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use sudoku_pipeline::error::{FormatError, OptionError};
use sudoku_pipeline::options::{MAX_ROWS_PER_FILE, PARTITION_BY, PRUNE, REJECTS, RESUME};
use sudoku_pipeline::read;
use sudoku_pipeline::store::{Location, UrlScheme, display_name, is_scratch};
use sudoku_pipeline::write::{
    FolderTable, Holds, OutputFormat, Shard, Table, TargetOptions, is_device, names_stdout,
    writable_folder,
};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::names;
use crate::cli::options::one_table::{self, refuse_double_compression};
use crate::cli::options::output::WriteArgs;
use crate::cli::run::memory::is_in_store;
use crate::cli::run::rejects::{Rejects, rejects};

/// The destination of the rows.
pub(crate) enum Destination {
    /// A single table, and optionally a table of rejects.
    File {
        table: Option<Table>,
        rejects: Option<Rejects>,
    },
    /// A folder of parts, which also contains the rejects.
    Folder(FolderTable),
}

impl Destination {
    /// The destination that the options select. `rejects` is the path in `--rejects`.
    pub(crate) fn from_options(
        write: Option<WriteArgs>,
        rejects: Option<PathBuf>,
        overwrite: bool,
        shard: Option<Shard>,
    ) -> Result<Destination, CommandError> {
        let options = TargetOptions { overwrite };
        let Some(write) = write else {
            let rejects = self::rejects(rejects, None, options)?;
            return Ok(Destination::File {
                table: None,
                rejects,
            });
        };
        // In some formats, such as `npy`, the single table of a run can be a folder. Such a folder is not a folder of
        // parts.
        let is_one = write.table.format.is_some_and(OutputFormat::is_folder);
        let folder_only = [
            (write.resume, RESUME),
            (write.prune, PRUNE),
            (!write.partition_by.is_empty(), PARTITION_BY),
            (write.max_rows_per_file.is_some(), MAX_ROWS_PER_FILE),
        ];
        let folder_option = folder_only.iter().find(|(given, _)| *given);
        // With such an option, only the name of a file or standard output is no folder.
        let is_file = names_stdout(&write.table.output)
            || one_table::format_of_name(&write.table.output).is_some();
        let is_folder = is_folder(&write.table.output) || folder_option.is_some() && !is_file;
        if is_folder && !is_one {
            if rejects.is_some() {
                let reason = "the rejects of a folder are written to its subfolder _rejects";
                return Err(UsageError::not_together(reason, &[REJECTS]).into());
            }
            return folder(write, overwrite, shard).map(Destination::Folder);
        }
        if let Some((_, option)) = folder_option {
            let output = &write.table.output;
            let name = output.file_name().unwrap_or_default().to_string_lossy();
            let stem = name.split('.').find(|part| !part.is_empty());
            let folder = output.with_file_name(stem.unwrap_or("out"));
            return Err(OptionError::new(
                *option,
                format!(
                    "it needs a folder to write: end the name with /, as in {}/",
                    folder.display()
                ),
            )
            .into());
        }
        let mut table = one_table::table(write.table.output, write.table.format, options)?;
        if let Some(compression) = write.table.compression {
            table.compression = compression;
            refuse_double_compression(table.format, table.compression)?;
        }
        let rejects = self::rejects(rejects, Some(&table), options)?;
        Ok(Destination::File {
            table: Some(table),
            rejects,
        })
    }

    /// The format of the rows; `None` if no rows are written.
    pub(crate) fn format(&self) -> Option<OutputFormat> {
        match self {
            Destination::File { table, .. } => table.as_ref().map(|table| table.format),
            Destination::Folder(folder) => Some(folder.format),
        }
    }

    /// The columns whose values become names of folders.
    pub(crate) fn partition_by(&self) -> &[String] {
        match self {
            Destination::File { .. } => &[],
            Destination::Folder(folder) => &folder.partition_by,
        }
    }

    /// The path of the destination, as the user named it; `None` if no rows are written.
    pub(crate) fn output(&self) -> Option<String> {
        match self {
            Destination::File { table, .. } => {
                let path = table.as_ref()?.path.as_deref();
                Some(path.map_or_else(|| "-".to_owned(), output_name))
            }
            Destination::Folder(folder) => Some(output_name(&folder.path)),
        }
    }

    /// Whether a table is written to a store.
    pub(crate) fn is_in_store(&self) -> bool {
        self.output_paths().into_iter().any(is_in_store)
    }

    /// Whether the rejects are written to a table.
    pub(crate) fn keeps_rejects(&self) -> bool {
        !matches!(self, Destination::File { rejects: None, .. })
    }

    /// Whether the rows are written to standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        matches!(
            self,
            Destination::File {
                table: Some(Table { path: None, .. }),
                ..
            }
        )
    }

    /// The paths of all output files, without the parts of a folder.
    fn output_paths(&self) -> Vec<&Path> {
        match self {
            Destination::Folder(folder) => vec![folder.path.as_path()],
            Destination::File { table, rejects } => {
                let rejects = rejects.as_ref().map(|rejects| &rejects.table);
                let tables = table.as_ref().into_iter().chain(rejects);
                tables.filter_map(|table| table.path.as_deref()).collect()
            }
        }
    }

    /// The path of the output that has the rows; `None` if no rows are written, or for standard output.
    fn rows_path(&self) -> Option<&Path> {
        match self {
            Destination::Folder(folder) => Some(&folder.path),
            Destination::File { table, .. } => table.as_ref()?.path.as_deref(),
        }
    }

    /// A file that the output at this place would have: a part of a folder, or the output itself.
    fn example_file(&self, place: PathBuf) -> PathBuf {
        let Destination::Folder(folder) = self else {
            return place;
        };
        let columns = folder.partition_by.iter();
        let place = columns.fold(place, |place, column| place.join(format!("{column}=x")));
        let (extension, ending) = (folder.format.extension(), folder.compression.ending());
        place.join(format!("part-x-0123456789abcdef.{extension}{ending}"))
    }

    /// Fails if two outputs have the same path. `others` are the paths of texts and of tables other than the rows and
    /// rejects.
    pub(crate) fn refuse_twice(&self, others: &[&Path]) -> Result<(), CommandError> {
        let mut seen_paths = HashSet::new();
        for path in self.output_paths().iter().chain(others) {
            if real_location(path).is_some_and(|real| !seen_paths.insert(real)) {
                return Err(UsageError::written_twice(path).into());
            }
        }
        Ok(())
    }

    /// Fails if an output would replace an input, or would be in an input folder, where the next run would read it as
    /// an input. `others` are the paths of texts and of tables other than the rows and rejects. `arguments` are the
    /// names of the inputs.
    pub(crate) fn refuse_inputs(
        &self,
        others: &[&Path],
        arguments: &[String],
        inputs: &[String],
    ) -> Result<(), CommandError> {
        let output_paths = self
            .output_paths()
            .into_iter()
            .chain(others.iter().copied());
        let outputs: Vec<_> = output_paths
            .filter_map(|path| Some((path, real_location(path)?)))
            .collect();
        // The rejects are left out: most runs write none.
        let rows_path = self.rows_path();
        if let (Some(path), Some(Location::Local(place))) =
            (rows_path, rows_path.and_then(real_location))
        {
            let is_input = |input: &String| {
                real_location(Path::new(input)) == Some(Location::Local(place.clone()))
            };
            let file = self.example_file(place.clone());
            let mut arguments = arguments.iter();
            if let Some(argument) = arguments.find(|argument| read::would_read(argument, &file))
                && !inputs.iter().any(is_input)
            {
                return Err(UsageError::argument(
                    path.display(),
                    format!("is in {argument}, which is read: the next run would read it as input"),
                )
                .into());
            }
        }
        if outputs.is_empty() {
            return Ok(());
        }
        for input in inputs
            .iter()
            .filter_map(|input| real_location(Path::new(input)))
        {
            // `contains` is also true if both locations are the same file.
            if let Some((path, _)) = outputs.iter().find(|(_, real)| real.contains(&input)) {
                return Err(UsageError::output_is_input(path).into());
            }
        }
        Ok(())
    }
}

/// The location of a path, with symbolic links resolved. `None` for standard output, for devices, and for files of a single
/// call, whose names the caller has chosen.
fn real_location(path: &Path) -> Option<Location> {
    if is_scratch(path) {
        return None;
    }
    match Location::from_path(path).ok()? {
        Location::Local(path) if is_device(&path) => None,
        Location::Local(path) => {
            let path = std::path::absolute(path).ok()?;
            let existing_ancestor = path.ancestors().find_map(|ancestor| {
                let rest = path.strip_prefix(ancestor).ok()?;
                Some(ancestor.canonicalize().ok()?.join(rest))
            });
            existing_ancestor.map(Location::Local)
        }
        Location::Remote(url) => Some(Location::Remote(url)),
        Location::Standard => None,
    }
}

/// Whether the path ends with a slash, or is an existing folder or a bucket.
fn is_folder(path: &Path) -> bool {
    path.to_str().is_some_and(|name| name.ends_with('/'))
        || match Location::from_path(path) {
            Ok(Location::Local(path)) => path.is_dir(),
            Ok(Location::Remote(url)) => url.scheme() != UrlScheme::Http && url.folder().is_empty(),
            Ok(Location::Standard) | Err(_) => false,
        }
}

fn folder(
    write: WriteArgs,
    overwrite: bool,
    shard: Option<Shard>,
) -> Result<FolderTable, CommandError> {
    writable_folder(&write.table.output)?;
    let format = write.table.format.unwrap_or(OutputFormat::PARQUET);
    let table = Table {
        path: Some(write.table.output.clone()),
        format,
        compression: write.table.compression.unwrap_or_default(),
        options: TargetOptions::default(),
    };
    refuse_double_compression(table.format, table.compression)?;
    Ok(FolderTable {
        path: write.table.output,
        format,
        rejects_format: if format.id == OutputFormat::CSV.id {
            OutputFormat::NDJSON
        } else {
            OutputFormat::CSV
        },
        compression: table.compression,
        partition_by: names::texts(&write.partition_by),
        max_rows: write.max_rows_per_file,
        group_bytes: None,
        shard,
        overwrite,
        resume: write.resume,
        prune: write.prune,
        keep_going: false,
    })
}

/// The format that the extension of a path selects. `formats` lists the formats with their extensions. `None`
/// for a path without an extension, for standard output and for devices.
pub(crate) fn named_format<F: Copy>(
    path: &Path,
    formats: &[(&'static str, F)],
) -> Result<Option<F>, UsageError> {
    let Some(ending) = path.extension().filter(|_| !is_device(path)) else {
        return Ok(None);
    };
    let named_format = formats
        .iter()
        .find(|(own, _)| ending.eq_ignore_ascii_case(own));
    match named_format {
        Some((_, format)) => Ok(Some(*format)),
        None => Err(UsageError::UnwrittenFormat {
            path: path.to_owned(),
            endings: formats.iter().map(|(own, _)| format!(".{own}")).collect(),
        }),
    }
}

/// Fails if the format can hold only puzzles. `what` is the content of the table.
pub(crate) fn refuse_grids(format: OutputFormat, what: &'static str) -> Result<(), UsageError> {
    match format.holds {
        Holds::Table => Ok(()),
        Holds::Grids | Holds::Puzzles => Err(FormatError::new(
            format.id,
            format!(
                "can hold only puzzles, not {what}: choose another format, such as CSV or Parquet"
            ),
        )
        .into()),
    }
}

/// The name of an output as messages and the summary show it.
pub(crate) fn output_name(path: &Path) -> String {
    path.to_str()
        .map_or_else(|| path.display().to_string(), display_name)
}
