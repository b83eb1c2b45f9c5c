//! The metrics of a run in the text format of Prometheus' textfile collector.
//!
//! ```text
//! # HELP sudoku_pipeline_rows_out Rows written.
//! # TYPE sudoku_pipeline_rows_out gauge
//! sudoku_pipeline_rows_out{task="nightly",command="grade"} 1000
//! ```
//!
//! All metrics are gauges, because they describe only the last run.

use std::fmt::Write;

use super::summary::Resources;
use crate::counts::{Damage, Tally};
use crate::options::{RESUME, WHERE};
use crate::table::outcome::GivenVerdict;
use crate::table::reject::RejectKind;
use sudoku_core::grade::{HardestTechnique, LADDER_VERSION, Rank};
use sudoku_core::solve::Status;

const METRIC_NAME_PREFIX: &str = "sudoku_pipeline_";
const LAST_SUCCESS_METRIC: &str = "last_success_timestamp_seconds";

/// The values from which the metrics of a run are written.
pub struct Metrics<'a> {
    /// The name of the job. It is a label that distinguishes the metrics of different files.
    pub task: &'a str,
    /// The name of the command, which is also a label.
    pub command: &'a str,
    /// The exit code of the run.
    pub exit_code: u8,
    /// The counts of the run, including the counts of earlier runs whose parts it kept; `None` if the run failed.
    pub tally: Option<&'a Tally>,
    /// The number of records that this run has read itself. Kept parts of earlier runs are not included.
    pub new_rows: u64,
    /// Whether the run graded puzzles.
    pub graded: bool,
    /// Whether the run rated puzzles.
    pub rated: bool,
    /// The resources that the run used.
    pub resources: Resources,
    /// The number of stored (compressed) bytes of the inputs that were read; `None` if the run failed.
    pub bytes_read: Option<u64>,
    /// The number of all inputs, including those whose parts the run kept.
    pub inputs: u64,
    /// The inputs that could not be read to their end.
    pub damages: &'a [Damage],
    /// The number of names in folders and patterns that were skipped because they are not names of data.
    pub skipped_names: u64,
    /// The time at which the run ended, in seconds since 1970.
    pub now: f64,
    /// The time of the last successful run before this one, in seconds since 1970; `None` if there was
    /// none.
    pub last_success: Option<f64>,
}

