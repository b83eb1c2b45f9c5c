//! Tests with puzzles that Sudoku Explainer has rated, and tests of properties that all ratings have.

use super::{Rater, Rating, RatingLimits, RatingOutcome};
use crate::board::{Candidates, Cell, Digit, Grid, Isomorph, canonical};
use crate::generate::{Generator, GradeTarget, Symmetry};
use crate::random::Rng;

/// The seed of the random puzzles and isomorphs in these tests.
const SEED: u64 = 18;

/// Puzzles with their ratings by Sudoku Explainer: the puzzle, ER, EP, ED.
const RATED: &[(&str, &str, &str, &str)] = &[
    (
        "8..37.1.6.16......47..5....3.....2...4.9.8.3...9.....8....9..14......32.9.1.26..7",
        "1.2",
        "1.2",
        "1.2",
    ),
    (
        "6.1.3...53...1..6.......4...9.423..71...9...47..861.2...7.......3..8...25...4.1.6",
        "1.5",
        "1.2",
        "1.2",
    ),
    (
        "2.5.....74....9.3.9...83.....193.4...4.....6...2.453.....19...5.7.3....81.....2.3",
        "1.7",
        "1.2",
        "1.2",
    ),
    (
        "974...6......3..5..3..8.7.......1..47.1...2.82..4.......5.9..6..9..5......2...395",
        "2.0",
        "1.2",
        "1.2",
    ),
    (
        ".....194.2.4.5.1.8.3....7.5..1372...............4685..3.9....7.6.2.9.8.4.182.....",
        "2.3",
        "1.2",
        "1.2",
    ),
    (
        "...3...4....49.1...6..5.9..97.28..1...4.1.3...1..37.92..9.7..8...7.45....8...9...",
        "2.5",
        "1.2",
        "1.2",
    ),
    (
        ".....73.831....6...79.8...2.627.........3.........142.6...1.84...1....699.76.....",
        "2.6",
        "1.2",
        "1.2",
    ),
    (
        "........1.......23..4..5........16...3.27....8...........1........83....5.6...9..",
        "2.8",
        "1.2",
        "1.2",
    ),
    (
        "..8..32.9..648....5.7...4.......439...........836.......5...9.2....918..3.18..7..",
        "3.0",
        "1.2",
        "1.2",
    ),
    (
        "...9....87..6..5.......54278.31.........2.........86.95947.......8..3..52....6...",
        "3.2",
        "1.2",
        "1.2",
    ),
    (
        "2.9.......8....7...7...15..41.....3..9...2......7....8...6..3.....87..1.....39.4.",
        "3.4",
        "1.2",
        "1.2",
    ),
    (
        "......41.6..3.....3...2.....49..8..........52.1.......5..6....7.8....9......3....",
        "3.6",
        "1.2",
        "1.2",
    ),
    (
        ".8.....63....4.2............1.8.35..7.....9.....6.....2.9.7...........354........",
        "4.0",
        "1.2",
        "1.2",
    ),
    (
        "........1.......2...3..4..5........6.....78.....12.........3.8..6....9..19..6....",
        "4.2",
        "1.2",
        "1.2",
    ),
    (
        "58.9.7......1......3..5.7.2358.7..2...........2..6.1352.9.4..6......6......3.2.47",
        "4.4",
        "1.2",
        "1.2",
    ),
    (
        "........1.......2...3.45.........4....67....3.8.2.........31....9.......72.....8.",
        "4.5",
        "1.2",
        "1.2",
    ),
    (
        "..............1.23.45.6..........4.......2.....6...7.1......56..2.5..8..3........",
        "4.6",
        "1.2",
        "1.2",
    ),
    (
        "..............1..2..3....4.......5......6..3..2.7.4.......281....4..7...3.6......",
        "5.6",
        "1.2",
        "1.2",
    ),
    (
        "1..5..9......784.......9.364.8...39...3...1...26...7.467.8.......174......2..5..7",
        "6.6",
        "1.2",
        "1.2",
    ),
    (
        "........1.......23..4..5........65...1..7....2...........8.4.....65......3.....17",
        "6.7",
        "1.2",
        "1.2",
    ),
    (
        ".3.........8.273.9.25...84.....8.9...8.459.2...9.7.....12...79.5.376.2.........1.",
        "6.8",
        "1.2",
        "1.2",
    ),
    (
        "...3..8.....5...92.2..17..5......94..3.6.5.2..89......7..84..6.41...9.....2..3...",
        "6.9",
        "1.2",
        "1.2",
    ),
    (
        "4...8.15....52......36....45...6.239.........647.9...13....54......32....85.4...3",
        "7.0",
        "1.2",
        "1.2",
    ),
    (
        "........1.......23..1..4.........4......3..5...675.8.......69...5.......32.......",
        "7.1",
        "1.2",
        "1.2",
    ),
    (
        "4.258...38.19....57.....6..3..1......2.....5......2..6..8.....92....45.85...193.4",
        "7.2",
        "1.2",
        "1.2",
    ),
    (
        "......8.7...4..6......85.1.8..14..72..5.6.3..91..57..8.7.89......6..2...2.8......",
        "7.3",
        "1.2",
        "1.2",
    ),
    (
        "621......9......4....51..........9.7.7...94....2...65..4..7.......1...852..36....",
        "7.4",
        "1.2",
        "1.2",
    ),
    (
        "4.9...5.....8....27..3.........4.7...8.....6..1..........6..12.5...9...........3.",
        "7.5",
        "1.2",
        "1.2",
    ),
    (
        "4.......3.583.........6.58...329...1.69.7.35.7...839...34.2.........923.8.......5",
        "7.6",
        "1.2",
        "1.2",
    ),
    (
        ".3...1...8....2.....279...5....7...8.1..8..2......397..574...1..8...9.....6.....4",
        "7.7",
        "1.2",
        "1.2",
    ),
    (
        "..2.....5.4...2.9....4.6.87...9...54..51.46..46...8...38.7.9....7.2...4.5.....7..",
        "7.8",
        "1.2",
        "1.2",
    ),
    (
        "..2..5..7..6.....3......69...7.43.6..2..9....1.........69.....2..38....14.1.3..7.",
        "7.9",
        "1.2",
        "1.2",
    ),
    (
        "..3...1...6.2...9...2.84....19..6.7.7.8.1............5..7..3...3....2....8.75...3",
        "8.2",
        "1.2",
        "1.2",
    ),
    (
        "1..2.37......8...5.....412........7..93.1......6..8...3.2..6.....1.3..8.68..5.3..",
        "8.3",
        "1.2",
        "1.2",
    ),
    (
        "1..........6.....3.8....4.1...6785.4...9........5..76...2......59.814......3..9..",
        "8.5",
        "1.5",
        "1.5",
    ),
    (
        "1.....6........4.8...3.....9..7...2.....8.5..........7.68.4.....45..9..........3.",
        "8.9",
        "1.2",
        "1.2",
    ),
    (
        "17...4...3..6..7..25.....4......58........4......3..155..7...2.....96...7..3.1.9.",
        "9.0",
        "1.2",
        "1.2",
    ),
];

