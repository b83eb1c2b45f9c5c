//! Tests `audit`: it finds all planted faults, removes the rows with faults, and states the reasons.

use arrow::array::{Array, AsArray};
use serde_json::Value;
use sudoku_core::board::{Grid, Isomorph};
use sudoku_core::random::Rng;

use crate::util::{PUZZLE, SOLUTION, TestDir, generated};

/// Two datasets with planted faults: a training set and a test set.
struct Planted {
    dir: TestDir,
}

/// The number of rows without a fault in the training set.
const CLEAN_ROWS: usize = 40;

fn grid(text: &str) -> Grid {
    text.parse().unwrap()
}

/// A random isomorph of a puzzle and of its solution.
fn isomorph(puzzle: &str, solution: &str, rng: &mut Rng) -> (String, String) {
    let isomorph = Isomorph::random(rng);
    let apply_isomorph = |text: &str| isomorph.apply(&grid(text)).to_string();
    (apply_isomorph(puzzle), apply_isomorph(solution))
}

/// The puzzle with three more clues, which has the same solution.
fn easier(puzzle: &str, solution: &str) -> String {
    let mut extended = puzzle.to_owned();
    for _ in 0..3 {
        let empty_index = extended.find('.').unwrap();
        extended.replace_range(
            empty_index..=empty_index,
            &solution[empty_index..=empty_index],
        );
    }
    extended
}

impl Planted {
    /// train.csv: 40 clean rows, 4 copies and 3 isomorphs of them; 5 puzzles of the test set, 4 isomorphs of
    /// its puzzles, 3 puzzles with the same solution as one of its puzzles, and 2 whose solution is an
    /// isomorph of one; 6 puzzles with several solutions, 2 without a solution, 3 with a wrong solution, and
    /// 2 records that are not puzzles. test.csv: 20 clean rows, 1 copy, 1 with several solutions.
    fn new() -> Planted {
        let dir = TestDir::new();
        let mut rng = Rng::new(30);
        let puzzles = generated(&dir, "60");
        let (train, test) = puzzles.split_at(CLEAN_ROWS);
        let mut rows: Vec<(String, String, &str)> = Vec::new();
        for (puzzle, solution) in train {
            rows.push((puzzle.clone(), solution.clone(), "clean"));
        }
        for (puzzle, solution) in &train[..4] {
            rows.push((puzzle.clone(), solution.clone(), "copy"));
        }
        for (puzzle, solution) in &train[4..7] {
            let (puzzle, solution) = isomorph(puzzle, solution, &mut rng);
            rows.push((puzzle, solution, "isomorph"));
        }
        for (puzzle, solution) in &test[..5] {
            rows.push((puzzle.clone(), solution.clone(), "shared copy"));
        }
        for (puzzle, solution) in &test[5..9] {
            let (puzzle, solution) = isomorph(puzzle, solution, &mut rng);
            rows.push((puzzle, solution, "shared isomorph"));
        }
        for (puzzle, solution) in &test[9..12] {
            rows.push((
                easier(puzzle, solution),
                solution.clone(),
                "shared solution",
            ));
        }
        for (puzzle, solution) in &test[12..14] {
            let (puzzle, solution) = isomorph(&easier(puzzle, solution), solution, &mut rng);
            rows.push((puzzle, solution, "shared grid"));
        }
        for at in 0..6 {
            let several_solutions = format!("{}12{}", ".".repeat(at), ".".repeat(79 - at));
            rows.push((several_solutions, SOLUTION.to_owned(), "multiple"));
        }
        let no_solution =
            ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
        let other_isomorph = Isomorph::random(&mut rng)
            .apply(&grid(no_solution))
            .to_string();
        for none in [no_solution, &other_isomorph] {
            rows.push((none.to_owned(), SOLUTION.to_owned(), "none"));
        }
        // These rows do not share their puzzles with other rows, so a wrong solution is their only fault.
        for (puzzle, solution) in generated(&dir, "63").into_iter().skip(60) {
            let wrong_solution = solution.replacen(&solution[..1], &solution[1..2], 1);
            rows.push((puzzle, wrong_solution, "wrong_solution"));
        }
        rows.push(("12".to_owned(), SOLUTION.to_owned(), "rejected"));
        rows.push((
            format!("55{}", &PUZZLE[2..]),
            SOLUTION.to_owned(),
            "rejected",
        ));
        // Shuffles the rows with faults among the others, but keeps the first row of each class before its copies.
        rows[CLEAN_ROWS..]
            .sort_by_key(|(puzzle, ..)| puzzle.bytes().map(u64::from).sum::<u64>() % 7);
        let csv_text = |rows: &[(String, String, &str)]| {
            let lines = rows.iter();
            let lines =
                lines.map(|(puzzle, solution, kind)| format!("{puzzle},{solution},{kind}\n"));
            format!("quiz,answer,kind\n{}", lines.collect::<String>())
        };
        dir.write("train.csv", csv_text(&rows));
        let mut tests: Vec<_> = (test.iter())
            .map(|(puzzle, solution)| (puzzle.clone(), solution.clone(), "clean"))
            .collect();
        tests.push((test[19].0.clone(), test[19].1.clone(), "copy"));
        tests.push((
            format!("1{}2", ".".repeat(79)),
            SOLUTION.to_owned(),
            "multiple",
        ));
        dir.write("test.csv", csv_text(&tests));
        Planted { dir }
    }

