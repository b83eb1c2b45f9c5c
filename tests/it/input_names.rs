//! The files that arguments stand for: folders, patterns, links, pipes, and names with any bytes.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::util::{PUZZLE, Place, stderr};

fn folder(place: &Place, names: &[&str]) {
    fs::create_dir(place.path("in")).unwrap();
    for name in names {
        place.write(&format!("in/{name}"), format!("puzzle\n{PUZZLE}\n"));
    }
}

/// Converts, and returns the number of rows and the messages.
fn convert(place: &Place, input: &str) -> (usize, String) {
    let output = place.run(&format!("convert {input} -o out.csv --overwrite"));
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    let table = String::from_utf8(place.read("out.csv")).unwrap();
    (table.lines().count() - 1, said)
}

/// Issue 34: hidden files were silently skipped, and temporary files and backups were read.
#[test]
fn hidden_and_temporary_names_are_skipped_and_said() {
    let place = Place::new();
    folder(
        &place,
        &[
            "a.csv",
            "_b.csv",
            ".c.csv",
            "d.csv.tmp",
            "e.csv.bak",
            "f.csv~",
        ],
    );
    let (rows, said) = convert(&place, "in");
    assert_eq!(rows, 1);
    let expected = "in: skipped names: 2 with _ or . in front (.c.csv, _b.csv), 3 of temporary files \
                    or backups (d.csv.tmp, e.csv.bak, f.csv~)";
    assert!(said.contains(expected), "{said}");
    let (rows, said) = convert(&place, "in/*");
    assert!(
        rows == 1 && said.contains("skipped names: 2 with"),
        "{said}"
    );
    // Names that the user gives, or that a pattern spells out, are read.
    for named in ["in/_b.csv", "in/_*", "in/.c*", "in/*.bak", "in/d.csv.tmp"] {
        let (rows, said) = convert(&place, named);
        assert!(rows == 1 && !said.contains("skipped"), "{named}: {said}");
    }
    fs::remove_file(place.path("in/a.csv")).unwrap();
    let said = place.fail("convert in -o x.csv", 3);
    for expected in [
        "it has only names that are skipped: 2 with",
        "--allow-empty",
    ] {
        assert!(said.contains(expected), "{said}");
    }
    let said = place.fail("inspect in", 3);
    assert!(!said.contains("--allow-empty"), "{said}");
}

/// Issue 27: an empty folder gave exit code 1, even with `--allow-empty`, and so did a wrong path.
#[test]
fn an_empty_folder_is_allowed_on_request_and_a_wrong_path_never() {
    let place = Place::new();
    folder(&place, &[]);
    for arguments in [
        &["in"][..],
        &["in/*.csv"],
        &["nowhere/*.csv"],
        &["in", "in/*"],
    ] {
        let convert = [&["convert"], arguments].concat();
        let said = place.fail(&[&convert[..], &["-o", "x.csv"]].concat(), 3);
        let expected = "there is no file to read: if that is expected, give --allow-empty";
        assert!(said.contains(expected), "{said}");
        assert!(!place.exists("x.csv"));
        let to_folder = ["-o", "parts/", "--allow-empty", "--overwrite"];
        let summary = place.summary(&[&convert[..], &to_folder].concat());
        assert_eq!(summary["rows_out"], 0);
        assert!(place.exists("parts/_SUCCESS"));
        place.succeed(
            &[
                &convert[..],
                &["-o", "y.csv", "--allow-empty", "--overwrite"],
            ]
            .concat(),
        );
        assert_eq!(place.read("y.csv"), b"puzzle\n");
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
            let said = place.fail(&arguments, 2);
            assert!(said.contains("there is no such file or folder"), "{said}");
        }
    }
    // All missing inputs are named at once, so that a list with several errors can be corrected at once.
    let said = place.fail("grade a.csv y.csv b/none.csv -o z.csv", 2);
    assert!(
        said.contains("a.csv, b/none.csv: there are no such files or folders"),
        "{said}"
    );
}

