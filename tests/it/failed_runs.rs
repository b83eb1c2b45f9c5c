//! The files and messages of runs that fail.

use serde_json::Value;

use crate::util::{PUZZLE, Place};

fn summary(place: &Place) -> Value {
    serde_json::from_slice(&place.read("s.json")).unwrap()
}

const TEXTS: [&str; 4] = ["--summary", "s.json", "--metrics", "m.prom"];

#[test]
fn every_night_has_its_summary_of_the_whole_folder() {
    let place = Place::new();
    std::fs::create_dir(place.path("raw")).unwrap();
    let nightly = [
        &[
            "grade",
            "raw",
            "-o",
            "graded/",
            "--resume",
            "--max-rejects",
            "3",
        ][..],
        &TEXTS,
    ]
    .concat();
    let rows = |name: &str| {
        let metrics = String::from_utf8(place.read("m.prom")).unwrap();
        let line = metrics.lines().find(|line| {
            let rest = line.strip_prefix("sudoku_pipeline_");
            rest.is_some_and(|rest| rest.starts_with(&format!("{name}{{")))
        });
        line.unwrap()
            .rsplit_once(' ')
            .unwrap()
            .1
            .parse::<u64>()
            .unwrap()
    };
    for night in 1..=3 {
        place.write(
            &format!("raw/{night}.txt"),
            format!("{PUZZLE}\nbad\n{PUZZLE}\n"),
        );
        place.succeed(&nightly);
        let summary = summary(&place);
        assert_eq!(summary["rows_in"], 3 * night);
        assert_eq!(summary["rejected"], night);
        assert_eq!(summary["rows_kept"], 3 * night - 3);
        assert_eq!(summary["inputs_kept"], night - 1);
        assert_eq!(
            (rows("rows_in"), rows("rows_kept")),
            (3 * night, 3 * night - 3)
        );
        let reported = [
            &summary["exit_code"],
            &summary["error"],
            &summary["complete"],
        ];
        assert_eq!(
            reported,
            [&Value::from(0), &Value::Null, &Value::from(true)]
        );
    }
    // The fourth input has one reject more than the limit allows.
    place.write("raw/4.txt", format!("{PUZZLE}\nworse\n"));
    let said = place.fail(&nightly, 3);
    let summary = summary(&place);
    assert_eq!(summary["exit_code"], 3);
    assert_eq!(summary["complete"], false);
    assert_eq!(summary["rejected"], 4);
    assert!(said.contains(summary["error"].as_str().unwrap()), "{said}");
    assert_eq!(summary["rejects_output"], "graded.rejects");
    // The folder is still that of the third night.
    assert!(place.exists("graded/_SUCCESS"));
}

#[test]
fn a_summary_is_written_after_any_failure_and_replaces_nothing_else() {
    let place = Place::new();
    place.write("in.txt", format!("{PUZZLE}\n"));
    place.write("cut.csv.gz", &crate::util::gzip(b"puzzle\n")[..12]);
    let run = |input| [&["convert", input, "-o", "out.csv"][..], &TEXTS[..2]].concat();
    for (input, code, error) in [
        ("cut.csv.gz", 3, "cut.csv.gz: "),
        ("none.csv", 2, "none.csv"),
    ] {
        place.fail(&run(input), code);
        let summary = summary(&place);
        assert_eq!(summary["exit_code"], code);
        assert_eq!(summary["rows_in"], 0);
        assert_eq!(summary["output"], Value::Null);
        assert!(
            summary["error"].as_str().unwrap().contains(error),
            "{summary}"
        );
    }
    place.succeed(&run("in.txt"));
    assert_eq!(summary(&place)["output"], "out.csv");
    place.fail(&run("in.txt"), 4);
    assert_eq!(summary(&place)["exit_code"], 4);

    place.write("s.json", "{\"mine\":1}");
    place.fail(&run("in.txt"), 4);
    assert_eq!(place.read("s.json"), b"{\"mine\":1}");
    place.succeed(&[&run("in.txt")[..], &["--overwrite"]].concat());
    assert_eq!(summary(&place)["rows_out"], 1);
    // A failed validation also has counts in the summary.
    place.write("bad.txt", format!("{PUZZLE}\nshort\n"));
    place.fail(&[&["validate", "bad.txt"][..], &TEXTS[..2]].concat(), 3);
    assert_eq!(summary(&place)["complete"], true);
    assert_eq!(summary(&place)["rejected"], 1);
}

