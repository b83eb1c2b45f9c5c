//! Removes clues with few questions, with the result of the readable twin, which asks one for each clue.
//!
//! If a puzzle has one solution, so has every puzzle with more clues. So the first clues of the order are
//! removed together, with one question. If there is another solution, it differs from the known one in some
//! cells, and one of them must keep its clue: when all others of them are gone, the last one stays, without
//! a question.
//!
//! ```text
//! group    the next orbits are removed together, unless that gives another solution
//!   │ another solution: fewer at a time
//! single   the next orbit is removed, unless that gives another solution
//! ```
//!
//! A ladder that ends above locked candidates solves a puzzle if singles and locked candidates do, and then
//! also every puzzle with more clues. Only the other puzzles are graded.

use super::super::oracle::{Oracle, RemovalOrder};
use super::super::removal::without_clues;
use super::desk::Desk;
use super::words::{CellWords, WordGrid, cell_words};
use crate::board::bands::CELLS;
use crate::grade::Rank;

/// So many clues are removed together at first. Most puzzles with half of the clues have one solution.
const FIRST_GROUP: usize = 40;

/// [`Oracle::remove`] in lanes.
pub(super) async fn remove(desk: &Desk, removal: RemovalOrder<'_>) -> Vec<usize> {
    let mut remover = Remover {
        desk,
        removal,
        puzzle: WordGrid::new(removal.solution, [CELLS; 3]),
        clues: 81,
        removed: Vec::with_capacity(64),
        needed: Vec::new(),
        is_basic: true,
        basic_is_enough: { removal.ladder }
            .is_some_and(|ladder| ladder.end().is_none_or(|end| end >= Rank::LOCKED_CLAIMING)),
    };
    let mut at = 0;
    let mut most = FIRST_GROUP;
    while at < removal.order.len() {
        let group = remover.group(at, most);
        if group.is_empty() {
            // The next orbit stays, because of the number of clues or because of a known solution.
            at += 1;
        } else if group.len() > 1 {
            let end = group[group.len() - 1] + 1;
            if remover.try_group(&group).await {
                at = end;
                most = remover.next_group();
            } else {
                most = (group.len() * 3 / 4).max(1);
            }
        } else {
            remover.try_one(group[0]).await;
            at = group[0] + 1;
            most = remover.next_group();
        }
    }
    remover.removed
}

/// A puzzle whose clues are being removed.
struct Remover<'a> {
    desk: &'a Desk,
    removal: RemovalOrder<'a>,
    puzzle: WordGrid,
    /// The number of clues.
    clues: usize,
    /// The positions in the order that were removed.
    removed: Vec<usize>,
    /// For each other solution that was found, the cells in which it differs: one of them keeps its clue.
    needed: Vec<CellWords>,
    /// Whether singles and locked candidates solve the puzzle, as far as is known.
    is_basic: bool,
    /// Whether the ladder solves every puzzle that singles and locked candidates solve.
    basic_is_enough: bool,
}

impl Remover<'_> {
    /// The cells of the orbit at this position of the order.
    fn cells(&self, at: usize) -> CellWords {
        cell_words(&self.removal.orbits[self.removal.order[at]])
    }

    fn size(&self, at: usize) -> usize {
        self.removal.orbits[self.removal.order[at]].len()
    }

    /// How many orbits are removed together next. The fewer clues there are, the more of them are needed.
    fn next_group(&self) -> usize {
        if self.removal.ladder.is_some() && !self.is_basic {
            return 1;
        }
        match self.clues {
            37.. => 3,
            33.. => 2,
            _ => 1,
        }
    }

    /// The next orbits that could be removed together, from this position on. Empty if the first of them
    /// stays.
    fn group(&self, first: usize, most: usize) -> Vec<usize> {
        let mut group = Vec::with_capacity(most);
        let mut puzzle = self.puzzle;
        let mut clues = self.clues;
        for at in first..self.removal.order.len() {
            let fewer = puzzle.without(self.cells(at));
            let is_possible = clues >= self.removal.least_clues + self.size(at)
                && self.needed.iter().all(|cells| {
                    let left = [0, 1, 2].map(|band| cells[band] & fewer.clues[band]);
                    left != [0; 3]
                });
            // An orbit that stays ends the group: what comes after it depends on it.
            if !is_possible || group.len() == most {
                break;
            }
            group.push(at);
            puzzle = fewer;
            clues -= self.size(at);
        }
        group
    }

    fn accept(&mut self, at: usize) {
        self.puzzle = self.puzzle.without(self.cells(at));
        self.clues -= self.size(at);
        self.removed.push(at);
    }

    /// Removes the orbits at these positions, if the puzzle then has one solution and is not beyond the
    /// ladder.
    async fn try_group(&mut self, group: &[usize]) -> bool {
        let mut fewer = self.puzzle;
        for &at in group {
            fewer = fewer.without(self.cells(at));
        }
        let is_good = if self.removal.ladder.is_some() {
            // Whether a ladder is enough is only known to carry over to more clues for the lowest techniques.
            if self.basic_is_enough {
                fewer.is_solved_without_guess(self.desk).await
            } else {
                self.is_unique(&fewer).await && !self.is_beyond(group).await
            }
        } else {
            self.is_unique(&fewer).await
        };
        if is_good {
            group.iter().for_each(|&at| self.accept(at));
        }
        is_good
    }

    /// Whether the puzzle has one solution. Remembers another one.
    async fn is_unique(&mut self, puzzle: &WordGrid) -> bool {
        match puzzle.other_solution(self.desk).await {
            None => true,
            Some(cells) => {
                self.needed.push(cells);
                false
            }
        }
    }

    /// Removes an orbit, if the puzzle then has one solution and is not beyond the ladder.
    async fn try_one(&mut self, at: usize) {
        let fewer = self.puzzle.without(self.cells(at));
        let desk = self.desk;
        let may_be_basic = self.basic_is_enough && self.is_basic;
        if may_be_basic && fewer.is_solved_without_guess(desk).await {
            self.accept(at);
            return;
        }
        let is_unique = match self.removal.orbits[self.removal.order[at]].as_slice() {
            [cell] => fewer.has_no_other(desk, *cell).await,
            _ => fewer.other_solution(desk).await.is_none(),
        };
        if is_unique && !self.is_beyond(&[at]).await {
            self.accept(at);
            self.is_basic = !self.basic_is_enough;
        }
    }

    /// Whether the puzzle without these orbits is beyond the ladder.
    async fn is_beyond(&self, group: &[usize]) -> bool {
        let Some(ladder) = self.removal.ladder else {
            return false;
        };
        let RemovalOrder {
            solution,
            orbits,
            order,
            ..
        } = self.removal;
        let mut puzzle = *solution;
        for &at in self.removed.iter().chain(group) {
            puzzle = without_clues(&puzzle, &orbits[order[at]]);
        }
        self.desk.grade(ladder, &puzzle).await.beyond
    }
}
