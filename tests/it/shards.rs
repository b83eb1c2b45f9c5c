//! Shards of one job that write to the same folder.

use std::fs::File;

use parquet::arrow::ArrowWriter;

use crate::util::{PUZZLE, Place, parquet, parquet_below, stderr, texts};

/// Writes an input with this number of rows and this id.
fn input(place: &Place, name: &str, rows: usize) {
    let rows: String = (0..rows).map(|_| format!("{PUZZLE},{name}\n")).collect();
    std::fs::create_dir_all(place.path("raw")).unwrap();
    place.write(&format!("raw/{name}"), format!("puzzle,id\n{rows}"));
}

fn shard(place: &Place, shard: &str, more: &[&str]) {
    let arguments = format!("convert raw -o out/ --shard {shard} --resume");
    place.succeed((&arguments, more));
}

/// The ids of all rows in the folder.
fn ids(place: &Place) -> Vec<String> {
    let parts = place.tree("out").into_keys();
    let parts = parts.filter(|part| part.ends_with(".parquet"));
    let ids = parts.flat_map(|part| texts(&parquet(&place.path("out").join(part)), "id"));
    let mut ids: Vec<String> = ids.flatten().collect();
    ids.sort();
    ids
}

/// Regression test: a new input whose name sorted first moved all others to other shards, so that none of 20
/// parts was kept.
#[test]
fn a_new_input_moves_no_other_to_another_shard() {
    let place = Place::new();
    let mut names: Vec<String> = (10..30).map(|n| format!("a{n}.csv")).collect();
    for name in &names {
        input(&place, name, 1);
    }
    let all_shards = |more: &[&str]| {
        for n in 0..8 {
            shard(&place, &format!("{n}/8"), more);
        }
    };
    let times = || {
        let tree = place.tree("out").into_keys();
        let parts = tree.filter(|name| name.ends_with(".parquet"));
        parts
            .map(|name| {
                let path = place.path("out").join(&name);
                (name, std::fs::metadata(path).unwrap().modified().unwrap())
            })
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    all_shards(&[]);
    assert_eq!(ids(&place), names);
    let before = times();
    input(&place, "a0.csv", 2);
    all_shards(&[]);
    let after = times();
    assert!(
        before.iter().all(|(name, time)| after[name] == *time),
        "20 of 20 are kept"
    );
    assert_eq!(after.len(), 21);
    names.splice(..0, ["a0.csv".to_owned(), "a0.csv".to_owned()]);
    assert_eq!(ids(&place), names);
    // The part of an input that is gone stays until `--prune`.
    std::fs::remove_file(place.path("raw/a0.csv")).unwrap();
    all_shards(&[]);
    assert_eq!(ids(&place), names);
    all_shards(&["--prune"]);
    assert_eq!(ids(&place), names[2..]);
}

/// Regression test: an input with a time before 1970 was never kept.
#[test]
fn an_input_from_before_1970_is_kept() {
    let place = Place::new();
    input(&place, "a.csv", 1);
    let file = File::options()
        .write(true)
        .open(place.path("raw/a.csv"))
        .unwrap();
    let long_ago = std::time::UNIX_EPOCH - std::time::Duration::from_millis(1500);
    file.set_modified(long_ago).unwrap();
    let run = "convert raw -o out/ --resume";
    place.succeed(run);
    let said = stderr(&place.run(run));
    assert!(said.contains("1 of them kept"), "{said}");
}

#[test]
fn row_groups_that_become_files_and_back_are_there_once() {
    let place = Place::new();
    input(&place, "x.csv", 8);
    place.succeed("convert raw/x.csv -o x.parquet");
    let rows = place.parquet("x.parquet");
    std::fs::remove_file(place.path("raw/x.csv")).unwrap();
    let file = File::create(place.path("raw/x.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, rows.schema(), None).unwrap();
    for group in 0..4 {
        writer.write(&rows.slice(2 * group, 2)).unwrap();
        writer.flush().unwrap();
    }
    writer.close().unwrap();
    let eight = vec!["x.csv"; 8];

    shard(&place, "0/2", &[]);
    assert_eq!(ids(&place), eight[..4], "two of four row groups");
    shard(&place, "1/2", &[]);
    assert_eq!(ids(&place), eight);
    // Now there are as many files as shards, and each is processed as a whole.
    input(&place, "y.csv", 1);
    input(&place, "z.csv", 1);
    shard(&place, "1/2", &[]);
    shard(&place, "0/2", &[]);
    assert_eq!(ids(&place), [&eight[..], &["y.csv", "z.csv"]].concat());
    for name in ["raw/y.csv", "raw/z.csv"] {
        std::fs::remove_file(place.path(name)).unwrap();
    }
    shard(&place, "1/2", &["--prune"]);
    shard(&place, "0/2", &["--prune"]);
    assert_eq!(ids(&place), eight);
}

#[test]
fn a_folder_has_the_parts_of_one_number_of_shards() {
    let place = Place::new();
    for name in ["a.csv", "b.csv", "c.csv"] {
        input(&place, name, 1);
    }
    let run = ["convert", "raw", "-o", "out/"];
    let of_two = ["--shard", "0/2"];
    place.succeed(&[&run[..], &of_two].concat());
    let before = place.tree("out");
    for (more, found, this) in [
        (&["--shard", "0/3"][..], "2 shards", "3 shards"),
        (&["--shard", "2/3", "--resume"], "2 shards", "3 shards"),
        (&["--shard", "1/3", "--overwrite"], "2 shards", "3 shards"),
        (&["--resume"], "2 shards", "without --shard"),
    ] {
        let said = place.fail(&[&run[..], more].concat(), 4);
        assert!(said.contains(found) && said.contains(this), "{said}");
        assert!(said.contains("--overwrite"), "{said}");
        assert!(place.tree("out") == before);
    }
    place.fail(&run, 4);
    place.fail(&[&run[..], &of_two].concat(), 4);
    place.succeed(&[&run[..], &["--shard", "1/2"]].concat());
    assert_eq!(ids(&place), ["a.csv", "b.csv", "c.csv"]);
    // A run over all inputs may replace it, and the folder then has no shards.
    place.succeed(&[&run[..], &["--overwrite"]].concat());
    assert_eq!(ids(&place), ["a.csv", "b.csv", "c.csv"]);
    for option in ["--resume", "--overwrite"] {
        let said = place.fail(&[&run[..], &of_two, &[option]].concat(), 4);
        assert!(said.contains("without --shard"), "{said}");
    }
    // A killed run with another number of shards is recognised by its journal.
    std::fs::remove_dir_all(place.path("out")).unwrap();
    std::fs::create_dir(place.path("out")).unwrap();
    std::fs::create_dir(place.path("out/.unfinished.0-of-2")).unwrap();
    place.fail(&[&run[..], &["--shard", "0/4"]].concat(), 4);
}

/// If there are few Parquet files, shards divide their row groups. A damaged file is not divided.
#[test]
fn a_damaged_file_leaves_the_others_to_all_shards() {
    let place = Place::new();
    place.write(
        "in.csv",
        format!("puzzle\n{}", format!("{PUZZLE}\n").repeat(600)),
    );
    std::fs::create_dir(place.path("raw")).unwrap();
    place.succeed("convert in.csv -o raw/a.parquet");
    let bytes = place.read("raw/a.parquet");
    place.write("raw/b.parquet", &bytes[..bytes.len() / 2]);
    let run = |shard: &str, more: &[&str]| {
        let arguments = format!("convert raw -o out/ --shard {shard}");
        place.run((&arguments, more)).status.code()
    };
    assert_eq!(run("0/4", &[]), Some(3));
    for shard in ["0/4", "1/4", "2/4", "3/4"] {
        assert_eq!(
            run(shard, &["--keep-going", "--resume"]),
            Some(0),
            "{shard}"
        );
    }
    let rows: usize = (parquet_below(&place, "out").iter())
        .map(arrow::array::RecordBatch::num_rows)
        .sum();
    assert_eq!(rows, 600);
}
