//! Tests `split`, whose parts have no puzzles in common, and `overlap`, which finds common puzzles.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;
use sudoku_core::board::{Grid, Isomorph};
use sudoku_core::random::Rng;

use crate::sets::duplicates::{csv, min_lex_form, with_isomorphs};
use crate::util::{PUZZLE, TestDir, numbers, texts};

const PART_SIZES: &str = "train=0.8,validation=0.1,test=0.1";

fn manifest(dir: &TestDir, folder: &str) -> Value {
    serde_json::from_slice(&dir.read(&format!("{folder}/_manifest.json"))).unwrap()
}

/// The name of the part that contains each row.
fn parts_by_row(dir: &TestDir, folder: &str) -> BTreeMap<String, &'static str> {
    let mut part_by_row = BTreeMap::new();
    for part in ["train", "validation", "test"] {
        let table = dir.parquet(&format!("{folder}/{part}.parquet"));
        for name in texts(&table, "name").into_iter().flatten() {
            assert!(part_by_row.insert(name, part).is_none());
        }
    }
    part_by_row
}

#[test]
fn a_class_is_in_one_part_whatever_the_other_rows_and_their_order() {
    let dir = TestDir::new();
    let mut rows = with_isomorphs(&dir, "400", 2, 3);
    dir.write("in.csv", csv(&rows));
    let run_split = |input: &str, folder: &str, options: &[&str]| {
        let arguments = [
            "split", input, "-o", folder, "--into", PART_SIZES, "--seed", "5",
        ];
        dir.succeed(&[&arguments[..], &["--format", "parquet"], options].concat());
        parts_by_row(&dir, folder)
    };
    let parts_by_one_thread = run_split("in.csv", "one/", &["--threads", "1"]);
    assert_eq!(parts_by_one_thread.len(), 1200);
    // All isomorphs of a puzzle are in the same part.
    for (name, part) in &parts_by_one_thread {
        let puzzle = name.split('c').next().unwrap();
        assert_eq!(&parts_by_one_thread[puzzle], part, "{name}");
    }
    let manifest_json = manifest(&dir, "one");
    assert_eq!(
        (&manifest_json["rows"], &manifest_json["classes"]),
        (&1200.into(), &400.into())
    );
    let counts: Vec<u64> = (manifest_json["parts"].as_array().unwrap().iter())
        .map(|part| part["classes"].as_u64().unwrap())
        .collect();
    assert_eq!(counts.iter().sum::<u64>(), 400);
    assert!((280..360).contains(&counts[0]), "{counts:?}");
    assert!(counts[1] > 15 && counts[2] > 15, "{counts:?}");
    assert!(dir.exists("one/_SUCCESS"));

    let parts_by_two_threads = run_split("in.csv", "two/", &["--threads", "2"]);
    assert_eq!(parts_by_two_threads, parts_by_one_thread);
    assert!(dir.tree("one") == dir.tree("two"));
    Rng::new(8).shuffle(&mut rows);
    dir.write("shuffled.csv", csv(&rows));
    assert_eq!(
        run_split("shuffled.csv", "shuffled/", &[]),
        parts_by_one_thread
    );
    // After rows were added, each old row is still in the same part.
    let more_rows = with_isomorphs(&dir, "440", 2, 4);
    let more_rows = more_rows.iter().map(|row| row.replace(",p", ",q"));
    rows.extend(more_rows);
    Rng::new(9).shuffle(&mut rows);
    dir.write("more.csv", csv(&rows));
    let more_rows = run_split("more.csv", "more/", &[]);
    assert!(
        parts_by_one_thread
            .iter()
            .all(|(name, part)| &more_rows[name] == part)
    );
    // Another seed must give another split.
    let arguments = [
        "split", "in.csv", "-o", "other/", "--into", PART_SIZES, "--seed", "6",
    ];
    dir.succeed(&[&arguments[..], &["--format", "parquet"]].concat());
    assert_ne!(parts_by_row(&dir, "other"), parts_by_one_thread);

    for (a, b) in [
        ("train", "test"),
        ("train", "validation"),
        ("validation", "test"),
    ] {
        let [a, b] = [a, b].map(|part| format!("one/{part}.parquet"));
        let summary = dir.summary(&format!("overlap {a} {b} --max 0"));
        assert_eq!(summary["twins"], 0, "{a} {b}");
    }
}

#[test]
fn each_stratum_is_divided_by_the_requested_shares() {
    let dir = TestDir::new();
    let rows: Vec<String> = with_isomorphs(&dir, "2000", 0, 1)
        .iter()
        .enumerate()
        .map(|(at, row)| format!("{row},{}", ["easy", "hard"][at % 2]))
        .collect();
    dir.write(
        "in.csv",
        format!("puzzle,solution,name,level\n{}\n", rows.join("\n")),
    );
    let options = format!("split in.csv -o sets --into {PART_SIZES} --stratify level");
    dir.succeed(&options);
    let manifest_json = manifest(&dir, "sets");
    let strata = manifest_json["strata"].as_array().unwrap();
    assert_eq!(strata.len(), 2);
    for stratum in strata {
        assert_eq!(stratum["rows"], 1000);
        let share = stratum["parts"]["train"]["share"].as_f64().unwrap();
        assert!((share - 0.8).abs() < 0.005, "{stratum}");
    }
    assert!(manifest_json["largest_deviation"].as_f64().unwrap() < 0.005);
    let message = dir.fail("split in.csv -o x/ --into a=1 --stratify nothing", 2);
    assert!(
        message.contains("nothing") && message.contains("level"),
        "{message}"
    );
    assert!(!dir.exists("x"));
}

