//! Keeps the rejects of a failed run, which does not publish its output set.

use std::path::{Path, PathBuf};

use super::OutputSet;
use super::publish::clean_up;
use super::staged::{Staged, StagedKind, steps};
use crate::write::commit::claim::release;
use crate::write::commit::note::{KeptFile, Note, StoredPath};
use crate::write::commit::target::Target;
use crate::write::commit::temporary::publishing;

impl OutputSet {
    /// Gives the rejects of a failed run a name that users can find. The next run into the same output
    /// removes the file. If the output set of an earlier run exists, the name is `beside_old`, so that its
    /// rejects stay. Returns the path; `None` if the file cannot be kept.
    pub(crate) fn keep(mut self, rejects: Target, beside_old: Option<&Path>) -> Option<PathBuf> {
        let staged = self.stage(rejects).ok()??;
        let kept = publishing(|| self.keep_file(staged, beside_old));
        release(self.claims);
        kept
    }

    fn keep_file(&mut self, mut staged: Staged, beside_old: Option<&Path>) -> Option<PathBuf> {
        let other = beside_old.map(Path::to_owned);
        match (&mut staged.kind, &other) {
            (StagedKind::File { place, .. }, Some(other)) => other.clone_into(place),
            (_, Some(_)) => return None,
            (_, None) => {}
        }
        let path = other.unwrap_or_else(|| staged.path.clone());
        let kept = KeptFile {
            place: StoredPath::from_path(match &staged.kind {
                StagedKind::File { place, .. } => place,
                _ => &path,
            }),
            bytes: staged.bytes,
        };
        let mut files = [staged];
        let steps = steps(&mut files).ok()?;
        if let Some(claim) = self.claims.first_mut() {
            let kept = vec![kept];
            let note = Note {
                kept,
                ..Note::default()
            };
            claim.leave(&note).ok()?;
        }
        files[0].apply(&steps[0]).ok()?;
        clean_up(&files, &steps);
        Some(path)
    }
}
