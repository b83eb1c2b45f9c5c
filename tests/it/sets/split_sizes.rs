//! Tests `split`: numbers of rows, percentages, folds, strata, and the format of the parts.

use std::collections::BTreeMap;

use serde_json::Value;
use sudoku_core::random::Rng;

use crate::sets::duplicates::{csv, with_isomorphs};
use crate::util::{PUZZLE, TestDir, gzip, stderr};

/// The name of the part that contains each row. A row is identified by its last field.
fn parts_by_row(dir: &TestDir, folder: &str) -> BTreeMap<String, String> {
    let mut part_by_row = BTreeMap::new();
    for (file, bytes) in dir.tree(folder) {
        let Some(part) = file
            .strip_suffix(".csv")
            .filter(|part| !part.starts_with('_'))
        else {
            continue;
        };
        for line in String::from_utf8(bytes).unwrap().lines().skip(1) {
            let name = line.rsplit(',').next().unwrap().to_owned();
            assert!(
                part_by_row.insert(name, part.to_owned()).is_none(),
                "{line}"
            );
        }
    }
    part_by_row
}

fn sizes(parts: &BTreeMap<String, String>) -> BTreeMap<&str, usize> {
    let mut sizes = BTreeMap::new();
    for part in parts.values() {
        *sizes.entry(part.as_str()).or_default() += 1;
    }
    sizes
}

fn manifest(dir: &TestDir, folder: &str) -> Value {
    serde_json::from_slice(&dir.read(&format!("{folder}_manifest.json"))).unwrap()
}

#[test]
fn parts_have_the_requested_numbers_of_rows() {
    let dir = TestDir::new();
    let mut rows = with_isomorphs(&dir, "600", 0, 1);
    dir.write("in.csv", csv(&rows));
    let run_split = |input: &str, folder: &str, into: &str, options: &[&str]| {
        let split_arguments = ["split", input, "-o", folder, "--into", into, "--seed", "3"];
        dir.succeed(&[&split_arguments[..], options].concat());
        parts_by_row(&dir, folder)
    };
    let sizes_text = "train=rest,test=100,validation=37";
    let parts_by_one_thread = run_split("in.csv", "one/", sizes_text, &["--threads", "1"]);
    assert_eq!(
        sizes(&parts_by_one_thread),
        [("test", 100), ("train", 463), ("validation", 37)].into()
    );
    let manifest_json = manifest(&dir, "one/");
    assert_eq!(manifest_json["parts"][1]["rows"], 100);
    assert_eq!(manifest_json["parts"][1]["share"], 100.0 / 600.0);
    assert_eq!(manifest_json["classes"], 600);
    // The split must not depend on the order of the rows or on the number of threads.
    Rng::new(4).shuffle(&mut rows);
    dir.write("shuffled.csv", csv(&rows));
    assert_eq!(
        run_split("shuffled.csv", "two/", sizes_text, &["--threads", "2"]),
        parts_by_one_thread
    );
    // Percentages divide the rows that remain after the parts with a fixed number of rows.
    let parts_by_share = run_split("in.csv", "shares/", "a=75%,b=25%,c=100", &[]);
    assert_eq!(sizes(&parts_by_share)["c"], 100);
    assert!(
        (340..410).contains(&sizes(&parts_by_share)["a"]),
        "{:?}",
        sizes(&parts_by_share)
    );
    run_split("in.csv", "percent/", "a=80%,b=20%", &[]);
    run_split("in.csv", "fraction/", "a=0.8,b=0.2", &[]);
    assert_eq!(
        parts_by_row(&dir, "percent/"),
        parts_by_row(&dir, "fraction/")
    );

    let split_arguments = "split in.csv -o many/ --into a=rest,b=601";
    let message = dir.fail(split_arguments, 3);
    assert!(
        message.contains("parts of 601 rows together, but there are only 600"),
        "{message}"
    );
    assert!(!dir.exists("many"));
    let message = dir.fail("split in.csv -o no/ --into a=100,b=200", 2);
    assert!(message.contains("add one such as train=rest"), "{message}");
}

