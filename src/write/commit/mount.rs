//! Exchanges two folders. Recognises mount points, which cannot be exchanged.

use std::fs;
use std::io;
use std::path::Path;

/// Exchanges two folders atomically, so that both names always exist.
#[cfg(target_os = "linux")]
pub(super) fn exchange_paths(one: &Path, other: &Path) -> io::Result<()> {
    use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
    Ok(renameat2(
        AT_FDCWD,
        one,
        AT_FDCWD,
        other,
        RenameFlags::RENAME_EXCHANGE,
    )?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn exchange_paths(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether the file system of this folder can exchange two folders. Some file systems cannot.
pub(super) fn can_exchange(within: &Path) -> bool {
    let (one, other) = (within.join(".one"), within.join(".other"));
    let test_exchange = || {
        fs::create_dir(&one)?;
        fs::create_dir(&other)?;
        exchange_paths(&one, &other)
    };
    let is_supported = test_exchange().is_ok();
    let _ = fs::remove_dir(one);
    let _ = fs::remove_dir(other);
    is_supported
}

/// Whether a file system is mounted at this folder. Such a folder cannot be exchanged.
pub(super) fn is_mount_point(folder: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder) else {
        return false;
    };
    has_other_device(&folder) || is_mounted(&folder)
}

#[cfg(unix)]
fn has_other_device(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::metadata(path).ok().map(|metadata| metadata.dev());
    match folder.parent() {
        Some(parent) => device(folder) != device(parent),
        // The root folder `/`, the only one without a parent, is always a mount point.
        None => true,
    }
}

#[cfg(not(unix))]
fn has_other_device(_: &Path) -> bool {
    false
}

/// Whether the system's mount table lists the folder. Device numbers are not sufficient, because a bind mount
/// can have the device number of its parent.
#[cfg(target_os = "linux")]
fn is_mounted(folder: &Path) -> bool {
    let mounts = fs::read("/proc/self/mountinfo").unwrap_or_default();
    is_listed(&mounts, folder)
}

#[cfg(not(target_os = "linux"))]
fn is_mounted(_: &Path) -> bool {
    false
}

/// Whether the fifth field of a line of the mount table is this path. A space, tab, newline or `\\` in the
/// field is escaped as an octal number, such as `\\040`.
#[cfg(target_os = "linux")]
fn is_listed(mounts: &[u8], folder: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let mut name = Vec::new();
    for byte in folder.as_os_str().as_bytes() {
        match byte {
            b' ' | b'\t' | b'\n' | b'\\' => name.extend(format!("\\{byte:03o}").bytes()),
            byte => name.push(*byte),
        }
    }
    let mut lines = mounts.split(|byte| *byte == b'\n');
    lines.any(|line| line.split(|byte| *byte == b' ').nth(4) == Some(&name))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn mount_points_are_distinguished_from_folders() {
        let mounts = b"36 35 98:0 /mnt1 /mnt/two\\040words rw,noatime - ext3 /dev/root rw\n\
            37 35 98:0 / /mnt/back\\134slash rw - ext3 /dev/root rw\n";
        for (folder, is_mounted) in [
            ("/mnt/two words", true),
            ("/mnt/back\\slash", true),
            ("/mnt/two", false),
            ("/mnt1", false),
            ("/", false),
        ] {
            assert_eq!(is_listed(mounts, Path::new(folder)), is_mounted, "{folder}");
        }
        assert!(is_mount_point(Path::new("/proc")) && is_mount_point(Path::new("/")));
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_mount_point(folder.path()));
        assert!(!is_mount_point(&folder.path().join("nothing")));
    }
}
