//! Tests shards of one job that write to the same folder.

use std::fs::File;

use parquet::arrow::ArrowWriter;

use crate::util::{PUZZLE, TestDir, parquet, parquet_below, stderr, texts};

/// Writes an input with this number of rows. The id of each row is the name of the input.
fn input(dir: &TestDir, name: &str, rows: usize) {
    let rows: String = (0..rows).map(|_| format!("{PUZZLE},{name}\n")).collect();
    std::fs::create_dir_all(dir.path("raw")).unwrap();
    dir.write(&format!("raw/{name}"), format!("puzzle,id\n{rows}"));
}

fn run_one_shard(dir: &TestDir, shard: &str, more: &[&str]) {
    let arguments = format!("convert raw -o out/ --shard {shard} --resume");
    dir.succeed((&arguments, more));
}

/// The ids of all rows in the folder.
fn ids(dir: &TestDir) -> Vec<String> {
    let file_names = dir.tree("out").into_keys();
    let part_names = file_names.filter(|part| part.ends_with(".parquet"));
    let ids = part_names.flat_map(|part| texts(&parquet(&dir.path("out").join(part)), "id"));
    let mut ids: Vec<String> = ids.flatten().collect();
    ids.sort();
    ids
}

/// Regression test: a new input whose name is the first in alphabetical order moved all other inputs to other
/// shards, so that none of 20 parts was kept.
#[test]
fn a_new_input_does_not_move_other_inputs_to_another_shard() {
    let dir = TestDir::new();
    let mut names: Vec<String> = (10..30).map(|n| format!("a{n}.csv")).collect();
    for name in &names {
        input(&dir, name, 1);
    }
    let all_shards = |more: &[&str]| {
        for n in 0..8 {
            run_one_shard(&dir, &format!("{n}/8"), more);
        }
    };
    let modification_times = || {
        let tree = dir.tree("out").into_keys();
        let part_names = tree.filter(|name| name.ends_with(".parquet"));
        part_names
            .map(|name| {
                let path = dir.path("out").join(&name);
                (name, std::fs::metadata(path).unwrap().modified().unwrap())
            })
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    all_shards(&[]);
    assert_eq!(ids(&dir), names);
    let times_before = modification_times();
    input(&dir, "a0.csv", 2);
    all_shards(&[]);
    let times_after = modification_times();
    assert!(
        times_before
            .iter()
            .all(|(name, time)| times_after[name] == *time),
        "20 of 20 are kept"
    );
    assert_eq!(times_after.len(), 21);
    names.splice(..0, ["a0.csv".to_owned(), "a0.csv".to_owned()]);
    assert_eq!(ids(&dir), names);
    // The part of an input that no longer exists stays until a run with `--prune`.
    std::fs::remove_file(dir.path("raw/a0.csv")).unwrap();
    all_shards(&[]);
    assert_eq!(ids(&dir), names);
    all_shards(&["--prune"]);
    assert_eq!(ids(&dir), names[2..]);
}

/// Regression test: an input with a time before 1970 was never kept.
#[test]
fn an_input_from_before_1970_is_kept() {
    let dir = TestDir::new();
    input(&dir, "a.csv", 1);
    let file = File::options()
        .write(true)
        .open(dir.path("raw/a.csv"))
        .unwrap();
    let long_ago = std::time::UNIX_EPOCH - std::time::Duration::from_millis(1500);
    file.set_modified(long_ago).unwrap();
    let arguments = "convert raw -o out/ --resume";
    dir.succeed(arguments);
    let message = stderr(&dir.run(arguments));
    assert!(message.contains("1 kept from"), "{message}");
}

#[test]
fn row_groups_are_not_repeated_when_the_number_of_files_changes() {
    let dir = TestDir::new();
    input(&dir, "x.csv", 8);
    dir.succeed("convert raw/x.csv -o x.parquet");
    let rows = dir.parquet("x.parquet");
    std::fs::remove_file(dir.path("raw/x.csv")).unwrap();
    let file = File::create(dir.path("raw/x.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, rows.schema(), None).unwrap();
    for group in 0..4 {
        writer.write(&rows.slice(2 * group, 2)).unwrap();
        writer.flush().unwrap();
    }
    writer.close().unwrap();
    let eight_inputs = vec!["x.csv"; 8];

    run_one_shard(&dir, "0/2", &[]);
    assert_eq!(ids(&dir), eight_inputs[..4], "two of four row groups");
    run_one_shard(&dir, "1/2", &[]);
    assert_eq!(ids(&dir), eight_inputs);
    // There are now as many files as shards, so each file is processed as a whole.
    input(&dir, "y.csv", 1);
    input(&dir, "z.csv", 1);
    run_one_shard(&dir, "1/2", &[]);
    run_one_shard(&dir, "0/2", &[]);
    assert_eq!(ids(&dir), [&eight_inputs[..], &["y.csv", "z.csv"]].concat());
    for name in ["raw/y.csv", "raw/z.csv"] {
        std::fs::remove_file(dir.path(name)).unwrap();
    }
    run_one_shard(&dir, "1/2", &["--prune"]);
    run_one_shard(&dir, "0/2", &["--prune"]);
    assert_eq!(ids(&dir), eight_inputs);
}

#[test]
fn a_folder_cannot_have_parts_of_different_shard_counts() {
    let dir = TestDir::new();
    for name in ["a.csv", "b.csv", "c.csv"] {
        input(&dir, name, 1);
    }
    let arguments = ["convert", "raw", "-o", "out/"];
    let shard_of_two = ["--shard", "0/2"];
    dir.succeed(&[&arguments[..], &shard_of_two].concat());
    let tree_before = dir.tree("out");
    for (more, found, this) in [
        (&["--shard", "0/3"][..], "2 shards", "3 shards"),
        (&["--shard", "2/3", "--resume"], "2 shards", "3 shards"),
        (&["--shard", "1/3", "--overwrite"], "2 shards", "3 shards"),
        (&["--resume"], "2 shards", "without --shard"),
    ] {
        let message = dir.fail(&[&arguments[..], more].concat(), 4);
        assert!(
            message.contains(found) && message.contains(this),
            "{message}"
        );
        assert!(message.contains("--overwrite"), "{message}");
        assert!(dir.tree("out") == tree_before);
    }
    dir.fail(&arguments, 4);
    dir.fail(&[&arguments[..], &shard_of_two].concat(), 4);
    dir.succeed(&[&arguments[..], &["--shard", "1/2"]].concat());
    assert_eq!(ids(&dir), ["a.csv", "b.csv", "c.csv"]);
    // A run over all inputs may replace the folder. The new folder has no shards.
    dir.succeed(&[&arguments[..], &["--overwrite"]].concat());
    assert_eq!(ids(&dir), ["a.csv", "b.csv", "c.csv"]);
    for option in ["--resume", "--overwrite"] {
        let message = dir.fail(&[&arguments[..], &shard_of_two, &[option]].concat(), 4);
        assert!(message.contains("without --shard"), "{message}");
    }
    // A killed run with another number of shards is recognised by the name of its journal.
    std::fs::remove_dir_all(dir.path("out")).unwrap();
    std::fs::create_dir(dir.path("out")).unwrap();
    std::fs::create_dir(dir.path("out/.unfinished.0-of-2")).unwrap();
    dir.fail(&[&arguments[..], &["--shard", "0/4"]].concat(), 4);
}

/// If there are few Parquet files, shards divide their row groups. A damaged file is not divided.
#[test]
fn a_damaged_file_does_not_prevent_sharding_the_others_by_row_groups() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("puzzle\n{}", format!("{PUZZLE}\n").repeat(600)),
    );
    std::fs::create_dir(dir.path("raw")).unwrap();
    dir.succeed("convert in.csv -o raw/a.parquet");
    let bytes = dir.read("raw/a.parquet");
    dir.write("raw/b.parquet", &bytes[..bytes.len() / 2]);
    let run_shard = |shard: &str, more: &[&str]| {
        let arguments = format!("convert raw -o out/ --shard {shard}");
        dir.run((&arguments, more)).status.code()
    };
    assert_eq!(run_shard("0/4", &[]), Some(3));
    // The shard of the damaged file says so.
    let shards = ["0/4", "1/4", "2/4", "3/4"];
    let codes = shards.map(|shard| run_shard(shard, &["--keep-going", "--resume"]).unwrap());
    assert_eq!(codes.iter().sum::<i32>(), 5, "{codes:?}");
    let rows: usize = (parquet_below(&dir, "out").iter())
        .map(arrow::array::RecordBatch::num_rows)
        .sum();
    assert_eq!(rows, 600);
}
