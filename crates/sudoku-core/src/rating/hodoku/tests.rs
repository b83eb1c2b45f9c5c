//! Tests with puzzles that the reference has rated, and with properties that all paths have.

use super::state::State;
use super::tables::{Closure, Links, MOST_ENTRIES, Table};
use super::{HodokuOutcome, HodokuStep, HodokuVersion, rate, trace};
use crate::board::{Candidates, CellSet, Grid};
use crate::generate::Generator;
use crate::grade::Level;
use crate::solve::{Kernel, Limits, solve_all};
use crate::text::Puzzle;

/// The seed of the generated puzzles.
const SEED: u64 = 39;

/// Puzzles with the reference's level and score. Together they use almost every technique.
const RATED: &[(&str, Level, u32)] = &[
    (
        "21..8.........93..6..1....9..7....2....8..1....83..5..7......5.8.6.3.7.2.9...1.3.",
        Level::Extreme,
        2114,
    ),
    (
        ".4..1.9..7.8.3..2.9...5.61.3.6.215....1.........46.8....3.8....1.........54..6...",
        Level::Hard,
        490,
    ),
    (
        "........6....75....2...35....29.8...3....7.....4...9.5.5.12..3...1..94...6......8",
        Level::Extreme,
        2962,
    ),
    (
        ".67..4.........8..5.4..97.......6.2..3..45..7...7.....8.3...2..2.5.3...1.4.52....",
        Level::Hard,
        1074,
    ),
    (
        "3.4.....5...82.6.......98.....5.....43....7..79.....425......869..1..5.......64..",
        Level::Hard,
        1078,
    ),
    (
        "2...........8.762....9....34.63.......3.762....82..9......4.3...7...9.8........75",
        Level::Unfair,
        1498,
    ),
    (
        "..247..58..............1.4.....2...9528.9.4....9...1.........3.3....75..685..2...",
        Level::Unfair,
        1228,
    ),
    (
        "...3.8.1..9..2...65.16.4..81....6....4..72......4............7...5.312..8.......1",
        Level::Extreme,
        3324,
    ),
    (
        ".57...9.8....4..752.1.....3.1.....82.8...4...9.........2.6.7....4...82....8.5..6.",
        Level::Hard,
        634,
    ),
    (
        "5..4....8...783.56.....57...7.83...2..26..17.4.......31........86..9......4.1.6..",
        Level::Unfair,
        1476,
    ),
    (
        "3.7.98......3..87..8..2...17....6..9......653..29......5...7...6.3...5.....15..3.",
        Level::Unfair,
        1510,
    ),
    (
        "5......68982....1....1...2..5..9...4..4..72....34.....7..2.......1.4.3...3..5....",
        Level::Unfair,
        1288,
    ),
    (
        ".4....17..2.3....5..96.1.2...1..2.6.....6..34..6437..83...2..............7.....56",
        Level::Hard,
        1240,
    ),
    (
        "..9...2.....9.3.....1.8.5.......48...9.1....6.847....9.2.....6.4..2...7....4.71.8",
        Level::Unfair,
        904,
    ),
    (
        ".1.9.2....7..4.......3..5..14......87...8.94..294...5.4..57.86...........3.82..7.",
        Level::Unfair,
        1036,
    ),
    (
        "4.5.2..6.6..9..78...73....2.1....8.....6..3.52...1.........7....3.........2....76",
        Level::Extreme,
        1738,
    ),
    (
        ".7..5..2......4...4...7.8...629.73.....2.3.1.3......686....8.......1..36..1..2..9",
        Level::Hard,
        520,
    ),
    (
        "3..5...862..6.....5.8...21..3.24..6.....6.9.........787.6..3.9..........8.192....",
        Level::Unfair,
        1230,
    ),
    (
        "..8............9.6.25.....15.1.8.4.....7...93....36.....63.71....4..9....7.26..5.",
        Level::Unfair,
        1064,
    ),
    (
        "...58.7.....6..1....8..1.....5..2...4.37..6..6...9.4.8..9......3..8.4.7.8....9.4.",
        Level::Extreme,
        2510,
    ),
    (
        "....3.....7..5...25...4..9.4..6..9...9......13.2....7...7.948.....3..1....8....5.",
        Level::Unfair,
        1122,
    ),
    // Longer remote pairs remove more, but not with their ends.
    (
        "......8...92....5.7...4.....659...8.....2.61...3.614.592...........8.241...7..5..",
        Level::Hard,
        780,
    ),
    (
        "7.8..1..9.4..7..............3.9..8....1..4..5...8.69.169......8...5.7...1.....7.6",
        Level::Hard,
        1268,
    ),
    // The order of the removals of multi colours 1.
    (
        "........15....4.....2.6..79..7.9....4.....8.....2......69.........5.84...........",
        Level::Extreme,
        2416,
    ),
    (
        "1....9..3.793.56.46...1..7..21...7...4....1..5..........8..3....5.6...87416...2..",
        Level::Unfair,
        622,
    ),
];

