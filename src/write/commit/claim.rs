//! Claims: one run at a time writes an output. That of an object is a [`RemoteClaim`].
//!
//! A local output is claimed by a lock on `.name.lock` beside it. The open file holds the lock, so that it
//! ends with the process, however that ends. The file names the process, and while a set of several files
//! gets its names it lists the steps ([`Note`]). A run that finds such a list undoes the steps of the run
//! that was killed over them.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::note::Note;
use super::remote_claim::RemoteClaim;
use super::temporary::{HiddenFile, folder_of, lock_name, sweep};
use crate::error::Error;
use crate::store::Url;

/// The claim of an output. It ends when this is dropped.
pub(crate) enum Claim {
    /// A locked file.
    Local(LocalClaim),
    /// An object.
    Remote(RemoteClaim),
}

impl Claim {
    /// Claims the output at this place, whose links are resolved.
    pub(super) fn from_file(path: &Path, place: &Path) -> Result<Claim, Error> {
        LocalClaim::from_file(path, place).map(Claim::Local)
    }

    /// Locks this file, which is created if necessary.
    pub(super) fn lock(path: &Path, lock: PathBuf) -> Result<LocalClaim, Error> {
        LocalClaim::lock_as(path, lock, false)
    }

    /// Locks this file together with others that do so too: the shards of a job.
    pub(super) fn lock_shared(path: &Path, lock: PathBuf) -> Result<LocalClaim, Error> {
        LocalClaim::lock_as(path, lock, true)
    }

    /// Claims an output in a store with the object at this address.
    pub(super) fn from_object(path: &Path, lock: &Url) -> Result<Claim, Error> {
        RemoteClaim::acquire(path, lock).map(Claim::Remote)
    }

    /// Writes a note, which outlives a kill. Fails if another run has taken the claim over.
    pub(super) fn write(&mut self, note: &Note) -> Result<(), Error> {
        match self {
            Claim::Local(claim) => claim.write(note),
            Claim::Remote(claim) => claim.write(note),
        }
    }

    /// Writes a note, and keeps the claim for the next run, which reads it.
    pub(super) fn leave(&mut self, note: &Note) -> Result<(), Error> {
        match self {
            Claim::Local(claim) => claim.leave(note),
            Claim::Remote(claim) => claim.leave(note),
        }
    }

    /// Does not release the claim of an output in a store: its set could be neither completed nor undone.
    pub(super) fn keep(&mut self) {
        if let Claim::Remote(claim) = self {
            claim.keep();
        }
    }

    /// Fails if another run has taken the claim over, which only happens in a store.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self {
            Claim::Local(_) => Ok(()),
            Claim::Remote(claim) => claim.check(),
        }
    }

    /// Whether this run may replace an output that is complete. See [`RemoteClaim::adopts`].
    pub(super) fn adopts(&self) -> bool {
        matches!(self, Claim::Remote(claim) if claim.adopts())
    }

    /// Whether the same command has left its claim. See [`RemoteClaim::repeats`].
    pub(super) fn repeats(&self) -> bool {
        matches!(self, Claim::Remote(claim) if claim.repeats())
    }

    /// Ends the claim of a folder that could not be removed. The next run knows it by the file.
    pub(super) fn release_and_keep_file(self) {
        match self {
            Claim::Local(mut claim) => {
                claim.is_kept = true;
                claim.release();
            }
            Claim::Remote(claim) => drop(claim),
        }
    }

    /// Ends the claim, so that the next run finds none of this one.
    fn release(self) {
        match self {
            Claim::Local(claim) => claim.release(),
            Claim::Remote(claim) => drop(claim),
        }
    }
}

/// The claim of a local output.
pub(crate) struct LocalClaim {
    file: File,
    name: HiddenFile,
    /// The output, for messages.
    output: PathBuf,
    /// Whether the file has to stay, because its note is for the next run.
    is_kept: bool,
    /// Whether other runs may hold it too. The last one removes the file.
    is_shared: bool,
}

