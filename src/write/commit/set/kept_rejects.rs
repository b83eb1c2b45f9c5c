//! Keeps the rejects of a failed run, although its output set is not published.

use std::path::{Path, PathBuf};

use super::OutputSet;
use super::publish::clean_up;
use super::staged_output::{StagedKind, StagedOutput, publish_steps};
use crate::store::while_cleaning_up;
use crate::write::commit::claim::release_claims;
use crate::write::commit::claim_note::{ClaimNote, KeptFile};
use crate::write::commit::hidden::while_publishing;
use crate::write::commit::stored_path::StoredPath;
use crate::write::commit::target::Target;

impl OutputSet {
    /// Gives the rejects of a failed run a name that users can find. The next run into the same output removes the
    /// file. If an earlier run has completed the output, the file is named `beside_old`, so that the rejects of the
    /// earlier run are not replaced. Returns the path; `None` if the file cannot be kept.
    pub(crate) fn keep_rejects(
        mut self,
        rejects: Target,
        beside_old: Option<&Path>,
    ) -> Option<PathBuf> {
        let staged = self.stage(rejects).ok()??;
        let kept = while_publishing(|| self.keep_file(staged, beside_old));
        release_claims(self.claims);
        kept
    }

    fn keep_file(
        &mut self,
        mut staged: StagedOutput,
        beside_old: Option<&Path>,
    ) -> Option<PathBuf> {
        let other_path = beside_old.map(Path::to_owned);
        match (&mut staged.kind, &other_path) {
            (
                StagedKind::File {
                    final_path: place, ..
                },
                Some(other),
            ) => other.clone_into(place),
            (_, Some(_)) => return None,
            (_, None) => {}
        }
        let path = other_path.unwrap_or_else(|| staged.path.clone());
        let kept = KeptFile {
            place: StoredPath::from_path(match &staged.kind {
                StagedKind::File {
                    final_path: place, ..
                } => place,
                _ => &path,
            }),
            bytes: staged.bytes,
        };
        let mut files = [staged];
        let steps = publish_steps(&mut files).ok()?;
        if let Some(claim) = self.claims.first_mut() {
            let kept_files = vec![kept];
            let note = ClaimNote {
                kept: kept_files,
                ..ClaimNote::default()
            };
            while_cleaning_up(|| claim.leave_note(&note)).ok()?;
        }
        files[0].apply_step(&steps[0]).ok()?;
        clean_up(&files, &steps);
        Some(path)
    }
}
