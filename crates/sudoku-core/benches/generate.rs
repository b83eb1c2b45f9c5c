//! Measures the generator on one thread: `cargo bench -p sudoku-core --bench generate -- TARGET=COUNT…`. A
//! target is `any`, a level, or a range of Sudoku Explainer's ratings, as in `hard=1000 7..8=1000`.
//! `FILE=SECONDS` fills the patterns of a file, each within this many seconds of processor time (Linux only).
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use sudoku_core::board::Cell;
use sudoku_core::generate::{GradeTarget, PuzzleStart, SeriesItem};
use sudoku_core::grade::Level;
use sudoku_core::{Generator, Grid, Kernel};

/// The number of times that each series of puzzles is generated; the shortest time counts.
const PASSES: usize = 3;

/// The processor time that this thread has used so far, in seconds.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = text.split(' ').next().expect("a first field");
    nanoseconds.parse::<f64>().expect("a number") / 1e9
}

/// Fills the patterns of a file with puzzles, one pattern after the other, and prints the time for each.
fn fill_patterns(path: &str, most_seconds: f64) {
    let text = std::fs::read_to_string(path).expect("a file of patterns");
    let generator = Generator {
        max_attempts: u32::MAX,
        ..Generator::any(1)
    };
    let mut times = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let cells = line.bytes().zip(Cell::all());
        let cells = cells.filter(|(byte, _)| !b".0".contains(byte));
        let start = PuzzleStart::Pattern(cells.map(|(_, cell)| cell).collect());
        let item = SeriesItem { n: n as u64, start };
        let begin = processor_seconds();
        let questions = std::cell::Cell::new(0_u32);
        let is_late = || {
            questions.set(questions.get().wrapping_add(1));
            questions.get().is_multiple_of(1024) && processor_seconds() - begin > most_seconds
        };
        let mut is_found = false;
        let found = |_, made: Option<_>| is_found = made.is_some();
        generator.puzzles_until(Kernel::fastest(), [item], found, is_late);
        times.push((is_found, processor_seconds() - begin));
        println!("pattern {}: {:?} s", n + 1, times[n]);
    }
    let found = times.iter().filter(|(is_found, _)| *is_found).count();
    let seconds: f64 = times.iter().map(|(_, seconds)| seconds).sum();
    println!(
        "found {found} of {} patterns in {seconds:.1} s",
        times.len()
    );
}

fn main() {
    for argument in std::env::args().skip(1).filter(|arg| !arg.starts_with('-')) {
        let (name, count) = argument.split_once('=').expect("TARGET=COUNT");
        if std::path::Path::new(name).is_file() {
            fill_patterns(name, count.parse().expect("seconds"));
            continue;
        }
        let count: usize = count.parse().expect("a number");
        let level = Level::from_id(name);
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
