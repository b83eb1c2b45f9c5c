//! Tests inputs that another program changes during a run.
//!
//! The last input is a named pipe, on which the run blocks after it has determined the columns of all inputs,
//! and before it reads them. Files that change while they are read are tested in `read/detect/watched.rs`.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::util::{PUZZLE, TestDir, stderr};

fn rows(count: usize) -> String {
    format!("puzzle\n{}", format!("{PUZZLE}\n").repeat(count))
}

/// Converts `a.csv` and a pipe. Calls `change` when the run knows the columns of `a.csv`. Returns the exit code
/// and standard error.
fn convert_while(dir: &TestDir, output: &str, change: impl FnOnce()) -> (Option<i32>, String) {
    let pipe = dir.path("pipe");
    if !pipe.exists() {
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
    }
    let child = dir
        .command(&format!(
            "convert a.csv pipe -o {output} --output-format csv --resume"
        ))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Opening blocks until the run opens the pipe, which it does after `a.csv`.
    let mut feeder = File::options().write(true).open(&pipe).unwrap();
    change();
    // A run that fails early does not read from the pipe, so writing to it can fail.
    let _ = feeder.write_all(rows(1).as_bytes());
    drop(feeder);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), stderr(&output))
}

/// Regression test: if a text became shorter during the run, rows were lost, although the exit code
/// was 0.
#[test]
fn an_input_that_changes_during_the_run_fails_it_and_a_retry_helps() {
    type Change = fn(&TestDir);
    let changes: [(&str, Change); 3] = [
        ("now has", |dir| dir.write("a.csv", rows(1))),
        ("now has", |dir| dir.write("a.csv", rows(3))),
        ("it was written to", |dir| {
            let file = File::options().write(true).open(dir.path("a.csv"));
            let file = file.unwrap();
            let modified = file.metadata().unwrap().modified().unwrap();
            file.set_modified(modified + Duration::from_secs(1))
                .unwrap();
        }),
    ];
    for (expected, change) in changes {
        let dir = TestDir::new();
        dir.write("a.csv", rows(2));
        let (code, message) = convert_while(&dir, "parts/", || change(&dir));
        assert_eq!(code, Some(1), "{message}");
        let expected_message = "cannot read a.csv: it changed while it was being read (";
        assert!(
            message.contains(expected_message) && message.contains(expected),
            "{message}"
        );
        assert!(!dir.exists("parts/_SUCCESS"));

        let (code, message) = convert_while(&dir, "parts/", || {});
        assert_eq!(code, Some(0), "{message}");
        let part_files = dir.tree("parts");
        let path_of_part_a = part_files
            .iter()
            .find(|(name, _)| name.starts_with("part-a-"));
        let lines = String::from_utf8(path_of_part_a.unwrap().1.clone()).unwrap();
        let current_text = fs::read_to_string(dir.path("a.csv")).unwrap();
        assert_eq!(
            lines.lines().count(),
            current_text.lines().count(),
            "no old row is kept"
        );
    }
}
