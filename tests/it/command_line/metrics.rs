//! Tests `--metrics`: the file with metrics for Prometheus that every run writes.

use crate::util::{PUZZLE, TestDir};

/// The value of the metric whose line starts with this text.
fn metric_value(dir: &TestDir, series: &str) -> Option<f64> {
    let text = String::from_utf8(dir.read("nightly.prom")).unwrap();
    let name = format!("sudoku_pipeline_{series}");
    let line = text.lines().find(|line| {
        let labels_and_value = line.strip_prefix(&name);
        labels_and_value.is_some_and(|rest| rest.starts_with(['{', ' ']))
    })?;
    line.rsplit_once(' ')?.1.parse().ok()
}

#[test]
fn metrics_describe_the_last_run_and_are_always_replaced() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\nshort\n{PUZZLE} x\n"));
    let metrics = ["--metrics", "nightly.prom"];
    dir.succeed(
        &[
            &["grade", "in.txt", "-o", "a.csv", "--where", "comment = 'x'"][..],
            &metrics,
        ]
        .concat(),
    );
    for (series, expected) in [
        ("rows_in", 3.0),
        ("rows_out", 1.0),
        ("rows_filtered", 1.0),
        ("rows_graded", 1.0),
        ("success", 1.0),
        ("exit_code", 0.0),
        ("read_bytes", 172.0),
        ("build_info", 1.0),
        (
            r#"rejects{task="nightly",command="grade",error="wrong_length"}"#,
            1.0,
        ),
        (
            r#"rejects{task="nightly",command="grade",error="conflict"}"#,
            0.0,
        ),
        (
            r#"rows_by_status{task="nightly",command="grade",status="unique"}"#,
            1.0,
        ),
        (
            r#"rows_by_technique{task="nightly",command="grade",technique="naked_single"}"#,
            1.0,
        ),
    ] {
        assert_eq!(metric_value(&dir, series), Some(expected), "{series}");
    }
    let success = metric_value(&dir, "last_success_timestamp_seconds").unwrap();
    assert!(success > 1.7e9);

    // The output exists, so the run fails. The metrics have its exit code, and the time of the last
    // successful run.
    dir.fail(("grade in.txt -o a.csv", &metrics), 4);
    assert_eq!(metric_value(&dir, "success"), Some(0.0));
    assert_eq!(metric_value(&dir, "exit_code"), Some(4.0));
    assert_eq!(metric_value(&dir, "rows_in"), None);
    assert_eq!(
        metric_value(&dir, "last_success_timestamp_seconds"),
        Some(success)
    );

    // The metrics of a failed validation have the counts, too.
    dir.fail(("validate in.txt", &metrics), 3);
    assert_eq!(metric_value(&dir, "exit_code"), Some(3.0));
    assert_eq!(metric_value(&dir, "rows_in"), Some(3.0));
    assert_eq!(
        dir.files(),
        ["a.csv", "a.rejects.csv", "in.txt", "nightly.prom"]
    );
}

#[test]
fn metrics_that_cannot_be_written_are_refused_before_the_work() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    let message = dir.fail("convert in.txt -o a.csv --metrics no/x.prom", 2);
    assert!(message.contains("no/x.prom"), "{message}");
    let message = dir.fail("convert in.txt -o a.csv --metrics in.txt", 2);
    assert!(message.contains("is not a metrics file"), "{message}");
    assert_eq!(dir.files(), ["in.txt"]);
}

/// The name of the file is the label only if no other is given, so that the file can be renamed.
#[test]
fn the_label_of_the_job_can_be_chosen() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    dir.succeed("convert in.txt -o a.csv --metrics nightly.prom --metrics-task raw");
    assert_eq!(
        metric_value(&dir, r#"inputs{task="raw",command="convert"}"#),
        Some(1.0)
    );
}
