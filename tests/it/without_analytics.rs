//! `stats` and `report` in a binary without the feature.

use crate::util::{PUZZLE, Place};

#[test]
fn commands_that_are_not_built_in_say_how_to_get_them() {
    let place = Place::new();
    for arguments in [
        &["stats", "a.parquet", "--by", "level"][..],
        &[
            "report",
            "a.parquet",
            "-o",
            "a.html",
            "--against",
            "b.parquet",
        ],
    ] {
        let said = place.fail(arguments, 2);
        let words = "built without the feature analytics: cargo install sudoku-pipeline --features analytics";
        assert!(said.contains(words), "{said}");
    }
    place.write("p.txt", PUZZLE);
    let said = place.fail(
        &["grade", "p.txt", "-o", "p.parquet", "--report", "p.html"],
        2,
    );
    assert!(
        said.contains("built without the feature analytics"),
        "{said}"
    );
    assert!(!place.exists("p.parquet"));
    // The statistics are the library's own.
    place.succeed(&["grade", "p.txt", "-o", "p.parquet", "--report", "p.json"]);
    assert!(place.read("p.json").starts_with(b"{\n  \"statistics\": 1"));
}