/// The puzzles of [`RATED`] whose ER is at least `lowest`, which is in tenths.
pub(super) fn puzzles_rated(lowest: u16) -> impl Iterator<Item = &'static str> {
    let is_high = move |er: &str| er.parse::<Rating>().is_ok_and(|er| er.tenths() >= lowest);
    let rated_high = RATED.iter().filter(move |(_, er, ..)| is_high(er));
    rated_high.map(|(puzzle, ..)| *puzzle)
}

/// When a puzzle is rated step by step, the boards before the steps that are rated at least 4.5.
pub(super) fn boards_after_bulk_steps(puzzle: &str) -> Vec<Candidates> {
    let grid: Grid = puzzle.parse().expect("a puzzle");
    let mut boards = Vec::new();
    Rater::new().walk(
        &Candidates::new(&grid),
        RatingLimits::default(),
        |board, hint| {
            if hint.rating >= 4.5 {
                boards.push(board.clone());
            }
        },
    );
    boards
}

fn rate_to(rater: &mut Rater, puzzle: &str, highest: u16) -> RatingOutcome {
    let grid: Grid = puzzle.parse().expect("a puzzle");
    let limits = RatingLimits {
        highest: Rating::from_tenths(highest),
        ..RatingLimits::default()
    };
    rater.rate(&Candidates::new(&grid), limits)
}

