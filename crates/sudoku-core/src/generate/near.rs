//! Finds puzzles near a puzzle: those that result from removing `k` of its clues and adding `k` other clues.
//!
//! ```text
//! puzzle ─▶ without k clues ─▶ with k − 1 others ─▶ places that at most one solution has
//!                                                     │ each
//!                                                   the last clue: one solution? minimal?
//! ```
//!
//! A last clue leaves one solution if exactly one of the solutions so far has the clue's digit in the clue's
//! cell. The search for solutions ends when every place (a digit in a cell) is in two solutions. So most places
//! need no search of their own.

use std::collections::HashSet;

use super::generated::Generated;
use super::lanes;
use super::oracle::{Oracle, ScalarOracle, candidates};
use super::removal::without_clues;
use crate::board::{Cell, Digit, Grid};
use crate::random::Rng;
use crate::solve::Kernel;

/// A clue as its cell and its digit.
type Clue = (Cell, Digit);

/// The settings of a search for puzzles near a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// The number of clues to remove, which is also the number of clues to add.
    pub swap: usize,
    /// The seed of the random numbers for [`Near::random`].
    pub seed: u64,
    /// The number of random exchanges that [`Near::random`] tries for each puzzle.
    pub max_attempts: u32,
}

/// The minimal puzzles with one solution that result from exchanging a few clues of a puzzle. Some can be
/// isomorphs of each other.
pub type NearPuzzles = Vec<Generated>;

