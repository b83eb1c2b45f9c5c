//! Where tables and texts go: names become formats, before any work starts.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use sudoku_pipeline::read;
use sudoku_pipeline::store::{Location, Scheme};
use sudoku_pipeline::write::{
    Compression, FORMATS, FolderTable, Holds, OutputFormat, Shard, Table, TargetOptions, is_device,
    sweep_stale, writable, writable_folder,
};

use super::args::WriteArgs;
use super::error::{CommandError, UsageError};
use super::held::is_rejects_table;
use super::names;

/// Where the rows go.
pub(super) enum Destination {
    /// Into one table, and rejects into another, where they are kept.
    File {
        table: Option<Table>,
        rejects: Option<Rejects>,
    },
    /// Into a folder of parts, with their rejects.
    Folder(FolderTable),
}

impl Destination {
    /// What the options say. `rejects`: the table that was asked for.
    pub(super) fn of(
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
        let is_folder = is_folder(&write.output);
        if is_folder {
            if rejects.is_some() {
                return Err(UsageError::RejectsOfFolder.into());
            }
            return folder(write, overwrite, shard).map(Destination::Folder);
        }
        let folder_only = [
            (write.resume, "--resume"),
            (!write.partition_by.is_empty(), "--partition-by"),
            (write.max_rows_per_file.is_some(), "--max-rows-per-file"),
        ];
        if let Some((_, option)) = folder_only.iter().find(|(given, _)| *given) {
            return Err(UsageError::FolderNeeded {
                option,
                output: write.output,
            }
            .into());
        }
        let mut table = table(write.output, write.output_format, options)?;
        if let Some(compression) = write.compression {
            table.compression = compression;
            refuse_double_compression(&table)?;
        }
        let rejects = self::rejects(rejects, Some(&table), options)?;
        Ok(Destination::File {
            table: Some(table),
            rejects,
        })
    }

    /// The format of the rows, where there are any.
    pub(super) fn format(&self) -> Option<OutputFormat> {
        match self {
            Destination::File { table, .. } => table.as_ref().map(|table| table.format),
            Destination::Folder(folder) => Some(folder.format),
        }
    }

    /// The columns that are in the names of folders.
    pub(super) fn partition_by(&self) -> &[String] {
        match self {
            Destination::File { .. } => &[],
            Destination::Folder(folder) => &folder.partition_by,
        }
    }

    /// Where the rows go, as it was named.
    pub(super) fn output(&self) -> Option<String> {
        let name = |path: &Path| path.display().to_string();
        match self {
            Destination::File { table, .. } => {
                let path = table.as_ref()?.path.as_deref();
                Some(path.map_or_else(|| "-".to_owned(), name))
            }
            Destination::Folder(folder) => Some(name(&folder.path)),
        }
    }

    /// Whether there is a table for rejects.
    pub(super) fn keeps_rejects(&self) -> bool {
        !matches!(self, Destination::File { rejects: None, .. })
    }

    /// Whether the rows go to standard output.
    pub(super) fn is_stdout(&self) -> bool {
        matches!(
            self,
            Destination::File {
                table: Some(Table { path: None, .. }),
                ..
            }
        )
    }

    /// The places that are written, apart from those of the rows' parts in a folder.
    fn places(&self) -> Vec<&Path> {
        match self {
            Destination::Folder(folder) => vec![folder.path.as_path()],
            Destination::File { table, rejects } => {
                let rejects = rejects.as_ref().map(|rejects| &rejects.table);
                let tables = table.as_ref().into_iter().chain(rejects);
                tables.filter_map(|table| table.path.as_deref()).collect()
            }
        }
    }

    /// Removes what killed runs have left beside these outputs, and beside `others`.
    pub(super) fn sweep_stale(&self, others: &[&Path]) {
        for path in self.places().iter().chain(others) {
            sweep_stale(path);
        }
    }