impl Metrics<'_> {
    /// The metrics in the text format of Prometheus.
    pub fn to_text(&self) -> String {
        let mut text = MetricsText {
            text: String::new(),
            common_labels: format!(
                "task={},command={}",
                quoted_label(self.task),
                quoted_label(self.command)
            ),
        };
        text.begin_family("build_info", "The version that ran.");
        let version = [
            ("version", crate::VERSION),
            ("ladder_version", &LADDER_VERSION.to_string()),
        ];
        text.add_sample("build_info", &version, 1.0);
        let success = self.exit_code == 0;
        text.add_gauge(
            "success",
            "Whether the last run succeeded: 1 or 0.",
            f64::from(u8::from(success)),
        );
        text.add_gauge(
            "exit_code",
            "The last run's exit code.",
            f64::from(self.exit_code),
        );
        text.add_gauge(
            "last_run_timestamp_seconds",
            "When the last run ended.",
            self.now,
        );
        let last_success = Some(self.now).filter(|_| success).or(self.last_success);
        if let Some(last_success) = last_success {
            text.add_gauge(
                LAST_SUCCESS_METRIC,
                "When a run last succeeded.",
                last_success,
            );
        }
        let resources = &self.resources;
        text.add_gauge(
            "wall_seconds",
            "How long the run took.",
            resources.wall_seconds,
        );
        text.add_gauge(
            "cpu_seconds",
            "Processor time that it used.",
            resources.cpu_seconds,
        );
        text.add_gauge(
            "peak_memory_bytes",
            "The most memory that it held.",
            resources.peak_memory_bytes as f64,
        );
        text.add_gauge("threads", "Worker threads.", resources.threads as f64);
        if let Some(bytes) = self.bytes_read {
            text.add_gauge(
                "read_bytes",
                "Bytes read, as they are stored.",
                bytes as f64,
            );
        }
        text.add_counter(
            "inputs",
            &format!("Inputs, also those whose parts {RESUME} kept."),
            self.inputs,
        );
        text.add_counter(
            "inputs_damaged",
            "Inputs that could not be read to their end.",
            self.damages.len() as u64,
        );
        text.add_counter(
            "rows_lost_at_least",
            "Records that are lost at least in damaged inputs.",
            self.damages.iter().map(Damage::rows_lost_at_least).sum(),
        );
        text.add_counter(
            "skipped_names",
            "Names in folders and patterns that are not names of data.",
            self.skipped_names,
        );
        if let Some(tally) = self.tally {
            self.write_counts(&mut text, tally);
        }
        text.text
    }

    fn write_counts(&self, text: &mut MetricsText, tally: &Tally) {
        let rows_per_second = self.new_rows as f64 / self.resources.wall_seconds.max(1e-9);
        text.add_gauge("rows_per_second", "Records a second.", rows_per_second);
        text.add_counter(
            "rows_kept",
            &format!(
                "Records of the parts that {RESUME} kept: those of them are in the counts below too."
            ),
            tally.rows() - self.new_rows.min(tally.rows()),
        );
        text.add_counter(
            "rows_in",
            "Records taken: written, filtered or rejected.",
            tally.rows(),
        );
        text.add_counter("rows_out", "Rows written.", tally.written());
        text.add_counter(
            "rows_filtered",
            &format!("Rows that {WHERE} left out."),
            tally.filtered(),
        );
        text.add_counter("rows_graded", "Rows with a grade.", tally.graded());
        text.add_counter(
            "search_nodes",
            "Boards on which the solver had to guess.",
            tally.nodes(),
        );
        text.add_labelled_counters(
            "rejects",
            "Rejected records by error.",
            "error",
            RejectKind::ALL.map(|kind| (kind.id(), tally.rejects_of(kind))),
        );
        text.add_labelled_counters(
            "rows_by_status",
            "Rows by how many solutions they have.",
            "status",
            Status::ALL.map(|status| (status.id(), tally.status(status))),
        );
        text.add_labelled_counters(
            "rows_by_solution_given",
            "Rows by what the solution that came with them is worth.",
            "verdict",
            GivenVerdict::ALL.map(|verdict| (verdict.id(), tally.given(verdict))),
        );
        if self.rated {
            text.add_labelled_counters(
                "rows_by_se_status",
                "Rows by what is known of their rating.",
                "status",
                tally.ratings(),
            );
            text.add_labelled_counters(
                "rows_by_se_canonical_status",
                "Rows by what is known of the rating of their min-lex form.",
                "status",
                tally.canonical_ratings(),
            );
        }
        if self.graded {
            text.add_labelled_counters(
                "rows_by_technique",
                "Rows by the hardest technique that they need.",
                "technique",
                Rank::all()
                    .map(|rank| (rank.id(), tally.rank(rank)))
                    .chain([(HardestTechnique::BEYOND.id, tally.beyond())]),
            );
        }
    }
}

/// Reads the time of the last successful run from the metrics file of an earlier run; `None` if it has no such
/// time.
pub fn last_success(text: &str) -> Option<f64> {
    let name = format!("{METRIC_NAME_PREFIX}{LAST_SUCCESS_METRIC}{{");
    let line = text.lines().find(|line| line.starts_with(&name))?;
    let value = line.rsplit_once("} ")?.1.parse().ok()?;
    f64::is_finite(value).then_some(value)
}

struct MetricsText {
    text: String,
    common_labels: String,
}

