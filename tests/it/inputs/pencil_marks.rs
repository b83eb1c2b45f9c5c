//! Tests puzzles with pencil marks: they are solved, graded, transformed and written.

use sudoku_core::board::{Candidates, Cell, CellSet, Digit, Grid, Isomorph, Marks};
use sudoku_core::generate::{Generated, Generator, GradeTarget};
use sudoku_core::grade::{Ladder, Level, Position, Rank, SEARCH, Steps};
use sudoku_core::random::Rng;
use sudoku_core::solve::{Backtracker, Limits, Solution, Solver, is_minimal, redundant_clues};
use sudoku_core::text::{Normalised, normalise};
use sudoku_core::text::{Puzzle, validate};

use super::spellings::{any_digit, groups};
use crate::util::{PUZZLE, SOLUTION, TestDir, numbers, texts};

/// Options that add all optional columns to the table.
const ALL_COLUMNS: [&str; 3] = [
    "--uniqueness",
    "--with",
    "canonical,automorphisms,minimal,redundant_clues",
];

fn puzzle(marks: &Marks) -> Puzzle {
    let normalised = normalise(marks.as_str().as_bytes()).unwrap();
    validate(normalised, None).unwrap()
}

fn solve(puzzle: &Puzzle) -> Solution {
    let mut solutions = Vec::new();
    Backtracker.solve(&[puzzle.board()], Limits::default(), &mut solutions);
    solutions.remove(0)
}

/// The n-th generated puzzle. The target of the generator, such as a level, depends on `n`.
fn generated(seed: u64, n: u64) -> Generated {
    let target = match n % 4 {
        0 => GradeTarget::Level(Level::Unfair),
        1 => GradeTarget::Level(Level::Hard),
        _ => GradeTarget::Any,
    };
    let generator = Generator {
        seed,
        target,
        clues: None,
        max_attempts: 10_000,
        ..Generator::any(0)
    };
    generator.puzzle(n).unwrap()
}

/// The candidates that the clues leave, without `count` random ones. The digits of `kept_solution`, if it is given, are
/// not removed.
fn with_eliminations(
    clues: &Grid,
    kept_solution: Option<&Grid>,
    count: usize,
    rng: &mut Rng,
) -> Marks {
    let board = Candidates::new(clues);
    let mut candidates: Vec<(Digit, Cell)> = Vec::new();
    for digit in Digit::ALL {
        candidates.extend(board.open_places(digit).map(|cell| (digit, cell)));
    }
    candidates
        .retain(|(digit, cell)| kept_solution.is_none_or(|grid| grid.get(*cell) != Some(*digit)));
    rng.shuffle(&mut candidates);
    let mut board = board;
    for (digit, cell) in candidates.into_iter().take(count) {
        board.eliminate(digit, CellSet::of(cell));
    }
    let mut set = sudoku_core::board::CandidateSet::EMPTY;
    for digit in Digit::ALL {
        set.insert(digit, board.places(digit));
    }
    Marks::from_candidates(&set)
}

#[test]
fn pencil_marks_without_eliminations_are_the_same_as_the_clues() {
    let dir = TestDir::new();
    dir.write("clues.txt", format!("{PUZZLE}\n"));
    let rows = [
        any_digit(PUZZLE, '.'),
        any_digit(PUZZLE, '0'),
        any_digit(PUZZLE, ' '),
        groups(&any_digit(PUZZLE, '.')),
    ];
    for (at, text) in rows.iter().enumerate() {
        dir.write("marks.txt", format!("{text}\n"));
        for name in ["clues", "marks"] {
            let (input, output) = (format!("{name}.txt"), format!("{name}.csv"));
            let arguments = format!("grade {input} -o {output} --overwrite");
            dir.succeed((&arguments, &ALL_COLUMNS));
        }
        let table_of_marks = String::from_utf8(dir.read("marks.csv")).unwrap();
        let table_of_clues = String::from_utf8(dir.read("clues.csv")).unwrap();
        assert_eq!(
            table_of_marks.replace("marks.txt", "clues.txt"),
            table_of_clues,
            "row {at}"
        );
    }
}