    /// Removes the rejects table beside an output that is not there: a run that failed has left it, and it
    /// would be in the way of this one.
    pub(super) fn remove_left_rejects(&self) {
        let Destination::File {
            table: Some(table),
            rejects: Some(rejects),
        } = self
        else {
            return;
        };
        let local = |table: &Table| match Location::of(table.path.as_deref()?).ok()? {
            Location::Local(path) => Some(path),
            Location::Standard | Location::Remote(_) => None,
        };
        if let (Some(output), Some(left)) = (local(table), local(&rejects.table))
            && !rejects.always
            && output.symlink_metadata().is_err()
            && is_rejects_table(&left)
        {
            // Where it cannot be removed, it is refused as an output that exists.
            let _ = std::fs::remove_file(left);
        }
    }

    /// Refuses one place for two outputs. `others` are written too.
    pub(super) fn refuse_twice(&self, others: &[&Path]) -> Result<(), CommandError> {
        let mut seen = HashSet::new();
        for path in self.places().iter().chain(others) {
            if real(path).is_some_and(|real| !seen.insert(real)) {
                return Err(UsageError::WrittenTwice(path.to_path_buf()).into());
            }
        }
        Ok(())
    }

    /// Refuses to write where something is read, which would be replaced by itself or be read by
    /// the next run. `others` are written too; `arguments` name the inputs.
    pub(super) fn refuse_inputs(
        &self,
        others: &[&Path],
        arguments: &[String],
        inputs: &[String],
    ) -> Result<(), CommandError> {
        let places = self.places().into_iter().chain(others.iter().copied());
        let outputs: Vec<_> = places
            .filter_map(|path| Some((path, real(path)?)))
            .collect();
        if let (Destination::Folder(folder), Some((_, Location::Local(place)))) =
            (self, outputs.first())
        {
            let would_be_read = |argument: &&String| {
                let folder = Path::new(argument).canonicalize().ok();
                let within = folder.and_then(|folder| place.strip_prefix(folder).ok());
                within.is_some_and(|within| within.iter().all(|name| read::is_data(name.as_ref())))
            };
            if let Some(argument) = arguments.iter().find(would_be_read) {
                return Err(UsageError::WithinInput {
                    path: folder.path.clone(),
                    input: argument.clone(),
                }
                .into());
            }
        }
        if outputs.is_empty() {
            return Ok(());
        }
        for input in inputs.iter().filter_map(|input| real(Path::new(input))) {
            // A file is within itself.
            if let Some((path, _)) = outputs.iter().find(|(_, real)| real.contains(&input)) {
                return Err(UsageError::IsInput(path.to_path_buf()).into());
            }
        }
        Ok(())
    }
}

/// Where a path really is, whether something is there already or not. An object has no other name
/// than its address; standard output and devices are no places.
fn real(path: &Path) -> Option<Location> {
    match Location::of(path).ok()? {
        Location::Local(path) if is_device(&path) => None,
        Location::Local(path) => {
            let path = std::path::absolute(path).ok()?;
            let there = path.ancestors().find_map(|there| {
                let rest = path.strip_prefix(there).ok()?;
                Some(there.canonicalize().ok()?.join(rest))
            });
            there.map(Location::Local)
        }
        Location::Remote(url) => Some(Location::Remote(url)),
        Location::Standard => None,
    }
}

/// A name that ends with a slash, a folder that is there, or a bucket.
fn is_folder(path: &Path) -> bool {
    path.to_str().is_some_and(|name| name.ends_with('/'))
        || match Location::of(path) {
            Ok(Location::Local(path)) => path.is_dir(),
            Ok(Location::Remote(url)) => url.scheme() != Scheme::Http && url.folder().is_empty(),
            Ok(Location::Standard) | Err(_) => false,
        }
}

