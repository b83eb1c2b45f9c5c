//! Tests datasets that leak: if the solutions of two puzzles are isomorphs, a model can memorise the
//! solution of one puzzle, and use it for the other.

use sudoku_core::board::{Grid, Isomorph};
use sudoku_core::random::Rng;

use crate::util::{TestDir, generated};

/// An isomorph of the puzzle with a few more clues. It is not an isomorph of the puzzle, but their solutions
/// are isomorphs.
fn isomorph_with_more_clues(puzzle: &str, solution: &str, rng: &mut Rng) -> String {
    let mut extended = puzzle.replace('0', ".");
    for _ in 0..3 {
        let empty_index = extended.find('.').unwrap();
        extended.replace_range(
            empty_index..=empty_index,
            &solution[empty_index..=empty_index],
        );
    }
    let isomorph = Isomorph::random(rng);
    isomorph
        .apply(&extended.parse::<Grid>().unwrap())
        .to_string()
}

#[test]
fn a_split_by_grid_does_not_leak_solutions_and_one_by_isomorph_does() {
    let dir = TestDir::new();
    let mut rng = Rng::new(27);
    let puzzles = generated(&dir, "200");
    let mut rows = Vec::new();
    for (at, (puzzle, solution)) in puzzles.iter().enumerate() {
        rows.push(format!("{puzzle},p{at}"));
        rows.push(format!(
            "{},p{at}",
            isomorph_with_more_clues(puzzle, solution, &mut rng)
        ));
    }
    dir.write("in.csv", format!("puzzle,name\n{}\n", rows.join("\n")));
    let split_and_overlap = |folder: &str, by: &[&str]| {
        let split_arguments = ["split", "in.csv", "-o", folder, "--into", "a=0.5,b=0.5"];
        dir.succeed(&[&split_arguments[..], by].concat());
        let files = ["a", "b"].map(|part| format!("{folder}{part}.parquet"));
        dir.summary(&["overlap", &files[0], &files[1]])
    };
    let message = split_and_overlap("isomorph/", &["--by", "isomorph", "--format", "parquet"]);
    assert_eq!(message["twins_by"]["isomorph"], 0);
    let leaked = message["twins_by"]["grid"].as_u64().unwrap();
    assert!((50..150).contains(&leaked), "{message}");
    // `--max` applies to the class `grid`, which is the default.
    assert_eq!(message["twins"], leaked);
    let files = ["isomorph/a.parquet", "isomorph/b.parquet", "--max", "0"];
    dir.fail(("overlap", &files), 3);
    dir.succeed(&[&["overlap"], &files[..], &["--by", "isomorph"]].concat());

    // The class `grid` is also the default of `split`.
    let message = split_and_overlap("grid/", &["--format", "parquet"]);
    for by in ["isomorph", "solution", "grid"] {
        assert_eq!(message["twins_by"][by], 0, "{by}");
    }
    assert_eq!(
        message["rows_of_a"].as_u64().unwrap() + message["rows_of_b"].as_u64().unwrap(),
        400
    );
}

