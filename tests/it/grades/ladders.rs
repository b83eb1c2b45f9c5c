//! Tests the columns of grades with `--max-rank`, `--uniqueness` and `--ladder`, which selects the ordered list of
//! techniques.

use std::fs::File;

use arrow::array::RecordBatch;
use parquet::file::reader::{FileReader, SerializedFileReader};
use sudoku_core::grade::SEARCH;

use crate::util::{SOLUTION, TestDir, numbers, texts};

const SAMPLE: &str = include_str!("../../../data/levels.txt");
/// A folder with puzzles of all levels, and a puzzle with two solutions.
fn sample_dir() -> TestDir {
    let dir = TestDir::new();
    let two_solutions = SOLUTION.replace(['1', '2'], ".");
    dir.write("in.txt", format!("{SAMPLE}\n{two_solutions}\n"));
    dir
}

/// Grades the puzzles of the sample with these options, and returns the table.
fn graded(dir: &TestDir, options: &[&str]) -> RecordBatch {
    let arguments = [
        &["grade", "in.txt", "-o", "out.parquet", "--overwrite"],
        options,
    ]
    .concat();
    dir.succeed(&arguments);
    dir.parquet("out.parquet")
}

fn metadata(dir: &TestDir, key: &str) -> Option<String> {
    let file = File::open(dir.path("out.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let pairs = reader.metadata().file_metadata().key_value_metadata();
    let pair = pairs.unwrap().iter().find(|pair| pair.key == key)?;
    pair.value.clone()
}

#[test]
fn puzzles_that_a_short_ladder_does_not_solve_are_beyond_it() {
    let dir = sample_dir();
    let full_ladder = graded(&dir, &[]);
    assert_eq!(metadata(&dir, "pipeline.max_rank"), None);
    let (ranks, waves) = (
        numbers(&full_ladder, "rank"),
        numbers(&full_ladder, "waves"),
    );
    let efforts = numbers(&full_ladder, "effort");
    for end in [1, 2, 4, 6, 9, 15] {
        let table = graded(&dir, &["--max-rank", &end.to_string()]);
        assert_eq!(metadata(&dir, "pipeline.max_rank"), Some(end.to_string()));
        let techniques = texts(&table, "technique");
        let mut beyond_count = 0;
        for (row, technique) in techniques.iter().enumerate() {
            let rank = numbers(&table, "rank")[row];
            let effort = numbers(&table, "effort")[row];
            if ranks[row].is_some_and(|rank| rank > end) {
                beyond_count += 1;
                assert_eq!(technique.as_deref(), Some("beyond"));
                assert_eq!((rank, effort), (None, None));
                assert_eq!(texts(&table, "level")[row], None);
                assert!(numbers(&table, "waves")[row] < waves[row]);
            } else {
                assert_eq!((rank, effort), (ranks[row], efforts[row]));
                assert_eq!(*technique, texts(&full_ladder, "technique")[row]);
            }
        }
        let summary = dir.read_summary(&["--max-rank", &end.to_string()]);
        assert_eq!(summary["max_rank"], end);
        assert_eq!(summary["technique"]["beyond"], beyond_count);
        assert!(beyond_count > 0, "{end}");
    }
    let search = SEARCH.number();
    assert_eq!(
        graded(&dir, &["--max-rank", &search.to_string()]),
        full_ladder
    );
    for rank in [0, search + 1] {
        let options = ["--max-rank", &rank.to_string()];
        let arguments = [&["grade", "in.txt", "-o", "x.csv"][..], &options].concat();
        assert!(
            dir.fail(&arguments, 2)
                .contains(&format!("from 1 to {search}"))
        );
    }
}

#[test]
fn a_ladder_has_the_requested_techniques() {
    let dir = sample_dir();
    let list = "naked_pair, hidden_single_line,naked_single";
    let table = graded(&dir, &["--ladder", list, "--with", "waves"]);
    let in_order = "naked_single,hidden_single_line,naked_pair";
    for key in ["pipeline.ladder", "pipeline.techniques"] {
        assert_eq!(metadata(&dir, key).unwrap(), in_order);
    }
    assert_eq!(dir.read_summary(&["--ladder", list])["ladder"], in_order);
    for technique in texts(&table, "technique").into_iter().flatten() {
        assert!(format!("{in_order},search").contains(&technique));
    }
    assert!(
        numbers(&table, "waves_full_house")
            .into_iter()
            .all(|waves| waves.unwrap_or(0) == 0)
    );
    let message = dir.fail("grade in.txt -o x.csv --ladder full,x_wing", 2);
    assert!(
        message.contains("no technique is called \"full\""),
        "{message}"
    );
    assert!(message.contains("jellyfish"), "{message}");
}

/// The ladder, the ordered list of techniques, affects only the grade, and not the columns of the solver.
#[test]
fn the_solution_does_not_depend_on_the_ladder() {
    let dir = sample_dir();
    let full_ladder = graded(&dir, &[]);
    assert_eq!(metadata(&dir, "pipeline.ladder").unwrap(), "full");
    for ladder in [
        "basic",
        "hodoku",
        "naked_single",
        "x_wing",
        "naked_pair,hidden_single_box,hidden_single_line",
        "locked_claiming,hidden_triple,full_house,hidden_single_line",
    ] {
        let table = graded(&dir, &["--ladder", ladder]);
        for column in ["status", "solution"] {
            assert_eq!(
                texts(&table, column),
                texts(&full_ladder, column),
                "{ladder}"
            );
        }
        for column in ["solutions", "nodes"] {
            assert_eq!(
                numbers(&table, column),
                numbers(&full_ladder, column),
                "{ladder}"
            );
        }
        let ranks = numbers(&table, "rank");
        for (rank, status) in ranks.iter().zip(texts(&table, "status")) {
            assert_eq!(rank.is_some(), status.as_deref() == Some("unique"));
        }
    }
}

/// For each row, the values of the columns that `--uniqueness` adds.
fn with_uniqueness(table: &RecordBatch) -> Vec<(Option<String>, Option<u64>, Option<String>)> {
    let techniques = texts(table, "technique_u").into_iter();
    let ranks = numbers(table, "rank_u").into_iter();
    let levels = texts(table, "level_u").into_iter();
    let rows = techniques.zip(ranks).zip(levels);
    rows.map(|((technique, rank), level)| (technique, rank, level))
        .collect()
}

#[test]
fn uniqueness_adds_columns_and_does_not_change_the_others() {
    let dir = sample_dir();
    let generated = dir.succeed("generate 300 --seed 1 -o - --format lines");
    let with_sample = String::from_utf8(dir.read("in.txt")).unwrap() + &generated;
    dir.write("in.txt", with_sample);
    let without_uniqueness = graded(&dir, &[]);
    assert_eq!(metadata(&dir, "pipeline.uniqueness"), None);
    assert!(without_uniqueness.column_by_name("technique_u").is_none());
    let table = graded(&dir, &["--uniqueness"]);
    let ids = metadata(&dir, "pipeline.uniqueness").unwrap();
    assert!(ids.starts_with("unique_rectangle_1,"), "{ids}");
    assert_eq!(table.num_columns(), without_uniqueness.num_columns() + 3);
    for (field, column) in without_uniqueness
        .schema()
        .fields()
        .iter()
        .zip(without_uniqueness.columns())
    {
        assert_eq!(table.column_by_name(field.name()), Some(column));
    }
    let (techniques, ranks) = (texts(&table, "technique"), numbers(&table, "rank"));
    let mut easier_puzzles = 0;
    for (row, (technique, rank, level)) in with_uniqueness(&table).into_iter().enumerate() {
        let uses_uniqueness = technique.as_deref().is_some_and(|id| ids.contains(id));
        if ranks[row] <= Some(15) {
            assert_eq!((&technique, rank), (&techniques[row], ranks[row]));
            assert_eq!(level, texts(&table, "level")[row]);
        } else if uses_uniqueness {
            assert_eq!((rank, level.as_deref()), (Some(15), Some("hard")));
            easier_puzzles += 1;
        } else {
            assert!(rank > Some(15), "{technique:?}");
        }
    }
    assert!(easier_puzzles > 0);
}

#[test]
fn uniqueness_extends_the_selected_ladder() {
    let dir = sample_dir();
    let table = graded(&dir, &["--uniqueness", "--max-rank", "14"]);
    assert_eq!(metadata(&dir, "pipeline.uniqueness").unwrap(), "");
    let expected_ids = texts(&table, "technique").into_iter();
    let zipped = expected_ids
        .zip(numbers(&table, "rank"))
        .zip(texts(&table, "level"));
    let expected: Vec<_> = zipped
        .map(|((id, rank), level)| (id, rank, level))
        .collect();
    assert_eq!(with_uniqueness(&table), expected);
    for ladder in ["basic", "hodoku", "naked_single,hidden_single_line"] {
        let table = graded(&dir, &["--uniqueness", "--ladder", ladder]);
        let statuses = texts(&table, "status");
        for ((technique, ..), status) in with_uniqueness(&table).iter().zip(statuses) {
            assert_eq!(technique.is_some(), status.as_deref() == Some("unique"));
        }
    }
}

/// The hardest technique depends on the order of the ladder: in HoDoKu's ladder, a naked triple comes before a hidden
/// pair, and an X-wing comes after a quad.
#[test]
fn the_hodoku_ladder_uses_the_order_of_hodoku() {
    let dir = sample_dir();
    let full_ladder = graded(&dir, &[]);
    let hodoku = graded(&dir, &["--ladder", "hodoku", "--with", "waves"]);
    let techniques = metadata(&dir, "pipeline.techniques").unwrap();
    let technique_order: Vec<&str> = techniques.split(',').collect();
    let position_on_ladder = |id: &str| technique_order.iter().position(|known| *known == id);
    for row in 0..hodoku.num_rows() {
        let Some(technique) = texts(&hodoku, "technique")[row].clone() else {
            continue;
        };
        let mut used_techniques = technique_order.iter().filter(|id| {
            let waves = numbers(&hodoku, &format!("waves_{id}"))[row];
            waves.is_some_and(|waves| waves > 0)
        });
        if technique != "search" {
            assert_eq!(used_techniques.next_back(), Some(&technique.as_str()));
            assert!(position_on_ladder(&technique).is_some());
        }
        if numbers(&full_ladder, "rank")[row] <= Some(6) {
            assert_eq!(
                numbers(&full_ladder, "rank")[row],
                numbers(&hodoku, "rank")[row]
            );
        }
    }
}

#[test]
fn the_environment_sets_ladders_too() {
    let dir = sample_dir();
    let mut command = dir.command("grade in.txt -o out.parquet");
    command
        .env("PIPELINE_LADDER", "basic")
        .env("PIPELINE_MAX_RANK", "4");
    assert!(command.status().unwrap().success());
    assert_eq!(metadata(&dir, "pipeline.ladder").unwrap(), "basic");
    assert_eq!(
        metadata(&dir, "pipeline.techniques").unwrap(),
        "full_house,naked_single,hidden_single_box,hidden_single_line"
    );
}

impl TestDir {
    /// Grades the puzzles of the sample with these options, and returns the summary.
    fn read_summary(&self, options: &[&str]) -> serde_json::Value {
        let arguments = "grade in.txt -o s.csv --overwrite";
        self.summary((arguments, options))
    }
}