#[test]
fn a_split_is_replaced_as_a_whole() {
    let dir = TestDir::new();
    dir.write("in.csv", csv(&with_isomorphs(&dir, "60", 0, 1)));
    dir.succeed("split in.csv -o sets/ --into train=0.5,dev=0.5");
    let second_split = "split in.csv -o sets/ --into train=0.5,test=0.5";
    dir.fail(second_split, 4);
    assert!(dir.exists("sets/dev.csv"));
    dir.succeed(&format!("{second_split} --overwrite"));
    let files: Vec<String> = dir.tree("sets").into_keys().collect();
    assert_eq!(
        files,
        ["_SUCCESS", "_manifest.json", "test.csv", "train.csv"]
    );
    // Parts in another format, with the rejects inside the folder.
    dir.write("bad.txt", format!("{PUZZLE}\nnonsense\n"));
    let split_command = "split bad.txt -o lines/ --into all=1 --format lines";
    dir.succeed(&format!("{split_command} --compression gzip"));
    assert!(dir.exists("lines/all.txt.gz") && dir.exists("lines/_rejects.csv"));
}

#[test]
fn invalid_shares_are_refused() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    for into in [
        "",
        "a",
        "a=0.5",
        "a=0.5,a=0.5",
        "a=0,b=1",
        "a=0.5,b=0.6",
        "../a=1",
        "_a=1",
        "a=x",
    ] {
        dir.fail(&format!("split in.txt -o out/ --into {into}"), 2);
    }
    dir.fail("split in.txt -o out/", 2);
    assert_eq!(dir.files(), ["in.txt"]);
}

/// Tests `overlap` on invented rows with the columns of a published dataset.
#[test]
fn overlap_finds_exactly_the_planted_pairs() {
    let dir = TestDir::new();
    let rows = with_isomorphs(&dir, "600", 0, 1);
    let mut rng = Rng::new(17);
    let row = |row: &str| {
        let fields: Vec<&str> = row.split(',').collect();
        format!("made,{},{},0", fields[0].replace('0', "."), fields[1])
    };
    let (train, test) = rows.split_at(450);
    let mut test: Vec<String> = test.to_vec();
    let mut planted_pairs = HashSet::new();
    for (at, old) in train.iter().enumerate().step_by(9) {
        let isomorph = Isomorph::random(&mut rng);
        let grids: Vec<Grid> = (old.split(',').take(2))
            .map(|grid| isomorph.apply(&grid.parse().unwrap()))
            .collect();
        planted_pairs.insert((grids[0].to_string(), at as u64));
        test.push(format!("{},{},x", grids[0], grids[1]));
    }
    rng.shuffle(&mut test);
    let file = |rows: &[String]| {
        let rows: Vec<_> = rows.iter().map(|old| row(old)).collect();
        format!("source,question,answer,rating\n{}\n", rows.join("\n"))
    };
    dir.write("train.csv", file(train));
    dir.write("test.csv", file(&test));
    let summary = dir.summary("overlap train.csv test.csv -o pairs.parquet");
    assert_eq!(summary["twins"], planted_pairs.len());
    assert_eq!(
        (&summary["rows_of_a"], &summary["rows_of_b"]),
        (&450.into(), &200.into())
    );
    let pairs = dir.parquet("pairs.parquet");
    let twin_rows = numbers(&pairs, "twin_row");
    let found_pairs: HashSet<_> = (texts(&pairs, "puzzle").into_iter().zip(twin_rows))
        .map(|(puzzle, row)| (puzzle.unwrap(), row.unwrap()))
        .collect();
    assert_eq!(found_pairs, planted_pairs);
    for (puzzle, row) in texts(&pairs, "puzzle").iter().zip(numbers(&pairs, "row")) {
        let row = &test[row.unwrap() as usize];
        assert_eq!(puzzle.as_deref(), Some(&row[..81]));
    }
    assert_eq!(min_lex_form(&train[0][..81]), min_lex_form(&train[0][..81]));
    // The limit of `--max` is the number of rows that have a row of the same class in the other dataset. With more such
    // rows, the command fails.
    dir.succeed("overlap train.csv test.csv --max 50");
    dir.succeed("overlap train.csv test.csv --max 25%");
    let message = dir.fail("overlap train.csv test.csv --max 24.9% -o p.csv", 3);
    assert!(message.contains("50 of 200 rows of B"), "{message}");
    assert!(dir.exists("p.csv"), "the pairs tell why");
    dir.fail("overlap train.csv test.csv --max 49", 3);
    // The notations of the puzzles differ, so no rows are exact duplicates.
    let summary = dir.summary("overlap train.csv test.csv --by exact");
    assert_eq!(summary["twins"], 0);
}

#[test]
fn overlap_takes_two_datasets() {
    let dir = TestDir::new();
    dir.write("a.txt", PUZZLE);
    dir.write("b.txt", PUZZLE);
    dir.fail("overlap a.txt", 2);
    dir.fail("overlap a.txt b.txt a.txt", 2);
    dir.fail("overlap a.txt b.txt -o p.txt", 2);
    dir.fail("overlap a.txt b.txt --shard 0/2", 2);
    let text = dir.succeed("overlap a.txt b.txt -o - --format csv");
    assert_eq!(
        text,
        format!("source,row,puzzle,twin_source,twin_row\nb.txt,0,{PUZZLE},a.txt,0\n")
    );
}