#[test]
fn eliminated_candidates_are_used_and_kept_in_the_output() {
    let dir = TestDir::new();
    let seed = 21;
    let mut rng = Rng::new(seed);
    let mut lines = String::new();
    let mut solutions = Vec::new();
    for n in 0..20 {
        let generated = generated(seed, n);
        let marks = with_eliminations(&generated.puzzle, Some(&generated.solution), 40, &mut rng);
        lines += &format!("{marks}\n");
        solutions.push(Some(generated.solution.to_string()));
    }
    dir.write("in.txt", &lines);
    let arguments = ["grade", "in.txt", "-o", "out.parquet"];
    dir.succeed(&[&arguments[..], &ALL_COLUMNS].concat());
    let table = dir.parquet("out.parquet");
    let marks: Vec<_> = lines.lines().map(|line| Some(line.to_owned())).collect();
    assert_eq!(texts(&table, "puzzle"), marks);
    assert_eq!(texts(&table, "solution"), solutions, "seed {seed}");
    // Techniques that assume a unique solution may not be used with pencil marks.
    for (plain, with) in [("technique", "technique_u"), ("level", "level_u")] {
        assert_eq!(texts(&table, with), texts(&table, plain));
    }
    assert_eq!(numbers(&table, "rank_u"), numbers(&table, "rank"));
    assert_eq!(texts(&table, "canonical"), vec![None; 20]);
    assert_eq!(numbers(&table, "automorphisms"), vec![None; 20]);
    assert!(!numbers(&table, "redundant_clues").contains(&None));

    let ladder = Ladder::default();
    for (row, line) in lines.lines().enumerate() {
        let puzzle = puzzle(&Marks::from_normal_form(line.as_bytes()).unwrap());
        let rank = ladder.grade(&puzzle).rank;
        assert_eq!(numbers(&table, "rank")[row], Some(rank.number().into()));
        let clues = puzzle.clues.clue_count() as u64;
        assert_eq!(numbers(&table, "clues")[row], Some(clues));
    }

    // Reading the output and writing it again gives the same text.
    dir.succeed("convert in.txt -o again.txt");
    assert_eq!(dir.read("again.txt"), lines.as_bytes());
    let zeros = lines.replace('.', "0");
    dir.write("zeros.txt", zeros);
    dir.succeed("convert zeros.txt -o again.txt --overwrite");
    assert_eq!(dir.read("again.txt"), lines.as_bytes());
    let grouped: String = lines.lines().map(|line| groups(line) + " # n\n").collect();
    dir.write("groups.txt", grouped);
    dir.succeed("convert groups.txt -o again.txt --overwrite");
    assert_eq!(dir.read("again.txt"), lines.as_bytes());
}

#[test]
fn a_given_solution_must_agree_with_the_pencil_marks() {
    let dir = TestDir::new();
    // In these pencil marks, the cell of a clue has only the clue's digit, and each empty cell has all digits.
    let mut without_mark = any_digit(PUZZLE, '.').into_bytes();
    // In the solution, r1c3 is 4. Without the mark 4 in r1c3, there is no solution.
    without_mark[2 * 9 + 3] = b'.';
    let without_marks = String::from_utf8(without_mark).unwrap();
    let mut fewer_marks = any_digit(PUZZLE, '.').into_bytes();
    fewer_marks[2 * 9] = b'.';
    let unique_marks = String::from_utf8(fewer_marks).unwrap();
    let marked_solution = any_digit(SOLUTION, '0');
    dir.write(
        "in.csv",
        format!(
            "puzzle,solution\n{without_marks},{SOLUTION}\n{unique_marks},{SOLUTION}\n{unique_marks},{marked_solution}\n"
        ),
    );
    dir.succeed("grade in.csv -o out.parquet");
    let table = dir.parquet("out.parquet");
    let column = |name| -> Vec<String> {
        let values = texts(&table, name).into_iter();
        values.map(Option::unwrap_or_default).collect()
    };
    assert_eq!(column("status"), ["none", "unique", "unique"]);
    assert_eq!(column("solution_given"), ["wrong", "correct", "correct"]);
    assert_eq!(numbers(&table, "rank")[0], None);
}

