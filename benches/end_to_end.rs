//! Measures whole runs of the binary that write Parquet, in turn with `zcat`, and prints the ratio of the times:
//! `cargo bench --bench end_to_end -- FILE.csv.gz`.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod common;

use std::process::{Command, Stdio};
use std::time::Instant;

/// The number of runs of each command. The result is the median time.
const ROUNDS: usize = 5;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("out.parquet");
    let summary = folder.path().join("summary.json");
    for file in common::files() {
        let rows = common::puzzles(&file).len();
        for command in ["convert", "solve", "grade", "grade --ladder basic"] {
            let mut ratios = Vec::new();
            let mut seconds_by_round = Vec::new();
            for _ in 0..ROUNDS {
                let inflating = time(Command::new("zcat").arg(&file));
                let mut pipeline = Command::new(env!("CARGO_BIN_EXE_pipeline"));
                pipeline
                    .args(command.split(' '))
                    .args([&file, "--overwrite", "-o"])
                    .arg(&output);
                let running = time(pipeline.arg("--summary").arg(&summary));
                ratios.push(running / inflating);
                seconds_by_round.push(running);
            }
            let text = std::fs::read_to_string(&summary).expect("a summary");
            let summary: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(summary["rows_out"], rows, "{file}");
            let (ratio, wall) = (median(ratios), median(seconds_by_round));
            let rate = rows as f64 / wall;
            println!(
                "end_to_end {command} {file} {ratio:.2} of zcat, {rate:.0} rows/s, rows={rows}"
            );
        }
    }
}

fn time(command: &mut Command) -> f64 {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.success()), "{command:?}");
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
