//! The summary of a run: one JSON object.

use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::counts::{Damage, FixedSolutions, Tally};
use crate::read::InputInfo;
use crate::table::outcome::GivenVerdict;
use crate::table::reject::RejectKind;
use sudoku_core::grade::{HardestTechnique, LADDER_VERSION, Ladder, Level, Rank};
use sudoku_core::solve::Status;

/// The summary of a run: one JSON object.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    command: &'static str,
    version: &'static str,
    /// The exit code of the run.
    exit_code: u8,
    /// The message of the error; null if the run succeeded.
    error: Option<String>,
    /// Whether all inputs were read and all outputs were written. If not, the counts are those at the moment when the
    /// run ended.
    complete: bool,
    /// Whether the reader of standard output has ended the run by closing the pipe, as `head` does. This is no error.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reader_closed: bool,
    ladder_version: u32,
    /// The name of the ladder of techniques, or the list of its techniques; absent if nothing was graded.
    #[serde(skip_serializing_if = "Option::is_none")]
    ladder: Option<String>,
    /// The rank of the last technique of the ladder; absent if the ladder has all techniques, or if nothing was graded.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_rank: Option<u8>,
    /// The number of records. It is the sum of `rows_out`, `rejected`, `filtered` and, for `dedup`,
    /// `duplicates`.
    rows_in: u64,
    rows_out: u64,
    rejected: u64,
    /// The number of rows that `--where` removed. These rows are not included in the counts that follow.
    filtered: u64,
    graded: u64,
    /// The number of rows for each status; absent if nothing was solved.
    #[serde(skip_serializing_if = "Map::is_empty")]
    status: Map<String, Value>,
    /// The number of rows for each level, from the lowest level. Levels without rows are left out.
    #[serde(skip_serializing_if = "Map::is_empty")]
    level: Map<String, Value>,
    /// The number of rows for each hardest technique, from the lowest rank. Techniques without rows are left out.
    #[serde(skip_serializing_if = "Map::is_empty")]
    technique: Map<String, Value>,
    /// The number of rows for each verdict on their given solutions.
    #[serde(skip_serializing_if = "Map::is_empty")]
    solution_given: Map<String, Value>,
    /// The numbers of given solutions that `--fix-solutions` has replaced or removed.
    #[serde(skip_serializing_if = "FixedSolutions::is_none")]
    solutions_fixed: FixedSolutions,
    /// The number of rows for each status of their Sudoku Explainer rating; absent if nothing was rated.
    #[serde(skip_serializing_if = "Map::is_empty")]
    se_status: Map<String, Value>,
    /// The number of rows for each status of the rating of their min-lex form; absent if none was rated.
    #[serde(skip_serializing_if = "Map::is_empty")]
    se_canonical_status: Map<String, Value>,
    /// The number of rejects for each kind of error, by its id.
    rejects: Map<String, Value>,
    /// The number of rejects for each probable cause, by its id.
    #[serde(skip_serializing_if = "Map::is_empty")]
    reject_causes: Map<String, Value>,
    nodes: u64,
    wall_seconds: f64,
    cpu_seconds: f64,
    rows_per_second: f64,
    peak_memory_bytes: u64,
    threads: usize,
    inputs: Vec<InputInfo>,
    /// The number of names in folders and patterns that were skipped because they are not names of data.
    skipped_names: u64,
    /// The number of inputs whose parts `--resume` kept. Their rows are included in the counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs_kept: Option<usize>,
    /// The number of records in the inputs whose parts `--resume` kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows_kept: Option<u64>,
    /// The inputs that could not be read to their end. Only with `--keep-going`.
    damaged: Vec<Damage>,
    /// The number of damaged inputs.
    inputs_damaged: usize,
    /// The number of rows that are lost at least in the damaged inputs.
    rows_lost_at_least: u64,
    output: Option<String>,
    rejects_output: Option<String>,
    /// Counts that only some commands make, by name, such as the number of duplicates.
    #[serde(flatten)]
    findings: Map<String, Value>,
}

/// The way in which a run ended: with or without an error.
#[derive(Clone, Debug, Default)]
pub struct RunEnding {
    /// The exit code of the run.
    pub exit_code: u8,
    /// The message of the error; `None` if the run succeeded.
    pub error: Option<String>,
    /// Whether all inputs were read and all outputs were written.
    pub is_complete: bool,
    /// Whether the reader of standard output has closed the pipe. This is no error.
    pub reader_closed: bool,
}

/// The inputs and outputs of a run.
#[derive(Clone, Debug, Default)]
pub struct RunFiles {
    /// The inputs, in the order in which they were read.
    pub inputs: Vec<InputInfo>,
    /// The number of names in folders and patterns that were skipped because they are not names of data.
    pub skipped_names: u64,
    /// The number of inputs whose parts `--resume` kept; `None` without `--resume`.
    pub inputs_kept: Option<usize>,
    /// The inputs that could not be read to their end.
    pub damaged: Vec<Damage>,
    /// The path of the output table; `None` if there is none.
    pub output: Option<String>,
    /// The path of the rejects table; `None` if there is none.
    pub rejects_output: Option<String>,
}

