//! Tests of folders of data sets as Hugging Face's libraries write and download them.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use arrow::ipc::writer::StreamWriter;

use crate::util::{PUZZLE, TestDir};

/// An Arrow stream with this number of puzzles.
fn arrow(rows: usize) -> Vec<u8> {
    let puzzles: ArrayRef = Arc::new(StringArray::from_iter_values((0..rows).map(|_| PUZZLE)));
    let batch = RecordBatch::try_from_iter([("puzzle", puzzles)]).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn a_saved_data_set_is_read_by_the_files_that_its_state_lists() {
    let dir = TestDir::new();
    for split in ["test", "train"] {
        std::fs::create_dir_all(dir.path(&format!("ds/{split}"))).unwrap();
        for (name, rows) in [
            ("data-00000-of-00002", 2),
            ("data-00001-of-00002", 1),
            ("old", 9),
            ("cache-1f3a", 5),
        ] {
            dir.write(&format!("ds/{split}/{name}.arrow"), arrow(rows));
        }
        let state = "{\"_data_files\": [{\"filename\": \"data-00000-of-00002.arrow\"},\n\
                     {\"filename\": \"data-00001-of-00002.arrow\"}], \"_fingerprint\": \"1f\"}";
        dir.write(&format!("ds/{split}/state.json"), state);
        dir.write(
            &format!("ds/{split}/dataset_info.json"),
            "{\n  \"features\": {}\n}",
        );
    }
    dir.write(
        "ds/dataset_dict.json",
        "{\"splits\": [\"train\", \"test\"]}",
    );
    for input in ["ds", "ds/", "ds/**", "ds/*/*.arrow"] {
        let rows = dir.succeed(&[
            "grade",
            input,
            "-o",
            "-",
            "--format",
            "csv",
            "--select",
            "source,row",
        ]);
        let expected: String = ["test", "train"]
            .iter()
            .map(|split| {
                let file = format!("ds/{split}/data-0000");
                format!(
                    "{file}0-of-00002.arrow,0\n{file}0-of-00002.arrow,1\n{file}1-of-00002.arrow,0\n"
                )
            })
            .collect();
        assert_eq!(rows, format!("source,row\n{expected}"), "{input}");
    }
    // A name that the user spells is read.
    let rows = dir.succeed("convert ds/test/cache-*.arrow -o - --format csv");
    assert_eq!(rows.lines().count(), 6);
    std::fs::remove_file(dir.path("ds/train/data-00001-of-00002.arrow")).unwrap();
    let message = dir.fail("convert ds -o out.csv", 3);
    assert!(
        message.contains(
            "data-00001-of-00002.arrow: there is no such file, but ds/train/state.json lists it"
        ),
        "{message}"
    );
}

#[test]
fn the_descriptions_in_a_downloaded_data_set_are_no_data() {
    let dir = TestDir::new();
    std::fs::create_dir_all(dir.path("hub/snapshots/1a/data")).unwrap();
    std::fs::create_dir_all(dir.path("hub/refs")).unwrap();
    std::fs::create_dir_all(dir.path("hub/blobs")).unwrap();
    let csv = format!("puzzle\n{PUZZLE}\n");
    dir.write("hub/blobs/7c", &csv);
    dir.write("hub/refs/main", "1a");
    std::os::unix::fs::symlink(
        "../../../blobs/7c",
        dir.path("hub/snapshots/1a/data/train.csv"),
    )
    .unwrap();
    for (name, text) in [
        ("dataset_infos.json", "{\"default\": {}}"),
        ("README.md", "# Puzzles"),
        (".gitattributes", "*.csv filter=lfs"),
        ("data/train.csv.lock", ""),
        ("data/train.csv.metadata", "1a\n7c\n1700000000.0\n"),
        ("data/test.csv.incomplete", "puz"),
    ] {
        dir.write(&format!("hub/snapshots/1a/{name}"), text);
    }
    for input in ["hub", "hub/snapshots/1a"] {
        let summary = dir.summary(&format!("validate {input}"));
        assert_eq!(summary["rows_in"], 1, "{input}");
    }
    // A file of the same name that is no description is read.
    dir.write("state.json", format!("[{{\"puzzle\": \"{PUZZLE}\"}}]"));
    std::fs::create_dir(dir.path("own")).unwrap();
    std::fs::rename(dir.path("state.json"), dir.path("own/state.json")).unwrap();
    assert_eq!(dir.summary("validate own")["rows_in"], 1);
}
