use std::fs;
use std::io;
use std::path::Path;

use crate::error::Error;

/// Puts a folder in the place of another.
pub(super) fn replace(new: &Path, place: &Path) -> Result<(), Error> {
    let fail = |error| refused(place, error);
    if !place.exists() {
        return fs::rename(new, place).map_err(fail);
    }
    let place = fs::canonicalize(place).map_err(fail)?;
    exchange(new, &place).map_err(fail)?;
    fs::remove_dir_all(new).map_err(fail)
}

/// In one step, so that there is a folder under this name at any time.
#[cfg(target_os = "linux")]
fn exchange(new: &Path, place: &Path) -> io::Result<()> {
    use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
    match renameat2(AT_FDCWD, new, AT_FDCWD, place, RenameFlags::RENAME_EXCHANGE) {
        Ok(()) => Ok(()),
        // Not every file system can.
        Err(nix::errno::Errno::EINVAL | nix::errno::Errno::ENOSYS) => in_turn(new, place),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(new: &Path, place: &Path) -> io::Result<()> {
    in_turn(new, place)
}

fn in_turn(new: &Path, place: &Path) -> io::Result<()> {
    let old = new.with_extension("old");
    fs::rename(place, &old)?;
    fs::rename(new, place)?;
    fs::rename(&old, new)
}

fn refused(path: &Path, error: io::Error) -> Error {
    Error::Write {
        path: path.to_owned(),
        error,
    }
}
