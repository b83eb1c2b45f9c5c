//! Measures how fast puzzles are rated as Sudoku Explainer does, on one thread, and prints the times by class
//! of rating: `cargo bench --bench rating -- [--max=12] FILE…`. Each line of a file that begins with 81 cells
//! is a puzzle, which must have exactly one solution.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::time::{Duration, Instant};

use sudoku_core::Puzzle;
use sudoku_core::rating::{Rater, Rating, RatingLimits, RatingOutcome};

/// The highest rating of each class of puzzles, in tenths. The classes are named after the hardest technique:
/// singles and direct techniques; subsets, wings and uniqueness; forcing chains; Nishio; multiple forcing
/// chains; dynamic forcing chains; those with rules; nested chains.
const CLASSES: [u16; 8] = [25, 62, 74, 80, 84, 90, 94, 120];

/// The number of times that each puzzle is rated after a first time to warm up; the shortest time counts.
const PASSES: usize = 3;

/// A rated puzzle: the outcome of the rating and the time that it took.
struct Rated {
    outcome: RatingOutcome,
    time: Duration,
}

impl Rated {
    /// The rating in tenths; `None` if the rating is above the limit.
    fn tenths(&self) -> Option<u16> {
        self.outcome
            .ratings()
            .map(|ratings| ratings.puzzle.tenths())
    }
}

fn main() {
    let mut limits = RatingLimits::default();
    let mut files = Vec::new();
    for arg in std::env::args().skip(1) {
        match arg.strip_prefix("--max=") {
            Some(highest) => limits.highest = highest.parse().expect("a rating"),
            None if arg.starts_with("--") => {}
            None => files.push(arg),
        }
    }
    let mut rater = Rater::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text file");
        let rated: Vec<Rated> = (text.lines())
            .filter_map(|line| line.get(..81)?.parse().ok())
            .map(|puzzle: Puzzle| rate(&mut rater, &puzzle, limits))
            .collect();
        print(&format!("{file} all"), &rated, |_| true);
        let mut lowest = 0;
        for class in CLASSES {
            let name = format!("{file} to {}", Rating::from_tenths(class));
            print(&name, &rated, |rating| {
                rating.is_some_and(|rating| lowest < rating && rating <= class)
            });
            lowest = class;
        }
        print(&format!("{file} above 9.0"), &rated, |rating| {
            rating.is_some_and(|rating| rating > 90)
        });
        print(&format!("{file} unrated"), &rated, |rating| {
            rating.is_none()
        });
    }
}

/// Rates a puzzle several times and keeps the shortest time. Asserts that each pass gives the same ratings.
fn rate(rater: &mut Rater, puzzle: &Puzzle, limits: RatingLimits) -> Rated {
    let board = puzzle.board();
    let outcome = rater.rate(&board, limits);
    let mut time = Duration::MAX;
    for _ in 0..PASSES {
        let start = Instant::now();
        let again = rater.rate(&board, limits);
        time = time.min(start.elapsed());
        assert_eq!(again, outcome);
    }
    Rated { outcome, time }
}

/// Prints the time for all puzzles in a class of ratings, and the number of puzzles per second.
fn print(name: &str, rated: &[Rated], is_of_class: impl Fn(Option<u16>) -> bool) {
    let of_class = rated.iter().filter(|rated| is_of_class(rated.tenths()));
    let (count, time) = of_class.fold((0, Duration::ZERO), |(count, time), rated| {
        (count + 1, time + rated.time)
    });
    if count > 0 {
        let seconds = time.as_secs_f64();
        let rate = f64::from(count) / seconds;
        println!("rating {name}: puzzles={count} seconds={seconds:.3} a_second={rate:.0}");
    }
}
