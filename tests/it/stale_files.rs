//! Temporary files of killed runs beside an output, and outputs that are links.

use crate::util::{PUZZLE, Place};

#[test]
fn the_next_run_sweeps_what_a_killed_one_has_left() {
    let place = Place::new();
    place.write("in.txt", format!("{PUZZLE}\nbad\n"));
    let run = ["convert", "in.txt", "-o", "out.csv", "--summary", "s.json"];
    for name in [
        ".out.csv.a1B2c3.tmp",
        ".out.rejects.csv.a1B2c3.tmp",
        ".s.json.a1B2c3.tmp",
    ] {
        place.write(name, "half");
    }
    // The temporary file of another output, and one that a run is writing.
    place.write(".other.csv.a1B2c3.tmp", "another's");
    let written = std::fs::File::create(place.path(".out.csv.Zz9Yy8.tmp")).unwrap();
    written.lock().unwrap();
    place.succeed(&run);
    assert_eq!(
        place.files(),
        [
            ".other.csv.a1B2c3.tmp",
            ".out.csv.Zz9Yy8.tmp",
            "in.txt",
            "out.csv",
            "out.rejects.csv",
            "s.json"
        ]
    );
    drop(written);
    place.succeed(&[&run[..], &["--overwrite"]].concat());
    assert!(!place.exists(".out.csv.Zz9Yy8.tmp"));
}

#[cfg(unix)]
#[test]
fn overwriting_a_link_writes_what_it_names() {
    use std::os::unix::fs::symlink;

    let place = Place::new();
    place.write("in.txt", PUZZLE);
    std::fs::create_dir(place.path("releases")).unwrap();
    place.write("releases/1.csv", "old");
    symlink("releases/1.csv", place.path("latest.csv")).unwrap();
    let run = ["convert", "in.txt", "-o", "latest.csv"];
    place.fail(&run, 4);
    let overwrite = [&run[..], &["--overwrite"]].concat();
    place.succeed(&overwrite);
    assert!(place.path("latest.csv").is_symlink());
    let written = String::from_utf8(place.read("releases/1.csv")).unwrap();
    assert!(written.contains(PUZZLE), "{written}");
    // A symbolic link whose target does not exist yet.
    std::fs::remove_file(place.path("releases/1.csv")).unwrap();
    place.succeed(&overwrite);
    assert!(place.path("latest.csv").is_symlink() && place.exists("releases/1.csv"));
    let names: Vec<_> = place.tree("releases").into_keys().collect();
    assert_eq!(names, ["1.csv"]);
}
