//! Tests `generate` with full grids, with patterns, with `--near`, and with `--mix`.

use std::collections::{BTreeMap, HashSet};

use sudoku_core::Grid;
use sudoku_core::board::canonical;

use crate::util::{TestDir, numbers, texts};

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Runs the command with one, two and three threads, and asserts that the outputs are equal. Returns the
/// output.
fn on_any_number_of_threads(dir: &TestDir, options: &[&str]) -> String {
    let on_threads = |threads: &str| dir.succeed(&[options, &["--threads", threads]].concat());
    let on_one_thread = on_threads("1");
    assert_eq!(on_one_thread, on_threads("2"), "{options:?}");
    assert_eq!(on_one_thread, on_threads("3"), "{options:?}");
    on_one_thread
}

fn is_minimal(puzzle: &str) -> bool {
    let grid: Grid = puzzle.parse().unwrap();
    sudoku_core::solve::is_minimal(&grid, None)
}

#[test]
fn puzzles_are_made_from_the_grids_of_a_file() {
    let dir = TestDir::new();
    let other_puzzle = dir.succeed("generate 1 --seed 3");
    let table = format!(
        "id,puzzle,level\n7,{SOLUTION},x\n8,{},y\n",
        other_puzzle.trim()
    );
    dir.write("grids.csv", &table);
    let options = [
        "generate",
        "3",
        "--seed",
        "5",
        "--from",
        "grids.csv",
        "--format",
        "csv",
        "--level",
        "easy",
    ];
    let csv = on_any_number_of_threads(&dir, &options);
    let mut lines = csv.lines();
    let header = lines.next().unwrap();
    assert!(
        header.starts_with("grid_row,id,input_level,puzzle,solution,technique,"),
        "{header}"
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 6);
    let puzzles: HashSet<&str> = rows.iter().map(|row| row[3]).collect();
    assert_eq!(puzzles.len(), 6);
    for (at, row) in rows.iter().enumerate() {
        let expected = [["0", "7", "x"], ["1", "8", "y"]][at / 3];
        assert_eq!(row[..3], expected);
        if at < 3 {
            assert_eq!(row[4], SOLUTION);
        }
    }

    // The message names a row that cannot be used.
    dir.write("bad.txt", format!("{SOLUTION}\n{}\n", ".".repeat(81)));
    let from_bad = ["generate", "1", "--seed", "1", "--from", "bad.txt"];
    let message = dir.fail(&from_bad, 3);
    assert!(
        message.contains("bad.txt, row 1: the puzzle must have exactly one solution")
            && message.contains("multiple"),
        "{message}"
    );
    dir.write("bad.txt", format!("{SOLUTION}\nno puzzle\n"));
    let message = dir.fail(&from_bad, 3);
    assert!(message.contains("bad.txt, row 1"), "{message}");
    let message = dir.fail("generate 1 --seed 1 --from none.txt", 1);
    assert!(message.contains("none.txt"), "{message}");
    let message = dir.fail("generate 1 --from grids.csv --size 16", 2);
    assert!(message.contains("leave --size out"), "{message}");
}