#[test]
fn a_class_is_never_divided_for_a_number_of_rows() {
    let dir = TestDir::new();
    let rows = with_isomorphs(&dir, "80", 6, 2);
    dir.write("in.csv", csv(&rows));
    for (folder, options) in [("plain/", &[][..]), ("strata/", &["--stratify", "kind"])] {
        let rows: Vec<String> = rows.iter().map(|row| format!("all,{row}")).collect();
        dir.write(
            "in.csv",
            format!("kind,puzzle,solution,name\n{}\n", rows.join("\n")),
        );
        let split_arguments = [
            "split",
            "in.csv",
            "-o",
            folder,
            "--into",
            "train=rest,test=100",
        ];
        dir.succeed(&[&split_arguments[..], options].concat());
        let part_by_row = parts_by_row(&dir, folder);
        for (name, part) in &part_by_row {
            assert_eq!(
                &part_by_row[name.split('c').next().unwrap()],
                part,
                "{name}"
            );
        }
        let test = sizes(&part_by_row)["test"];
        assert_eq!(test % 7, 0);
        assert!(
            test == 98 || folder == "strata/" && (70..=130).contains(&test),
            "{test}"
        );
    }
}

#[test]
fn folds_are_parts_of_the_same_size() {
    let dir = TestDir::new();
    dir.write("in.csv", csv(&with_isomorphs(&dir, "500", 1, 3)));
    dir.succeed("split in.csv -o folds/ --folds 5");
    let part_by_row = parts_by_row(&dir, "folds/");
    assert_eq!(part_by_row.len(), 1000);
    let sizes = sizes(&part_by_row);
    assert_eq!(
        sizes.keys().copied().collect::<Vec<_>>(),
        ["fold_1", "fold_2", "fold_3", "fold_4", "fold_5"]
    );
    assert!(
        sizes.values().all(|size| (140..260).contains(size)),
        "{sizes:?}"
    );
    for options in [
        &["--folds", "1"][..],
        &["--folds", "2", "--into", "a=1"],
        &[],
    ] {
        dir.fail(("split in.csv -o no/", options), 2);
    }
}

/// Rows with a column `level`. One row in a hundred has the rare level.
fn with_levels(dir: &TestDir, count: &str) -> Vec<String> {
    let rows = with_isomorphs(dir, count, 0, 7).into_iter().enumerate();
    rows.map(|(at, row)| {
        let level = match at % 100 {
            0 => "rare",
            1..40 => "hard",
            _ => "easy",
        };
        format!("{level},{row}")
    })
    .collect()
}

#[test]
fn strata_are_balanced_and_added_rows_do_not_move_earlier_ones() {
    let dir = TestDir::new();
    let rows = with_levels(&dir, "1500");
    let write = |file: &str, rows: &[String]| {
        dir.write(
            file,
            format!("level,puzzle,solution,name\n{}\n", rows.join("\n")),
        );
    };
    write("all.csv", &rows);
    write("first.csv", &rows[..900]);
    let run_split = |input: &str, folder: &str, options: &[&str]| {
        let split_arguments = [
            "split",
            input,
            "-o",
            folder,
            "--stratify",
            "level",
            "--seed",
            "9",
        ];
        dir.succeed(&[&split_arguments[..], options].concat());
        parts_by_row(&dir, folder)
    };
    let share_options = ["--into", "train=0.8,validation=0.1,test=0.1"];
    let parts_of_all = run_split("all.csv", "all/", &share_options);
    let manifest_json = manifest(&dir, "all/");
    for stratum in manifest_json["strata"].as_array().unwrap() {
        let rows = stratum["rows"].as_f64().unwrap();
        for (part, share) in [("train", 0.8), ("validation", 0.1), ("test", 0.1)] {
            let rows_in_part = stratum["parts"][part]["rows"].as_f64().unwrap();
            assert!((rows_in_part - share * rows).abs() < 3.0, "{stratum}");
        }
    }
    for (part, share) in [("train", 0.8), ("validation", 0.1), ("test", 0.1)] {
        let rows_in_part = sizes(&parts_of_all)[part] as f64;
        assert!(
            (rows_in_part - share * 1500.0).abs() < 4.0,
            "{part}: {rows_in_part}"
        );
    }
    assert!(manifest_json["largest_deviation"].as_f64().unwrap() < 0.2);
    let parts_of_first = run_split(
        "first.csv",
        "first/",
        &[&share_options[..], &["--threads", "1"]].concat(),
    );
    assert!(
        parts_of_first
            .iter()
            .all(|(name, part)| &parts_of_all[name] == part)
    );
    let message = stderr(
        &dir.run(
            &[
                &["split", "all.csv", "-o", "again/", "--stratify", "level"],
                &share_options[..],
            ]
            .concat(),
        ),
    );
    assert!(!message.contains("instead of"), "{message}");

    // Parts with a fixed number of rows are balanced, too.
    let parts_with_numbers = run_split("all.csv", "numbers/", &["--into", "train=rest,test=300"]);
    assert!(
        (297..=303).contains(&sizes(&parts_with_numbers)["test"]),
        "{:?}",
        sizes(&parts_with_numbers)
    );
    let rare_stratum = manifest(&dir, "numbers/")["strata"][2].clone();
    assert_eq!(rare_stratum["value"], "rare");
    assert!(
        (1..=5).contains(&rare_stratum["parts"]["test"]["rows"].as_u64().unwrap()),
        "{rare_stratum}"
    );
}

