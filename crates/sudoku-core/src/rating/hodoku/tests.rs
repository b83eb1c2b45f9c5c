//! Tests of HoDoKu ratings: puzzles that HoDoKu has rated, and properties that all solving paths have.

use super::implications::links::{Links, Premise};
use super::implications::table::{MOST_ENTRIES, Table};
use super::path::state::State;
use super::sets::als::AlmostLocked;
use super::{HodokuStep, HodokuVersion, rate, trace};
use crate::bit_rows::{Closure, count};
use crate::board::{Candidates, CellSet, Digit, Grid};
use crate::generate::Generator;
use crate::solve::{Kernel, Limits, solve_all};
use crate::text::Puzzle;

/// The seed of the generated puzzles in these tests.
const SEED: u64 = 39;

/// Puzzles with HoDoKu's levels and scores. Together they use almost every technique.
const RATED: &str = "\
21..8.........93..6..1....9..7....2....8..1....83..5..7......5.8.6.3.7.2.9...1.3. extreme 2114
.4..1.9..7.8.3..2.9...5.61.3.6.215....1.........46.8....3.8....1.........54..6... hard 490
........6....75....2...35....29.8...3....7.....4...9.5.5.12..3...1..94...6......8 extreme 2962
.67..4.........8..5.4..97.......6.2..3..45..7...7.....8.3...2..2.5.3...1.4.52.... hard 1074
3.4.....5...82.6.......98.....5.....43....7..79.....425......869..1..5.......64.. hard 1078
2...........8.762....9....34.63.......3.762....82..9......4.3...7...9.8........75 unfair 1498
..247..58..............1.4.....2...9528.9.4....9...1.........3.3....75..685..2... unfair 1228
...3.8.1..9..2...65.16.4..81....6....4..72......4............7...5.312..8.......1 extreme 3324
.57...9.8....4..752.1.....3.1.....82.8...4...9.........2.6.7....4...82....8.5..6. hard 634
5..4....8...783.56.....57...7.83...2..26..17.4.......31........86..9......4.1.6.. unfair 1476
3.7.98......3..87..8..2...17....6..9......653..29......5...7...6.3...5.....15..3. unfair 1510
5......68982....1....1...2..5..9...4..4..72....34.....7..2.......1.4.3...3..5.... unfair 1288
.4....17..2.3....5..96.1.2...1..2.6.....6..34..6437..83...2..............7.....56 hard 1240
..9...2.....9.3.....1.8.5.......48...9.1....6.847....9.2.....6.4..2...7....4.71.8 unfair 904
.1.9.2....7..4.......3..5..14......87...8.94..294...5.4..57.86...........3.82..7. unfair 1036
4.5.2..6.6..9..78...73....2.1....8.....6..3.52...1.........7....3.........2....76 extreme 1738
.7..5..2......4...4...7.8...629.73.....2.3.1.3......686....8.......1..36..1..2..9 hard 520
3..5...862..6.....5.8...21..3.24..6.....6.9.........787.6..3.9..........8.192.... unfair 1230
..8............9.6.25.....15.1.8.4.....7...93....36.....63.71....4..9....7.26..5. unfair 1064
...58.7.....6..1....8..1.....5..2...4.37..6..6...9.4.8..9......3..8.4.7.8....9.4. extreme 2510
....3.....7..5...25...4..9.4..6..9...9......13.2....7...7.948.....3..1....8....5. unfair 1122
# Longer remote pairs remove more, but not with their ends.
......8...92....5.7...4.....659...8.....2.61...3.614.592...........8.241...7..5.. hard 780
7.8..1..9.4..7..............3.9..8....1..4..5...8.69.169......8...5.7...1.....7.6 hard 1268
# The order of the removals of multi colours 1.
........15....4.....2.6..79..7.9....4.....8.....2......69.........5.84........... extreme 2416
1....9..3.793.56.46...1..7..21...7...4....1..5..........8..3....5.6...87416...2.. unfair 622
# A grouped loop that comes back to its start cell by a group.
..8...4..6..4.5.1..7........2...9..846..........5..2.....2..7...1..9..5.3..81..6. extreme 2012
# Forcing nets.
..57...2971.8......3..............3.....37..1.795....84.3...........68....1..93.5 extreme 10500
# Nets after a false premise: which of several singles of a cell is set depends on the queues.
............1..7.4..6.95...12.4.......5.3..9............3.6..5..........4..2....7 extreme 12574
.5.4.....4..8...2...8.9...5.3.1..8.6.9......7.....9..4....7.6...19..4..32..6.3... extreme 4932
8....7...1...358...6.8...9.....2.4..........57.3........21....8...75..6.9...4..3. extreme 10896
# Brute force.
.67.8....1..9....7.....6.......4...22....57....12..59...8....3..1..3.2..5..4....9 extreme 11224
";

fn rated() -> impl Iterator<Item = (Grid, &'static str)> {
    let lines = RATED.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| (line[..81].parse().expect(line), &line[82..]))
}

fn assert_rated(puzzle: &Grid, expected: &str) {
    let rating = rate(puzzle, HodokuVersion::V2_2).rating();
    let text = rating.map(|rating| format!("{} {}", rating.level.id(), rating.score));
    assert_eq!(text.as_deref(), Some(expected), "{puzzle}");
}

#[test]
fn puzzles_have_the_level_and_score_of_hodoku() {
    for (puzzle, expected) in rated() {
        assert_rated(&puzzle, expected);
    }
}

