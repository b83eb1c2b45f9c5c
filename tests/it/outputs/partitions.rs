//! Tests `--partition-by` with many values, and with values that give folders with similar names.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;

use crate::util::{PUZZLE, TestDir, parquet, parquet_below, texts};

#[test]
fn more_partition_folders_than_open_files_can_be_written() {
    let dir = TestDir::new();
    // Consecutive rows are in different folders, so that each folder gets rows from the start to the end of the
    // input.
    let tag = |row: usize| (row * 7919) % 1300;
    let rows = (0..5200).map(|row| format!("{PUZZLE},{},{row}\n", tag(row)));
    dir.write(
        "in.csv",
        format!("puzzle,tag,id\n{}", rows.collect::<String>()),
    );
    let arguments = "convert in.csv --partition-by tag -o";
    dir.succeed(&format!("{arguments} out/"));
    let tree = dir.tree("out");
    let mut ids_by_tag: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for name in tree.keys().filter(|name| name.ends_with(".parquet")) {
        let tag = name
            .strip_prefix("tag=")
            .unwrap()
            .split('/')
            .next()
            .unwrap();
        let ids = texts(&parquet(&dir.path("out").join(name)), "id");
        let ids = ids.into_iter().map(|id| id.unwrap().parse().unwrap());
        let previous_ids = ids_by_tag.insert(tag.parse().unwrap(), ids.collect());
        assert!(previous_ids.is_none(), "{name}: a second part");
    }
    let mut expected: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for row in 0..5200 {
        expected.entry(tag(row)).or_default().push(row);
    }
    assert!(
        ids_by_tag == expected,
        "every row is in its folder, in order"
    );
    // The folder contains only the parts and the markers. It does not depend on the number of threads or on the
    // memory.
    assert_eq!(tree.len(), 1300 + 2);
    dir.succeed(&format!(
        "{arguments} other/ --threads 1 --max-rows-per-file 3"
    ));
    let part_tables = parquet_below(&dir, "other");
    assert_eq!(part_tables.len(), 2600);
    assert_eq!(
        part_tables.iter().map(RecordBatch::num_rows).sum::<usize>(),
        5200
    );
    dir.succeed(&format!("{arguments} third/ --threads 3"));
    let mut third_tree = dir.tree("third");
    third_tree.insert("_manifest.json".into(), tree["_manifest.json"].clone());
    assert!(third_tree == tree);
}

#[test]
fn null_and_an_empty_text_have_different_folders() {
    let dir = TestDir::new();
    let null_folder = "__HIVE_DEFAULT_PARTITION__";
    dir.write(
        "in.csv",
        format!("puzzle,tag\n{PUZZLE},\n{PUZZLE},\"\"\n{PUZZLE},{null_folder}\n"),
    );
    dir.succeed("convert in.csv -o out/ --partition-by tag");
    let folders: Vec<String> = (dir.tree("out").keys())
        .filter_map(|name| Some(name.split_once('/')?.0.to_owned()))
        .collect();
    assert_eq!(
        folders,
        [
            "tag=%5F_HIVE_DEFAULT_PARTITION__",
            "tag=",
            "tag=__HIVE_DEFAULT_PARTITION__"
        ]
    );
}

#[test]
fn csv_distinguishes_null_from_an_empty_text() {
    let dir = TestDir::new();
    let text = format!("note,puzzle\n,{PUZZLE}\n\"\",{PUZZLE}\nx,{PUZZLE}\n");
    dir.write("in.csv", &text);
    dir.succeed("convert in.csv -o out.parquet");
    let note_values = texts(&dir.parquet("out.parquet"), "note");
    assert_eq!(
        note_values,
        [None, Some(String::new()), Some("x".to_owned())]
    );
    dir.succeed("convert out.parquet -o out.csv");
    assert_eq!(String::from_utf8(dir.read("out.csv")).unwrap(), text);
}

#[test]
fn names_with_commas_and_equals_signs_are_quoted() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("puzzle,\"a,b\",c=d,all, e\n{PUZZLE},1,2,3,4\n"),
    );
    let first_rows = |options: &[&str]| {
        let arguments = "convert in.csv -o - --format csv";
        let text = dir.succeed((arguments, options));
        text.lines().next().unwrap().to_owned()
    };
    assert_eq!(first_rows(&["--keep", "\"a,b\",c=d"]), "puzzle,\"a,b\",c=d");
    assert_eq!(first_rows(&["--keep", "\"all\""]), "puzzle,all");
    assert_eq!(
        first_rows(&["--select", "\"a,b\", puzzle"]),
        "\"a,b\",puzzle"
    );
    assert_eq!(
        first_rows(&[
            "--rename",
            "\"a,b\"=x,\"c=d\"=\"y,z\"",
            "--select",
            "\"a,b\",c=d"
        ]),
        "x,\"y,z\""
    );
    dir.succeed(("convert in.csv -o out/ --partition-by", &["\"a,b\""]));
    assert!(
        dir.tree("out")
            .keys()
            .any(|name| name.starts_with("a%2Cb=1/"))
    );
    let message = dir.fail(
        &["convert", "in.csv", "-o", "x.csv", "--select", "\"a,b"],
        2,
    );
    assert!(message.contains("quote is not closed"), "{message}");
}
