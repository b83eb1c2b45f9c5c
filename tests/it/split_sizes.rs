//! Issue 27, `split`: numbers of rows, percentages, folds, strata, and the format of the parts.

use std::collections::BTreeMap;

use serde_json::Value;
use sudoku_core::random::Rng;

use crate::duplicates::{csv, with_isomorphs};
use crate::util::{PUZZLE, Place, gzip, stderr};

/// For each row, which is identified by its last field, the part that has it.
fn parts(place: &Place, folder: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (file, bytes) in place.tree(folder) {
        let Some(part) = file
            .strip_suffix(".csv")
            .filter(|part| !part.starts_with('_'))
        else {
            continue;
        };
        for line in String::from_utf8(bytes).unwrap().lines().skip(1) {
            let name = line.rsplit(',').next().unwrap().to_owned();
            assert!(found.insert(name, part.to_owned()).is_none(), "{line}");
        }
    }
    found
}

fn sizes(parts: &BTreeMap<String, String>) -> BTreeMap<&str, usize> {
    let mut sizes = BTreeMap::new();
    for part in parts.values() {
        *sizes.entry(part.as_str()).or_default() += 1;
    }
    sizes
}

fn manifest(place: &Place, folder: &str) -> Value {
    serde_json::from_slice(&place.read(&format!("{folder}_manifest.json"))).unwrap()
}

#[test]
fn parts_have_the_numbers_of_rows_that_are_asked_for() {
    let place = Place::new();
    let mut rows = with_isomorphs(&place, "600", 0, 1);
    place.write("in.csv", csv(&rows));
    let split = |input: &str, folder: &str, into: &str, options: &[&str]| {
        let run = ["split", input, "-o", folder, "--into", into, "--seed", "3"];
        place.succeed(&[&run[..], options].concat());
        parts(&place, folder)
    };
    let into = "train=rest,test=100,validation=37";
    let one = split("in.csv", "one/", into, &["--threads", "1"]);
    assert_eq!(
        sizes(&one),
        [("test", 100), ("train", 463), ("validation", 37)].into()
    );
    let found = manifest(&place, "one/");
    assert_eq!(found["parts"][1]["rows"], 100);
    assert_eq!(found["parts"][1]["share"], 100.0 / 600.0);
    assert_eq!(found["classes"], 600);
    // The split depends neither on the order of the rows nor on the number of threads.
    Rng::new(4).shuffle(&mut rows);
    place.write("shuffled.csv", csv(&rows));
    assert_eq!(
        split("shuffled.csv", "two/", into, &["--threads", "2"]),
        one
    );
    // A percentage refers to the rows that are not in parts with a fixed number of rows.
    let shares = split("in.csv", "shares/", "a=75%,b=25%,c=100", &[]);
    assert_eq!(sizes(&shares)["c"], 100);
    assert!(
        (340..410).contains(&sizes(&shares)["a"]),
        "{:?}",
        sizes(&shares)
    );
    split("in.csv", "percent/", "a=80%,b=20%", &[]);
    split("in.csv", "fraction/", "a=0.8,b=0.2", &[]);
    assert_eq!(parts(&place, "percent/"), parts(&place, "fraction/"));

    let run = "split in.csv -o many/ --into a=rest,b=601";
    let said = place.fail(run, 3);
    assert!(
        said.contains("parts of 601 rows together, but there are only 600"),
        "{said}"
    );
    assert!(!place.exists("many"));
    let said = place.fail("split in.csv -o no/ --into a=100,b=200", 2);
    assert!(said.contains("add one such as train=rest"), "{said}");
}

#[test]
fn a_class_is_never_divided_for_a_number_of_rows() {
    let place = Place::new();
    let rows = with_isomorphs(&place, "80", 6, 2);
    place.write("in.csv", csv(&rows));
    for (folder, options) in [("plain/", &[][..]), ("strata/", &["--stratify", "kind"])] {
        let rows: Vec<String> = rows.iter().map(|row| format!("all,{row}")).collect();
        place.write(
            "in.csv",
            format!("kind,puzzle,solution,name\n{}\n", rows.join("\n")),
        );
        let run = [
            "split",
            "in.csv",
            "-o",
            folder,
            "--into",
            "train=rest,test=100",
        ];
        place.succeed(&[&run[..], options].concat());
        let found = parts(&place, folder);
        for (name, part) in &found {
            assert_eq!(&found[name.split('c').next().unwrap()], part, "{name}");
        }
        let test = sizes(&found)["test"];
        assert_eq!(test % 7, 0);
        assert!(
            test == 98 || folder == "strata/" && (70..=130).contains(&test),
            "{test}"
        );
    }
}

#[test]
fn folds_are_parts_of_the_same_size() {
    let place = Place::new();
    place.write("in.csv", csv(&with_isomorphs(&place, "500", 1, 3)));
    place.succeed("split in.csv -o folds/ --folds 5");
    let found = parts(&place, "folds/");
    assert_eq!(found.len(), 1000);
    let sizes = sizes(&found);
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
        place.fail(("split in.csv -o no/", options), 2);
    }
}