#[test]
fn invalid_pencil_marks_are_rejected() {
    let dir = TestDir::new();
    let full_marks = any_digit(PUZZLE, '.');
    let with_character = |at: usize, by: &str| {
        let mut text = full_marks.clone();
        text.replace_range(at..=at, by);
        text
    };
    let mut repeated_digit = full_marks.clone();
    // r1c3 is set to 5, which is also in r1c1.
    repeated_digit.replace_range(18..27, "....5....");
    let grouped = groups(&full_marks);
    let rows = [
        with_character(20, "4"),
        with_character(20, "a"),
        with_character(20, "0"),
        repeated_digit,
        grouped.replacen("123456789", "1233", 1),
        grouped.replacen("123456789", "0", 1),
        full_marks.replacen('5', "", 1),
    ];
    dir.write("in.csv", format!("puzzle\n{}\n", rows.join("\n")));
    dir.succeed("grade in.csv -o out.csv --rejects bad.parquet --allow-empty");
    let rejects = dir.parquet("bad.parquet");
    let errors_and_messages = texts(&rejects, "error")
        .into_iter()
        .zip(texts(&rejects, "message"));
    let reject_texts: Vec<String> = errors_and_messages
        .map(|(error, message)| format!("{}: {}", error.unwrap(), message.unwrap()))
        .collect();
    assert_eq!(
        reject_texts,
        [
            "bad_character: '4' at position 21 is in the place of the mark '3'",
            "bad_character: 'a' at position 21 is neither a digit nor a blank",
            "mixed_blanks: '.' and '0' both stand for a missing digit",
            "conflict: 5 is in r1c1 and in r1c3 (row 1)",
            "bad_character: '3' in group 3 occurs twice",
            "bad_character: '0' in group 3 is not a digit",
            "wrong_length: 728 cells; a puzzle has 81",
        ]
    );
}

#[test]
fn a_cell_without_a_mark_leaves_no_solution() {
    let dir = TestDir::new();
    let mut empty_cell = any_digit(PUZZLE, '.');
    empty_cell.replace_range(18..27, ".........");
    let no_marks = ".".repeat(729);
    let all_but_one = format!("{}{}", "........9", "123456789".repeat(80));
    dir.write(
        "in.txt",
        format!("{empty_cell}\n{no_marks}\n{all_but_one}\n"),
    );
    dir.succeed("grade in.txt -o out.parquet");
    let table = dir.parquet("out.parquet");
    let statuses: Vec<_> = texts(&table, "status").into_iter().flatten().collect();
    assert_eq!(statuses, ["none", "none", "multiple"]);
    let puzzles: Vec<_> = texts(&table, "puzzle").into_iter().flatten().collect();
    let lone_clue = format!("9{}", ".".repeat(80));
    assert_eq!(puzzles, [empty_cell, no_marks, lone_clue]);
}

#[test]
fn valid_eliminations_never_make_a_puzzle_harder() {
    let seed = 22;
    let ladder = Ladder::default();
    let count = std::env::var("MARKS_COUNT").map_or(40, |text| text.parse().unwrap());
    let mut easier_puzzles = 0;
    for n in 0..count {
        let mut rng = Rng::for_item(seed, n);
        let Generated {
            puzzle: clues,
            solution,
            ..
        } = generated(seed, n);
        let rank_before = ladder.grade(&clues).rank;
        for _ in 0..3 {
            let eliminated_count = 1 + rng.below(60);
            let marks = with_eliminations(&clues, Some(&solution), eliminated_count, &mut rng);
            let puzzle = puzzle(&marks);
            let case_text = format!("seed {seed}, puzzle {n}: {clues} as {marks}");
            let solution_of_marks = solve(&puzzle);
            assert_eq!(
                (solution_of_marks.count, solution_of_marks.first),
                (1, Some(solution)),
                "{case_text}"
            );
            let (grade, reached) = ladder.solve(&puzzle);
            assert!(grade.rank <= rank_before, "{case_text}");
            assert_eq!(reached, Some(solution).filter(|_| grade.rank < SEARCH));
            easier_puzzles += u32::from(grade.rank < rank_before);
            for _ in 0..2 {
                let image = Isomorph::random(&mut rng).apply_to_marks(&marks);
                assert_eq!(
                    ladder.grade(&self::puzzle(&image)),
                    grade,
                    "{case_text} as {image}"
                );
            }
        }
    }
    assert!(easier_puzzles > 0);
}

