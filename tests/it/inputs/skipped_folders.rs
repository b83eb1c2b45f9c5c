//! Tests which folders are skipped when a folder or a pattern is read.

use crate::util::{PUZZLE, TestDir};

/// Regression test: the folder of a partition was skipped with all its rows if its value ended like the name of a
/// backup or a document, or if its column began with `_` or `.`.
#[test]
fn the_output_of_partition_by_is_read_back_whatever_the_values_are() {
    let dir = TestDir::new();
    let values = [
        "a",
        "b~",
        "c.bak",
        "d.old",
        "e.tmp",
        "f.part",
        "g.md",
        "h.html",
        "i.png",
        "j.py",
        "README",
        "k._COPYING_",
        "l.ipynb",
        "_m",
        ".n",
        "o.csv",
        ".p.aaaaaa.tmp",
        "q.aaaaaa.tmp",
    ];
    let rows = values.map(|value| format!("{PUZZLE},{value}\n")).concat();
    for column in ["note", "_split", ".k"] {
        dir.write("in.csv", format!("puzzle,{column}\n{rows}"));
        let partition = ["--partition-by", column, "--overwrite"];
        dir.succeed(("convert in.csv -o o/ --format csv", &partition[..]));
        for input in ["o", "o/", "o/**/*.csv", "o/*/*.csv", "o/*", "o/**"] {
            let arguments = ["convert", input, "-o", "-", "--format", "csv"];
            let back = dir.succeed(&arguments);
            assert_eq!(back.lines().count(), values.len() + 1, "{column} {input}");
            assert!(
                values
                    .iter()
                    .all(|value| back.contains(&format!(",{value}\n"))),
                "{back}"
            );
        }
    }
}

#[test]
fn a_plain_folder_is_not_skipped_for_the_end_of_its_name_and_skipped_names_are_counted() {
    let dir = TestDir::new();
    for folder in ["2024.old", "notes.md", "README", "_hidden"] {
        std::fs::create_dir_all(dir.path("raw").join(folder)).unwrap();
        dir.write(
            &format!("raw/{folder}/a.csv"),
            format!("puzzle\n{PUZZLE}\n"),
        );
    }
    dir.write("raw/b.csv.bak", "");
    dir.write("raw/notes.md/c.md", "");
    let summary = dir.summary("convert raw -o out.csv --metrics m.prom");
    assert_eq!(summary["rows_out"], 3);
    assert_eq!(summary["skipped_names"], 3);
    let metrics = String::from_utf8(dir.read("m.prom")).unwrap();
    let line = "sudoku_pipeline_skipped_names{task=\"m\",command=\"convert\"} 3";
    assert!(metrics.contains(line), "{metrics}");
}

#[test]
fn a_partition_column_is_named_once() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle,note\n{PUZZLE},a\n"));
    let message = dir.fail("convert in.csv -o out/ --partition-by note,note", 2);
    assert!(message.contains("column note is named twice"), "{message}");
    assert!(!dir.exists("out"));
}