/// The resources that a run used.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    pub(super) wall_seconds: f64,
    pub(super) cpu_seconds: f64,
    pub(super) peak_memory_bytes: u64,
    pub(super) threads: usize,
}

impl Resources {
    /// Measures the wall time since `start`, and the CPU time and the peak memory of the whole process.
    pub fn since(start: Instant, threads: usize) -> Resources {
        let (cpu_seconds, peak_memory_bytes) = match getrusage(UsageWho::RUSAGE_SELF) {
            Ok(usage) => {
                let to_seconds = |time: nix::sys::time::TimeVal| {
                    time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6
                };
                // Linux reports KiB, and macOS reports bytes.
                let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
                (
                    to_seconds(usage.user_time()) + to_seconds(usage.system_time()),
                    peak_memory_bytes().unwrap_or(usage.max_rss() as u64 * unit),
                )
            }
            Err(_) => (0.0, 0),
        };
        Resources {
            wall_seconds: start.elapsed().as_secs_f64(),
            cpu_seconds,
            peak_memory_bytes,
            threads,
        }
    }
}

/// The peak memory of this program in bytes; `None` if the system does not report it. `getrusage` is not used, because
/// its maximum may include the program that started this process.
fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

impl Summary {
    /// The summary of a run. `new_rows` is the number of rows that this run has read itself. Rows of kept parts of
    /// earlier runs are not included.
    pub fn new(
        command: &'static str,
        ending: RunEnding,
        ladder: Option<&Ladder>,
        tally: &Tally,
        new_rows: u64,
        resources: Resources,
        files: RunFiles,
    ) -> Summary {
        let has_statuses = Status::ALL.iter().any(|status| tally.status(*status) > 0);
        let counts = |pairs: &mut dyn Iterator<Item = (&'static str, u64)>| {
            pairs
                .map(|(id, count)| (id.to_owned(), count.into()))
                .collect()
        };
        Summary {
            command,
            version: crate::VERSION,
            exit_code: ending.exit_code,
            error: ending.error,
            complete: ending.is_complete,
            reader_closed: ending.reader_closed,
            ladder_version: LADDER_VERSION,
            ladder: ladder.map(|ladder| ladder.name().to_owned()),
            max_rank: ladder.and_then(Ladder::end).map(Rank::number),
            rows_in: tally.rows(),
            rows_out: tally.written(),
            rejected: tally.rejects(),
            filtered: tally.filtered(),
            graded: tally.graded(),
            status: counts(
                &mut Status::ALL
                    .into_iter()
                    .filter(|_| has_statuses)
                    .map(|status| (status.id(), tally.status(status))),
            ),
            level: counts(
                &mut Level::ALL
                    .into_iter()
                    .map(|level| (level.id(), tally.level(level)))
                    .filter(|(_, count)| *count > 0),
            ),
            technique: counts(
                &mut Rank::all()
                    .map(|rank| (rank.id(), tally.rank(rank)))
                    .chain([(HardestTechnique::BEYOND.id, tally.beyond())])
                    .filter(|(_, count)| *count > 0),
            ),
            solution_given: counts(
                &mut GivenVerdict::ALL
                    .into_iter()
                    .map(|verdict| (verdict.id(), tally.given(verdict)))
                    .filter(|(_, count)| *count > 0),
            ),
            solutions_fixed: tally.fixed_solutions(),
            reject_causes: counts(
                &mut tally
                    .reject_causes()
                    .map(|(cause, count)| (cause.id(), count)),
            ),
            se_status: counts(&mut tally.ratings().filter(|(_, count)| *count > 0)),
            se_canonical_status: counts(
                &mut tally.canonical_ratings().filter(|(_, count)| *count > 0),
            ),
            rejects: counts(
                &mut RejectKind::ALL
                    .into_iter()
                    .map(|kind| (kind.id(), tally.rejects_of(kind)))
                    .filter(|(_, count)| *count > 0),
            ),
            nodes: tally.nodes(),
            wall_seconds: resources.wall_seconds,
            cpu_seconds: resources.cpu_seconds,
            rows_per_second: new_rows as f64 / resources.wall_seconds.max(1e-9),
            peak_memory_bytes: resources.peak_memory_bytes,
            threads: resources.threads,
            inputs: files.inputs,
            skipped_names: files.skipped_names,
            inputs_kept: files.inputs_kept,
            rows_kept: (files.inputs_kept).map(|_| tally.rows() - new_rows.min(tally.rows())),
            inputs_damaged: files.damaged.len(),
            rows_lost_at_least: files.damaged.iter().map(Damage::rows_lost_at_least).sum(),
            damaged: files.damaged,
            output: files.output,
            rejects_output: files.rejects_output,
            findings: Map::new(),
        }
    }

    /// Adds counts that only some commands make, by name, such as the number of duplicates.
    #[must_use]
    pub fn with_findings(self, findings: Map<String, Value>) -> Summary {
        Summary { findings, ..self }
    }

    /// The summary as one JSON object on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
    }
}