impl Near {
    /// Finds all puzzles near each of these numbered puzzles. `found` receives the number of a puzzle and
    /// all puzzles near it; the order of the numbers varies. The search ends early when `is_stopped` returns
    /// true.
    ///
    /// ```
    /// use sudoku_core::generate::Near;
    /// use sudoku_core::{Grid, Kernel};
    ///
    /// let puzzle: Grid =
    ///     "...8.1..........435............7.8........1...2..3....6......75..34........2..6..".parse()?;
    /// let near = Near { swap: 1, seed: 0, max_attempts: 1 };
    /// near.all(Kernel::fastest(), [(0, puzzle)], |_, found| {
    ///     assert!(found.iter().all(|near| near.puzzle.clue_count() == 17));
    /// }, || false);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all(
        self,
        kernel: Kernel,
        puzzles: impl IntoIterator<Item = (u64, Grid)>,
        mut found: impl FnMut(u64, NearPuzzles),
        is_stopped: impl Fn() -> bool,
    ) {
        self.find_all(kernel, &mut puzzles.into_iter(), &mut found, &is_stopped);
    }

    /// This function is not generic, so that it is compiled in this crate, not in each crate that calls
    /// [`Near::all`].
    fn find_all(
        self,
        kernel: Kernel,
        puzzles: &mut dyn Iterator<Item = (u64, Grid)>,
        on_found: &mut dyn FnMut(u64, NearPuzzles),
        is_stopped: &dyn Fn() -> bool,
    ) {
        let rng = Rng::new(self.seed);
        let Some(vectors) = kernel.vectors() else {
            for (n, puzzle) in puzzles.take_while(|_| !is_stopped()) {
                let oracle = ScalarOracle::new(rng.clone());
                on_found(n, ScalarOracle::run(self.all_near(&oracle, &puzzle)));
            }
            return;
        };
        let plan = lanes::LanePlan {
            kernel,
            vectors,
            ladder: None,
            is_stopped,
        };
        let items = puzzles.map(|(n, start)| lanes::SearchItem {
            n,
            rng: rng.clone(),
            start,
        });
        lanes::search_items(
            plan,
            items,
            |mailbox, puzzle| async move { self.all_near(&*mailbox, &puzzle).await },
            on_found,
        );
    }

    /// For each number, finds a random puzzle near one of `puzzles`. `found` receives the number, the index of
    /// that puzzle in `puzzles`, and the puzzle found near it; `None` if no attempt finds one. Each pair of
    /// seed and number has its own random numbers.
    pub fn random(
        self,
        kernel: Kernel,
        puzzles: &[Grid],
        numbers: impl IntoIterator<Item = u64>,
        mut found: impl FnMut(u64, Option<(usize, Generated)>),
        is_stopped: impl Fn() -> bool,
    ) {
        let mut numbers = numbers.into_iter();
        self.find_random(kernel, puzzles, &mut numbers, &mut found, &is_stopped);
    }

    fn find_random(
        self,
        kernel: Kernel,
        puzzles: &[Grid],
        numbers: &mut dyn Iterator<Item = u64>,
        on_found: &mut dyn FnMut(u64, Option<(usize, Generated)>),
        is_stopped: &dyn Fn() -> bool,
    ) {
        let Some(vectors) = kernel.vectors() else {
            for n in numbers.take_while(|_| !is_stopped()) {
                let oracle = ScalarOracle::new(Rng::for_item(self.seed, n));
                on_found(n, ScalarOracle::run(self.random_near(&oracle, puzzles)));
            }
            return;
        };
        let plan = lanes::LanePlan {
            kernel,
            vectors,
            ladder: None,
            is_stopped,
        };
        let items = numbers.map(|n| lanes::SearchItem {
            n,
            rng: Rng::for_item(self.seed, n),
            start: (),
        });
        lanes::search_items(
            plan,
            items,
            |mailbox, ()| async move { self.random_near(&*mailbox, puzzles).await },
            on_found,
        );
    }

    async fn all_near(self, oracle: &impl Oracle, puzzle: &Grid) -> NearPuzzles {
        let clues: Vec<Clue> = puzzle.clues().collect();
        let mut near_puzzles = Vec::new();
        let mut seen_puzzles = HashSet::new();
        let mut removals = Choices::new(clues.len(), self.swap);
        while let Some(removal) = removals.next_choice() {
            let removed_clues: Vec<Clue> = removal.iter().map(|&at| clues[at]).collect();
            let remaining_puzzle = without_removed_clues(puzzle, &removed_clues);
            let candidates_to_add = candidates(&remaining_puzzle);
            let mut additions = Choices::new(candidates_to_add.len(), self.swap.saturating_sub(1));
            while let Some(addition) = additions.next_choice() {
                let added_clues: Vec<Clue> =
                    addition.iter().map(|&at| candidates_to_add[at]).collect();
                if added_clues.iter().any(|clue| removed_clues.contains(clue)) {
                    continue;
                }
                let Some(extended) = with_added_clues(&remaining_puzzle, &added_clues) else {
                    continue;
                };
                for (cell, digit) in oracle.rare_places(&extended).await {
                    let mut completed = extended;
                    completed.set(cell, Some(digit));
                    if removed_clues.contains(&(cell, digit))
                        || self.swap > 1 && !seen_puzzles.insert(completed)
                    {
                        continue;
                    }
                    near_puzzles.extend(as_minimal_puzzle(oracle, completed).await);
                }
            }
        }
        near_puzzles
    }

    async fn random_near(
        self,
        oracle: &impl Oracle,
        puzzles: &[Grid],
    ) -> Option<(usize, Generated)> {
        for _ in 0..self.max_attempts {
            let puzzle_index = oracle.rng().below(puzzles.len());
            let mut clues: Vec<Clue> = puzzles[puzzle_index].clues().collect();
            oracle.rng().shuffle(&mut clues);
            let removed_clues = &clues[..self.swap.min(clues.len())];
            let mut extended = without_removed_clues(&puzzles[puzzle_index], removed_clues);
            for _ in 1..self.swap {
                let candidates_to_add: Vec<Clue> = { candidates(&extended) }
                    .into_iter()
                    .filter(|clue| !removed_clues.contains(clue))
                    .collect();
                if !candidates_to_add.is_empty() {
                    let (cell, digit) =
                        candidates_to_add[oracle.rng().below(candidates_to_add.len())];
                    extended.set(cell, Some(digit));
                }
            }
            let mut near_puzzles = Vec::new();
            for (cell, digit) in oracle.rare_places(&extended).await {
                let mut completed = extended;
                completed.set(cell, Some(digit));
                if !removed_clues.contains(&(cell, digit))
                    && completed.clue_count() == puzzles[puzzle_index].clue_count()
                {
                    near_puzzles.extend(as_minimal_puzzle(oracle, completed).await);
                }
            }
            if !near_puzzles.is_empty() {
                return Some((
                    puzzle_index,
                    near_puzzles[oracle.rng().below(near_puzzles.len())],
                ));
            }
        }
        None
    }
}

/// The puzzle with its solution; `None` unless it is minimal and has exactly one solution.
async fn as_minimal_puzzle(oracle: &impl Oracle, puzzle: Grid) -> Option<Generated> {
    let (1, Some(solution)) = oracle.count_solutions(&puzzle, 2).await else {
        return None;
    };
    for (cell, _) in puzzle.clues() {
        let fewer_clues = without_clues(&puzzle, &[cell]);
        if oracle.stays_unique(&fewer_clues, &solution, &[cell]).await {
            return None;
        }
    }
    Some(Generated::new(puzzle, solution))
}

fn without_removed_clues(puzzle: &Grid, clues: &[Clue]) -> Grid {
    let cells: Vec<Cell> = clues.iter().map(|(cell, _)| *cell).collect();
    without_clues(puzzle, &cells)
}

/// The puzzle with these clues added; `None` if one of the cells already has a clue, or if clues are in conflict.
fn with_added_clues(puzzle: &Grid, clues: &[Clue]) -> Option<Grid> {
    let mut extended = *puzzle;
    for &(cell, digit) in clues {
        if extended.get(cell).is_some() {
            return None;
        }
        extended.set(cell, Some(digit));
    }
    extended.conflict().is_none().then_some(extended)
}