    /// The distinct values of the column `kind` in a set that `audit` has cleaned.
    fn kinds_of_rows(&self, file: &str) -> Vec<String> {
        let text = String::from_utf8(self.dir.read(file)).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("quiz,answer,kind"));
        let mut kinds: Vec<String> = lines
            .map(|line| line.rsplit(',').next().unwrap().to_owned())
            .collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }
}

fn get_numbers(object: &Value, keys: &[&str]) -> Vec<u64> {
    let get_number = |key: &&str| {
        object[*key]
            .as_u64()
            .unwrap_or_else(|| panic!("{key}: {object}"))
    };
    keys.iter().map(get_number).collect()
}

const REASONS: [&str; 6] = [
    "none",
    "multiple",
    "gave_up",
    "wrong_solution",
    "duplicate",
    "shared",
];
const CLASSES: [&str; 4] = ["exact", "isomorph", "solution", "grid"];

#[test]
fn an_audit_finds_the_planted_duplicates_and_errors() {
    let planted_errors = Planted::new();
    let dir = &planted_errors.dir;
    let summary = dir.summary("audit train.csv test.csv -o audit/");
    let [train, test] = [&summary["audit"]["sets"][0], &summary["audit"]["sets"][1]];
    let counts = ["records", "rejected", "rows", "kept"];
    assert_eq!(get_numbers(train, &counts), [74, 2, 72, 40], "{train}");
    assert_eq!(
        get_numbers(&train["removed"], &REASONS),
        [2, 6, 0, 3, 7, 14]
    );
    assert_eq!(get_numbers(&train["duplicates"], &CLASSES[..2]), [4, 7]);
    let shared_rows = &train["shared"][0];
    assert_eq!(shared_rows["with"], "test");
    assert_eq!(
        get_numbers(&shared_rows["rows"], &CLASSES),
        [5, 9, 8, 14],
        "{shared_rows}"
    );
    assert_eq!(
        get_numbers(&shared_rows["classes"], &CLASSES),
        [5, 9, 8, 14]
    );
    assert_eq!(get_numbers(test, &counts), [22, 0, 22, 20], "{test}");
    assert_eq!(get_numbers(&test["removed"], &REASONS), [0, 1, 0, 0, 1, 0]);
    assert_eq!(test["shared"].as_array().unwrap().len(), 0);
    assert_eq!(summary["rows_in"], 96);
    assert_eq!(summary["rows_out"], 60);

    // The cleaned sets have the same columns as the inputs.
    assert_eq!(planted_errors.kinds_of_rows("audit/train.csv"), ["clean"]);
    assert_eq!(planted_errors.kinds_of_rows("audit/test.csv"), ["clean"]);
    dir.succeed("validate audit/train.csv");
    dir.succeed("validate audit/test.csv");
    dir.succeed("overlap audit/train.csv audit/test.csv --max 0");

    // Each removed row has a reason, and the position of the row that it repeats.
    let removed_rows = String::from_utf8(dir.read("audit/_removed.csv")).unwrap();
    let lines: Vec<&str> = removed_rows.lines().collect();
    assert_eq!(
        lines[0],
        "set,source,row,reason,message,by,first_set,first_source,first_row,quiz,answer,kind"
    );
    assert_eq!(lines.len(), 1 + 32 + 2);
    for line in &lines[1..] {
        let fields: Vec<&str> = line.split(',').collect();
        let (reason, by, first_set, kind) = (
            fields[3],
            fields[fields.len() - 7],
            fields[fields.len() - 6],
            fields[fields.len() - 1],
        );
        let expected = match kind {
            "copy" => ("duplicate", "exact", fields[0]),
            "isomorph" => ("duplicate", "isomorph", "train"),
            "shared copy" => ("shared", "exact", "test"),
            "shared isomorph" => ("shared", "isomorph", "test"),
            "shared solution" => ("shared", "solution", "test"),
            "shared grid" => ("shared", "grid", "test"),
            other => (other, "", ""),
        };
        assert_eq!((reason, by, first_set), expected, "{line}");
    }
    let rejects = String::from_utf8(dir.read("audit/_rejects.csv")).unwrap();
    assert_eq!(rejects.lines().count(), 3);
    for (file, text) in [
        ("_report.html", "<!DOCTYPE html>"),
        ("_charts.svg", "<svg"),
        ("_audit.json", "\"rules\""),
        ("README.md", "split: train"),
        ("_commands.sh", "pipeline overlap test.csv train.csv"),
        ("_manifest.json", "\"command\": \"audit\""),
    ] {
        let file_text = String::from_utf8(dir.read(&format!("audit/{file}"))).unwrap();
        assert!(file_text.contains(text), "{file}: {file_text}");
    }
    assert!(dir.exists("audit/_SUCCESS"));
}

