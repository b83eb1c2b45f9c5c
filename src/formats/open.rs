//! Opens an input and detects its format.

use std::io::{self, Read};
use std::sync::Arc;

use ::arrow::datatypes::{DataType, Field, FieldRef};

use crate::error::Error;
use crate::formats::input_name::input_name;
use crate::formats::{archived, decompressed, input_formats};
use crate::read::bytes::stored::InputBytes;
use crate::read::bytes::zip;
use crate::read::columnar::parquet;
use crate::read::detect::folder_columns::{self, folder_columns, without_input_columns};
use crate::read::detect::sample;
use crate::read::detect::watched::InputWatch;
use crate::read::format::StoredFile;
use crate::read::guard::{decoder_error, guarded, guarded_input};
use crate::read::{
    ColumnInfo, ColumnRole, FolderColumn, Input, ReadOptions, can_be_read_once, unsupported,
};
use crate::store::{self, AheadInput, FileMetadata, Location, OpenedInput, StoreError};

/// Opens a file, an object (a path such as `s3://bucket/key`) or standard input (`-`), and detects
/// its compression and format.
///
/// # Errors
/// The file cannot be read, is damaged, or lacks the requested columns.
pub fn open(path: &str, options: &ReadOptions) -> Result<Input, Error> {
    open_ahead(path, options, None)
}

/// Opens an input like [`open`]. `ahead` is the answer to its request, if this has been sent before.
pub(crate) fn open_ahead(
    path: &str,
    options: &ReadOptions,
    ahead: Option<Result<AheadInput, StoreError>>,
) -> Result<Input, Error> {
    let location = Location::parse(path)?;
    // Partition columns are read from the path. The display name would be wrong, because it lacks the secrets of a URL.
    let folders = folder_columns(&location);
    let in_folders = folders.iter().map(|column| column.name.clone()).collect();
    let options = ReadOptions {
        in_folders,
        ..options.clone()
    };
    let name = location.to_string();
    let fetched = match &ahead {
        Some(Ok(AheadInput::Fetched(object))) => Some(object.clone()),
        _ => None,
    };
    let mut input = open_location(&location, &name, &options, ahead)?;
    if input.info.has_solutions {
        let sample = sample::solutions(&mut input);
        // The values of a column `solution` are solutions, even if some are wrong. A column `solutions` or `answer` may
        // have other values, such as counts.
        let may_hold_other_values =
            options.solution_column.is_none() && !input.has_column_named_solution();
        if may_hold_other_values
            && (sample.has_others || sample.no_solution.is_some())
            && !sample.has_grids
            && !can_be_read_once(path)
        {
            let options = ReadOptions {
                carry_solutions: true,
                ..options.clone()
            };
            let again = fetched.map(|object| Ok(AheadInput::Fetched(object)));
            input = open_location(&location, &name, &options, again)?;
        } else if let Some(word) = sample.no_solution {
            let note = format!("{word:?} in the place of a solution says that there is none");
            input.detection.notes.push(note);
        }
    }
    if store::is_scratch(std::path::Path::new(path)) {
        // The data is in the memory of another program, which has not chosen the format of the file.
        input.detection.why.clear();
    }
    input.add_folders(folders, &options);
    Ok(input)
}

/// Opens a file, a file in an archive, an object or standard input. `name` is its name in messages, and `ahead` what
/// was read ahead of it.
fn open_location(
    location: &Location,
    name: &str,
    options: &ReadOptions,
    ahead: Option<Result<AheadInput, StoreError>>,
) -> Result<Input, Error> {
    if let Location::Local(path) = location
        && let Some((archive, member)) = store::archive_and_member(path)
    {
        return archived::open(&archive, &member, name, options);
    }
    let opened = match ahead {
        Some(Ok(AheadInput::Fetched(object))) => Ok(object.open()),
        Some(Ok(AheadInput::Opened(opened))) => Ok(opened),
        Some(Err(error)) => Err(error),
        None => store::open(location),
    };
    let opened = opened.map_err(|error| {
        if error.is_not_found() && store::is_folder(location) {
            StoreError::IsFolder {
                location: name.to_owned(),
            }
        } else {
            error
        }
    })?;
    open_stored(opened, name, options)
}

