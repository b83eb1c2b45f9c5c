//! Reads statistics that are stored as JSON.

use std::path::Path;

use super::{STATISTICS_VERSION, Statistics};
use crate::error::{AnalysisError, Error};
use crate::store::{self, Location};

/// The maximum size in bytes of a file with stored statistics.
const MOST_FILE_BYTES: u64 = 256 << 20;

/// Reads statistics that are stored in JSON files.
pub struct StoredStatistics;

impl StoredStatistics {
    /// Whether a file that starts with these bytes contains stored statistics.
    pub fn is_start(bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let mut remaining_text = text.trim_start();
        for part in ["{", "\"statistics\"", ":"] {
            match remaining_text.strip_prefix(part) {
                Some(after) => remaining_text = after.trim_start(),
                None => return false,
            }
        }
        true
    }

    /// Reads the statistics in a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, has no statistics or those of another version, or contradicts
    /// itself.
    pub fn read(path: &str) -> Result<Statistics, Error> {
        let location = Location::from_path(Path::new(path))?;
        let not_found = || {
            let error = std::io::Error::new(std::io::ErrorKind::NotFound, "there is no file");
            Error::Read {
                source_name: path.to_owned(),
                error,
            }
        };
        let bytes = store::read(&location, MOST_FILE_BYTES)?.ok_or_else(not_found)?;
        let not_statistics = |error: serde_json::Error| AnalysisError::NotStatistics {
            source_name: path.to_owned(),
            error,
        };
        let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(not_statistics)?;
        if let Some(version) = value.get("statistics").and_then(serde_json::Value::as_u64)
            && version != u64::from(STATISTICS_VERSION)
        {
            return Err(AnalysisError::OtherVersion {
                source_name: path.to_owned(),
                version,
            }
            .into());
        }
        let statistics: Statistics = serde_json::from_value(value).map_err(not_statistics)?;
        statistics
            .check_consistency()
            .map_err(|what| AnalysisError::Contradiction {
                source_name: path.to_owned(),
                what,
            })?;
        Ok(statistics)
    }
}
