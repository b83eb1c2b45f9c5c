//! Measures the ratings of Sudoku Explainer alone on one thread, and prints the times by class of rating:
//! `cargo bench --bench rating -- [--max=9.0] FILE…`. Every puzzle of the files must have exactly one solution.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod common;

use sudoku_core::rating::{Rater, Rating, RatingLimits, RatingOutcome};
use sudoku_core::text::Puzzle;

/// The highest rating in each class, in tenths: singles and direct techniques; subsets, wings and uniqueness;
/// forcing chains; Nishio; multiple forcing chains; dynamic forcing chains; all others.
const CLASSES: [u16; 7] = [25, 62, 74, 80, 84, 90, 120];

fn main() {
    let highest = std::env::args().find_map(|arg| arg.strip_prefix("--max=").map(str::to_owned));
    let mut limits = RatingLimits::default();
    if let Some(highest) = highest {
        limits.highest = highest.parse().expect("a rating");
    }
    let mut rater = Rater::new();
    for file in common::files() {
        let puzzles = common::puzzles(&file);
        let rated: Vec<(Puzzle, RatingOutcome)> = (puzzles.into_iter())
            .map(|puzzle| {
                let outcome = rater.rate(&puzzle.board(), limits);
                (puzzle, outcome)
            })
            .collect();
        print(&mut rater, &format!("{file} all"), &rated, limits);
        let mut lowest = Rating::from_tenths(0);
        for class in CLASSES.map(Rating::from_tenths) {
            let is_of_class = |outcome: &RatingOutcome| {
                let ratings = outcome.ratings();
                ratings.is_some_and(|ratings| lowest < ratings.puzzle && ratings.puzzle <= class)
            };
            let of_class: Vec<_> = (rated.iter())
                .filter(|(_, outcome)| is_of_class(outcome))
                .cloned()
                .collect();
            print(&mut rater, &format!("{file} to {class}"), &of_class, limits);
            lowest = class;
        }
        let is_unrated = |(_, outcome): &&(Puzzle, RatingOutcome)| outcome.ratings().is_none();
        let unrated: Vec<_> = rated.iter().filter(is_unrated).cloned().collect();
        print(&mut rater, &format!("{file} unrated"), &unrated, limits);
    }
}

/// Measures and prints the time for these puzzles. Asserts that each pass gives the same ratings.
fn print(rater: &mut Rater, name: &str, rated: &[(Puzzle, RatingOutcome)], limits: RatingLimits) {
    if rated.is_empty() {
        return;
    }
    let (time, same) = common::fastest(|| {
        let is_same = |(puzzle, outcome): &&(Puzzle, RatingOutcome)| {
            rater.rate(&puzzle.board(), limits) == *outcome
        };
        rated.iter().filter(is_same).count()
    });
    assert_eq!(same, rated.len());
    let rate = rated.len() as f64 / time.as_secs_f64();
    println!("rating {name} {rate:.0} puzzles={same}");
}