impl Input {
    /// The columns that are copied to the output, followed by the partition columns, whose type is text.
    pub fn carried_fields(&self) -> Vec<FieldRef> {
        let folders = self
            .folders
            .iter()
            .map(|column| Arc::new(Field::new(&column.name, DataType::Utf8, true)) as FieldRef);
        self.carried.iter().cloned().chain(folders).collect()
    }

    /// Whether the solution column is called `solution`.
    fn has_column_named_solution(&self) -> bool {
        let mut columns = self.detection.columns.iter();
        columns.any(|column| {
            column.role == ColumnRole::Solution
                && column.name.trim().eq_ignore_ascii_case("solution")
        })
    }

    /// Adds the partition columns from the input's path, unless the input has own columns with these names.
    fn add_folders(&mut self, folders: Vec<FolderColumn>, options: &ReadOptions) {
        let columns = &mut self.detection.columns;
        for column in without_input_columns(folders, columns) {
            let is_kept = folder_columns::is_kept(&column, &options.keep);
            columns.push(ColumnInfo {
                name: column.name.clone(),
                role: if is_kept {
                    ColumnRole::Carried
                } else {
                    ColumnRole::Dropped
                },
            });
            if is_kept {
                self.folders.push(column);
            }
        }
    }
}

/// Detects the compression and the format of an opened file or object.
pub(crate) fn open_stored(
    opened: OpenedInput,
    path: &str,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let source_name = input_name(path);
    let watch = InputWatch {
        source_name: source_name.clone(),
        watch: opened.watch.clone(),
    };
    let metadata = opened.metadata.clone();
    let mut input =
        watch.open(|| guarded_input(&source_name, || open_format(opened, path, options)))?;
    input.metadata = metadata;
    Ok(input)
}

/// The number of bytes by which a format is recognised, except for texts.
const FIRST_BYTES: u64 = 512;

fn open_format(opened: OpenedInput, path: &str, options: &ReadOptions) -> Result<Input, Error> {
    let OpenedInput {
        reader: mut stored,
        random,
        metadata: FileMetadata { bytes, .. },
        ..
    } = opened;
    let source_name = input_name(path);
    let magic = first_bytes(&mut stored).map_err(|error| Error::Read {
        source_name: source_name.clone(),
        error,
    })?;
    let mut file = StoredFile {
        path,
        source_name: &source_name,
        magic: &magic,
        random,
    };
    if let Some(what) = unsupported::describe_pointer(&magic) {
        return Err(file.unknown_format(what));
    }
    for format in input_formats() {
        let can_select = options.row_groups.is_none() || format.has_row_groups;
        if let Some(file_format) = format.file
            && format.is_allowed(options)
            && can_select
            && let Some(input) = file_format.open(&mut file, options)?
        {
            return Ok(input);
        }
    }
    if options.row_groups.is_some() {
        return Err(file.unknown_format("only Parquet files have row groups, and this is not one"));
    }
    let random = file.random.take();
    let is_archive = zip::is_archive(&magic);
    let refusal_reason = random.as_ref().filter(|_| is_archive);
    if let Some(what) = refusal_reason.and_then(zip::refusal_reason) {
        return Err(file.unknown_format(what));
    }
    let is_zip_in_pipe = random.is_none() && is_archive;
    let stored = InputBytes::new(&source_name, &magic, stored)?;
    decompressed::open(path, bytes, stored, random, options).map_err(|error| match error {
        Error::UnknownFormat { source_name, what } if is_zip_in_pipe => Error::UnknownFormat {
            source_name,
            what: format!(
                "{what}; an archive of several arrays is not read from a pipe: save it as a file"
            ),
        },
        error => error,
    })
}