/// The fast path of grading finds the same waves as the techniques that are run one by one. A wave is all steps that
/// one technique finds on a board.
#[test]
fn the_ladder_starts_from_the_marks() {
    let seed = 23;
    let mut rng = Rng::new(seed);
    let ladder = Ladder::default();
    for n in 0..20 {
        let generated = generated(seed, n);
        // Some of these puzzles have no solution, and so no grade. Grading must end for them as well.
        let kept_solution = Some(&generated.solution).filter(|_| n % 4 != 0);
        let marks = with_eliminations(&generated.puzzle, kept_solution, 30, &mut rng);
        // If a house has two cells with the same single mark, the record is a reject.
        let normalised = normalise(marks.as_str().as_bytes()).unwrap();
        let Ok(puzzle) = validate(normalised, None) else {
            assert!(kept_solution.is_none(), "seed {seed}: {marks}");
            continue;
        };
        let mut position = Position::from(&puzzle);
        let mut steps = Steps::union_only();
        let mut waves = [0; Rank::COUNT];
        while !position.is_solved()
            && let Some(rank) = ladder.wave(&position, &mut steps)
        {
            waves[rank.index()] += 1;
            position.apply(steps.union());
        }
        let (grade, solution) = ladder.solve(&puzzle);
        let techniques = SEARCH.index();
        assert_eq!(
            grade.waves[..techniques],
            waves[..techniques],
            "seed {seed}: {marks}"
        );
        assert_eq!(solution, position.solution(), "seed {seed}: {marks}");
    }
}

/// Counts solutions with a simple search that tries cells and digits in order.
fn count_by_simple_search(grid: &mut Grid, marks: &Marks, limit: u32) -> u32 {
    let Some(cell) = Cell::all().find(|cell| grid.get(*cell).is_none()) else {
        return 1;
    };
    let mut count = 0;
    for digit in Digit::ALL {
        let is_allowed =
            marks.contains(cell, digit) && cell.peers().all(|peer| grid.get(peer) != Some(digit));
        if count < limit && is_allowed {
            grid.set(cell, Some(digit));
            count += count_by_simple_search(grid, marks, limit - count);
            grid.set(cell, None);
        }
    }
    count
}

#[test]
fn the_solver_counts_as_many_solutions_as_a_simple_search() {
    let seed = 24;
    let mut counts = [0; 3];
    for n in 0..200 {
        let mut rng = Rng::for_item(seed, n);
        let full_grid = sudoku_core::solve::random_solution(&mut rng);
        let mut clues = full_grid;
        let mut cells: Vec<_> = Cell::all().collect();
        rng.shuffle(&mut cells);
        for cell in &cells[..45 + rng.below(11)] {
            clues.set(*cell, None);
        }
        let kept_solution = Some(&full_grid).filter(|_| rng.below(2) == 0);
        let eliminated_count = rng.below(40);
        let marks = with_eliminations(&clues, kept_solution, eliminated_count, &mut rng);
        // Two cells that each have a single mark can contradict each other.
        let Ok(puzzle) = validate(Normalised::Marks(Box::new(marks.clone())), None) else {
            continue;
        };
        let expected_count = count_by_simple_search(&mut puzzle.clues.clone(), &marks, 2);
        assert_eq!(solve(&puzzle).count, expected_count, "seed {seed}: {marks}");
        counts[expected_count as usize] += 1;
    }
    assert!(counts.into_iter().all(|count| count > 10), "{counts:?}");
}

