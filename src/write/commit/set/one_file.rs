//! Publishes a single file, as an output set of one file.

use std::io::Write;

use super::OutputSet;
use crate::error::Error;
use crate::write::commit::target::{Target, TargetKind};
use crate::write::commit::write_error;

impl Target {
    /// Publishes this file alone, as an output set of one file.
    pub fn commit(self) -> Result<(), Error> {
        let mut set = OutputSet::default();
        set.add_marker(self)?;
        set.publish()
    }

    /// Finishes a part, and returns its size in bytes. The caller has to sync a local file.
    pub(crate) fn finish_part(mut self) -> Result<u64, Error> {
        let bytes = self.bytes;
        match std::mem::replace(&mut self.kind, TargetKind::Moved) {
            TargetKind::Part(mut file) => {
                file.flush()
                    .map_err(|error| write_error(&self.path, error))?;
            }
            // The name of a part is free, or its old object may be replaced, so nothing has to be undone.
            TargetKind::Object { upload, .. } => {
                let committed = upload.commit();
                committed.map_err(|failure| write_error(&self.path, failure.into()))?;
            }
            kind => {
                self.kind = kind;
                self.commit()?;
            }
        }
        Ok(bytes)
    }
}
