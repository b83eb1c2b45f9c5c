//! Opens one file of a zip archive, whose path is that of the archive with the file's path after it: `a.zip/x.csv`.

use std::path::Path;

use crate::error::Error;
use crate::formats::decompressed;
use crate::read::bytes::stored::InputBytes;
use crate::read::bytes::zip::{self, NamedEntry};
use crate::read::detect::watched::InputWatch;
use crate::read::guard::guarded_input;
use crate::read::{Input, InputFormat, ReadOptions, unsupported};
use crate::store::{self, Location, RandomAccess};

/// Opens the file `member` of the archive. `name` is the name of the input. Its size and time are those of the archive.
pub(super) fn open(
    archive: &Path,
    member: &str,
    name: &str,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let opened = store::open(&Location::Local(archive.to_owned()))?;
    let watch = InputWatch {
        source_name: name.to_owned(),
        watch: opened.watch.clone(),
    };
    let (metadata, random) = (opened.metadata, opened.random);
    let mut input = watch.open(|| {
        guarded_input(name, || match &random {
            Some(archive) => open_entry(archive, member, name, options),
            None => Err(unknown_format(name, "there is no archive of this name")),
        })
    })?;
    input.metadata = metadata;
    Ok(input)
}

fn open_entry(
    archive: &RandomAccess,
    member: &str,
    name: &str,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let entry = zip::member(archive, member)
        .ok_or_else(|| unknown_format(name, "the zip archive has no file of this name"))?;
    let (data, _) = NamedEntry::open(archive, &entry).map_err(|error| match error.kind() {
        std::io::ErrorKind::Unsupported => unknown_format(name, &error.to_string()),
        _ => Error::Corrupt {
            source_name: name.to_owned(),
            byte_offset: 0,
            what: format!("the zip archive is damaged or cut short ({error})"),
        },
    })?;
    // Offsets in messages are counted from the start of the file's data.
    let mut stored = InputBytes::from_member(name, data, 0);
    let is_only_file = |format: InputFormat| format.bytes.is_none() && format.text.is_none();
    if options.row_groups.is_some() || options.format.is_some_and(is_only_file) {
        let what =
            "Parquet files and archives of arrays are not read within a zip archive: unpack it";
        return Err(unknown_format(name, what));
    }
    if let Some(what) = unsupported::describe_pointer(stored.peek(512)?) {
        return Err(unknown_format(name, &what));
    }
    decompressed::open(name, Some(entry.stored_bytes()), stored, None, options)
}

fn unknown_format(name: &str, what: &str) -> Error {
    Error::UnknownFormat {
        source_name: name.to_owned(),
        what: what.to_owned(),
    }
}
