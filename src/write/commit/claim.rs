//! Claims ensure that only one run at a time writes an output. An object in a store is claimed by a
//! [`RemoteClaim`].
//!
//! A local output is claimed by a lock on the file `.name.lock` beside it. The lock belongs to the open file, so it
//! ends with the process, even if the process is killed. The content of the file ([`ClaimNote`]) names the process.
//! While the files of an output set get their final names, it also lists the steps of this. If a run is killed in
//! between, the next run reads the list and undoes the steps.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::claim_note::ClaimNote;
use super::hidden::{HiddenFile, folder_of, lock_name, remove_stale_files};
use super::remote_claim::RemoteClaim;
use crate::error::Error;
use crate::store::{Url, is_scratch};

/// The claim of an output: only the run that holds it may write the output. It ends when the value is dropped.
pub(crate) enum Claim {
    /// A lock on a file beside a local output.
    Local(LocalClaim),
    /// An object beside an output in an object store.
    Remote(RemoteClaim),
}

impl Claim {
    /// Claims a local output. `path` is its path for messages; `place` is the same path without symbolic links.
    pub(super) fn from_file(path: &Path, place: &Path) -> Result<Claim, Error> {
        LocalClaim::from_file(path, place).map(Claim::Local)
    }

    /// Locks the file `lock`, and creates it if necessary. `path` is the path of the output, for messages.
    pub(super) fn lock_exclusively(path: &Path, lock: PathBuf) -> Result<LocalClaim, Error> {
        LocalClaim::acquire_lock(path, lock, false)
    }

    /// Locks the file `lock` together with the runs over other shards of the same job, which also use a shared lock.
    pub(super) fn lock_shared(path: &Path, lock: PathBuf) -> Result<LocalClaim, Error> {
        LocalClaim::acquire_lock(path, lock, true)
    }

    /// Claims an output in an object store by putting the object `lock`.
    pub(super) fn from_object(path: &Path, lock: &Url) -> Result<Claim, Error> {
        RemoteClaim::acquire(path, lock).map(Claim::Remote)
    }

    /// Writes a note into the file or object of the claim, where it remains if the process is killed. Fails if another
    /// run has taken over the claim.
    pub(super) fn write_note(&mut self, note: &ClaimNote) -> Result<(), Error> {
        match self {
            Claim::Local(claim) => claim.write_note(note),
            Claim::Remote(claim) => claim.write_note(note),
        }
    }

    /// Writes a note for the next run. The claim's file or object remains until that run reads it.
    pub(super) fn leave_note(&mut self, note: &ClaimNote) -> Result<(), Error> {
        match self {
            Claim::Local(claim) => claim.leave_note(note),
            Claim::Remote(claim) => claim.leave_note(note),
        }
    }

    /// Keeps the claim of an output in an object store when the value is dropped. Used if the output set could be
    /// neither completed nor undone.
    pub(super) fn keep_claim(&mut self) {
        if let Claim::Remote(claim) = self {
            claim.keep_claim();
        }
    }

    /// Forgets the late uploads of earlier runs, because this run has written the output.
    pub(super) fn forget_late_uploads(&mut self) {
        if let Claim::Remote(claim) = self {
            claim.forget_late_uploads();
        }
    }

    /// Fails if another run has taken over the claim. This can only happen in an object store.
    pub(super) fn check_held(&self) -> Result<(), Error> {
        match self {
            Claim::Local(_) => Ok(()),
            Claim::Remote(claim) => claim.check_held(),
        }
    }

    /// Whether this run may replace a complete output of an earlier run. See [`RemoteClaim::adopts_earlier_run`].
    pub(super) fn adopts_earlier_run(&self) -> bool {
        matches!(self, Claim::Remote(claim) if claim.adopts_earlier_run())
    }

    /// Whether this claim was left by an earlier run of the same command. See
    /// [`RemoteClaim::repeats_earlier_run`].
    pub(super) fn repeats_earlier_run(&self) -> bool {
        matches!(self, Claim::Remote(claim) if claim.repeats_earlier_run())
    }

    /// Ends the claim of a temporary folder that could not be removed. The lock file remains, so that the next run
    /// recognises the folder as stale.
    pub(super) fn release_and_keep_file(self) {
        match self {
            Claim::Local(mut claim) => {
                claim.is_kept = true;
                claim.release();
            }
            Claim::Remote(claim) => drop(claim),
        }
    }

    /// Ends the claim, and removes the lock file.
    fn release(self) {
        match self {
            Claim::Local(claim) => claim.release(),
            Claim::Remote(claim) => drop(claim),
        }
    }
}

/// A claim of a local output: a lock on a file beside the output.
pub(crate) struct LocalClaim {
    file: File,
    lock_file: HiddenFile,
    /// The path of the output, which error messages name.
    output_path: PathBuf,
    /// Whether the lock file is kept when the claim ends, because the next run reads its note.
    is_kept: bool,
    /// Whether several runs may hold the lock at the same time. The last of them removes the file.
    is_shared: bool,
}