#[test]
fn the_commands_that_an_audit_lists_give_the_same_results() {
    let planted_errors = Planted::new();
    let dir = &planted_errors.dir;
    let summary = dir.summary("audit train.csv test.csv -o audit/");
    let overlap = dir.summary("overlap audit/test.csv train.csv");
    // The training set has 74 rows, not counting rejects. An invalid row is counted neither as shared nor as a
    // duplicate.
    let rows = &summary["audit"]["sets"][0]["shared"][0]["rows"];
    for by in &CLASSES[1..] {
        assert_eq!(overlap["twins_by"][by], rows[by], "{by}");
    }
    let script = String::from_utf8(dir.read("audit/_commands.sh")).unwrap();
    let mut checked_commands = 0;
    for line in script.lines().filter(|line| line.starts_with("pipeline ")) {
        let line = line.trim_end_matches(" --summary - > /dev/null");
        let line_words: Vec<&str> = line.split(' ').skip(1).collect();
        let output = dir.run(&line_words);
        let is_validation = line_words[0] == "validate" && !line.contains("audit/");
        let code = output.status.code();
        assert_eq!(
            code,
            Some(if is_validation { 3 } else { 0 }),
            "{line}: {output:?}"
        );
        checked_commands += 1;
    }
    assert_eq!(checked_commands, 15);
}

#[test]
fn the_index_on_disk_and_other_threads_give_the_same_bytes() {
    let planted_errors = Planted::new();
    let dir = &planted_errors.dir;
    let run_audit = |folder: &str, more: &[&str]| {
        let arguments = [
            "audit",
            "train.csv",
            "test.csv",
            "--title",
            "t",
            "-o",
            folder,
        ];
        dir.succeed(&[&arguments[..], more].concat());
        let mut tree = dir.tree(folder);
        // These files contain the path of the folder, so they are not compared.
        tree.retain(|name, _| !name.ends_with("_commands.sh") && !name.contains("README"));
        tree.retain(|name, _| !name.contains("_report") && !name.contains(".lock"));
        let files = tree.into_iter();
        let last_part = |name: String| name.rsplit('/').next().unwrap().to_owned();
        files
            .map(|(name, bytes)| (last_part(name), bytes))
            .collect::<Vec<_>>()
    };
    let expected_files = run_audit("a/", &[]);
    assert_eq!(run_audit("b/", &["--threads", "1"]), expected_files);
    assert_eq!(
        run_audit("c/", &["--memory-limit", "96MiB"]),
        expected_files
    );
}

