//! `--metrics`: tells Prometheus' textfile collector of a run, whatever its end.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use sudoku_pipeline::error::Error;
use sudoku_pipeline::report::{Metrics, Resources, Tally, last_success};
use sudoku_pipeline::write::{Target, TargetOptions};

/// What a run that came to its end has done.
pub(super) struct Done {
    pub(super) tally: Tally,
    pub(super) bytes_read: u64,
}

/// Where to tell it, and of what.
pub(super) struct Told<'a> {
    pub(super) path: &'a Path,
    pub(super) command: &'a str,
    pub(super) graded: bool,
    pub(super) start: Instant,
    pub(super) threads: usize,
}

/// What every file of metrics starts with.
const METRICS: &[u8; 7] = b"# HELP ";

/// The file belongs to the collector: what is there is replaced, and never half of it is seen.
const REPLACE: TargetOptions = TargetOptions { overwrite: true };

/// Whether a file holds metrics or nothing, so that it can be replaced. What is no file is not asked.
fn holds_metrics(path: &Path) -> bool {
    let Ok(about) = std::fs::metadata(path) else {
        return true;
    };
    if !about.is_file() || about.len() == 0 {
        return true;
    }
    let mut first = [0; METRICS.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && first == *METRICS
}

impl Told<'_> {
    /// Refuses a path that cannot be written, or that holds something else, before the work.
    pub(super) fn check(&self) -> Result<(), Error> {
        if !holds_metrics(self.path) {
            return Err(Error::Usage(format!(
                "{} is there and holds no metrics: give --metrics another name",
                self.path.display()
            )));
        }
        Target::file(self.path, REPLACE).map(drop)
    }

    /// Writes how the run ended.
    pub(super) fn write(&self, done: Option<&Done>, exit_code: u8) -> Result<(), Error> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let task = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let earlier = std::fs::read_to_string(self.path).ok();
        let text = Metrics {
            task: &task,
            command: self.command,
            exit_code,
            tally: done.map(|done| &done.tally),
            graded: self.graded,
            resources: Resources::since(self.start, self.threads),
            bytes_read: done.map(|done| done.bytes_read),
            now: now.map_or(0.0, |now| now.as_secs_f64()),
            last_success: earlier.as_deref().and_then(last_success),
        }
        .to_text();
        let mut target = Target::file(self.path, REPLACE)?;
        target.write(text.as_bytes())?;
        target.commit()
    }
}
