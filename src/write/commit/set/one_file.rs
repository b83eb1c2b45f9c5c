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
        match &mut self.kind {
            TargetKind::Part(file) => {
                file.flush()
                    .map_err(|error| write_error(&self.path, error))?;
            }
            _ => self.commit()?,
        }
        Ok(bytes)
    }
}
