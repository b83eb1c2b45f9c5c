//! The destination of a table or text: standard output, or a file or object that gets its final name only when
//! it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::claim::Claim;
use super::hidden::{self, HiddenFile, resolve_links};
use super::{stdout, write_error};
use crate::error::{Error, OutputError};
use crate::options::OVERWRITE;
use crate::store::{self, ExistingObject, Location, StoreError, Upload, UrlScheme, is_scratch};
use crate::temporary;

/// The destination of a table or text. It is standard output, or a file or object that gets its final name only when it
/// is complete.
///
/// A file is written under a temporary name in the same folder. An object is uploaded in parts. Both get their
/// final names when their [`OutputSet`](super::OutputSet) is published. Dropping a target removes its temporary
/// file or its parts.
pub struct Target {
    pub(super) path: PathBuf,
    pub(super) kind: TargetKind,
    pub(super) bytes: u64,
    /// The claim of the output. It is moved out when an output set takes it.
    claim: Option<Claim>,
}

pub(super) enum TargetKind {
    Stdout(io::Stdout),
    /// A device or a named pipe, which is written to directly.
    Device(File),
    File {
        temporary: BufWriter<File>,
        hidden_file: HiddenFile,
        /// The final path, with symbolic links resolved.
        final_path: PathBuf,
        overwrite: bool,
    },
    /// A file in the stage folder of an output folder, which has a hidden name, or a file of a single call, which nobody
    /// else reads. It is written under its final name.
    Part(BufWriter<File>),
    Object {
        upload: Box<Upload>,
        overwrite: bool,
    },
    /// Nothing: the content has been moved to another target.
    Moved,
}

/// The size in bytes of the buffer for small writes. It is small because hundreds of files may be open at once.
/// Encoded groups are larger, and bypass the buffer.
const BUFFER_BYTES: usize = 16 << 10;

/// The ending of the name of the object by which an object is claimed: `.name.lock`.
const LOCK_ENDING: &str = "lock";

/// Whether an existing file or object may be replaced.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetOptions {
    /// Whether an existing file or object is replaced when the new one is complete. If not, it is an error that it
    /// exists.
    pub overwrite: bool,
}

impl Target {
    /// Writes to standard output.
    ///
    /// # Errors
    ///
    /// Standard output was closed when the process started.
    pub fn stdout() -> Result<Target, Error> {
        stdout::check_stdout()?;
        let kind = TargetKind::Stdout(io::stdout());
        Ok(Target::new(Path::new(stdout::STDOUT_NAME), kind, None))
    }

    /// Claims and opens a file at this path, or an object at this URL.
    ///
    /// # Errors
    ///
    /// The file exists and may not be overwritten, another run writes it, or it cannot be written.
    pub fn file(path: &Path, options: TargetOptions) -> Result<Target, Error> {
        let claim = claim_path(path, options)?;
        let overwrite = options.overwrite || claim.as_ref().is_some_and(Claim::adopts_earlier_run);
        let mut target = Target::open_without_claim(path, TargetOptions { overwrite })?;
        target.claim = claim;
        Ok(target)
    }