impl LocalClaim {
    /// Claims the output at `place`, which is `path` with its symbolic links resolved. Undoes the publishing
    /// steps of a killed run, and removes its temporary files. Messages name the output as `path`.
    ///
    /// # Errors
    ///
    /// Another run has claimed the output.
    fn from_file(path: &Path, place: &Path) -> Result<LocalClaim, Error> {
        let mut claim = Claim::lock_exclusively(path, lock_name(place))?;
        claim.recover()?;
        remove_stale_files(place);
        Ok(claim)
    }

    fn acquire_lock(path: &Path, lock: PathBuf, is_shared: bool) -> Result<LocalClaim, Error> {
        let to_write_error = |error| super::write_error(path, error);
        loop {
            let options = || File::options().read(true).write(true).create(true).clone();
            let mut file = options()
                .truncate(false)
                .open(&lock)
                .map_err(to_write_error)?;
            let locked = if is_shared {
                file.try_lock_shared()
            } else {
                file.try_lock()
            };
            match locked {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::InUse {
                        path: path.to_owned(),
                        holder: read_holder(&mut file),
                    });
                }
                Err(TryLockError::Error(error)) => tracing::warn!(
                    "{}: its file system has no locks ({error}): a second run into it would not be noticed",
                    path.display()
                ),
            }
            // Another run may have removed the file after this run opened it.
            if is_still_named(&file, &lock) {
                return Ok(LocalClaim {
                    file,
                    lock_file: HiddenFile::new(lock),
                    output_path: path.to_owned(),
                    is_kept: false,
                    is_shared,
                });
            }
        }
    }

    /// Undoes the publishing steps of a killed run. Then writes a note that says that this process holds the claim.
    pub(super) fn recover(&mut self) -> Result<(), Error> {
        let mut text = String::new();
        // If the note cannot be parsed, it was cut off while it was written. No publishing step had started then.
        let read_result = self.file.read_to_string(&mut text);
        if let (Ok(_), Ok(note)) = (read_result, serde_json::from_str::<ClaimNote>(&text)) {
            note.resolved_in(&self.lock_folder()).recover_files()?;
        }
        self.write_note(&ClaimNote::default())
    }

    /// Writes a note into the file, where it remains if the process is killed.
    pub(super) fn write_note(&mut self, note: &ClaimNote) -> Result<(), Error> {
        let text =
            serde_json::to_string(&note.relative_to(&self.lock_folder()).for_this_process())?
                + "\n";
        let mut write_text = || {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(text.as_bytes())?;
            if note.is_empty() || is_scratch(&self.output_path) {
                Ok(())
            } else {
                self.file.sync_all()
            }
        };
        write_text().map_err(|error| super::write_error(&self.output_path, error))
    }

    /// The folder that contains the lock file.
    fn lock_folder(&self) -> PathBuf {
        let path = self.lock_file.path();
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        folder_of(&path).to_owned()
    }

    /// Writes a note for the next run, and keeps the file after the claim ends.
    pub(super) fn leave_note(&mut self, note: &ClaimNote) -> Result<(), Error> {
        self.write_note(note)?;
        self.is_kept = true;
        Ok(())
    }

    /// Ends the claim, and removes the lock file unless the next run reads its note.
    fn release(self) {
        let LocalClaim {
            file,
            lock_file: name,
            is_kept,
            is_shared,
            ..
        } = self;
        if is_kept || is_shared && file.try_lock().is_err() {
            name.keep_file();
        } else {
            // The file is removed before it is unlocked. A run that has opened it meanwhile notices this,
            // and opens a new file.
            drop(name);
        }
        drop(file);
    }
}

/// Ends the claims that the files of an output set held.
pub(super) fn release_claims(claims: Vec<Claim>) {
    claims.into_iter().for_each(Claim::release);
}

/// Whether this path leads to the open file. It does not if the file was removed or replaced.
fn is_still_named(file: &File, name: &Path) -> bool {
    let file_id = |found: fs::Metadata| (found.dev(), found.ino());
    let (open, named) = (
        file.metadata().map(file_id),
        fs::metadata(name).map(file_id),
    );
    matches!((open, named), (Ok(open), Ok(named)) if open == named)
}

/// The process that holds a claim, for messages: `process 1234 on host`.
fn read_holder(file: &mut File) -> String {
    for _ in 0..10 {
        let mut text = String::new();
        let read_result = file.rewind().and_then(|()| file.read_to_string(&mut text));
        if let (Ok(_), Ok(note)) = (read_result, serde_json::from_str::<ClaimNote>(&text)) {
            return note.holder_text();
        }
        // The process that holds the lock has not written its note yet.
        std::thread::sleep(Duration::from_millis(5));
    }
    "another process".to_owned()
}