/// Tests a puzzle that has only pencil marks and no clue.
#[test]
fn a_puzzle_of_marks_alone_is_solved() {
    let seed = 25;
    let mut rng = Rng::new(seed);
    let solution = sudoku_core::solve::random_solution(&mut rng);
    let mut candidates: Vec<(Cell, Digit)> = Vec::new();
    for cell in Cell::all() {
        let other_digits = Digit::ALL
            .into_iter()
            .filter(|digit| solution.get(cell) != Some(*digit));
        candidates.extend(other_digits.map(|digit| (cell, digit)));
    }
    rng.shuffle(&mut candidates);
    let mut set = sudoku_core::board::CandidateSet::FULL;
    let mut taken_count = 0;
    for (cell, digit) in candidates {
        let mut fewer_candidates = Candidates::FULL;
        fewer_candidates.keep_only(&set);
        if fewer_candidates.digits(cell).len() > 2 {
            fewer_candidates.eliminate(digit, CellSet::of(cell));
            set = sudoku_core::board::CandidateSet::new(*fewer_candidates.all_places());
            taken_count += 1;
        }
        if taken_count == 420 {
            break;
        }
    }
    let marks = Marks::from_candidates(&set);
    let puzzle = puzzle(&marks);
    assert_eq!(puzzle.clues, Grid::EMPTY);
    let solution_of_marks = solve(&puzzle);
    assert_eq!(
        (solution_of_marks.count, solution_of_marks.first),
        (1, Some(solution)),
        "seed {seed}: {marks}"
    );

    let dir = TestDir::new();
    dir.write("in.txt", format!("{marks}\n"));
    dir.succeed("solve in.txt -o out.txt");
    assert_eq!(
        dir.read("out.txt"),
        format!("{marks},{solution}\n").as_bytes()
    );
    let explanation: serde_json::Value =
        serde_json::from_str(&dir.succeed(&["explain", "--json", marks.as_str()])).unwrap();
    assert_eq!(explanation["puzzle"], marks.as_str());
    assert_eq!(explanation["clues"], 0);
    assert_eq!(explanation["solution"], solution.as_str());
    let first_candidates = &explanation["waves"][0]["candidates"];
    let groups = groups(marks.as_str());
    let expected_groups: Vec<&str> = groups.split(' ').collect();
    assert_eq!(*first_candidates, serde_json::json!(expected_groups));
    for options in [&["--brief"][..], &["--html"], &[]] {
        dir.succeed(&[&["explain", marks.as_str()], options].concat());
    }
}

/// Compares the test for minimal puzzles with a direct check by the solver, which removes each clue, or restores each
/// eliminated mark.
#[test]
fn a_puzzle_is_minimal_if_it_needs_every_clue_and_every_elimination() {
    let seed = 26;
    let mut rng = Rng::new(seed);
    let mut minimal_count = 0;
    for n in 0..12 {
        let generated = generated(seed, 4 * n + 2);
        let mut clues = generated.puzzle;
        if n % 3 > 0 {
            // Removes one clue, and eliminates candidates in some other cells instead.
            let (cell, _) = clues.clues().nth(rng.below(17)).unwrap();
            clues.set(cell, None);
        }
        let mut marks = Marks::from_candidates(&sudoku_core::board::CandidateSet::FULL);
        for eliminated_count in 0.. {
            marks = with_eliminations(
                &clues,
                Some(&generated.solution),
                eliminated_count,
                &mut rng,
            );
            if solve(&puzzle(&marks)).count == 1 && puzzle(&marks).marks.is_some() {
                break;
            }
        }
        let start_puzzle = puzzle(&marks);
        let count = |text: String| {
            let marks = Marks::from_normal_form(text.as_bytes()).unwrap();
            solve(&puzzle(&marks)).count
        };
        let with_character = |at: usize, by: &str| {
            let mut text = marks.to_string();
            text.replace_range(at..at + by.len(), by);
            count(text)
        };
        let expected_redundant: CellSet = (start_puzzle.clues.clues().map(|(cell, _)| cell))
            .filter(|cell| with_character(9 * cell.index(), "123456789") == 1)
            .collect();
        assert_eq!(
            redundant_clues(&start_puzzle.clues, start_puzzle.marks.as_deref()),
            expected_redundant,
            "seed {seed}: {marks}"
        );
        let all_candidates = Candidates::new(&start_puzzle.clues);
        let is_minimal_by_hand = Cell::all().all(|cell| {
            let left_out_digits = all_candidates
                .digits(cell)
                .filter(|digit| !marks.contains(cell, *digit));
            left_out_digits.into_iter().all(|digit| {
                let mark_index = 9 * cell.index() + digit.index();
                with_character(mark_index, &digit.to_string()) > 1
            })
        });
        let expected_minimal = expected_redundant.is_empty() && is_minimal_by_hand;
        assert_eq!(
            is_minimal(&start_puzzle.clues, start_puzzle.marks.as_deref()),
            expected_minimal,
            "seed {seed}: {marks}"
        );
        minimal_count += u32::from(expected_minimal);
    }
    eprintln!("{minimal_count} of 12 are minimal");
}
