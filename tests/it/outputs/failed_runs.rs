//! Tests the summaries, rejects and messages that failed runs leave.

use serde_json::Value;

use crate::util::{PUZZLE, TestDir};

fn summary(dir: &TestDir) -> Value {
    serde_json::from_slice(&dir.read("s.json")).unwrap()
}

const SUMMARY_AND_METRICS: [&str; 4] = ["--summary", "s.json", "--metrics", "m.prom"];

#[test]
fn each_nightly_run_summarises_the_whole_folder() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("raw")).unwrap();
    let nightly_arguments = [
        &[
            "grade",
            "raw",
            "-o",
            "graded/",
            "--resume",
            "--max-rejects",
            "3",
        ][..],
        &SUMMARY_AND_METRICS,
    ]
    .concat();
    let rows = |name: &str| {
        let metrics = String::from_utf8(dir.read("m.prom")).unwrap();
        let line = metrics.lines().find(|line| {
            let metric_name = line.strip_prefix("sudoku_pipeline_");
            metric_name.is_some_and(|rest| rest.starts_with(&format!("{name}{{")))
        });
        line.unwrap()
            .rsplit_once(' ')
            .unwrap()
            .1
            .parse::<u64>()
            .unwrap()
    };
    for night in 1..=3 {
        dir.write(
            &format!("raw/{night}.txt"),
            format!("{PUZZLE}\nbad\n{PUZZLE}\n"),
        );
        dir.succeed(&nightly_arguments);
        let summary = summary(&dir);
        assert_eq!(summary["rows_in"], 3 * night);
        assert_eq!(summary["rejected"], night);
        assert_eq!(summary["rows_kept"], 3 * night - 3);
        assert_eq!(summary["inputs_kept"], night - 1);
        assert_eq!(
            (rows("rows_in"), rows("rows_kept")),
            (3 * night, 3 * night - 3)
        );
        let reported_values = [
            &summary["exit_code"],
            &summary["error"],
            &summary["complete"],
        ];
        assert_eq!(
            reported_values,
            [&Value::from(0), &Value::Null, &Value::from(true)]
        );
    }
    // The fourth input has one reject more than the limit allows.
    dir.write("raw/4.txt", format!("{PUZZLE}\nworse\n"));
    let message = dir.fail(&nightly_arguments, 3);
    let summary = summary(&dir);
    assert_eq!(summary["exit_code"], 3);
    assert_eq!(summary["complete"], false);
    assert_eq!(summary["rejected"], 4);
    assert!(
        message.contains(summary["error"].as_str().unwrap()),
        "{message}"
    );
    assert_eq!(summary["rejects_output"], "graded.rejects");
    // The folder is unchanged since the third run.
    assert!(dir.exists("graded/_SUCCESS"));
}

#[test]
fn a_summary_is_written_after_any_failure_and_replaces_nothing_else() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n"));
    dir.write("cut.csv.gz", &crate::util::gzip(b"puzzle\n")[..12]);
    let arguments_for = |input| {
        [
            &["convert", input, "-o", "out.csv"][..],
            &SUMMARY_AND_METRICS[..2],
        ]
        .concat()
    };
    for (input, code, error) in [
        ("cut.csv.gz", 3, "cut.csv.gz: "),
        ("none.csv", 2, "none.csv"),
    ] {
        dir.fail(&arguments_for(input), code);
        let summary = summary(&dir);
        assert_eq!(summary["exit_code"], code);
        assert_eq!(summary["rows_in"], 0);
        assert_eq!(summary["output"], Value::Null);
        assert!(
            summary["error"].as_str().unwrap().contains(error),
            "{summary}"
        );
    }
    dir.succeed(&arguments_for("in.txt"));
    assert_eq!(summary(&dir)["output"], "out.csv");
    dir.fail(&arguments_for("in.txt"), 4);
    assert_eq!(summary(&dir)["exit_code"], 4);

    dir.write("s.json", "{\"mine\":1}");
    dir.fail(&arguments_for("in.txt"), 4);
    assert_eq!(dir.read("s.json"), b"{\"mine\":1}");
    dir.succeed(&[&arguments_for("in.txt")[..], &["--overwrite"]].concat());
    assert_eq!(summary(&dir)["rows_out"], 1);
    // The summary of a failed validation has the counts, too.
    dir.write("bad.txt", format!("{PUZZLE}\nshort\n"));
    dir.fail(
        &[&["validate", "bad.txt"][..], &SUMMARY_AND_METRICS[..2]].concat(),
        3,
    );
    assert_eq!(summary(&dir)["complete"], true);
    assert_eq!(summary(&dir)["rejected"], 1);
}