#[test]
fn a_stratum_whose_classes_are_large_is_named() {
    let dir = TestDir::new();
    // One of the levels has only two classes, with forty rows each.
    let mut rows: Vec<String> = with_isomorphs(&dir, "2", 39, 1)
        .iter()
        .map(|row| format!("odd,{row}"))
        .collect();
    rows.extend(
        with_isomorphs(&dir, "100", 0, 2)
            .iter()
            .map(|row| format!("even,x{row}").replace(",x", ",")),
    );
    dir.write(
        "in.csv",
        format!("level,puzzle,solution,name\n{}\n", rows.join("\n")),
    );
    let split_arguments = "split in.csv -o sets/ --into a=0.8,b=0.2 --stratify level";
    let message = stderr(&dir.run(split_arguments));
    assert!(
        message.contains("of the 80 rows of level=odd") && message.contains("instead of"),
        "{message}"
    );
}

#[test]
fn a_file_name_in_place_of_a_folder_is_refused() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    for output in ["x.parquet", "x.csv.gz", "sub/x.npy"] {
        let message = dir.fail(&format!("split in.txt -o {output} --into a=1"), 2);
        assert!(
            message.contains("is the name of a") && message.contains("as in sets/"),
            "{message}"
        );
    }
    assert_eq!(dir.files(), ["in.txt"]);
    // The name of a folder may have an extension.
    dir.succeed("split in.txt -o x.csv/ --into a=1");
    dir.succeed("split in.txt -o x.csv --into b=1 --overwrite");
}

#[test]
fn the_parts_have_the_format_of_the_inputs() {
    let dir = TestDir::new();
    let table = format!("puzzle,id\n{PUZZLE},1\n");
    dir.write("a.csv", &table);
    dir.write("b.csv.gz", gzip(table.as_bytes()));
    dir.write("c.tsv", table.replace(',', "\t"));
    dir.write("d.json", format!("[{{\"puzzle\": \"{PUZZLE}\"}}]"));
    dir.write("e.txt", format!("{PUZZLE}\n"));
    for out in ["f.parquet", "g.arrow", "h.npy"] {
        dir.succeed(&format!("convert a.csv -o {out}"));
    }
    for (inputs, options, expected) in [
        (&["a.csv"][..], &[][..], "a.csv"),
        (&["b.csv.gz"], &[], "a.csv.gz"),
        (&["a.csv", "b.csv.gz"], &[], "a.csv"),
        (&["c.tsv"], &[], "a.tsv"),
        (&["d.json"], &[], "a.ndjson"),
        (&["e.txt"], &[], "a.txt"),
        (&["f.parquet"], &[], "a.parquet"),
        (&["g.arrow"], &[], "a.arrow"),
        (&["h.npy"], &[], "a.npy"),
        (&["a.csv", "e.txt"], &[], "a.parquet"),
        (&["b.csv.gz"], &["--format", "csv"], "a.csv"),
        (&["a.csv"], &["--compression", "zstd"], "a.csv.zst"),
        (&["a.csv"], &["--format", "parquet"], "a.parquet"),
    ] {
        let split_arguments = [
            &["split"],
            inputs,
            &["-o", "sets/", "--into", "a=1", "--overwrite"],
            options,
        ]
        .concat();
        dir.succeed(&split_arguments);
        let files = dir
            .tree("sets")
            .into_keys()
            .filter(|file| !file.starts_with('_'));
        assert_eq!(
            files.collect::<Vec<_>>(),
            [expected],
            "{inputs:?} {options:?}"
        );
    }
    dir.fail("split f.parquet -o no/ --into a=1 --compression gzip", 2);
    // The names of the parts depend on the format. The command checks that no part would replace an input.
    std::fs::create_dir(dir.path("own")).unwrap();
    dir.write("own/train.csv", &table);
    let split_arguments = [
        "split",
        "own/train.csv",
        "-o",
        "own/",
        "--into",
        "train=1",
        "--overwrite",
    ];
    assert!(!dir.run(&split_arguments).status.success());
    assert_eq!(dir.read("own/train.csv"), table.as_bytes());
}