#[test]
fn the_preferred_set_and_the_kept_rows_can_be_chosen() {
    let planted_errors = Planted::new();
    let dir = &planted_errors.dir;
    let run_audit = |more: &[&str]| {
        let arguments = "audit train.csv test.csv -o audit/ --overwrite";
        dir.summary((arguments, more))["audit"]["sets"].clone()
    };
    // With `--prefer first`, the first set keeps the shared rows.
    let sets = run_audit(&["--prefer", "first"]);
    assert_eq!(
        get_numbers(&sets[0]["removed"], &REASONS),
        [2, 6, 0, 3, 7, 0]
    );
    assert_eq!(
        get_numbers(&sets[1]["removed"], &REASONS),
        [0, 1, 0, 0, 1, 14]
    );
    let sets = run_audit(&["--shared-by", "isomorph", "--duplicates-by", "exact"]);
    assert_eq!(
        get_numbers(&sets[0]["removed"], &REASONS),
        [2, 6, 0, 3, 4, 9]
    );
    let sets = run_audit(&[
        "--shared-by",
        "none",
        "--duplicates-by",
        "none",
        "--fix-solutions",
    ]);
    assert_eq!(
        get_numbers(&sets[0]["removed"], &REASONS),
        [2, 6, 0, 0, 0, 0]
    );
    assert_eq!(
        get_numbers(&sets[0]["shared"][0]["rows"], &CLASSES),
        [5, 9, 8, 14]
    );
    dir.succeed("validate audit/train.csv");
}

#[test]
fn three_sets_or_a_single_set_can_be_audited() {
    let dir = TestDir::new();
    let puzzles = generated(&dir, "6");
    let rows = |of: &[usize]| {
        let lines = of
            .iter()
            .map(|at| format!("{},{}\n", puzzles[*at].0, puzzles[*at].1));
        format!("puzzle,solution\n{}", lines.collect::<String>())
    };
    dir.write("train.csv", rows(&[0, 1, 2, 3, 3]));
    dir.write("valid.csv", rows(&[2, 4]));
    dir.write("test.csv", rows(&[1, 2, 5]));
    let summary = dir.summary("audit train.csv valid.csv test.csv -o all/");
    let sets = summary["audit"]["sets"].as_array().unwrap();
    let kept_counts: Vec<_> = sets
        .iter()
        .map(|set| set["kept"].as_u64().unwrap())
        .collect();
    assert_eq!(kept_counts, [2, 1, 3]);
    let shared_sets: Vec<_> = sets[0]["shared"].as_array().unwrap().iter().collect();
    assert_eq!(
        (&shared_sets[0]["with"], &shared_sets[0]["rows"]["exact"]),
        (&"test".into(), &2.into())
    );
    assert_eq!(
        (&shared_sets[1]["with"], &shared_sets[1]["rows"]["exact"]),
        (&"valid".into(), &1.into())
    );
    // A set that is audited alone can only have faults of its own. Ratings become columns of the cleaned set.
    let arguments = "audit mine=train.csv -o one/ --with se --format parquet";
    let summary = dir.summary(arguments);
    assert_eq!(summary["audit"]["sets"][0]["removed"]["duplicate"], 1);
    let table = dir.parquet("one/mine.parquet");
    assert_eq!(table.num_rows(), 4);
    let se = table.column_by_name("se").unwrap();
    assert_eq!(se.null_count(), 0);
    let removed_rows = dir.parquet("one/_removed.parquet");
    assert_eq!(
        removed_rows
            .column_by_name("reason")
            .unwrap()
            .as_string::<i32>()
            .value(0),
        "duplicate"
    );
}

