//! Tests the names of standard output and of other open files: `/dev/stdout`, `/dev/fd/1`, `/proc/self/fd/1`.

use std::fs::File;
use std::process::Stdio;

use crate::util::{PUZZLE, TestDir, stderr};

const NAMES: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// An input with one puzzle and one reject, and the table of the puzzle.
fn input_with_reject(dir: &TestDir) -> String {
    dir.write("in.csv", format!("puzzle,id\n{PUZZLE},1\nbad,2\n"));
    format!("puzzle,id\n{PUZZLE},1\n")
}

#[test]
fn each_name_of_standard_output_stands_for_it() {
    let dir = TestDir::new();
    let expected_table = input_with_reject(&dir);
    for name in NAMES {
        let arguments = ["convert", "in.csv", "-o", name, "--format", "csv"];
        let output = dir.run(&arguments);
        let message = stderr(&output);
        assert!(output.status.success(), "{name}: {message}");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            expected_table,
            "{name}"
        );
        // The reject is shown, because no file can be beside standard output.
        assert!(message.contains("in.csv, line 3"), "{name}: {message}");

        // An output that is a file is written by its descriptor: nothing is replaced, so --overwrite is not needed.
        let file = File::create(dir.path("file.csv")).unwrap();
        let status = dir
            .command(&arguments)
            .stdout(file)
            .stderr(Stdio::null())
            .status();
        assert!(status.unwrap().success(), "{name}");
        assert_eq!(
            String::from_utf8_lossy(&dir.read("file.csv")),
            expected_table,
            "{name}"
        );

        let twice = [&arguments[..], &["--summary", "/dev/stdout"]].concat();
        let message = dir.fail(&twice, 2);
        assert!(
            message.contains("cannot both go to standard output"),
            "{name}: {message}"
        );
    }
    assert_eq!(dir.files(), ["file.csv", "in.csv"]);
    assert!(!std::path::Path::new("/dev/stdout.rejects.csv").exists());
}

/// Shells give commands such names: `pipeline convert in.csv -o >(gzip > out.csv.gz) --format csv`.
#[test]
fn another_open_file_has_no_rejects_beside_it() {
    let dir = TestDir::new();
    input_with_reject(&dir);
    let output = dir.run("convert in.csv -o /dev/fd/2 --format csv");
    let message = stderr(&output);
    assert!(output.status.success(), "{message}");
    assert!(message.contains(&format!("{PUZZLE},1")), "{message}");
    assert!(message.contains("in.csv, line 3"), "{message}");
    assert!(message.contains("1 written to /dev/fd/2"), "{message}");
}
