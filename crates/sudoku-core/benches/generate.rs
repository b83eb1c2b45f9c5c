//! Measures the generator alone on one thread: `cargo bench -p sudoku-core --bench generate -- TARGET=COUNT…`. A
//! target is `any`, a level, or a range of ratings of Sudoku Explainer: `hard=1000 7..8=1000`.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use sudoku_core::generate::GradeTarget;
use sudoku_core::grade::Level;
use sudoku_core::{Generator, Grid, Kernel};

/// So many times each series is made. The shortest time counts.
const PASSES: usize = 3;

fn main() {
    for argument in std::env::args().skip(1).filter(|arg| !arg.starts_with('-')) {
        let (name, count) = argument.split_once('=').expect("TARGET=COUNT");
        let count: usize = count.parse().expect("a number");
        let level = Level::ALL.into_iter().find(|level| level.id() == name);
        let generator = Generator {
            target: match (name, level) {
                ("any", _) => GradeTarget::Any,
                (_, Some(level)) => GradeTarget::Level(level),
                _ => GradeTarget::Rating(name.parse().expect("a range of ratings")),
            },
            max_attempts: 1_000_000,
            ..Generator::any(1)
        };
        let make = || {
            let mut puzzles = vec![Grid::EMPTY; count];
            generator.puzzles(Kernel::fastest(), 0..count as u64, |n, made| {
                puzzles[n as usize] = made.expect("a puzzle").puzzle;
            });
            puzzles
        };
        let mut seconds = f64::MAX;
        let mut bytes = 0;
        for _ in 0..PASSES {
            let start = Instant::now();
            let puzzles = make();
            seconds = seconds.min(start.elapsed().as_secs_f64());
            let mut hasher = DefaultHasher::new();
            puzzles.hash(&mut hasher);
            bytes = hasher.finish();
        }
        println!(
            "generate {name}: {:.0} a second, {count} in {seconds:.2} s, hash {bytes:016x}",
            count as f64 / seconds
        );
    }
}
