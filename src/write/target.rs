//! Files and objects that appear under their names only when they are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::temporary::{self, folder_of, resolve_links};
use crate::error::{Error, OutputError};
use crate::store::{self, Location, Upload, UrlScheme};

/// A file or object that appears under its name only when it is complete, or standard output.
///
/// A file is written under a temporary name in the same folder, then synced and renamed. An object
/// is uploaded in parts, which become an object at the end. Dropping a target before
/// [`Target::commit`] removes its temporary file or parts.
pub struct Target {
    path: PathBuf,
    kind: OutputKind,
    bytes: u64,
}

enum OutputKind {
    Stdout(io::Stdout),
    /// A device or a named pipe. It is written to directly.
    Device(File),
    File {
        temporary: BufWriter<File>,
        name: TempPath,
        /// The final path.
        place: PathBuf,
        overwrite: bool,
    },
    Object(Box<Upload>),
    /// The target has been committed or taken.
    Done,
}

/// The size of the buffer for small writes. It is small, because a folder may have hundreds of open
/// files; groups of rows are larger and bypass it.
const BUFFER: usize = 16 << 10;

/// Options for existing files.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetOptions {
    /// Replace an existing file when the new one is complete.
    pub overwrite: bool,
}

impl Target {
    /// Standard output.
    pub fn stdout() -> Target {
        Target {
            path: PathBuf::from("standard output"),
            kind: OutputKind::Stdout(io::stdout()),
            bytes: 0,
        }
    }

    /// A file at this path, or an object at this URL. An existing one is refused, unless it may be
    /// overwritten.
    pub fn file(path: &Path, options: TargetOptions) -> Result<Target, Error> {
        if let Location::Remote(url) = writable(path)? {
            refuse_existing(path, options)?;
            let upload = store::upload(&url, options.overwrite);
            return Ok(Target {
                path: path.to_owned(),
                kind: OutputKind::Object(Box::new(
                    upload.map_err(|failure| write_error(path, failure.into()))?,
                )),
                bytes: 0,
            });
        }
        if is_device(path) {
            let file = File::options().write(true).open(path);
            return Ok(Target {
                path: path.to_owned(),
                kind: OutputKind::Device(file.map_err(|error| write_error(path, error))?),
                bytes: 0,
            });
        }
        refuse_existing(path, options)?;
        // A symbolic link stays in place: its target is replaced.
        let place = resolve_links(path);
        let temporary =
            temporary::create_beside(&place).map_err(|error| write_error(path, error))?;
        // Drops the temporary path, which would otherwise appear in error messages.
        let (temporary, name) = temporary.into_parts();
        Ok(Target {
            path: path.to_owned(),
            kind: OutputKind::File {
                temporary: BufWriter::with_capacity(BUFFER, temporary),
                name,
                place,
                overwrite: options.overwrite,
            },
            bytes: 0,
        })
    }

    /// Writes a small file or object in one step.
    pub fn put(path: &Path, bytes: &[u8], options: TargetOptions) -> Result<(), Error> {
        let mut target = Target::file(path, options)?;
        target.write(bytes)?;
        target.commit()
    }

    /// Moves the target out of its owner.
    pub(crate) fn take(&mut self) -> Target {
        Target {
            path: self.path.clone(),
            kind: std::mem::replace(&mut self.kind, OutputKind::Done),
            bytes: self.bytes,
        }
    }

    /// The path given by the caller.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Write::write_all(self, bytes).map_err(|error| write_error(&self.path, error))
    }

    /// Makes the file appear under its name.
    pub fn commit(mut self) -> Result<(), Error> {
        let path = self.path.clone();
        self.publish().map_err(|error| write_error(&path, error))
    }

    fn publish(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.kind, OutputKind::Done) {
            OutputKind::Stdout(mut stdout) => stdout.flush(),
            OutputKind::Device(mut device) => device.flush(),
            OutputKind::Object(upload) => Ok(upload.commit()?),
            OutputKind::Done => Ok(()),
            OutputKind::File {
                temporary,
                name,
                place,
                overwrite,
            } => {
                let temporary = temporary.into_inner().map_err(IntoInnerError::into_error)?;
                temporary.sync_all()?;
                let renamed = match overwrite {
                    true => name.persist(&place),
                    // This fails if another run has created the file meanwhile.
                    false => name.persist_noclobber(&place),
                };
                renamed.map_err(|error| error.error)?;
                sync_folder(&place)
            }
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.kind {
            OutputKind::Stdout(stdout) => stdout.write(bytes)?,
            OutputKind::Device(device) => device.write(bytes)?,
            OutputKind::File { temporary, .. } => temporary.write(bytes)?,
            OutputKind::Object(upload) => upload.write(bytes).map(|()| bytes.len())?,
            OutputKind::Done => return Err(io::ErrorKind::NotConnected.into()),
        };
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            OutputKind::Stdout(stdout) => stdout.flush(),
            OutputKind::Device(device) => device.flush(),
            OutputKind::File { temporary, .. } => temporary.flush(),
            // An upload appears only as a whole, so there is nothing to flush.
            OutputKind::Object(_) | OutputKind::Done => Ok(()),
        }
    }
}

/// Whether the path is a device, a pipe or a socket.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Removes temporary files that killed runs left beside this output. Files that a process is
/// writing are kept.
pub fn sweep_stale(path: &Path) {
    if let Ok(Location::Local(path)) = Location::of(path)
        && !is_device(&path)
    {
        temporary::sweep(&resolve_links(&path));
    }
}

/// The location of a path. Refuses a path that cannot be written to.
pub fn writable(path: &Path) -> Result<Location, Error> {
    let location = writable_folder(path)?;
    if let Location::Remote(url) = &location
        && (url.folder().is_empty() || url.key().ends_with('/'))
    {
        return Err(OutputError::NoObject(url.clone()).into());
    }
    Ok(location)
}

/// The location of a folder. Refuses a folder that cannot be written to.
pub fn writable_folder(path: &Path) -> Result<Location, Error> {
    let location = Location::of(path)?;
    match &location {
        Location::Remote(url) if url.scheme() == UrlScheme::Http => {
            Err(OutputError::WebServer(url.clone()).into())
        }
        _ => Ok(location),
    }
}

/// Refuses a path that exists, unless it may be overwritten.
pub(crate) fn refuse_existing(path: &Path, options: TargetOptions) -> Result<(), Error> {
    let location = writable(path)?;
    if location.is_remote() {
        let exists = !options.overwrite && store::exists(&location)?;
        return match exists {
            true => Err(Error::OutputExists(path.to_owned())),
            false => Ok(()),
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

/// Syncs the folder if the system supports it, so that the new name survives a power failure.
fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(folder_of(path)) {
        Ok(folder) => folder.sync_all(),
        Err(_) => Ok(()),
    }
}

/// The error for a failed write to this path.
pub(super) fn write_error(path: &Path, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Error::BrokenPipe,
        io::ErrorKind::AlreadyExists => Error::OutputExists(path.to_owned()),
        _ => Error::Write {
            path: path.to_owned(),
            error,
        },
    }
}