/// Rows with a level, of which one in a hundred is rare.
fn with_levels(place: &Place, count: &str) -> Vec<String> {
    let rows = with_isomorphs(place, count, 0, 7).into_iter().enumerate();
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
fn strata_are_balanced_and_rows_added_later_move_none() {
    let place = Place::new();
    let rows = with_levels(&place, "1500");
    let write = |file: &str, rows: &[String]| {
        place.write(
            file,
            format!("level,puzzle,solution,name\n{}\n", rows.join("\n")),
        );
    };
    write("all.csv", &rows);
    write("first.csv", &rows[..900]);
    let split = |input: &str, folder: &str, options: &[&str]| {
        let run = [
            "split",
            input,
            "-o",
            folder,
            "--stratify",
            "level",
            "--seed",
            "9",
        ];
        place.succeed(&[&run[..], options].concat());
        parts(&place, folder)
    };
    let shares = ["--into", "train=0.8,validation=0.1,test=0.1"];
    let all = split("all.csv", "all/", &shares);
    let found = manifest(&place, "all/");
    for stratum in found["strata"].as_array().unwrap() {
        let rows = stratum["rows"].as_f64().unwrap();
        for (part, share) in [("train", 0.8), ("validation", 0.1), ("test", 0.1)] {
            let there = stratum["parts"][part]["rows"].as_f64().unwrap();
            assert!((there - share * rows).abs() < 3.0, "{stratum}");
        }
    }
    for (part, share) in [("train", 0.8), ("validation", 0.1), ("test", 0.1)] {
        let there = sizes(&all)[part] as f64;
        assert!((there - share * 1500.0).abs() < 4.0, "{part}: {there}");
    }
    assert!(found["largest_deviation"].as_f64().unwrap() < 0.2);
    let first = split(
        "first.csv",
        "first/",
        &[&shares[..], &["--threads", "1"]].concat(),
    );
    assert!(first.iter().all(|(name, part)| &all[name] == part));
    let said = stderr(
        &place.run(
            &[
                &["split", "all.csv", "-o", "again/", "--stratify", "level"],
                &shares[..],
            ]
            .concat(),
        ),
    );
    assert!(!said.contains("instead of"), "{said}");

    // Parts with a fixed number of rows are balanced, too.
    let numbers = split("all.csv", "numbers/", &["--into", "train=rest,test=300"]);
    assert!(
        (297..=303).contains(&sizes(&numbers)["test"]),
        "{:?}",
        sizes(&numbers)
    );
    let rare = manifest(&place, "numbers/")["strata"][2].clone();
    assert_eq!(rare["value"], "rare");
    assert!(
        (1..=5).contains(&rare["parts"]["test"]["rows"].as_u64().unwrap()),
        "{rare}"
    );
}

#[test]
fn a_stratum_whose_classes_are_large_is_named() {
    let place = Place::new();
    // Of one level, there are only two classes with forty rows each.
    let mut rows: Vec<String> = with_isomorphs(&place, "2", 39, 1)
        .iter()
        .map(|row| format!("odd,{row}"))
        .collect();
    rows.extend(
        with_isomorphs(&place, "100", 0, 2)
            .iter()
            .map(|row| format!("even,x{row}").replace(",x", ",")),
    );
    place.write(
        "in.csv",
        format!("level,puzzle,solution,name\n{}\n", rows.join("\n")),
    );
    let run = "split in.csv -o sets/ --into a=0.8,b=0.2 --stratify level";
    let said = stderr(&place.run(run));
    assert!(
        said.contains("of the 80 rows of level=odd") && said.contains("instead of"),
        "{said}"
    );
}

#[test]
fn a_file_for_a_folder_is_refused() {
    let place = Place::new();
    place.write("in.txt", PUZZLE);
    for output in ["x.parquet", "x.csv.gz", "sub/x.npy"] {
        let said = place.fail(&format!("split in.txt -o {output} --into a=1"), 2);
        assert!(
            said.contains("is the name of a") && said.contains("as in sets/"),
            "{said}"
        );
    }
    assert_eq!(place.files(), ["in.txt"]);
    // The name of a folder may have an extension.
    place.succeed("split in.txt -o x.csv/ --into a=1");
    place.succeed("split in.txt -o x.csv --into b=1 --overwrite");
}

#[test]
fn the_parts_have_the_format_of_the_inputs() {
    let place = Place::new();
    let table = format!("puzzle,id\n{PUZZLE},1\n");
    place.write("a.csv", &table);
    place.write("b.csv.gz", gzip(table.as_bytes()));
    place.write("c.tsv", table.replace(',', "\t"));
    place.write("d.json", format!("[{{\"puzzle\": \"{PUZZLE}\"}}]"));
    place.write("e.txt", format!("{PUZZLE}\n"));
    for out in ["f.parquet", "g.arrow", "h.npy"] {
        place.succeed(&format!("convert a.csv -o {out}"));
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
        let run = [
            &["split"],
            inputs,
            &["-o", "sets/", "--into", "a=1", "--overwrite"],
            options,
        ]
        .concat();
        place.succeed(&run);
        let files = place
            .tree("sets")
            .into_keys()
            .filter(|file| !file.starts_with('_'));
        assert_eq!(
            files.collect::<Vec<_>>(),
            [expected],
            "{inputs:?} {options:?}"
        );
    }
    place.fail("split f.parquet -o no/ --into a=1 --compression gzip", 2);
    // The names of the parts depend on the format, and are checked so that no input is replaced.
    std::fs::create_dir(place.path("own")).unwrap();
    place.write("own/train.csv", &table);
    let run = [
        "split",
        "own/train.csv",
        "-o",
        "own/",
        "--into",
        "train=1",
        "--overwrite",
    ];
    assert!(!place.run(&run).status.success());
    assert_eq!(place.read("own/train.csv"), table.as_bytes());
}