/// A puzzle that needs forcing nets.
const NETS: &str =
    "..57...2971.8......3..............3.....37..1.795....84.3...........68....1..93.5";

fn outcome(puzzle: &str, version: HodokuVersion) -> HodokuOutcome {
    rate(&puzzle.parse().expect("a puzzle"), version)
}

fn assert_rated(puzzle: &str, level: Level, score: Option<u32>) -> bool {
    let outcome = outcome(puzzle, HodokuVersion::V2_2);
    assert_eq!(outcome.level(), level, "{puzzle}");
    let found = outcome.rating().map(|rating| rating.score);
    if found.is_some() {
        assert_eq!(found, score, "{puzzle}");
    }
    found.is_some()
}

#[test]
fn puzzles_have_the_reference_s_level_and_score() {
    for (puzzle, level, score) in RATED {
        assert!(assert_rated(puzzle, *level, Some(*score)), "{puzzle}");
    }
}

/// Reads `HODOKU_SCORES=FILE`, a table with the columns puzzle, level and score.
#[test]
fn levels_and_scores_of_a_whole_file_are_the_reference_s() {
    let Ok(path) = std::env::var("HODOKU_SCORES") else {
        eprintln!("skipped: HODOKU_SCORES=FILE is not set");
        return;
    };
    let text = std::fs::read_to_string(path).expect("the file");
    let (mut rows, mut exact) = (0, 0);
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [puzzle, level, score] = fields[..] else {
            panic!("{line}")
        };
        let level = Level::ALL.into_iter().find(|known| known.id() == level);
        rows += 1;
        exact += usize::from(assert_rated(puzzle, level.expect(line), score.parse().ok()));
    }
    eprintln!("{rows} puzzles have the reference's level, and {exact} of them its score");
}

#[test]
fn a_puzzle_that_needs_nets_has_a_level_and_no_score() {
    let outcome = outcome(NETS, HodokuVersion::V2_2);
    assert_eq!(outcome, HodokuOutcome::ForcingNet);
    assert_eq!(
        (outcome.id(), outcome.level()),
        ("forcing_net", Level::Extreme)
    );
    assert_eq!(outcome.rating(), None);
}

/// Checks each step of a path against the solution, and replays the path.
fn assert_path(puzzle: &Grid, version: HodokuVersion) {
    let text: Puzzle = puzzle.as_str().parse().expect("a puzzle");
    let solved = solve_all(Kernel::fastest(), &[text], Limits::default());
    let solution = solved[0].first.expect("a solution");
    let (outcome, steps) = trace(puzzle, version);
    assert_eq!(outcome, rate(puzzle, version), "{puzzle}");
    let mut board = Candidates::new(puzzle);
    let mut score = 0;
    for step in &steps {
        assert_eq!(board.by_cell(), step.board.by_cell(), "{puzzle}: {step:?}");
        let HodokuStep {
            placed,
            removed,
            points,
            ..
        } = step;
        for (cell, digit) in removed {
            assert_ne!(solution.get(*cell), Some(*digit), "{puzzle}: {step:?}");
            board.eliminate(*digit, CellSet::of(*cell));
        }
        if let Some((cell, digit)) = placed {
            assert_eq!(solution.get(*cell), Some(*digit), "{puzzle}: {step:?}");
            board.place(*cell, *digit);
        }
        score += points;
    }
    if let Some(rating) = outcome.rating() {
        assert!(board.is_solved(), "{puzzle}");
        assert_eq!(rating.score, score, "{puzzle}");
        assert!(
            steps.iter().all(|step| step.level <= rating.level),
            "{puzzle}"
        );
    }
}

#[test]
fn every_step_is_valid_and_the_path_adds_up_to_the_score() {
    let generator = Generator::any(SEED);
    let generated = (0..40).filter_map(|n| generator.puzzle(n));
    let known = RATED
        .iter()
        .map(|(puzzle, ..)| puzzle.parse().expect("a puzzle"));
    for puzzle in known.chain(generated.map(|puzzle| puzzle.puzzle)) {
        for version in HodokuVersion::ALL {
            assert_path(&puzzle, version);
        }
    }
}

/// The closure of the links has what the slow, readable search finds from each premise alone.
#[test]
fn closures_have_what_follows_from_each_premise() {
    for (puzzle, ..) in RATED {
        let state = State::new(&puzzle.parse().expect("a puzzle"));
        for with_groups in [false, true] {
            let links = Links::new(&state, with_groups);
            let closure = Closure::new(&links);
            let mut table = Table::default();
            for start in 0..2 * links.nodes.len() {
                table.fill(&links, start);
                let count: u32 = closure
                    .set(start)
                    .iter()
                    .map(|word| word.count_ones())
                    .sum();
                if count as usize <= MOST_ENTRIES {
                    assert_eq!(closure.set(start), table.set, "{puzzle}: {start}");
                }
            }
        }
    }
}

#[test]
fn versions_are_read_as_they_are_printed() {
    for version in HodokuVersion::ALL {
        assert_eq!(version.to_string().parse(), Ok(version));
    }
    assert!("2".parse::<HodokuVersion>().is_err());
}