    /// Opens a file or object, such as a summary, without a claim. Each run replaces the file of the previous
    /// run.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn shared(path: &Path) -> Result<Target, Error> {
        remove_stale_beside(path);
        Target::open_without_claim(path, TargetOptions { overwrite: true })
    }

    /// Opens a part in a folder that this run has claimed. A local folder has a hidden name until it is published.
    pub(crate) fn part_of_folder(path: &Path) -> Result<Target, Error> {
        let options = TargetOptions { overwrite: true };
        match Location::from_path(path)? {
            Location::Local(place) => Target::under_final_name(path, &place),
            _ => Target::open_without_claim(path, options),
        }
    }

    /// Creates the file at `place`, without a temporary name. `path` is its path as the caller named it.
    fn under_final_name(path: &Path, place: &Path) -> Result<Target, Error> {
        let file = File::create(place).map_err(|error| write_error(path, error))?;
        let kind = TargetKind::Part(BufWriter::with_capacity(BUFFER_BYTES, file));
        Ok(Target::new(path, kind, None))
    }

    /// Opens a file or object without claiming it: the caller has the claim, or needs none.
    pub(crate) fn open_without_claim(path: &Path, options: TargetOptions) -> Result<Target, Error> {
        // If the call fails, its caller removes the incomplete file.
        if is_scratch(path) {
            return Target::under_final_name(path, path);
        }
        let overwrite = options.overwrite;
        if let Location::Remote(url) = writable(path)? {
            let existing = if overwrite {
                ExistingObject::Replace
            } else {
                ExistingObject::Refuse {
                    unless: OVERWRITE.to_string(),
                }
            };
            let upload = store::start_upload(&url, existing);
            let upload = Box::new(upload.map_err(|failure| write_error(path, failure.into()))?);
            let kind = TargetKind::Object { upload, overwrite };
            return Ok(Target::new(path, kind, None));
        }
        if is_device(path) {
            let file = File::options().write(true).open(path);
            let file = file.map_err(|error| write_error(path, error))?;
            return Ok(Target::new(path, TargetKind::Device(file), None));
        }
        refuse_existing(path, options)?;
        // A symbolic link is kept. The file that it points to is replaced.
        let final_path = resolve_links(path);
        let (file, name) =
            hidden::create_beside(&final_path).map_err(|error| write_error(path, error))?;
        let kind = TargetKind::File {
            temporary: BufWriter::with_capacity(BUFFER_BYTES, file),
            hidden_file: name,
            final_path,
            overwrite,
        };
        Ok(Target::new(path, kind, None))
    }

    fn new(path: &Path, kind: TargetKind, claim: Option<Claim>) -> Target {
        Target {
            path: path.to_owned(),
            kind,
            bytes: 0,
            claim,
        }
    }

    /// Moves the target out of a mutable reference.
    pub(crate) fn move_out(&mut self) -> Target {
        Target {
            path: self.path.clone(),
            kind: std::mem::replace(&mut self.kind, TargetKind::Moved),
            bytes: self.bytes,
            claim: self.claim.take(),
        }
    }

    /// Moves the claim out of the target, so that the claim outlives the target.
    pub(crate) fn take_claim(&mut self) -> Option<Claim> {
        self.claim.take()
    }

    /// The path of the output, as the caller named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the output, as the caller named it; `None` for standard output.
    pub(crate) fn file_path(&self) -> Option<&Path> {
        match self.kind {
            TargetKind::Stdout(_) => None,
            _ => Some(&self.path),
        }
    }

    /// The folder for temporary files of this output: the folder of the output, or the system's temporary folder if the
    /// output is standard output, a device or an object in a store.
    pub(crate) fn temporary_folder(&self) -> Result<PathBuf, StoreError> {
        match self.kind {
            TargetKind::Stdout(_) | TargetKind::Device(_) => Ok(std::env::temp_dir()),
            _ => temporary::folder_for(&self.path),
        }
    }

    /// The number of bytes that have been written to the target.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends bytes to the file, the object or standard output.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Write::write_all(self, bytes).map_err(|error| write_error(&self.path, error))
    }

    /// Whether the first bytes can be replaced after others have been written: those of a local file.
    pub(crate) fn has_replaceable_start(&self) -> bool {
        matches!(self.kind, TargetKind::File { .. } | TargetKind::Part(_))
    }

    /// Replaces the first bytes of a local file, which have been written before.
    pub(crate) fn replace_start(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let (TargetKind::File {
            temporary: file, ..
        }
        | TargetKind::Part(file)) = &mut self.kind
        else {
            return Err(Error::Internal("the start of no local file".into()));
        };
        let flushed = file.flush();
        let written = flushed.and_then(|()| file.get_ref().write_all_at(bytes, 0));
        written.map_err(|error| write_error(&self.path, error))
    }

    /// Writes the buffered bytes, and syncs a local file to disk, unless it was written under its final name.
    pub(super) fn flush_and_sync(&mut self) -> Result<(), Error> {
        let kind = std::mem::replace(&mut self.kind, TargetKind::Moved);
        let finished = match kind {
            TargetKind::File {
                temporary,
                hidden_file: name,
                final_path,
                overwrite,
            } => flush_buffer(temporary).and_then(|temporary| {
                temporary.get_ref().sync_all()?;
                Ok(TargetKind::File {
                    temporary,
                    hidden_file: name,
                    final_path,
                    overwrite,
                })
            }),
            TargetKind::Stdout(mut stdout) => stdout.flush().map(|()| TargetKind::Moved),
            TargetKind::Device(mut device) => device.flush().map(|()| TargetKind::Moved),
            TargetKind::Part(mut file) => file.flush().map(|()| TargetKind::Moved),
            kind => Ok(kind),
        };
        self.kind = finished.map_err(|error| write_error(&self.path, error))?;
        Ok(())
    }
}

fn flush_buffer(file: BufWriter<File>) -> io::Result<BufWriter<File>> {
    let file = file.into_inner().map_err(IntoInnerError::into_error)?;
    Ok(BufWriter::with_capacity(0, file))
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written_bytes = match &mut self.kind {
            TargetKind::Stdout(stdout) => stdout.write(bytes)?,
            TargetKind::Device(device) => device.write(bytes)?,
            TargetKind::File { temporary, .. } => temporary.write(bytes)?,
            TargetKind::Part(file) => file.write(bytes)?,
            TargetKind::Object { upload, .. } => upload.write(bytes).map(|()| bytes.len())?,
            TargetKind::Moved => return Err(io::ErrorKind::NotConnected.into()),
        };
        self.bytes += written_bytes as u64;
        Ok(written_bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            TargetKind::Stdout(stdout) => stdout.flush(),
            TargetKind::Device(device) => device.flush(),
            TargetKind::File { temporary, .. } => temporary.flush(),
            TargetKind::Part(file) => file.flush(),
            // An uploaded object appears only as a whole, so there is nothing to flush.
            TargetKind::Object { .. } | TargetKind::Moved => Ok(()),
        }
    }
}