/// Among chains of almost locked sets, version 2.3 also prefers the smaller sum, not the shorter chain.
#[test]
fn chains_of_almost_locked_sets_are_the_same_in_both_versions() {
    let cases = "\
....49...15.6.....7......3.5......262...3..8...7...4.....85...1.7.1.....68......7 r1c7<>8
.4...9..3...5.79...68.....77...3.....85.2.......9...1..54..3....194....8......3.. r4c6<>1
.6.......1...93...5...8.46.4...1......8..6.3...6..5.2....74.9............2..68..7 r7c1<>8";
    for (puzzle, removed) in cases.lines().filter_map(|line| line.split_once(' ')) {
        let (_, steps) = trace(&puzzle.parse().expect(puzzle), HodokuVersion::V2_3);
        let is_chain = |step: &&HodokuStep| step.name == "Almost Locked Set Chain";
        let mut chains = steps.iter().filter(is_chain).flat_map(|step| &step.removed);
        let is_found = chains.any(|(cell, digit)| format!("{cell}<>{digit}") == removed);
        assert!(is_found, "{puzzle}: {removed}");
    }
}

/// Checks the puzzles in the file that `HODOKU_SCORES` is set to: a table with the columns puzzle, level and score.
#[test]
fn levels_and_scores_of_a_whole_file_equal_those_of_hodoku() {
    let Ok(path) = std::env::var("HODOKU_SCORES") else {
        eprintln!("skipped: HODOKU_SCORES=FILE is not set");
        return;
    };
    let text = std::fs::read_to_string(path).expect("the file");
    let rows = text.lines().skip(1).map(|line| {
        let line = line.replace(',', " ");
        assert_rated(&line[..81].parse().expect(&line), &line[82..]);
    });
    eprintln!("{} puzzles have HoDoKu's level and score", rows.count());
}

/// Checks each step of a solving path against the solution, and the board before it against the earlier steps.
fn assert_path(puzzle: &Grid, version: HodokuVersion) {
    let text: Puzzle = puzzle.as_str().parse().expect("a puzzle");
    let results = solve_all(Kernel::fastest(), &[text], Limits::default());
    let solution = results[0].first.expect("a solution");
    let (outcome, steps) = trace(puzzle, version);
    assert_eq!(outcome, rate(puzzle, version), "{puzzle}");
    let mut board = Candidates::new(puzzle);
    let mut score = 0;
    for step in &steps {
        assert_eq!(board.by_cell(), step.board.by_cell(), "{puzzle}: {step:?}");
        for (cell, digit) in &step.removed {
            assert_ne!(solution.get(*cell), Some(*digit), "{puzzle}: {step:?}");
            board.eliminate(*digit, CellSet::of(*cell));
        }
        if let Some((cell, digit)) = step.placed {
            assert_eq!(solution.get(cell), Some(digit), "{puzzle}: {step:?}");
            board.place(cell, digit);
        }
        score += step.points;
    }
    if let Some(rating) = outcome.rating() {
        assert!(board.is_solved(), "{puzzle}");
        assert_eq!(rating.score, score, "{puzzle}");
        let highest = steps.iter().map(|step| step.level).max();
        assert!(highest <= Some(rating.level), "{puzzle}");
    }
}

#[test]
fn every_step_is_valid_and_the_path_adds_up_to_the_score() {
    eprintln!("seed {SEED}");
    let generator = Generator::any(SEED);
    let generated = (0..40).filter_map(|n| generator.puzzle(n));
    let rated_puzzles = rated().map(|(puzzle, ..)| puzzle);
    for puzzle in rated_puzzles.chain(generated.map(|puzzle| puzzle.puzzle)) {
        for version in HodokuVersion::ALL {
            assert_path(&puzzle, version);
        }
    }
}

/// The links between almost locked sets are the same as those that a simple search of all pairs finds.
#[test]
fn links_of_almost_locked_sets_are_those_of_all_pairs() {
    for (puzzle, ..) in rated() {
        let state = State::new(&puzzle);
        let mut almost_locked = AlmostLocked::new(state.candidates());
        for _ in 0..almost_locked.sets.len() {
            almost_locked.link_next();
        }
        let mut links = almost_locked.links.iter();
        for (first, a) in almost_locked.sets.iter().enumerate() {
            for (second, b) in almost_locked.sets.iter().enumerate().skip(first + 1) {
                let is_restricted = |digit: &Digit| {
                    let [a, b] = [a, b].map(|set| set.cells & state.places(*digit));
                    !a.is_empty() && !b.is_empty() && b.is_subset(a.common_peers())
                };
                let mut digits = Digit::ALL.into_iter().filter(is_restricted);
                let ends = [digits.next(), digits.next_back()];
                if ends[0].is_none() || !(a.cells & b.cells).is_empty() {
                    continue;
                }
                let link = links.next().expect("another link");
                let expected = (first, second, ends.into_iter().flatten().collect());
                let link_key = (link.first, link.second, link.digits);
                assert_eq!(link_key, expected, "{puzzle}");
            }
        }
        assert!(links.next().is_none(), "{puzzle}");
    }
}

/// The closure of the links contains everything in the table of each premise.
#[test]
fn closures_have_what_follows_from_each_premise() {
    for (puzzle, ..) in rated() {
        let state = State::new(&puzzle);
        for with_groups in [false, true] {
            let links = Links::new(&state, with_groups);
            let closure = Closure::new(&links.direct);
            let mut table = Table::default();
            for start in 0..2 * links.nodes.len() {
                table.fill(&state, &links, Premise::new(start));
                if count(closure.set(start)) <= MOST_ENTRIES {
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
