//! Tests of the generator that makes one puzzle at a time.

use super::*;
use crate::board::{Candidates, Cell, Grid};
use crate::grade::{Ladder, Level, Rank};
use crate::rating::{Rating, RatingRange};
use crate::solve::{Backtracker, Kernel, Limits, Solver};

fn generator(target: GradeTarget, clues: Option<usize>) -> Generator {
    Generator {
        target,
        clues,
        max_attempts: 500,
        ..Generator::any(11)
    }
}

fn count_solutions(puzzle: &Grid) -> u32 {
    count_solutions_to(puzzle, 2)
}

fn count_solutions_to(puzzle: &Grid, most: u32) -> u32 {
    let limits = Limits {
        solutions: most,
        ..Limits::default()
    };
    let mut solutions = Vec::new();
    Backtracker.solve(&[Candidates::new(puzzle)], limits, &mut solutions);
    solutions[0].count
}

#[test]
fn puzzles_are_minimal_and_have_one_solution() {
    for n in 0..5 {
        let Generated {
            puzzle, solution, ..
        } = generator(GradeTarget::Any, None).puzzle(n).unwrap();
        assert!(solution.is_solution() && solution.extends(&puzzle));
        assert_eq!(count_solutions(&puzzle), 1);
        for (cell, _) in puzzle.clues() {
            let mut fewer_clues = puzzle;
            fewer_clues.set(cell, None);
            assert_eq!(count_solutions(&fewer_clues), 2, "{puzzle} without {cell}");
        }
    }
}

/// Regression test: puzzles with a wanted level, technique or rating are minimal only if that is requested.
#[test]
fn puzzles_of_a_target_are_minimal_on_request() {
    let minimal = |puzzle: &Grid| {
        puzzle.clues().all(|(cell, _)| {
            let mut fewer_clues = *puzzle;
            fewer_clues.set(cell, None);
            count_solutions(&fewer_clues) == 2
        })
    };
    let targets = [
        GradeTarget::Level(Level::Easy),
        GradeTarget::Technique(Rank::from_id("naked_pair").unwrap()),
        GradeTarget::Rating("2.6..3.4".parse().unwrap()),
    ];
    for target in targets {
        let any_target = generator(target, None);
        let puzzles_with_redundant_clues = (0..20).filter_map(|n| any_target.puzzle(n));
        assert!(
            { puzzles_with_redundant_clues }.any(|made| !minimal(&made.puzzle)),
            "{target:?}"
        );
        let only_minimal = Generator {
            minimal: true,
            max_attempts: 10_000,
            ..any_target
        };
        for n in 0..4 {
            let puzzle = only_minimal.puzzle(n).unwrap().puzzle;
            assert!(minimal(&puzzle), "{target:?}: {puzzle}");
        }
    }
    let symmetric = Generator {
        symmetry: Symmetry::Rotational,
        minimal: true,
        max_attempts: 1000,
        ..Generator::any(3)
    };
    assert!(minimal(&symmetric.puzzle(0).unwrap().puzzle));
}

/// Regression test: in an earlier version, puzzle i of seed s was puzzle s of seed i.
#[test]
fn seeds_share_no_puzzles() {
    let mut puzzles = std::collections::HashSet::new();
    for seed in 0..12 {
        for n in 0..12 {
            let mut generator = generator(GradeTarget::Any, Some(40));
            generator.seed = seed;
            let Generated { puzzle, .. } = generator.puzzle(n).unwrap();
            assert!(puzzles.insert(puzzle), "puzzle {n} of seed {seed}");
        }
    }
}

#[test]
fn a_wanted_technique_level_or_number_of_clues_is_met() {
    for id in [
        "full_house",
        "naked_single",
        "hidden_single_line",
        "naked_pair",
    ] {
        let rank = Rank::from_id(id).unwrap();
        let generated = generator(GradeTarget::Technique(rank), None)
            .puzzle(0)
            .unwrap();
        assert_eq!(Ladder::default().grade(&generated.puzzle).rank, rank);
    }
    let medium = generator(GradeTarget::Level(Level::Medium), None)
        .puzzle(1)
        .unwrap();
    assert_eq!(
        Ladder::default().grade(&medium.puzzle).level(),
        Level::Medium
    );
    let thirty = generator(GradeTarget::Any, Some(30)).puzzle(2).unwrap();
    assert_eq!(thirty.puzzle.clue_count(), 30);
}