#[test]
fn the_labels_of_the_sets_are_compared_with_the_grades() {
    let dir = TestDir::new();
    let puzzles = generated(&dir, "30");
    let lines = puzzles.iter().enumerate();
    let lines =
        lines.map(|(at, (puzzle, solution))| format!("{puzzle},{solution},{},easy\n", at % 3));
    let lines: String = lines.collect();
    dir.write("a.csv", format!("puzzle,solution,rating,level\n{lines}"));
    let summary = dir.summary("audit a.csv -o audit/");
    let labels = &summary["audit"]["sets"][0]["labels"];
    assert_eq!(labels["rating"]["rows"], 30, "{summary}");
    // A column of the input keeps its name, even if a column of grades has the same name.
    let cleaned = String::from_utf8(dir.read("audit/a.csv")).unwrap();
    assert!(
        cleaned.starts_with("puzzle,solution,rating,level\n"),
        "{cleaned}"
    );
    let page = String::from_utf8(dir.read("audit/_report.html")).unwrap();
    assert!(page.contains("Labels and ratings"));
}

#[test]
fn a_folder_of_another_command_is_not_replaced() {
    let dir = TestDir::new();
    dir.write("a.txt", PUZZLE);
    dir.succeed("audit a.txt -o audit/");
    let files_before = dir.tree("audit");
    // Only folders of parts can be resumed.
    let message = dir.fail("audit a.txt -o audit/", 4);
    assert!(
        message.contains("--overwrite") && !message.contains("--resume"),
        "{message}"
    );
    dir.fail("split a.txt -o audit/ --folds 2 --overwrite", 4);
    let message = dir.fail("grade a.txt -o audit/ --overwrite", 4);
    assert!(
        message.contains("an audit, as pipeline audit writes it"),
        "{message}"
    );
    assert_eq!(dir.tree("audit"), files_before);
    dir.succeed("audit a.txt -o audit/ --overwrite");
    for run in [&["audit", "a.txt"][..], &["split", "a.txt", "--folds", "2"]] {
        let message = dir.fail(&[run, &["-o", "-"]].concat(), 2);
        assert!(message.contains("standard output"), "{message}");
    }
    // Invalid inputs give a clear message, and leave no files.
    dir.write("bad.txt", "no puzzle\n".repeat(30));
    dir.fail("audit a.txt bad.txt -o new/", 3);
    assert!(!dir.exists("new"));
    for (arguments, code, text) in [
        (&["audit", "a.txt", "a.txt", "-o", "new/"][..], 2, "twice"),
        (&["audit", "none.txt", "-o", "new/"], 2, "none.txt"),
        (&["audit", "a.txt", "-o", "new.csv"], 2, "writes a folder"),
        (
            &["audit", "a.txt", "-o", "new/", "--shard", "0/2"],
            2,
            "--shard",
        ),
        (
            &["audit", "a.txt", "-o", "new/", "--rejects", "r.csv"],
            2,
            "--rejects",
        ),
    ] {
        let message = dir.fail(arguments, code);
        assert!(message.contains(text), "{arguments:?}: {message}");
    }
}

#[test]
fn the_card_does_not_describe_columns_of_the_input_as_those_of_the_program() {
    let dir = TestDir::new();
    let rows = generated(&dir, "12").into_iter();
    let rows = rows.map(|(puzzle, solution)| format!("{puzzle},{solution},gold\n"));
    let text = format!("quizzes,solutions,rank\n{}", rows.collect::<String>());
    dir.write("in.csv", text);
    dir.succeed("audit in.csv -o audit/");
    let card = String::from_utf8(dir.read("audit/README.md")).unwrap();
    for line in [
        "| quizzes | text | The puzzle. |",
        "| solutions | text | The solution that came with it, checked. |",
        "| rank | text | Copied from the input. |",
    ] {
        assert!(card.contains(line), "{line}: {card}");
    }
}