/// Iterates over all choices of `count` numbers below `item_count`, each in ascending order.
struct Choices {
    item_count: usize,
    choice: Vec<usize>,
    has_begun: bool,
}

impl Choices {
    fn new(of: usize, count: usize) -> Choices {
        Choices {
            item_count: of,
            choice: (0..count).collect(),
            has_begun: false,
        }
    }

    fn next_choice(&mut self) -> Option<&[usize]> {
        let count = self.choice.len();
        if !self.has_begun {
            self.has_begun = true;
            return (count <= self.item_count).then_some(&self.choice);
        }
        // Increase the last number that can grow, and let the numbers after it follow it without gaps.
        let last_movable =
            (0..count).rfind(|&at| self.choice[at] < self.item_count - (count - at))?;
        let first_number = self.choice[last_movable] + 1;
        for (next, number) in self.choice[last_movable..].iter_mut().enumerate() {
            *number = first_number + next;
        }
        Some(&self.choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE_WITH_17_CLUES: &str =
        "...8.1..........435............7.8........1...2..3....6......75..34........2..6..";

    fn all(kernel: Kernel, puzzle: &str, swap: usize) -> Vec<String> {
        let near = Near {
            swap,
            seed: 0,
            max_attempts: 1,
        };
        let mut near_texts = Vec::new();
        let puzzle: Grid = puzzle.parse().unwrap();
        near.all(
            kernel,
            [(0, puzzle)],
            |_, found| near_texts.extend(found.iter().map(|near| near.puzzle.as_str().to_owned())),
            || false,
        );
        near_texts
    }

    /// Checks that the lanes find the same puzzles as a simple twin, which tries every clue in every cell.
    #[test]
    fn the_lanes_find_every_near_puzzle() {
        // Minimal puzzles with many clues have few puzzles near them; those with 17 clues sometimes have
        // none.
        let puzzles = [
            PUZZLE_WITH_17_CLUES,
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        ];
        let mut count = 0;
        for puzzle in puzzles {
            let own_puzzle: Grid = puzzle.parse().unwrap();
            let near_texts = all(Kernel::fastest(), puzzle, 1);
            for text in &near_texts {
                let near_grid: Grid = text.parse().unwrap();
                assert!(crate::solve::is_minimal(&near_grid, None), "{text}");
                let shared_clues = own_puzzle
                    .clues()
                    .filter(|&(cell, digit)| near_grid.get(cell) == Some(digit));
                assert_eq!(shared_clues.count() + 1, own_puzzle.clue_count(), "{text}");
                assert_eq!(near_grid.clue_count(), own_puzzle.clue_count());
            }
            let scalar = Kernel::available().pop().unwrap();
            assert_eq!(near_texts, all(scalar, puzzle, 1), "{puzzle}");
            count += near_texts.len();
        }
        assert!(count > 0);
    }

    #[test]
    fn random_near_puzzles_are_the_same_on_every_kernel() {
        let puzzles: [Grid; 1] = [
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
                .parse()
                .unwrap(),
        ];
        for swap in [1, 2] {
            let near = Near {
                swap,
                seed: 4,
                max_attempts: 200,
            };
            let results_by_kernel = Kernel::available().into_iter().map(|kernel| {
                let mut results = Vec::new();
                near.random(
                    kernel,
                    &puzzles,
                    0..4,
                    |n, found| results.push((n, found)),
                    || false,
                );
                results.sort_by_key(|(n, _)| *n);
                results
            });
            let results_by_kernel: Vec<_> = results_by_kernel.collect();
            assert!(
                results_by_kernel.windows(2).all(|pair| pair[0] == pair[1]),
                "{results_by_kernel:?}"
            );
            assert!(
                results_by_kernel[0]
                    .iter()
                    .any(|(_, found)| found.is_some()),
                "{swap}"
            );
        }
    }

    #[test]
    fn choices_are_all_subsets() {
        let mut choices = Choices::new(5, 3);
        let mut all_choices = Vec::new();
        while let Some(choice) = choices.next_choice() {
            all_choices.push(choice.to_vec());
        }
        assert_eq!(
            (all_choices.len(), all_choices[0].as_slice()),
            (10, &[0, 1, 2][..])
        );
        assert_eq!(all_choices[9], [2, 3, 4]);
        assert!(all_choices.is_sorted());
        let mut choices_of_none = Choices::new(5, 0);
        assert_eq!(choices_of_none.next_choice(), Some(&[][..]));
        assert_eq!(choices_of_none.next_choice(), None);
        assert_eq!(Choices::new(2, 3).next_choice(), None);
    }
}
