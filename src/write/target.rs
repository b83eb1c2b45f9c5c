use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// A file that appears under its name only when it is complete, or standard output.
///
/// A file is written beside its place under a temporary name, synced and renamed. Dropped before
/// [`Target::commit`] it takes its temporary file away.
pub struct Target {
    path: PathBuf,
    kind: Kind,
    bytes: u64,
}

enum Kind {
    Stdout(io::Stdout),
    /// A device or a named pipe, which is written to as it is.
    Device(File),
    File {
        temporary: PathBuf,
        file: Option<BufWriter<File>>,
        overwrite: bool,
    },
}

/// How targets treat what is there.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetOptions {
    /// Replace an existing file, at the end.
    pub overwrite: bool,
}

impl Target {
    /// Standard output.
    pub fn stdout() -> Target {
        Target {
            path: PathBuf::from("standard output"),
            kind: Kind::Stdout(io::stdout()),
            bytes: 0,
        }
    }

    /// A file at this path; refused where one is, unless it may be overwritten.
    pub fn file(path: &Path, options: TargetOptions) -> Result<Target, Error> {
        if is_device(path) {
            let file = File::options().write(true).open(path);
            return Ok(Target {
                path: path.to_owned(),
                kind: Kind::Device(file.map_err(|error| write_error(path, error))?),
                bytes: 0,
            });
        }
        refuse_existing(path, options)?;
        let temporary = temporary_name(path);
        let file = File::create(&temporary).map_err(|error| write_error(path, error))?;
        Ok(Target {
            path: path.to_owned(),
            kind: Kind::File {
                temporary,
                file: Some(BufWriter::with_capacity(1 << 18, file)),
                overwrite: options.overwrite,
            },
            bytes: 0,
        })
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
        match &mut self.kind {
            Kind::Stdout(stdout) => stdout.flush(),
            Kind::Device(device) => device.flush(),
            Kind::File {
                temporary,
                file,
                overwrite,
            } => {
                if let Some(file) = file.take() {
                    file.into_inner()?.sync_all()?;
                }
                if *overwrite {
                    fs::rename(&*temporary, &self.path)?;
                } else {
                    // Unlike a rename, a link fails where another run was faster.
                    fs::hard_link(&*temporary, &self.path).or_else(|error| match error.kind() {
                        io::ErrorKind::AlreadyExists => Err(error),
                        _ => fs::rename(&*temporary, &self.path),
                    })?;
                    let _ = fs::remove_file(&*temporary);
                }
                sync_folder(&self.path)
            }
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.kind {
            Kind::Stdout(stdout) => stdout.write(bytes)?,
            Kind::Device(device) => device.write(bytes)?,
            Kind::File {
                file: Some(file), ..
            } => file.write(bytes)?,
            Kind::File { file: None, .. } => return Err(io::ErrorKind::NotConnected.into()),
        };
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            Kind::Stdout(stdout) => stdout.flush(),
            Kind::Device(device) => device.flush(),
            Kind::File { file, .. } => file.as_mut().map_or(Ok(()), Write::flush),
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Kind::File { temporary, .. } = &self.kind {
            // Already renamed after a commit; then there is nothing to remove.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Whether something is at the path that is neither a file nor a folder.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// Refuses a path at which something is, unless it may be overwritten.
pub(crate) fn refuse_existing(path: &Path, options: TargetOptions) -> Result<(), Error> {
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

/// `.name.<process>.tmp` in the same folder, so that the rename stays within one file system.
fn temporary_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Makes the new name survive a power cut, where the system can.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    match File::open(folder) {
        Ok(folder) => folder.sync_all(),
        Err(_) => Ok(()),
    }
}

fn write_error(path: &Path, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Error::BrokenPipe,
        io::ErrorKind::AlreadyExists => Error::OutputExists(path.to_owned()),
        _ => Error::Write {
            path: path.to_owned(),
            error,
        },
    }
}