/// Issue 34: a pipe in a folder blocked the run forever.
#[test]
fn pipes_in_folders_are_skipped() {
    let place = Place::new();
    folder(&place, &["a.csv"]);
    let made = Command::new("mkfifo")
        .arg(place.path("in/pipe.csv"))
        .status();
    assert!(made.unwrap().success());
    symlink("/dev/zero", place.path("in/zero.csv")).unwrap();
    for input in ["in", "in/*.csv"] {
        let (rows, said) = convert(&place, input);
        assert_eq!(rows, 1);
        let expected = "2 of pipes or devices (pipe.csv, zero.csv)";
        assert!(said.contains(expected), "{said}");
    }
}

/// Issue 34: if a name was not UTF-8, a pattern caused a panic, and a folder was refused.
#[test]
fn a_name_of_any_bytes_is_read_and_shown_escaped() {
    let place = Place::new();
    folder(&place, &["a.csv"]);
    let name = OsStr::from_bytes(b"caf\xe9.csv");
    let path = place.path("in").join(name);
    fs::write(&path, format!("puzzle\n{PUZZLE}\n{PUZZLE}\nbad\n")).unwrap();
    for input in ["in", "in/*.csv", "in/[ac]*", "./in/**/*.csv"] {
        let (rows, said) = convert(&place, input);
        assert_eq!(rows, 3, "{said}");
    }
    let graded = ["grade", "in/caf*", "-o", "graded.csv", "--select", "source"];
    place.succeed(&graded);
    let shown = "source\nin/caf\\xe9.csv\nin/caf\\xe9.csv\n";
    assert_eq!(String::from_utf8(place.read("graded.csv")).unwrap(), shown);
    let mut command = place.command("convert -o parts/");
    let output = command.arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    // The escaped name is accepted as an argument, and the resumed run finds its part.
    let resumed = ["convert", "in", "-o", "resumed/", "--resume"];
    place.succeed(&resumed);
    let summary = place.summary(&resumed);
    assert_eq!(summary["rows_kept"], 4);
    assert_eq!(convert(&place, "in/caf\\xe9.csv").0, 2);
}

/// Issue 34: a link to a parent folder was followed 38 times, and a hard link was read twice.
#[test]
fn links_never_give_a_row_twice() {
    let place = Place::new();
    folder(&place, &["a.csv"]);
    symlink(".", place.path("in/loop")).unwrap();
    symlink("../in", place.path("in/up")).unwrap();
    for input in ["in", "in/**/*.csv"] {
        let (rows, said) = convert(&place, input);
        assert_eq!(rows, 1);
        let expected = "2 of links to folders that are read anyway (loop, up)";
        assert!(said.contains(expected), "{said}");
    }
    fs::hard_link(place.path("in/a.csv"), place.path("in/z.csv")).unwrap();
    let said = place.fail("convert in -o x.csv", 2);
    let expected = "in/z.csv is named twice (it is the same file as in/a.csv)";
    assert!(said.contains(expected), "{said}");
    fs::remove_file(place.path("in/z.csv")).unwrap();
    symlink("gone.csv", place.path("in/b.csv")).unwrap();
    let said = place.fail("convert in -o x.csv", 2);
    let expected = "in/b.csv: it is a symbolic link to a file that does not exist";
    assert!(said.contains(expected), "{said}");
}

/// Regression test: a run failed because of a dataset card, a picture or a licence beside the data.
#[test]
fn documents_and_pictures_beside_the_data_are_skipped_and_named() {
    let place = Place::new();
    fs::create_dir(place.path("raw")).unwrap();
    place.write("raw/in.csv", format!("puzzle\n{PUZZLE}\n"));
    for name in ["README.md", "LICENSE", "chart.png", "page.html"] {
        place.write(&format!("raw/{name}"), "no puzzle\n");
    }
    let output = place.run("convert raw/ -o out.csv");
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("4 of documents, pictures or programs (LICENSE, README.md, chart.png, …)"),
        "{said}"
    );
    // A file that is named explicitly is read.
    place.fail("convert raw/README.md -o out2.csv", 3);
}

#[test]
fn an_output_without_a_folder_says_what_is_missing() {
    let place = Place::new();
    place.write("in.txt", PUZZLE);
    let said = place.fail("convert in.txt -o none/out.csv", 1);
    assert!(
        said.contains("its folder does not exist: create it first"),
        "{said}"
    );
    let said = place.fail("convert in.txt -o out", 2);
    assert!(said.contains("or write out/ for a folder"), "{said}");
}