/// The number of row groups of a Parquet file; `None` for other files and for pipes, from which nothing is read.
///
/// # Errors
///
/// The file cannot be read or is damaged.
pub fn parquet_row_groups(path: &str) -> Result<Option<usize>, Error> {
    let location = Location::parse(path)?;
    if matches!(&location, Location::Local(path) if store::archive_and_member(path).is_some()) {
        return Ok(None);
    }
    let name = location.to_string();
    let OpenedInput {
        mut reader,
        random,
        watch,
        ..
    } = match location {
        Location::Standard => return Ok(None),
        location => store::open(&location)?,
    };
    let Some(file) = random else {
        return Ok(None);
    };
    let magic = first_bytes(&mut reader).map_err(|error| Error::Read {
        source_name: name.clone(),
        error,
    })?;
    if !magic.starts_with(parquet::MAGIC) {
        return Ok(None);
    }
    let groups = guarded(
        || Ok(parquet::metadata(&name, file)?.num_row_groups()),
        |panic| decoder_error(&name, 0, &panic),
    );
    let watch = InputWatch {
        source_name: name,
        watch,
    };
    groups.map(Some).map_err(|error| watch.explain(error))
}

fn first_bytes(stored: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut magic = Vec::with_capacity(FIRST_BYTES as usize);
    stored.take(FIRST_BYTES).read_to_end(&mut magic)?;
    Ok(magic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::InputFormat;
    use std::io::Write;

    fn error(name: &str, bytes: Option<&[u8]>, options: &ReadOptions) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        if let Some(bytes) = bytes {
            std::fs::write(&path, bytes).unwrap();
        }
        let path = path.to_str().unwrap();
        match open(path, options) {
            Ok(input) => format!("{} {}", input.info.compression, input.info.format),
            Err(error) => format!("{} {}", error.exit_code(), error).replace(path, "PATH"),
        }
    }

    #[test]
    fn the_message_says_why_an_input_cannot_be_read() {
        let gzip = |bytes: &[u8]| {
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        };
        let options = ReadOptions::default();
        let parquet = ReadOptions {
            format: Some(InputFormat::PARQUET),
            ..ReadOptions::default()
        };
        let no_parquet =
            "3 PATH: at byte 0: this is not a Parquet file: it does not start with PAR1";
        let in_gzip = "3 PATH: this is Parquet inside gzip, zstd or zip, which is not read: decompress it first";
        assert_eq!(
            error("a.csv", None, &options),
            "1 cannot read PATH: No such file or directory (os error 2)"
        );
        assert_eq!(
            error("", None, &options),
            "1 cannot read PATH: Is a directory (os error 21)"
        );
        assert_eq!(error("a.PARQUET", Some(b""), &options), no_parquet);
        assert_eq!(error("a", Some(b"puzzle\n"), &parquet), no_parquet);
        assert_eq!(error("a.gz", Some(&gzip(b"PAR1...")), &options), in_gzip);
        assert_eq!(
            error("a.parquet", Some(&gzip(b"PAR1...")), &options),
            in_gzip
        );
        assert_eq!(
            error("a.gz", Some(b"\x1f\x8b"), &options),
            "3 PATH: at byte 2: the gzip stream ends early: the file is truncated"
        );
        assert!(
            error("a", Some(b"PAR1 and no more"), &options)
                .starts_with("3 PATH: at byte 16: the Parquet file is damaged or cut short")
        );
        assert_eq!(
            error("a", Some(b"clues,level\n"), &options),
            "3 PATH: no puzzle column; its columns are clues, level; name one with `puzzle_column`"
        );
    }

    #[test]
    fn the_format_is_detected_from_the_bytes_and_not_the_name() {
        let options = ReadOptions::default();
        let zstd = zstd::encode_all(&b"puzzle\n"[..], 1).unwrap();
        assert!(error("a.gz", Some(b"puzzle\n"), &options).contains("is not compressed"));
        let csv = ReadOptions {
            format: Some(InputFormat::CSV),
            ..ReadOptions::default()
        };
        assert_eq!(error("a.gz", Some(b"puzzle\n"), &csv), "none csv");
        assert_eq!(error("a.txt", Some(&zstd), &options), "zstd csv");
        assert_eq!(error("a.csv", Some(b"x"), &options), "none lines");
    }
}
