//! Tests temporary files that killed runs left beside an output, and outputs that are links.

use crate::util::{PUZZLE, TestDir};

#[test]
fn the_next_run_removes_temporary_files_of_a_killed_run() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\nbad\n"));
    let convert_arguments = ["convert", "in.txt", "-o", "out.csv", "--summary", "s.json"];
    for name in [
        ".out.csv.a1B2c3.tmp",
        ".out.rejects.csv.a1B2c3.tmp",
        ".s.json.a1B2c3.tmp",
    ] {
        dir.write(name, "half");
    }
    // First the temporary file of another output, then a temporary file that a run is still writing.
    dir.write(".other.csv.a1B2c3.tmp", "another's");
    let locked_file = std::fs::File::create(dir.path(".out.csv.Zz9Yy8.tmp")).unwrap();
    locked_file.lock().unwrap();
    dir.succeed(&convert_arguments);
    assert_eq!(
        dir.files(),
        [
            ".other.csv.a1B2c3.tmp",
            ".out.csv.Zz9Yy8.tmp",
            "in.txt",
            "out.csv",
            "out.rejects.csv",
            "s.json"
        ]
    );
    drop(locked_file);
    dir.succeed(&[&convert_arguments[..], &["--overwrite"]].concat());
    assert!(!dir.exists(".out.csv.Zz9Yy8.tmp"));
}

#[cfg(unix)]
#[test]
fn overwriting_a_link_replaces_its_target() {
    use std::os::unix::fs::symlink;

    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    std::fs::create_dir(dir.path("releases")).unwrap();
    dir.write("releases/1.csv", "old");
    symlink("releases/1.csv", dir.path("latest.csv")).unwrap();
    let convert_arguments = ["convert", "in.txt", "-o", "latest.csv"];
    dir.fail(&convert_arguments, 4);
    let overwrite_arguments = [&convert_arguments[..], &["--overwrite"]].concat();
    dir.succeed(&overwrite_arguments);
    assert!(dir.path("latest.csv").is_symlink());
    let written_text = String::from_utf8(dir.read("releases/1.csv")).unwrap();
    assert!(written_text.contains(PUZZLE), "{written_text}");
    // A symbolic link may name a file that does not exist yet.
    std::fs::remove_file(dir.path("releases/1.csv")).unwrap();
    dir.succeed(&overwrite_arguments);
    assert!(dir.path("latest.csv").is_symlink() && dir.exists("releases/1.csv"));
    let names: Vec<_> = dir.tree("releases").into_keys().collect();
    assert_eq!(names, ["1.csv"]);
}