impl MetricsText {
    fn begin_family(&mut self, name: &str, help: &str) {
        self.add_line(format_args!("# HELP {METRIC_NAME_PREFIX}{name} {help}"));
        self.add_line(format_args!("# TYPE {METRIC_NAME_PREFIX}{name} gauge"));
    }

    fn add_sample(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        let mut all_labels = self.common_labels.clone();
        for (label, value) in labels {
            all_labels += &format!(",{label}={}", quoted_label(value));
        }
        self.add_line(format_args!(
            "{METRIC_NAME_PREFIX}{name}{{{all_labels}}} {value}"
        ));
    }

    fn add_line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn add_gauge(&mut self, name: &str, help: &str, value: f64) {
        self.begin_family(name, help);
        self.add_sample(name, &[], value);
    }

    fn add_counter(&mut self, name: &str, help: &str, value: u64) {
        self.add_gauge(name, help, value as f64);
    }

    fn add_labelled_counters(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        counts: impl IntoIterator<Item = (&'static str, u64)>,
    ) {
        self.begin_family(name, help);
        for (id, count) in counts {
            self.add_sample(name, &[(label, id)], count as f64);
        }
    }
}

/// The value of a label in quotes. Backslashes, quotes and line ends are escaped.
fn quoted_label(value: &str) -> String {
    let escaped = value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::time::Instant;

    fn metrics_text(exit_code: u8, last_success: Option<f64>) -> String {
        let tally = Tally::default();
        Metrics {
            task: "a \"b\" \\ c\nd",
            command: "grade",
            exit_code,
            tally: (exit_code == 0).then_some(&tally),
            new_rows: 0,
            graded: true,
            rated: true,
            resources: Resources::since(Instant::now(), 2),
            bytes_read: Some(7),
            inputs: 3,
            damages: &[],
            skipped_names: 0,
            now: 1_700_000_000.5,
            last_success,
        }
        .to_text()
    }

    #[test]
    fn every_line_is_in_the_text_format_and_every_family_is_described() {
        let text = metrics_text(0, None);
        assert!(text.ends_with('\n'));
        let mut described_names = HashSet::new();
        let mut series_lines = HashSet::new();
        let mut last_name = String::new();
        for line in text.lines() {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let (name, words) = help.split_once(' ').unwrap();
                assert!(words.ends_with('.'), "{line}");
                assert!(described_names.insert(name.to_owned()), "{line}");
                last_name = name.to_owned();
            } else if let Some(kind) = line.strip_prefix("# TYPE ") {
                assert_eq!(kind, format!("{last_name} gauge"));
            } else {
                let (name, rest) = line.split_once('{').unwrap();
                assert_eq!(name, last_name, "a family's samples stand together");
                let labels = r#"task="a \"b\" \\ c\nd",command="grade""#;
                assert!(rest.starts_with(labels), "{line}");
                let (labels, value) = rest.rsplit_once("} ").unwrap();
                assert!(value.parse::<f64>().unwrap().is_finite(), "{line}");
                assert!(series_lines.insert((name, labels)), "{line}");
            }
        }
        assert!(series_lines.len() > 60);
        assert!(
            text.contains("technique=\"x_wing\"} 0\n"),
            "series do not come and go"
        );
    }

    #[test]
    fn a_failure_keeps_the_time_of_the_last_success() {
        assert_eq!(
            last_success(&metrics_text(0, Some(5.0))),
            Some(1_700_000_000.5)
        );
        let failed_metrics = metrics_text(1, last_success(&metrics_text(0, None)));
        assert!(failed_metrics.contains("_success{") && failed_metrics.contains("exit_code{"));
        assert!(!failed_metrics.contains("rows_in"));
        assert_eq!(last_success(&failed_metrics), Some(1_700_000_000.5));
        assert_eq!(last_success(&metrics_text(1, None)), None);
        assert_eq!(last_success("no metrics"), None);
    }
}
