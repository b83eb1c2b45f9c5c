//! Generates the puzzles of a series: one at a time, or many at the same time in the lanes of vectors.

use std::cell::RefCell;

use super::attempts::Attempts;
use super::generated::Generated;
use super::generator::Generator;
use super::lanes;
use super::oracle::ScalarOracle;
use super::race::{Attempt, Race};
use super::series_item::{PuzzleStart, SeriesItem};
use crate::random::Rng;
use crate::solve::Kernel;

impl Generator {
    /// Puzzle `n` of the series, counted from 0; `None` if no attempt found one. Each pair of seed and `n`
    /// has its own random numbers.
    ///
    /// This is the readable twin of [`Generator::puzzles`], one puzzle at a time without lanes.
    pub fn puzzle(&self, n: u64) -> Option<Generated> {
        self.puzzle_from(n.into())
    }

    /// Like [`Generator::puzzle`], but from a given full grid or pattern.
    pub fn puzzle_from(&self, item: SeriesItem) -> Option<Generated> {
        let SeriesItem { n, start } = item;
        let attempts = Attempts::new(self);
        if let PuzzleStart::Pattern(cells) = start {
            return (0..self.max_attempts).find_map(|number| {
                let oracle = ScalarOracle::new(Attempt::rng(self.seed, n, number));
                ScalarOracle::run(attempts.fill_pattern(&oracle, cells, number, || false))
            });
        }
        let oracle = ScalarOracle::new(Rng::for_item(self.seed, n));
        ScalarOracle::run(attempts.find(&oracle, start))
    }

    /// Generates the puzzles with these numbers, several times as fast as [`Generator::puzzle`]: many
    /// puzzles are in progress at the same time, and the kernel solves and grades their boards together.
    ///
    /// ```
    /// use sudoku_core::{Generator, Kernel};
    ///
    /// let generator = Generator::any(1);
    /// let mut puzzles = vec![None; 100];
    /// generator.puzzles(Kernel::fastest(), 0..100, |n, puzzle| puzzles[n as usize] = puzzle);
    /// assert_eq!(puzzles[7], generator.puzzle(7));
    /// ```
    ///
    /// `found` receives each number with its puzzle, in any order; the puzzle is `None` if no attempt
    /// found one. The next number is taken from `numbers` when a puzzle is finished, so several threads
    /// can share an iterator.
    pub fn puzzles(
        &self,
        kernel: Kernel,
        numbers: impl IntoIterator<Item = u64>,
        found: impl FnMut(u64, Option<Generated>),
    ) {
        let items = numbers.into_iter().map(SeriesItem::from);
        self.puzzles_until(kernel, items, found, || false);
    }

    /// Like [`Generator::puzzles`], but from given full grids or patterns, and until `is_stopped` returns
    /// true. Puzzles in progress are then abandoned.
    pub fn puzzles_until(
        &self,
        kernel: Kernel,
        items: impl IntoIterator<Item = SeriesItem>,
        mut found: impl FnMut(u64, Option<Generated>),
        is_stopped: impl Fn() -> bool,
    ) {
        self.make(kernel, &mut items.into_iter(), &mut found, &is_stopped);
    }

    /// This function is not generic, so that it is compiled in this crate, not in each crate that generates
    /// puzzles.
    fn make(
        &self,
        kernel: Kernel,
        items: &mut dyn Iterator<Item = SeriesItem>,
        on_found: &mut dyn FnMut(u64, Option<Generated>),
        is_stopped: &dyn Fn() -> bool,
    ) {
        let Some(vectors) = kernel.vectors() else {
            items
                .take_while(|_| !is_stopped())
                .for_each(|item| on_found(item.n, self.puzzle_from(item)));
            return;
        };
        let attempts = Attempts::new(self);
        let plan = lanes::LanePlan {
            kernel,
            vectors,
            ladder: attempts.ladder(),
            is_stopped,
        };
        let race = RefCell::new(Race::new(items, self.max_attempts));
        let items = std::iter::from_fn(|| {
            let (n, number, start) = race.borrow_mut().next()?;
            let rng = Attempt::rng(self.seed, n, number);
            Some(lanes::SearchItem { n, rng, start })
        });
        let (attempts, race) = (&attempts, &race);
        lanes::search_items(
            plan,
            items,
            |desk, attempt: Attempt| async move {
                race.borrow_mut().begin();
                let attempt_result = match attempt.start {
                    PuzzleStart::Pattern(_) if self.max_attempts == 0 => None,
                    PuzzleStart::Pattern(cells) => {
                        let is_needless = || attempt.is_needless();
                        let number = attempt.number;
                        attempts
                            .fill_pattern(&*desk, cells, number, is_needless)
                            .await
                    }
                    start => attempts.find(&*desk, start).await,
                };
                (attempt, attempt_result)
            },
            |n, (attempt, made)| {
                let result = race.borrow_mut().end(n, &attempt, made);
                if let Some(result) = result {
                    on_found(n, result);
                }
            },
        );
    }
}