fn assert_rated(rater: &mut Rater, puzzle: &str, expected: [&str; 3]) {
    let found = rate_to(rater, puzzle, 120).ratings();
    let found = found.map(|found| [found.puzzle, found.pearl, found.diamond]);
    let expected = expected.map(|rating| rating.parse::<Rating>().expect("a rating"));
    assert_eq!(found, Some(expected), "{puzzle}");
}

#[test]
fn ratings_equal_those_of_sudoku_explainer() {
    let mut rater = Rater::new();
    for (puzzle, er, ep, ed) in RATED {
        assert_rated(&mut rater, puzzle, [er, ep, ed]);
    }
}

/// Puzzles from forums with known ratings. They need nested chains, a BUG type 3 whose rating is not the lowest, and
/// unique loops that Sudoku Explainer misses because of the orientation of the grid.
#[test]
fn known_puzzles_have_their_ratings() {
    let mut rater = Rater::new();
    for (puzzle, ratings) in [
        (
            "1..2....3.4.....5...3..67....2.....8.3..7..4.9.....1....84..6...5.....2.6....3..9",
            ["9.7", "9.7", "9.4"],
        ),
        (
            "2..3....5.....473.....9..1......1.9.....7.4...6.8....34.5......6..5......79.....8",
            ["9.7", "9.7", "9.3"],
        ),
        (
            "..9..6..3.3.....7.1...5.8.....6.3..2..6...9..3..7.4.....1.8...5.6.....2.8..2..1..",
            ["5.9", "1.2", "1.2"],
        ),
        (
            "1..........34..2...2..5..3..1.3.6.....4.2.7.....5...8..3..6..9...2..78..........4",
            ["6.6", "2.5", "2.5"],
        ),
        (
            "....2......74.69...8.....3.2.......1.3.9.5.4...8...6...5..1..9...2...4......9....",
            ["4.8", "1.2", "1.2"],
        ),
    ] {
        assert_rated(&mut rater, puzzle, ratings);
    }
}

/// One of the puzzles is Golden Nugget, which is among the hardest known.
#[test]
#[ignore = "takes ten seconds"]
fn the_hardest_puzzles_have_their_ratings() {
    let mut rater = Rater::new();
    for (puzzle, ratings) in [
        (
            "........1.....2.3...4.5.6.....1...7...6..3.2..8..4.9...48.......657.....9...6.5..",
            ["10.7", "10.7", "10.0"],
        ),
        (
            "........1.....2.3...4.5.6....57......1...8...7..59.4....96..5...3........4.....82",
            ["11.0", "11.0", "2.6"],
        ),
        (
            ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
            ["11.9", "11.9", "11.3"],
        ),
    ] {
        assert_rated(&mut rater, puzzle, ratings);
    }
}

/// Isomorphs can have different ratings, but their min-lex form is the same.
#[test]
fn the_canonical_form_of_isomorphs_has_one_rating() {
    let mut rng = Rng::new(SEED);
    let mut rater = Rater::new();
    let mut differ = 0;
    for puzzle in puzzles_rated(26) {
        let grid: Grid = puzzle.parse().expect("a puzzle");
        let mut rate = |grid: &Grid| rater.rate(&Candidates::new(grid), RatingLimits::default());
        let expected = rate(&canonical(&grid).form);
        for _ in 0..3 {
            let isomorph = Isomorph::random(&mut rng).apply(&grid);
            let canonical_outcome = rate(&canonical(&isomorph).form);
            assert_eq!(canonical_outcome, expected, "{isomorph}, seed {SEED}");
            differ += usize::from(rate(&isomorph) != expected);
        }
    }
    assert!(
        differ > 0,
        "seed {SEED}: the arrangement changes some rating"
    );
}