fn folder(
    write: WriteArgs,
    overwrite: bool,
    shard: Option<Shard>,
) -> Result<FolderTable, CommandError> {
    writable_folder(&write.output)?;
    let format = write.output_format.unwrap_or(OutputFormat::PARQUET);
    let table = Table {
        path: Some(write.output.clone()),
        format,
        compression: write.compression.unwrap_or_default(),
        options: TargetOptions::default(),
    };
    refuse_double_compression(&table)?;
    Ok(FolderTable {
        path: write.output,
        format,
        rejects_format: match format.id == OutputFormat::CSV.id {
            true => OutputFormat::NDJSON,
            false => OutputFormat::CSV,
        },
        compression: table.compression,
        partition_by: names::texts(&write.partition_by),
        max_rows: write.max_rows_per_file,
        group_bytes: None,
        shard,
        overwrite,
        resume: write.resume,
        keep_going: false,
    })
}

/// Formats of grids hold no rejects.
fn rejects_format(format: OutputFormat) -> OutputFormat {
    match format.holds {
        Holds::Grids => OutputFormat::CSV,
        Holds::Table => format,
    }
}

/// The table that was asked for, or one beside the output, where there are rejects.
fn rejects(
    asked: Option<PathBuf>,
    table: Option<&Table>,
    options: TargetOptions,
) -> Result<Option<Rejects>, CommandError> {
    Ok(match asked {
        Some(path) if path.as_os_str() == "-" => {
            return Err(UsageError::RejectsToStdout.into());
        }
        Some(path) => Some(Rejects {
            table: self::table(path, None, options)?,
            always: true,
        }),
        None => table.and_then(beside).map(|table| Rejects {
            table,
            always: false,
        }),
    })
}

/// The rejects table.
pub(super) struct Rejects {
    pub(super) table: Table,
    /// It was asked for, and is written even when it is empty.
    pub(super) always: bool,
}

/// Where a text goes.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum TextDestination {
    Stdout,
    File(PathBuf),
}

impl TextDestination {
    pub(super) fn of(path: PathBuf) -> TextDestination {
        if path.as_os_str() == "-" {
            TextDestination::Stdout
        } else {
            TextDestination::File(path)
        }
    }
}

/// The table at this path, in the format that its name tells.
pub(super) fn table(
    path: PathBuf,
    format: Option<OutputFormat>,
    options: TargetOptions,
) -> Result<Table, CommandError> {
    if path.as_os_str() == "-" {
        let format = format.ok_or_else(|| UsageError::StdoutFormat {
            formats: FORMATS.iter().map(|format| format.id).collect(),
        })?;
        return Ok(Table {
            path: None,
            format,
            compression: Compression::None,
            options,
        });
    }
    writable(&path)?;
    let (stem, compression) = match path.extension().and_then(OsStr::to_str) {
        Some("gz") => (path.with_extension(""), Compression::Gzip),
        Some("zst") => (path.with_extension(""), Compression::Zstd),
        _ => (path.clone(), Compression::None),
    };
    let ending = stem.extension().and_then(OsStr::to_str);
    let by_name = ending.and_then(OutputFormat::of_ending);
    let format = format.or(by_name).ok_or_else(|| {
        let endings = FORMATS.iter();
        UsageError::NameWithoutFormat {
            path: path.clone(),
            endings: endings
                .map(|format| format!(".{}", format.extension()))
                .collect(),
        }
    })?;
    let table = Table {
        path: Some(path),
        format,
        compression,
        options,
    };
    refuse_double_compression(&table)?;
    Ok(table)
}

fn refuse_double_compression(table: &Table) -> Result<(), UsageError> {
    if !table.format.is_text && table.compression != Compression::None {
        return Err(UsageError::CompressedTwice(table.format.id));
    }
    Ok(())
}

/// The rejects table beside an output: `graded.csv.gz` → `graded.rejects.csv.gz`.
fn beside(table: &Table) -> Option<Table> {
    let path = table.path.as_deref()?;
    let name = path.file_name()?.to_str()?;
    let format = rejects_format(table.format);
    let compression = table.compression.ending();
    let stem = Path::new(name.strip_suffix(compression)?)
        .file_stem()?
        .to_str()?;
    let name = format!("{stem}.rejects.{}{compression}", format.extension());
    Some(Table {
        path: Some(path.with_file_name(name)),
        format,
        ..table.clone()
    })
}