#[test]
fn clues_are_in_the_cells_of_the_pattern() {
    let dir = TestDir::new();
    let pattern_of = |puzzle: &str| puzzle.replace(|c: char| c != '.', "x");
    let pattern = pattern_of(PUZZLE);
    let options = ["generate", "3", "--seed", "5", "--pattern", &pattern];
    let lines = on_any_number_of_threads(&dir, &options);
    assert_eq!(lines.lines().collect::<HashSet<_>>().len(), 3);
    assert!(
        lines.lines().all(|line| pattern_of(line) == pattern),
        "{lines}"
    );

    dir.write("patterns.txt", format!("{pattern}\n\n{}\n", "1".repeat(81)));
    let options = [
        "generate",
        "2",
        "--seed",
        "5",
        "--pattern",
        "patterns.txt",
        "--format",
        "csv",
    ];
    let csv = on_any_number_of_threads(&dir, &options);
    let rows: Vec<&str> = csv
        .lines()
        .map(|line| line.split(',').next().unwrap())
        .collect();
    assert_eq!(rows, ["pattern_line", "1", "1", "3", "3"]);

    let assert_refused = |pattern: &str, why: &str| {
        let message = dir.fail(&["generate", "1", "--seed", "1", "--pattern", pattern], 2);
        assert!(message.contains(why), "{message}");
    };
    let eight_clues = format!("{}{}", "x........".repeat(8), ".".repeat(9));
    assert_refused(&eight_clues, "8 clues are not enough");
    let empty_rows = format!("{}{}", ".".repeat(18), "x".repeat(63));
    assert_refused(&empty_rows, "rows 1 and 2 are both empty");
    assert_refused(&"..xxxxxxx".repeat(9), "columns 1 and 2 are both empty");
    assert_refused("x..x", "81 characters");
    // The message names a file that does not exist, and a folder.
    assert_refused(
        "absent.txt",
        "absent.txt is not a file of patterns, and a pattern has 81",
    );
    std::fs::create_dir(dir.path("folder")).unwrap();
    assert_refused("folder", "folder is not a file of patterns");
    dir.write("short.txt", format!("{pattern}\nxx\n"));
    assert_refused(
        "short.txt",
        "short.txt, line 2: a pattern has 81 characters",
    );

    // The patterns of two published puzzles: one of magictour's list, and one of a list of hard puzzles.
    let published_patterns = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........\n\
                     98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6\n";
    dir.write("published.txt", published_patterns);
    let options = ["generate", "1", "--seed", "2", "--pattern", "published.txt"];
    let near_puzzles = on_any_number_of_threads(&dir, &options);
    assert_eq!(
        pattern_of(&near_puzzles.replace('\n', "")),
        pattern_of(&published_patterns.replace('\n', ""))
    );

    // The pattern of a published puzzle with 17 clues. Few puzzles with this pattern have exactly one solution:
    // with this seed, the generator needs more than two attempts.
    let rare_pattern =
        "................xx..x..x.........x....x...x...x.xx.........xx.x.x.......xx..x....";
    let message = dir.fail(
        (
            "generate 1 --seed 1 --pattern",
            &[rare_pattern, "--max-attempts", "2"],
        ),
        3,
    );
    assert!(message.contains("raise --max-attempts"), "{message}");
}