#[test]
fn too_many_rejects_are_kept_and_the_output_is_not_there() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\nbad\nworse\n"));
    for limit in ["0", "10%"] {
        let arguments = format!("convert in.csv -o out.csv --max-rejects {limit} --overwrite");
        let message = dir.fail(&arguments, 3);
        assert!(message.contains("they are in out.rejects.csv"), "{message}");
        let rejects = String::from_utf8(dir.read("out.rejects.csv")).unwrap();
        assert!(rejects.contains("wrong_length"), "{rejects}");
        assert!(!dir.exists("out.csv"));
    }
    // The rejects of the failed run do not block the next run.
    dir.succeed("convert in.csv -o out.csv");
    std::fs::remove_file(dir.path("out.csv")).unwrap();
    // If the rejects are not written to a table, the message says how to get one.
    let solve_arguments = [
        "convert",
        "in.csv",
        "-o",
        "-",
        "--format",
        "csv",
        "--max-rejects=0",
    ];
    let message = dir.fail(&solve_arguments, 3);
    assert!(message.contains("give --rejects FILE"), "{message}");
    assert_eq!(dir.files(), ["in.csv", "out.rejects.csv"]);
}

#[test]
fn too_many_rejects_of_a_folder_are_kept_and_block_nothing() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\nbad\nworse\n"));
    let arguments = ["convert", "in.csv", "-o", "out/", "--max-rejects"];
    let message = dir.fail(&[&arguments[..], &["1"]].concat(), 3);
    assert!(message.contains("they are in out.rejects"), "{message}");
    let files_left: Vec<_> = dir.tree("out.rejects").into_keys().collect();
    assert!(
        files_left.len() == 2 && files_left[1].starts_with("part-in-"),
        "{files_left:?}"
    );
    assert!(!dir.exists("out"));
    dir.succeed(&[&arguments[..], &["2"]].concat());
    let files_before = dir.tree("out");
    // The folder that would have been replaced is unchanged, and so are its rejects.
    let overwrite_arguments = [&arguments[..], &["1", "--overwrite"]].concat();
    for _ in 0..2 {
        let message = dir.fail(&overwrite_arguments, 3);
        assert!(message.contains("they are in out.rejects"), "{message}");
        assert!(dir.tree("out") == files_before);
        assert_eq!(dir.tree("out.rejects").len(), 2);
        assert_eq!(dir.files(), ["in.csv", "out", "out.rejects"]);
    }
}

#[test]
fn a_run_that_fails_before_its_first_part_does_not_block_the_next_run() {
    let dir = TestDir::new();
    let long_name = "x".repeat(300);
    dir.write("a.csv", format!("puzzle,name\n{PUZZLE},short\n"));
    dir.write("b.csv", format!("puzzle,name\n{PUZZLE},{long_name}\n"));
    // When the second input fails, the first input is complete. Its part is not kept, because a run with these options
    // cannot succeed.
    let wrong_arguments = "convert a.csv b.csv -o out/ --partition-by name";
    let message = dir.fail(wrong_arguments, 3);
    assert!(
        message.contains("too long for the name of a folder"),
        "{message}"
    );
    assert!(!dir.exists("out"));
    dir.succeed("grade a.csv b.csv -o out/ --partition-by level");
    std::fs::remove_dir_all(dir.path("out")).unwrap();
    // One of the inputs is a damaged gzip file.
    let compressed = crate::util::gzip(format!("puzzle\n{PUZZLE}\n").as_bytes());
    dir.write("cut.csv.gz", &compressed[..compressed.len() - 8]);
    std::fs::create_dir(dir.path("out")).unwrap();
    dir.fail("convert cut.csv.gz -o out/", 3);
    assert!(dir.exists("out") && dir.tree("out").is_empty());
    dir.succeed("convert a.csv -o out/");
}

#[test]
fn a_summary_that_cannot_be_written_is_reported_once() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    dir.write("x.json", "{\"mine\":1}");
    for (option, path, code) in [
        ("--summary", "x.json", 4),
        ("--summary", "no/x.json", 2),
        ("--metrics", "no/x.prom", 2),
        ("--metrics", "x.json", 2),
    ] {
        let message = dir.fail(&["convert", "in.txt", "-o", "out.csv", option, path], code);
        assert_eq!(
            message.matches(path).count(),
            1,
            "{option} {path}: {message}"
        );
    }
    assert_eq!(dir.files(), ["in.txt", "x.json"]);
}