/// Checks the puzzles in a file, which is a table with the columns puzzle, er, ep and ed. The environment variable
/// `SERATE` has the path of the file.
#[test]
fn ratings_of_a_whole_file_equal_those_of_sudoku_explainer() {
    let Ok(path) = std::env::var("SERATE") else {
        eprintln!("skipped: SERATE=FILE is not set");
        return;
    };
    let text = std::fs::read_to_string(path).expect("the file");
    let mut rater = Rater::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [puzzle, er, ep, ed] = fields[..] else {
            panic!("{line}")
        };
        assert_rated(&mut rater, puzzle, [er, ep, ed]);
    }
}

#[test]
fn limits_end_a_rating_early() {
    let mut rater = Rater::new();
    for (puzzle, er, ..) in RATED {
        let value: Rating = er.parse().expect("a rating");
        let below = rate_to(&mut rater, puzzle, value.tenths() - 1);
        assert_eq!(below, RatingOutcome::Above, "{puzzle}");
    }
    let limits = RatingLimits {
        work: 100,
        ..RatingLimits::default()
    };
    let hard: Grid = RATED[RATED.len() - 1].0.parse().expect("a puzzle");
    let outcome = rater.rate(&Candidates::new(&hard), limits);
    assert_eq!(outcome, RatingOutcome::GaveUp);
}

#[test]
fn every_step_agrees_with_the_solution_and_the_ratings_are_in_order() {
    let generator = Generator {
        seed: SEED,
        target: GradeTarget::Any,
        clues: None,
        symmetry: Symmetry::None,
        minimal: false,
        solutions: 1,
        max_attempts: 1,
    };
    let mut rater = Rater::new();
    for n in 0..60 {
        let Some(puzzle) = generator.puzzle(n) else {
            continue;
        };
        let start = Candidates::new(&puzzle.puzzle);
        let text = puzzle.puzzle;
        let outcome = rater.walk(&start, RatingLimits::default(), |_, hint| {
            for (digit, cells) in hint.removed.by_digit() {
                let is_wrong = |cell: Cell| puzzle.solution.get(cell) == Some(digit);
                assert!(!cells.into_iter().any(is_wrong), "{text}: {hint:?}");
            }
            if let Some((cell, digit)) = hint.placed {
                assert_eq!(puzzle.solution.get(cell), Some::<Digit>(digit), "{text}");
            }
        });
        if let Some(ratings) = outcome.ratings() {
            assert!(ratings.diamond <= ratings.pearl, "{text}");
            assert!(ratings.pearl <= ratings.puzzle, "{text}");
        }
    }
}

#[test]
fn bulk_and_single_steps_give_the_same_ratings() {
    let generator = Generator::any(SEED);
    let generated = (0..200).filter_map(|n| generator.puzzle(n));
    let known = RATED
        .iter()
        .map(|(puzzle, ..)| puzzle.parse::<Grid>().expect("a puzzle"));
    let mut rater = Rater::new();
    for puzzle in known.chain(generated.map(|puzzle| puzzle.puzzle)) {
        let start = Candidates::new(&puzzle);
        for highest in [90, 84, 50, 28, 23, 17, 12, 10] {
            let limits = RatingLimits {
                highest: Rating::from_tenths(highest),
                ..RatingLimits::default()
            };
            let in_bulk = rater.rate(&start, limits);
            let in_steps = rater.walk(&start, limits, |_, _| {});
            assert_eq!(in_bulk, in_steps, "{puzzle} to {highest}, seed {SEED}");
        }
    }
}