#[test]
fn near_puzzles_differ_in_the_requested_number_of_clues() {
    let dir = TestDir::new();
    let hard_puzzle =
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    dir.write("hard.csv", format!("id,puzzle\nx,{hard_puzzle}\n"));
    let differing_cells = |a: &str, b: &str| {
        let pairs = a.bytes().zip(b.bytes()).filter(|(a, b)| a != b);
        pairs.filter(|(a, _)| *a != b'.').count()
    };
    let options = ["generate", "--near", "hard.csv", "--format", "csv"];
    let csv = on_any_number_of_threads(&dir, &options);
    assert!(
        csv.starts_with("near,near_row,id,puzzle,solution\n"),
        "{csv}"
    );
    let rows: Vec<Vec<&str>> = { csv.lines().skip(1) }
        .map(|line| line.split(',').collect())
        .collect();
    assert!(!rows.is_empty());
    let mut classes = HashSet::new();
    for row in &rows {
        assert_eq!(row[..3], [hard_puzzle, "0", "x"]);
        assert_eq!(differing_cells(hard_puzzle, row[3]), 1, "{}", row[3]);
        assert!(is_minimal(row[3]), "{}", row[3]);
        assert!(classes.insert(canonical(&row[3].parse().unwrap()).form));
    }

    // With a condition, the output has only the rows that satisfy it, and the columns of their grades.
    let filtered_arguments = [
        "generate",
        "--near",
        "hard.csv",
        "--where",
        "rank >= 38",
        "-o",
        "near.parquet",
    ];
    dir.succeed(&filtered_arguments);
    let near_table = dir.parquet("near.parquet");
    assert!(
        numbers(&near_table, "rank")
            .iter()
            .all(|rank| *rank >= Some(38))
    );
    assert!(near_table.num_rows() <= rows.len());
    let extreme_puzzles = ["generate", "--near", "hard.csv", "--level", "extreme"];
    let extreme_puzzles = dir.succeed(&extreme_puzzles);
    assert!(
        extreme_puzzles.lines().all(|line| line.len() == 81),
        "{extreme_puzzles}"
    );

    // A random sample of near puzzles, instead of all that exist.
    let options = [
        "generate", "4", "--seed", "2", "--near", "hard.csv", "--swap", "2",
    ];
    let lines = on_any_number_of_threads(&dir, &options);
    assert_eq!(lines.lines().count(), 4);
    for line in lines.lines() {
        assert!(
            (1..=2).contains(&differing_cells(hard_puzzle, line)),
            "{line}"
        );
        assert!(is_minimal(line), "{line}");
    }

    for (options, why) in [
        (&["--near", "hard.csv", "--swap", "4"][..], "--swap"),
        (
            &["--near", "hard.csv", "--clues", "20"],
            "cannot be used with",
        ),
        (&["5", "--where", "rank > 2"], "--near"),
        (
            &["--near", "hard.csv", "--where", "rank >"],
            "--where, column 7",
        ),
        // The condition that a level is one is not part of the user's text.
        (
            &["--near", "hard.csv", "--level", "easy", "--where", "rank >"],
            "--where, column 7",
        ),
        (
            &[
                "--near",
                "hard.csv",
                "--level",
                "easy",
                "--where",
                "rank<2) or (rank>2",
            ],
            "--where, column 7: )",
        ),
        (&[], "required"),
    ] {
        let message = dir.fail(("generate", options), 2);
        assert!(message.contains(why), "{options:?}: {message}");
    }
}

#[test]
fn a_mix_has_the_requested_shares() {
    let dir = TestDir::new();
    let mix_text = "easy=0.2,medium=0.3,hard=0.5";
    let options = format!("generate 20 --seed 4 --mix {mix_text} -o mix.parquet --overwrite");
    dir.succeed(&format!("{options} --threads 1"));
    let on_one_thread = dir.read("mix.parquet");
    dir.succeed(&format!("{options} --threads 3"));
    assert_eq!(dir.read("mix.parquet"), on_one_thread);
    let mut counts = BTreeMap::new();
    for level in texts(&dir.parquet("mix.parquet"), "level") {
        *counts.entry(level.unwrap()).or_insert(0) += 1;
    }
    let expected = [("easy", 4), ("hard", 10), ("medium", 6)];
    assert_eq!(
        counts,
        expected
            .map(|(level, count)| (level.to_owned(), count))
            .into()
    );
    // `--mix` gives each puzzle a target, such as a range of ratings. The n-th puzzle of a mix is also the n-th puzzle
    // of a series in which all puzzles have the target of this puzzle.
    let ranges = "..2.0=0.5,3.0..4.0=0.5";
    let csv = dir.succeed(&[
        "generate", "4", "--seed", "4", "--mix", ranges, "--format", "csv",
    ]);
    assert!(csv.lines().next().unwrap().contains(",se,"), "{csv}");
    assert_eq!(csv.lines().count(), 5);
    for (mix_text, why) in [
        ("easy=50%,hard=0.4", "some shares are percentages"),
        ("simple=1", "neither a level"),
        ("easy=0.5,7.0..=0.5", "not of both"),
    ] {
        let message = dir.fail(&format!("generate 1 --mix {mix_text}"), 2);
        assert!(message.contains(why), "{message}");
    }
    let message = dir.fail(&format!("generate 1 --mix {mix_text} --level easy"), 2);
    assert!(message.contains("cannot be used with"), "{message}");
}
