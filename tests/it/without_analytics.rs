//! `stats` and `report` in a binary without the feature.

use crate::util::{PUZZLE, Place};

#[test]
fn without_the_feature_only_tables_cannot_be_counted() {
    let place = Place::new();
    place.write("p.txt", PUZZLE);
    place.succeed(&["grade", "p.txt", "-o", "p.parquet", "--report", "p.json"]);
    place.succeed(&["grade", "p.txt", "-o", "q.parquet", "--report", "q.html"]);
    assert!(place.read("q.html").starts_with(b"<!DOCTYPE html>"));
    for arguments in [
        &["stats", "p.parquet", "--by", "level"][..],
        &["report", "p.parquet", "-o", "a.html"],
    ] {
        let said = place.fail(arguments, 2);
        assert!(said.contains("--features analytics"), "{said}");
    }
    place.write("r.txt", PUZZLE);
    place.succeed(&["grade", "r.txt", "-o", "r.parquet", "--report", "r.json"]);
    let text = place.succeed(&["stats", "--merge", "p.json", "r.json"]);
    assert!(text.contains("Levels"), "{text}");
    place.succeed(&["report", "p.json", "-o", "p.html", "--card", "p.md"]);
    place.succeed(&["report", "p.json", "-o", "both.html", "--against", "r.json"]);
    assert!(place.read("p.md").starts_with(b"---\n"));
}