#[test]
fn too_many_rejects_are_kept_and_the_output_is_not_there() {
    let place = Place::new();
    place.write("in.csv", format!("puzzle\n{PUZZLE}\nbad\nworse\n"));
    for limit in ["0", "10%"] {
        let run = format!("convert in.csv -o out.csv --max-rejects {limit} --overwrite");
        let said = place.fail(&run, 3);
        assert!(said.contains("they are in out.rejects.csv"), "{said}");
        let rejects = String::from_utf8(place.read("out.rejects.csv")).unwrap();
        assert!(rejects.contains("wrong_length"), "{rejects}");
        assert!(!place.exists("out.csv"));
    }
    // The kept rejects do not block the next run.
    place.succeed("convert in.csv -o out.csv");
    std::fs::remove_file(place.path("out.csv")).unwrap();
    // If the rejects are not written to a table, the message says how to get one.
    let run = [
        "convert",
        "in.csv",
        "-o",
        "-",
        "--format",
        "csv",
        "--max-rejects=0",
    ];
    let said = place.fail(&run, 3);
    assert!(said.contains("give --rejects FILE"), "{said}");
    assert_eq!(place.files(), ["in.csv", "out.rejects.csv"]);
}

#[test]
fn too_many_rejects_of_a_folder_are_kept_and_block_nothing() {
    let place = Place::new();
    place.write("in.csv", format!("puzzle\n{PUZZLE}\nbad\nworse\n"));
    let run = ["convert", "in.csv", "-o", "out/", "--max-rejects"];
    let said = place.fail(&[&run[..], &["1"]].concat(), 3);
    assert!(said.contains("they are in out.rejects"), "{said}");
    let left: Vec<_> = place.tree("out.rejects").into_keys().collect();
    assert!(
        left.len() == 2 && left[1].starts_with("part-in-"),
        "{left:?}"
    );
    assert!(!place.exists("out"));
    place.succeed(&[&run[..], &["2"]].concat());
    let whole = place.tree("out");
    // The folder that would have been replaced is unchanged, and so are its rejects.
    let again = [&run[..], &["1", "--overwrite"]].concat();
    for _ in 0..2 {
        let said = place.fail(&again, 3);
        assert!(said.contains("they are in out.rejects"), "{said}");
        assert!(place.tree("out") == whole);
        assert_eq!(place.tree("out.rejects").len(), 2);
        assert_eq!(place.files(), ["in.csv", "out", "out.rejects"]);
    }
}

#[test]
fn a_run_that_fails_before_its_first_part_leaves_nothing_in_the_way() {
    let place = Place::new();
    let long = "x".repeat(300);
    place.write("a.csv", format!("puzzle,name\n{PUZZLE},short\n"));
    place.write("b.csv", format!("puzzle,name\n{PUZZLE},{long}\n"));
    // The first input is complete when the second one fails. It is not kept, because these options can
    // never succeed.
    let wrong = "convert a.csv b.csv -o out/ --partition-by name";
    let said = place.fail(wrong, 3);
    assert!(said.contains("too long for the name of a folder"), "{said}");
    assert!(!place.exists("out"));
    place.succeed("grade a.csv b.csv -o out/ --partition-by level");
    std::fs::remove_dir_all(place.path("out")).unwrap();
    // The input is damaged.
    let whole = crate::util::gzip(format!("puzzle\n{PUZZLE}\n").as_bytes());
    place.write("cut.csv.gz", &whole[..whole.len() - 8]);
    std::fs::create_dir(place.path("out")).unwrap();
    place.fail("convert cut.csv.gz -o out/", 3);
    assert!(place.exists("out") && place.tree("out").is_empty());
    place.succeed("convert a.csv -o out/");
}
