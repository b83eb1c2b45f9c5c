//! Inputs that another program changes while a run reads them.
//!
//! The last input is a named pipe. It blocks the run after the columns of all inputs have been determined,
//! and before they are read. Files that change while they are being read are tested in
//! `read/detect/watched.rs`.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::util::{PUZZLE, TestDir, stderr};

fn rows(count: usize) -> String {
    format!("puzzle\n{}", format!("{PUZZLE}\n").repeat(count))
}

/// Converts `a.csv` and a pipe, and calls `change` after the columns of `a.csv` are known. Returns the exit
/// code and the messages.
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
    // This blocks until the run opens the pipe, which it does after `a.csv`.
    let mut feeder = File::options().write(true).open(&pipe).unwrap();
    change();
    // A failed run does not read the pipe.
    let _ = feeder.write_all(rows(1).as_bytes());
    drop(feeder);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), stderr(&output))
}

/// Regression test of issue 34: rows were lost with exit code 0 if a text became shorter.
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
        let parts = dir.tree("parts");
        let part = parts.iter().find(|(name, _)| name.starts_with("part-a-"));
        let lines = String::from_utf8(part.unwrap().1.clone()).unwrap();
        let current_text = fs::read_to_string(dir.path("a.csv")).unwrap();
        assert_eq!(
            lines.lines().count(),
            current_text.lines().count(),
            "no old row is kept"
        );
    }
}