impl LocalClaim {
    /// Claims the output at this place, whose links are resolved. Undoes what a killed run left half
    /// done there, and removes its temporary files. `path` is the output's name for messages.
    ///
    /// # Errors
    /// Another run has claimed it.
    fn from_file(path: &Path, place: &Path) -> Result<LocalClaim, Error> {
        let mut claim = Claim::lock(path, lock_name(place))?;
        claim.recover()?;
        sweep(place);
        Ok(claim)
    }

    fn lock_as(path: &Path, lock: PathBuf, is_shared: bool) -> Result<LocalClaim, Error> {
        let refused = |error| super::write_error(path, error);
        loop {
            let options = || File::options().read(true).write(true).create(true).clone();
            let mut file = options().truncate(false).open(&lock).map_err(refused)?;
            let locked = match is_shared {
                true => file.try_lock_shared(),
                false => file.try_lock(),
            };
            match locked {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::InUse {
                        path: path.to_owned(),
                        holder: holder(&mut file),
                    });
                }
                Err(TryLockError::Error(error)) => tracing::warn!(
                    "{}: its file system has no locks ({error}): a second run into it would not be noticed",
                    path.display()
                ),
            }
            // The run before may have removed the file after this one has opened it.
            if is_at(&file, &lock) {
                return Ok(LocalClaim {
                    file,
                    name: HiddenFile::new(lock),
                    output: path.to_owned(),
                    is_kept: false,
                    is_shared,
                });
            }
        }
    }

    /// Undoes what a killed run left half done, and writes this run's name into the file.
    pub(super) fn recover(&mut self) -> Result<(), Error> {
        let mut text = String::new();
        // What cannot be read was cut off before its first step.
        let read = self.file.read_to_string(&mut text);
        if let (Ok(_), Ok(note)) = (read, serde_json::from_str::<Note>(&text)) {
            note.resolved_in(&self.folder()).recover()?;
        }
        self.write(&Note::default())
    }

    /// Writes a note into the file, which outlives a kill.
    pub(super) fn write(&mut self, note: &Note) -> Result<(), Error> {
        let text =
            serde_json::to_string(&note.relative_to(&self.folder()).of_this_process())? + "\n";
        let mut put = || {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(text.as_bytes())?;
            match note.is_empty() {
                true => Ok(()),
                false => self.file.sync_all(),
            }
        };
        put().map_err(|error| super::write_error(&self.output, error))
    }

    /// The folder of the file.
    fn folder(&self) -> PathBuf {
        let path = self.name.path();
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        folder_of(&path).to_owned()
    }

    /// Writes a note, and keeps the claim for the next run, which reads it.
    pub(super) fn leave(&mut self, note: &Note) -> Result<(), Error> {
        self.write(note)?;
        self.is_kept = true;
        Ok(())
    }

    /// Removes the file, so that the next run finds no claim of this one.
    fn release(self) {
        let LocalClaim {
            file,
            name,
            is_kept,
            is_shared,
            ..
        } = self;
        match is_kept || is_shared && file.try_lock().is_err() {
            true => name.keep(),
            // Removed before it is unlocked: a run that has opened the file meanwhile opens it again.
            false => drop(name),
        }
        drop(file);
    }
}

/// Ends the claims of a set.
pub(super) fn release(claims: Vec<Claim>) {
    claims.into_iter().for_each(Claim::release);
}

/// Whether this name is that of the open file.
fn is_at(file: &File, name: &Path) -> bool {
    let id = |found: fs::Metadata| (found.dev(), found.ino());
    let (open, named) = (file.metadata().map(id), fs::metadata(name).map(id));
    matches!((open, named), (Ok(open), Ok(named)) if open == named)
}

/// The run that holds a claim: `process 1234 on host`.
fn holder(file: &mut File) -> String {
    for _ in 0..10 {
        let mut text = String::new();
        let read = file.rewind().and_then(|()| file.read_to_string(&mut text));
        if let (Ok(_), Ok(note)) = (read, serde_json::from_str::<Note>(&text)) {
            return note.holder();
        }
        // It has locked the file and is about to write its name.
        std::thread::sleep(Duration::from_millis(5));
    }
    "another process".to_owned()
}