#[test]
fn overlap_counts_puzzles_solutions_and_grids_in_one_pass() {
    let dir = TestDir::new();
    let mut rng = Rng::new(5);
    let puzzles = generated(&dir, "4");
    let parse_grid = |text: &str| text.parse::<Grid>().unwrap();
    let (puzzle, solution) = &puzzles[0];
    dir.write("a.txt", puzzle);
    let mut extended = puzzle.clone();
    let empty_index = extended.find('.').unwrap();
    extended.replace_range(
        empty_index..=empty_index,
        &solution[empty_index..=empty_index],
    );
    let second_set = [
        puzzle.clone(),
        Isomorph::random(&mut rng)
            .apply(&parse_grid(puzzle))
            .to_string(),
        extended,
        isomorph_with_more_clues(puzzle, solution, &mut rng),
        puzzles[1].0.clone(),
    ];
    dir.write("b.txt", second_set.join("\n"));
    let arguments = "overlap a.txt b.txt --by exact";
    let summary = dir.summary(arguments);
    let twins_by_class =
        ["exact", "isomorph", "solution", "grid"].map(|by| summary["twins_by"][by].clone());
    assert_eq!(twins_by_class, [1, 2, 2, 4], "{summary}");
    assert_eq!(summary["twins"], 1);
    let output = dir.run(arguments);
    let log = crate::util::stderr(&output);
    assert!(log.contains("1 of B with the same puzzle in A"), "{log}");
    let table = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| {
            let cells = line.split(['│', '┆']).map(str::trim);
            cells.filter(|cell| !cell.is_empty()).collect()
        })
        .collect();
    for cells in [
        ["the same puzzle", "exact", "1", "20.00 %"],
        ["an isomorph of the puzzle", "isomorph", "2", "40.00 %"],
        ["the same solution", "solution", "2", "40.00 %"],
        ["an isomorph of the solution", "grid", "4", "80.00 %"],
    ] {
        assert!(rows.iter().any(|row| row[..] == cells), "{table}");
    }
    assert!(
        table.contains("Rows of b.txt with a twin in a.txt"),
        "{table}"
    );
    // An index of puzzle classes on disk gives the same results as in memory.
    let on_disk = dir.summary(&format!("{arguments} --memory-limit 96MiB"));
    assert_eq!(on_disk["twins_by"], summary["twins_by"]);
}

#[test]
fn a_puzzle_without_exactly_one_solution_has_the_class_of_its_isomorphs() {
    let dir = TestDir::new();
    let mut rng = Rng::new(6);
    let several_solutions = format!("12{}", ".".repeat(79));
    let isomorph = Isomorph::random(&mut rng).apply(&several_solutions.parse::<Grid>().unwrap());
    let no_solution = format!(
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4{}",
        "........."
    );
    // 4 × 4 puzzles have a min-lex form, and 16 × 16 puzzles do not.
    let grids_of_4 = ["1...............", "....2..........."];
    let grid_of_16 = format!("G1{}", ".".repeat(254));
    let rows = [
        several_solutions.as_str(),
        isomorph.as_str(),
        &no_solution,
        grids_of_4[0],
        grids_of_4[1],
        &grid_of_16,
    ];
    dir.write("in.txt", rows.join("\n"));
    let summary = dir.summary("dedup in.txt -o out.txt --by grid");
    assert_eq!(summary["duplicates"], 2, "{summary}");
    assert_eq!(summary["isomorph_fallbacks"], 5);
    assert_eq!(summary["text_fallbacks"], 1);
}

#[test]
fn split_by_solution_keeps_puzzles_of_a_solution_together() {
    let dir = TestDir::new();
    let mut rows = Vec::new();
    for (at, (puzzle, solution)) in generated(&dir, "60").iter().enumerate() {
        let mut extended = puzzle.clone();
        let cell = extended.find('.').unwrap();
        extended.replace_range(cell..=cell, &solution[cell..=cell]);
        rows.extend([format!("{puzzle},{at}"), format!("{extended},{at}")]);
    }
    dir.write("in.csv", format!("puzzle,name\n{}\n", rows.join("\n")));
    let split_arguments = [
        "split",
        "in.csv",
        "-o",
        "sets/",
        "--into",
        "a=0.5,b=0.5",
        "--by",
        "solution",
    ];
    dir.succeed(&[&split_arguments[..], &["--format", "csv"]].concat());
    let read_part = |part: &str| String::from_utf8(dir.read(&format!("sets/{part}.csv"))).unwrap();
    let (a, b) = (read_part("a"), read_part("b"));
    assert!(a.lines().count() > 20 && b.lines().count() > 20);
    for text in [a, b] {
        assert_eq!(text.lines().skip(1).count() % 2, 0);
    }
}
