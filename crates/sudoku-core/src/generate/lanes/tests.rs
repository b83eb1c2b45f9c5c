//! Compares generating in lanes with the readable twin, which makes one puzzle at a time, for every instruction
//! set of this machine.

use crate::generate::{Generator, GradeTarget, SeriesItem, Symmetry};
use crate::grade::{Level, Rank};
use crate::random::Rng;
use crate::solve::Kernel;

/// Checks that the lanes of every kernel and the readable twin make the same puzzles for these numbers of the
/// series.
fn compare_with_scalar(generator: &Generator, numbers: std::ops::Range<u64>) {
    let expected_puzzles: Vec<_> = numbers.clone().map(|n| generator.puzzle(n)).collect();
    for kernel in Kernel::available() {
        let mut puzzles_by_index = vec![None; expected_puzzles.len()];
        let mut calls = 0;
        generator.puzzles(kernel, numbers.clone(), |n, puzzle| {
            puzzles_by_index[(n - numbers.start) as usize] = puzzle;
            calls += 1;
        });
        assert_eq!(calls, expected_puzzles.len());
        for (n, (made, expected_puzzles)) in
            puzzles_by_index.iter().zip(&expected_puzzles).enumerate()
        {
            let name = kernel.name();
            let target = generator.target;
            assert_eq!(made, expected_puzzles, "{name}, {target:?}, puzzle {n}");
        }
    }
}

/// The lanes make the same puzzles as the readable twin, for any grade.
#[test]
fn the_lanes_make_the_same_puzzles() {
    compare_with_scalar(&Generator::any(1), 0..200);
    compare_with_scalar(
        &Generator::any(Rng::new(3).next_u64()),
        1 << 40..(1 << 40) + 100,
    );
    for clues in [50, 30, 25] {
        let generator = Generator {
            clues: Some(clues),
            minimal: clues == 25,
            max_attempts: 20,
            ..Generator::any(2)
        };
        compare_with_scalar(&generator, 0..40);
    }
    for symmetry in Symmetry::ALL {
        let generator = Generator {
            symmetry,
            minimal: symmetry == Symmetry::Rotational,
            max_attempts: 20,
            ..Generator::any(3)
        };
        compare_with_scalar(&generator, 0..30);
    }
    for solutions in [2, 5] {
        let generator = Generator {
            solutions,
            max_attempts: 5,
            ..Generator::any(4)
        };
        compare_with_scalar(&generator, 0..30);
    }
}

/// The lanes make the same puzzles as the readable twin if a level, a technique or a rating is wanted.
#[test]
fn the_lanes_make_the_same_puzzles_of_a_target() {
    let levels = Level::ALL.map(GradeTarget::Level);
    let techniques = [
        "full_house",
        "naked_single",
        "locked_pointing",
        "naked_pair",
    ]
    .map(|id| GradeTarget::Technique(Rank::from_id(id).unwrap()));
    let ratings = ["..1.2", "2.6..3.4", "5.0..", "7.0..7.3"]
        .map(|range| GradeTarget::Rating(range.parse().unwrap()));
    for target in [&levels[..4], &techniques, &ratings].concat() {
        let generator = Generator {
            target,
            max_attempts: 30,
            ..Generator::any(5)
        };
        compare_with_scalar(&generator, 0..10);
    }
    // The hidden triple needs a local search, the jellyfish a planted pattern.
    for (id, max_attempts, n) in [("hidden_triple", 40, 3), ("jellyfish", 300, 1)] {
        let generator = Generator {
            target: GradeTarget::Technique(Rank::from_id(id).unwrap()),
            max_attempts,
            ..Generator::any(15)
        };
        compare_with_scalar(&generator, 0..n);
    }
}

#[test]
fn a_stop_abandons_the_puzzles_in_progress() {
    for kernel in Kernel::available() {
        let puzzle_count = std::cell::Cell::new(0);
        Generator::any(1).puzzles_until(
            kernel,
            (0..).map(SeriesItem::from),
            |_, _| puzzle_count.set(puzzle_count.get() + 1),
            || puzzle_count.get() >= 10,
        );
        assert_eq!(puzzle_count.get(), 10);
    }
}