/// Claims an output, and undoes the publishing steps of a killed run. Returns `None` for a device, which cannot be
/// claimed, and for a file of a single call, which needs no claim.
pub(crate) fn claim_path(path: &Path, options: TargetOptions) -> Result<Option<Claim>, Error> {
    // Nobody else writes the files of a single call.
    if is_scratch(path) {
        return Ok(None);
    }
    match writable(path)? {
        Location::Local(_) if !is_device(path) => {}
        Location::Remote(url) => {
            let lock = url.with_ending(LOCK_ENDING);
            // If there is no claim of an earlier run, an existing output is refused before this run writes a
            // claim.
            if let Err(error) = refuse_existing(path, options)
                && may_exist(&Location::Remote(lock.clone()))? != Some(true)
            {
                return Err(error);
            }
            let claim = Claim::from_object(path, &lock)?;
            if !claim.adopts_earlier_run() {
                refuse_existing(path, options)?;
            }
            return Ok(Some(claim));
        }
        _ => return Ok(None),
    }
    let final_path = resolve_links(path);
    // If no killed run has left a lock file, an existing output is refused before this run creates one.
    if !hidden::lock_name(&final_path).exists() {
        refuse_existing(path, options)?;
    }
    let claim = Claim::from_file(path, &final_path)?;
    refuse_existing(path, options)?;
    Ok(Some(claim))
}

/// Whether the path is a device, a named pipe or a socket.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Removes the temporary files that killed runs left beside this output. Files that belong to a running process
/// are kept.
fn remove_stale_beside(path: &Path) {
    if let Ok(Location::Local(path)) = Location::from_path(path)
        && !is_device(&path)
        && !is_scratch(&path)
    {
        hidden::remove_stale_files(&resolve_links(&path));
    }
}

/// The location of the file or object at this path. Fails if nothing can be written there, for example to a web server.
pub fn writable(path: &Path) -> Result<Location, Error> {
    let location = writable_folder(path)?;
    if let Location::Remote(url) = &location
        && (url.folder().is_empty() || url.key().ends_with('/'))
    {
        return Err(OutputError::Address {
            url: url.clone(),
            problem: "it names a folder, not an object",
        }
        .into());
    }
    Ok(location)
}

/// The location of a folder. Fails if nothing can be written there, for example to a web server.
pub fn writable_folder(path: &Path) -> Result<Location, Error> {
    let location = Location::from_path(path)?;
    match &location {
        Location::Remote(url) if url.scheme() == UrlScheme::Http => {
            Err(OutputError::Address {
                url: url.clone(),
                problem: "cannot write to a web server: write to a file or to s3://, gs://, az://",
            }
            .into())
        }
        Location::Remote(url) if !url.has_plain_key() => {
            Err(OutputError::Address {
                url: url.clone(),
                problem: "a key with //, with a part . or .., or with control characters is not written: give the \
                          output another name",
            }
            .into())
        }
        _ => Ok(location),
    }
}

/// Whether an object exists; `None` if the run lacks the permission to find out. A store says that an object is missing
/// only to users who may list the bucket.
pub(super) fn may_exist(location: &Location) -> Result<Option<bool>, Error> {
    match store::exists(location) {
        Err(StoreError::Read { error, .. }) if error.kind() == io::ErrorKind::PermissionDenied => {
            Ok(None)
        }
        exists => Ok(Some(exists?)),
    }
}

/// Fails if the path exists, unless it may be overwritten.
fn refuse_existing(path: &Path, options: TargetOptions) -> Result<(), Error> {
    let location = writable(path)?;
    if location.is_remote() {
        let is_refused = !options.overwrite
            && may_exist(&location)? == Some(true)
            && !store::is_late_upload(&location);
        return if is_refused {
            Err(Error::OutputExists(path.to_owned()))
        } else {
            Ok(())
        };
    }
    if is_device(path) {
        return Ok(());
    }
    if !options.overwrite && fs::symlink_metadata(path).is_ok() {
        return Err(Error::OutputExists(path.to_owned()));
    }
    if path.is_dir() {
        let error = io::Error::new(io::ErrorKind::IsADirectory, "it is a directory");
        return Err(write_error(path, error));
    }
    Ok(())
}
