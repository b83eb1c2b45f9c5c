//! Tests which files arguments select: folders, patterns, links, pipes, and names with any bytes.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::util::{PUZZLE, TestDir, stderr};

fn write_folder(dir: &TestDir, names: &[&str]) {
    fs::create_dir(dir.path("in")).unwrap();
    for name in names {
        dir.write(&format!("in/{name}"), format!("puzzle\n{PUZZLE}\n"));
    }
}

/// Converts the input, and returns the number of rows and the log.
fn convert(dir: &TestDir, input: &str) -> (usize, String) {
    let output = dir.run(&format!("convert {input} -o out.csv --overwrite"));
    let message = stderr(&output);
    assert!(output.status.success(), "{message}");
    let table = String::from_utf8(dir.read("out.csv")).unwrap();
    (table.lines().count() - 1, message)
}

/// Regression test: hidden files were silently skipped, and temporary files and backups were read.
#[test]
fn hidden_and_temporary_names_are_skipped_and_logged() {
    let dir = TestDir::new();
    write_folder(
        &dir,
        &[
            "a.csv",
            "_b.csv",
            ".c.csv",
            "d.csv.tmp",
            "e.csv.bak",
            "f.csv~",
        ],
    );
    let (rows, message) = convert(&dir, "in");
    assert_eq!(rows, 1);
    let expected = "in: skipped names: 2 with _ or . in front (.c.csv, _b.csv), 3 of temporary files \
                    or backups (d.csv.tmp, e.csv.bak, f.csv~)";
    assert!(message.contains(expected), "{message}");
    let (rows, message) = convert(&dir, "in/*");
    assert!(
        rows == 1 && message.contains("skipped names: 2 with"),
        "{message}"
    );
    // A file is always read if the user names it, or if a pattern spells out its prefix or extension.
    for named in ["in/_b.csv", "in/_*", "in/.c*", "in/*.bak", "in/d.csv.tmp"] {
        let (rows, message) = convert(&dir, named);
        assert!(
            rows == 1 && !message.contains("skipped"),
            "{named}: {message}"
        );
    }
    fs::remove_file(dir.path("in/a.csv")).unwrap();
    let message = dir.fail("convert in -o x.csv", 3);
    for expected in [
        "it has only names that are skipped: 2 with",
        "--allow-empty",
    ] {
        assert!(message.contains(expected), "{message}");
    }
    let message = dir.fail("inspect in", 3);
    assert!(!message.contains("--allow-empty"), "{message}");
}

/// Regression test: the exit code was 1 for an empty folder, even with `--allow-empty`, and for a wrong
/// path.
#[test]
fn an_empty_folder_is_allowed_on_request_and_a_wrong_path_never() {
    let dir = TestDir::new();
    write_folder(&dir, &[]);
    for arguments in [
        &["in"][..],
        &["in/*.csv"],
        &["nowhere/*.csv"],
        &["in", "in/*"],
    ] {
        let convert_arguments = [&["convert"], arguments].concat();
        let message = dir.fail(&[&convert_arguments[..], &["-o", "x.csv"]].concat(), 3);
        let expected = "there is no file to read: if that is expected, give --allow-empty";
        assert!(message.contains(expected), "{message}");
        assert!(!dir.exists("x.csv"));
        let folder_options = ["-o", "parts/", "--allow-empty", "--overwrite"];
        let summary = dir.summary(&[&convert_arguments[..], &folder_options].concat());
        assert_eq!(summary["rows_out"], 0);
        assert!(dir.exists("parts/_SUCCESS"));
        dir.succeed(
            &[
                &convert_arguments[..],
                &["-o", "y.csv", "--allow-empty", "--overwrite"],
            ]
            .concat(),
        );
        assert_eq!(dir.read("y.csv"), b"puzzle\n");
    }
    for command in ["grade", "validate", "dedup", "inspect", "compare"] {
        let output = ["-o", "z.csv"];
        let output = if command == "inspect" {
            &[][..]
        } else {
            &output
        };
        for missing in ["none.csv", "in/none/", "in/none.csv/x"] {
            let mut arguments = [&[command, missing], output].concat();
            if command != "inspect" {
                arguments.push("--allow-empty");
            }
            let message = dir.fail(&arguments, 2);
            assert!(
                message.contains("there is no such file or folder"),
                "{message}"
            );
        }
    }
    // All missing inputs are named at once, so that a list with several errors can be corrected at once.
    let message = dir.fail("grade a.csv y.csv b/none.csv -o z.csv", 2);
    assert!(
        message.contains("a.csv, b/none.csv: there are no such files or folders"),
        "{message}"
    );
}