#[test]
fn a_wanted_rating_is_met() {
    for range in ["..1.2", "2.6..3.4", "4.2", "7.0..7.3", "8.2.."] {
        let range: RatingRange = range.parse().unwrap();
        let generator_for_rating = generator(GradeTarget::Rating(range), None);
        let Generated {
            puzzle,
            solution,
            ratings,
        } = generator_for_rating.puzzle(0).unwrap();
        assert!(solution.is_solution() && solution.extends(&puzzle));
        assert_eq!(count_solutions(&puzzle), 1);
        let limits = crate::rating::RatingLimits {
            highest: range.highest,
            ..Default::default()
        };
        let mut rater = crate::rating::Rater::new();
        let rating_outcome = rater.rate(&Candidates::new(&puzzle), limits);
        let rating = rating_outcome.ratings().unwrap().puzzle;
        assert!(range.contains(rating), "{range}: {rating}: {puzzle}");
        // The ratings that the generator returns become the columns of ratings, so they have to equal those
        // of a rating with the usual limits.
        let expected = rater.rate(&Candidates::new(&puzzle), Default::default());
        let is_open = range.highest == Rating::HIGHEST;
        let expected = expected.ratings().filter(|_| !is_open);
        assert_eq!(ratings, expected, "{range}: {puzzle}");
        assert_eq!(generator_for_rating.puzzle(0).unwrap().puzzle, puzzle);
    }
}

/// Checks that puzzles have the wanted level and score of HoDoKu.
#[test]
fn a_wanted_score_of_hodoku_is_met() {
    use crate::rating::hodoku::{HodokuVersion, rate};
    for (level, score) in [
        (Some(Level::Medium), None),
        (None, Some("800..1000")),
        (Some(Level::Hard), Some("..700")),
        (Some(Level::Extreme), None),
    ] {
        let target = HodokuTarget {
            version: HodokuVersion::V2_2,
            level,
            score: score.map(|range| range.parse().unwrap()),
        };
        let generator_for_hodoku = generator(GradeTarget::Hodoku(target), None);
        let Generated {
            puzzle, solution, ..
        } = generator_for_hodoku.puzzle(0).unwrap();
        assert!(solution.is_solution() && solution.extends(&puzzle));
        assert_eq!(count_solutions(&puzzle), 1);
        let outcome = rate(&puzzle, target.version);
        assert!(
            level.is_none_or(|level| outcome.level() == level),
            "{puzzle}"
        );
        if let Some(range) = target.score {
            let score = outcome.rating().unwrap().score;
            assert!(
                (range.lowest..=range.highest).contains(&score),
                "{puzzle}: {score}"
            );
        }
        let mut in_lanes = None;
        generator_for_hodoku.puzzles(Kernel::fastest(), 0..1, |_, puzzle| in_lanes = puzzle);
        assert_eq!(in_lanes.unwrap().puzzle, puzzle);
    }
}

#[test]
fn a_wanted_number_of_solutions_and_a_symmetry_are_met() {
    for solutions in [2, 7] {
        let generator_for_solutions = Generator {
            solutions,
            max_attempts: 1000,
            ..Generator::any(5)
        };
        let Generated {
            puzzle, solution, ..
        } = generator_for_solutions.puzzle(0).unwrap();
        assert!(solution.is_solution() && solution.extends(&puzzle));
        assert_eq!(
            count_solutions_to(&puzzle, solutions + 1),
            solutions,
            "{puzzle}"
        );
    }
    for symmetry in Symmetry::ALL {
        let generator_for_symmetry = Generator {
            symmetry,
            ..Generator::any(6)
        };
        let puzzle = generator_for_symmetry.puzzle(0).unwrap().puzzle;
        assert_eq!(count_solutions(&puzzle), 1);
        for orbit in symmetry.orbits(9) {
            let filled_cells = orbit
                .iter()
                .filter(|at| puzzle.get(Cell::new(**at)).is_some());
            let filled_count = filled_cells.count();
            assert!(
                filled_count == 0 || filled_count == orbit.len(),
                "{symmetry:?}: {puzzle}"
            );
        }
    }
}
