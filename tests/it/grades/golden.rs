//! Tests that the grades and ratings of a sample of puzzles stay the same.

use crate::util::{TestDir, numbers, texts};

/// Grades the puzzles of `data/levels.txt`. The table must not change unless the version of the ladder, which is the
/// ordered list of techniques, changes. To update the table, run `pipeline grade data/levels.txt -o
/// tests/golden/levels.csv --with waves --overwrite` in the repository.
#[test]
fn the_grades_of_the_sample_do_not_change() {
    let dir = TestDir::new();
    dir.write(
        "data/levels.txt".replace('/', "_").as_str(),
        include_bytes!("../../../data/levels.txt"),
    );
    std::fs::create_dir(dir.path("data")).unwrap();
    std::fs::rename(dir.path("data_levels.txt"), dir.path("data/levels.txt")).unwrap();
    dir.succeed("grade data/levels.txt -o out.csv --with waves");
    let made_text = String::from_utf8(dir.read("out.csv")).unwrap();
    assert_eq!(made_text, include_str!("../../golden/levels.csv"));
}

/// Rates the puzzles of `data/levels.txt`. To update the table, run `pipeline grade data/levels.txt -o
/// tests/golden/ratings.csv --with se --select
/// puzzle,technique,se,se_pearl,se_diamond,se_status,se_canonical,se_canonical_status --overwrite` in the
/// repository. The ratings come from serate and never change.
#[test]
fn the_ratings_of_the_sample_do_not_change() {
    let dir = TestDir::new();
    dir.write("levels.txt", include_bytes!("../../../data/levels.txt"));
    let columns =
        "puzzle,technique,se,se_pearl,se_diamond,se_status,se_canonical,se_canonical_status";
    dir.succeed(("grade levels.txt -o out.csv --with se --select", &[columns]));
    let made_text = String::from_utf8(dir.read("out.csv")).unwrap();
    assert_eq!(made_text, include_str!("../../golden/ratings.csv"));
}

/// Compares grades with the techniques that an independent program found. Only runs if `NOTEBOOK=FILE` names a
/// CSV file with the columns `name` and `puzzle`.
#[test]
fn the_notebooks_puzzles_have_the_techniques_of_an_independent_reference() {
    let Ok(path) = std::env::var("NOTEBOOK") else {
        eprintln!("skipped: NOTEBOOK=FILE is not set");
        return;
    };
    let expected = [
        ("naked_single", "easy1 easy3 easy5 medium1 medium4 medium5"),
        ("hidden_single_box", "easy2 easy4 medium3"),
        ("hidden_single_line", "medium2 hard3 expert5"),
        ("locked_pointing", "hard1 hard2 hard4 evil2 evil5"),
        ("naked_pair", "expert3 expert4"),
        ("hidden_pair", "hard5 expert1 expert2 evil1 evil3 evil4"),
    ];
    let dir = TestDir::new();
    dir.succeed(&format!("grade {path} -o out.parquet"));
    let table = dir.parquet("out.parquet");
    let names = texts(&table, "name");
    let techniques = texts(&table, "technique");
    assert_eq!(names.len(), 25);
    for (name, technique) in names.iter().flatten().zip(techniques.iter().flatten()) {
        let (_, of_it) = expected.iter().find(|(id, _)| id == technique).unwrap();
        assert!(
            of_it.split(' ').any(|known| known == name),
            "{name}: {technique}"
        );
    }
}

/// Solves and grades datasets in which all puzzles have exactly one solution. `UNIQUE=FILE:FILE…` names the files.
#[test]
fn puzzles_known_to_be_unique_are_solved_and_graded() {
    let Ok(paths) = std::env::var("UNIQUE") else {
        eprintln!("skipped: UNIQUE=FILE:FILE is not set");
        return;
    };
    for path in paths.split(':') {
        let dir = TestDir::new();
        dir.succeed(&format!("grade {path} -o out.parquet"));
        let table = dir.parquet("out.parquet");
        assert!(!dir.exists("out.rejects.parquet"), "{path}");
        assert!(
            texts(&table, "status")
                .iter()
                .all(|status| status.as_deref() == Some("unique"))
        );
        assert!(numbers(&table, "rank").iter().all(Option::is_some));
        let puzzles = texts(&table, "puzzle");
        for (puzzle, solution) in puzzles.iter().zip(texts(&table, "solution")) {
            let solution: sudoku_core::board::Grid = solution.unwrap().parse().unwrap();
            let puzzle = puzzle.as_ref().unwrap().parse().unwrap();
            assert!(solution.is_solution() && solution.extends(&puzzle));
        }
        eprintln!("{path}: {} puzzles", table.num_rows());
    }
}
