//! Tests the log on standard error: `--log-format` and `--log-level`.

use serde_json::Value;

use crate::util::{PUZZLE, TestDir, stderr};

const TO_STDOUT: [&str; 5] = ["convert", "in.txt", "-o", "-", "--format=lines"];

fn dir_with_inputs() -> TestDir {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\nshort\n{PUZZLE}\n"));
    dir
}

/// Runs the command with these options, and returns the lines of standard error.
fn log_lines(dir: &TestDir, options: &[&str]) -> Vec<String> {
    let output = dir.run(&[&TO_STDOUT[..], options].concat());
    stderr(&output).lines().map(str::to_owned).collect()
}

fn parse_lines(lines: &[String]) -> Vec<Value> {
    let parse = |line: &String| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
    lines.iter().map(parse).collect()
}

#[test]
fn each_line_of_a_json_log_is_an_object() {
    let lines = parse_lines(&log_lines(&dir_with_inputs(), &["--log-format", "json"]));
    assert_eq!(lines.len(), 2);
    let (reject, done) = (&lines[0], &lines[1]);
    assert_eq!(reject["level"], "WARN");
    assert_eq!(reject["error"], "wrong_length");
    assert_eq!(reject["source"], "in.txt");
    assert_eq!(reject["line"], 2);
    assert_eq!(done["level"], "INFO");
    for (field, count) in [("rows", 3), ("written", 2), ("rejects", 1), ("filtered", 0)] {
        assert_eq!(done[field], count, "{field}");
    }
    assert!(done["wall_seconds"].is_f64());
    assert!(
        done["message"]
            .as_str()
            .unwrap()
            .starts_with("convert: 3 rows in ")
    );
    let time = done["timestamp"].as_str().unwrap();
    assert!(
        time.len() >= 20 && time.ends_with('Z') && &time[10..11] == "T",
        "{time}"
    );
}

#[test]
fn errors_are_objects_too() {
    let dir = dir_with_inputs();
    let arguments = "grade none.csv -o x.csv --log-format json";
    let errors = dir.fail(arguments, 2);
    let lines: Vec<_> = errors.lines().map(str::to_owned).collect();
    let error = &parse_lines(&lines)[0];
    assert_eq!(error["level"], "ERROR");
    assert_eq!(error["exit_code"], 2);
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("none.csv: "), "{message}");
    // Some errors of options are found only after the command line has been parsed.
    let errors = dir.fail("convert in.txt -o x.what --log-format=json", 2);
    assert_eq!(parse_lines(&[errors.trim().to_owned()])[0]["exit_code"], 2);
}

#[test]
fn the_log_level_selects_the_messages() {
    let dir = dir_with_inputs();
    let line_count = |level: &str| log_lines(&dir, &["--log-level", level]).len();
    assert_eq!(line_count("error"), 0);
    assert_eq!(line_count("warn"), 1);
    assert_eq!(line_count("info"), 2);
    assert!(line_count("debug") >= 2);
    let message = dir.fail("grade none.csv -o x.csv --log-level=error", 2);
    assert!(message.starts_with("error: none.csv: "), "{message}");
    let output_with_variable = dir
        .command(&TO_STDOUT)
        .env("PIPELINE_LOG_LEVEL", "warn")
        .env("PIPELINE_LOG_FORMAT", "json")
        .output()
        .unwrap();
    let lines: Vec<_> = stderr(&output_with_variable)
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(parse_lines(&lines).len(), 1);
}

#[test]
fn a_json_log_has_a_progress_bar_only_on_request() {
    let dir = dir_with_inputs();
    let has_bar = |lines: &[String]| lines.iter().any(|line| line.contains(" % of "));
    let json = ["--log-format", "json", "--log-level", "error"];
    assert!(!has_bar(&log_lines(&dir, &json)));
    let always = [&json[..], &["--progress", "always"]].concat();
    assert!(has_bar(&log_lines(&dir, &always)));
}

/// A log collector fails on a line that is no JSON. The error of a wrong command line was text.
#[test]
fn a_wrong_command_line_is_an_object_too() {
    let dir = dir_with_inputs();
    for arguments in [
        "grade in.txt -o x.csv --log-format json --bogus",
        "grade in.txt --log-format=json",
        "nosuch --log-format json",
    ] {
        let errors = dir.fail(arguments, 2);
        let lines: Vec<_> = errors.lines().map(str::to_owned).collect();
        let objects = parse_lines(&lines);
        assert_eq!(objects.len(), 1, "{errors}");
        assert_eq!(objects[0]["level"], "ERROR");
        assert_eq!(objects[0]["exit_code"], 2);
        assert!(!objects[0]["message"].as_str().unwrap().starts_with("error"));
    }
    let output = dir
        .command("grade in.txt --bogus")
        .env("PIPELINE_LOG_FORMAT", "json")
        .output()
        .unwrap();
    parse_lines(
        &stderr(&output)
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>(),
    );
    let message = dir.fail("grade in.txt --bogus --log-format text", 2);
    assert!(message.starts_with("error: "), "{message}");
    // Help is no error.
    assert!(dir.succeed("grade -h --log-format json").contains("Usage"));
}

/// The summary of a run whose reader has seen enough, as `head` has, had exit code 0 beside an error.
#[cfg(unix)]
#[test]
fn a_reader_that_closes_the_pipe_is_no_error_in_the_summary() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n").repeat(200_000));
    let mut child = dir
        .command("convert in.txt -o - --format csv --summary s.json")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    let summary: Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
    assert_eq!(summary["exit_code"], 0);
    assert!(summary["error"].is_null(), "{summary}");
    assert_eq!(
        (&summary["complete"], &summary["reader_closed"]),
        (&false.into(), &true.into())
    );
}

#[test]
fn other_symbols_for_empty_cells_are_logged() {
    let dir = TestDir::new();
    dir.write(
        "zeros.csv",
        format!("puzzle\n{}\n", PUZZLE.replace('.', "0")),
    );
    let log = |arguments: &str| stderr(&dir.run(arguments));
    let line = "zeros.csv: empty cells are 0 there and . in the output; --blank SYMBOL writes another symbol";
    assert!(log("convert zeros.csv -o dots.csv").contains(line));
    for quiet in [
        "convert zeros.csv -o zeros2.csv --blank 0",
        "convert dots.csv -o dots2.csv",
        "convert zeros.csv -o cells.npy",
        "grade zeros.csv -o graded.csv",
    ] {
        assert!(!log(quiet).contains("empty cells are"), "{quiet}");
    }
}