/// Regression test: a pipe in a folder blocked the run forever.
#[test]
fn pipes_in_folders_are_skipped() {
    let dir = TestDir::new();
    write_folder(&dir, &["a.csv"]);
    let mkfifo_status = Command::new("mkfifo").arg(dir.path("in/pipe.csv")).status();
    assert!(mkfifo_status.unwrap().success());
    symlink("/dev/zero", dir.path("in/zero.csv")).unwrap();
    for input in ["in", "in/*.csv"] {
        let (rows, message) = convert(&dir, input);
        assert_eq!(rows, 1);
        let expected = "2 of pipes or devices (pipe.csv, zero.csv)";
        assert!(message.contains(expected), "{message}");
    }
}

/// Regression test: if a name was not UTF-8, a pattern caused a panic, and a folder was refused.
#[test]
fn a_name_of_any_bytes_is_read_and_shown_escaped() {
    let dir = TestDir::new();
    write_folder(&dir, &["a.csv"]);
    let name = OsStr::from_bytes(b"caf\xe9.csv");
    let path = dir.path("in").join(name);
    fs::write(&path, format!("puzzle\n{PUZZLE}\n{PUZZLE}\nbad\n")).unwrap();
    for input in ["in", "in/*.csv", "in/[ac]*", "./in/**/*.csv"] {
        let (rows, message) = convert(&dir, input);
        assert_eq!(rows, 3, "{message}");
    }
    let grade_arguments = ["grade", "in/caf*", "-o", "graded.csv", "--select", "source"];
    dir.succeed(&grade_arguments);
    let expected_text = "source\nin/caf\\xe9.csv\nin/caf\\xe9.csv\n";
    assert_eq!(
        String::from_utf8(dir.read("graded.csv")).unwrap(),
        expected_text
    );
    let mut command = dir.command("convert -o parts/");
    let output = command.arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    // The escaped name is accepted as an argument. A resumed run with it keeps the part.
    let resume_arguments = ["convert", "in", "-o", "resumed/", "--resume"];
    dir.succeed(&resume_arguments);
    let summary = dir.summary(&resume_arguments);
    assert_eq!(summary["rows_kept"], 4);
    assert_eq!(convert(&dir, "in/caf\\xe9.csv").0, 2);
}

/// Regression test: a link to a parent folder was followed 38 times, and a hard link was read twice.
#[test]
fn links_do_not_cause_rows_to_be_read_twice() {
    let dir = TestDir::new();
    write_folder(&dir, &["a.csv"]);
    symlink(".", dir.path("in/loop")).unwrap();
    symlink("../in", dir.path("in/up")).unwrap();
    for input in ["in", "in/**/*.csv"] {
        let (rows, message) = convert(&dir, input);
        assert_eq!(rows, 1);
        let expected = "2 of links to folders that are read anyway (loop, up)";
        assert!(message.contains(expected), "{message}");
    }
    fs::hard_link(dir.path("in/a.csv"), dir.path("in/z.csv")).unwrap();
    let message = dir.fail("convert in -o x.csv", 2);
    let expected = "in/z.csv is named twice (it is the same file as in/a.csv)";
    assert!(message.contains(expected), "{message}");
    fs::remove_file(dir.path("in/z.csv")).unwrap();
    symlink("gone.csv", dir.path("in/b.csv")).unwrap();
    let message = dir.fail("convert in -o x.csv", 2);
    let expected = "in/b.csv: it is a symbolic link to a file that does not exist";
    assert!(message.contains(expected), "{message}");
}

/// Regression test: a run failed because of a dataset card, a picture or a licence beside the data.
#[test]
fn documents_and_pictures_beside_the_data_are_skipped_and_named() {
    let dir = TestDir::new();
    fs::create_dir(dir.path("raw")).unwrap();
    dir.write("raw/in.csv", format!("puzzle\n{PUZZLE}\n"));
    for name in ["README.md", "LICENSE", "chart.png", "page.html"] {
        dir.write(&format!("raw/{name}"), "no puzzle\n");
    }
    let output = dir.run("convert raw/ -o out.csv");
    let message = stderr(&output);
    assert!(output.status.success(), "{message}");
    assert!(
        message.contains("4 of documents, pictures or programs (LICENSE, README.md, chart.png, …)"),
        "{message}"
    );
    // A file that the user names is always read.
    dir.fail("convert raw/README.md -o out2.csv", 3);
}

#[test]
fn an_output_in_a_missing_folder_is_an_error_that_names_the_folder() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    let message = dir.fail("convert in.txt -o none/out.csv", 2);
    assert!(
        message.contains("its folder does not exist: create it first"),
        "{message}"
    );
    let message = dir.fail("convert in.txt -o out", 2);
    assert!(message.contains("or write out/ for a folder"), "{message}");
}
