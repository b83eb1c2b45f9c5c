//! Removes clues from a full grid with few questions to the lanes. The result equals that of the readable
//! twin, which asks a question for each clue.
//!
//! If a puzzle has one solution, every puzzle with more clues has one too. So the first clues of the order
//! are removed together, with one question. If this leaves a second solution, that solution differs from the
//! known one in some cells. At least one of these cells must keep its clue: when all others have lost theirs,
//! the last one keeps its clue without a question.
//!
//! ```text
//! group    the next orbits are removed together, unless this gives a second solution
//!   │ a second solution: fewer orbits at a time
//! single   the next orbit is removed, unless this gives a second solution
//! ```
//!
//! If singles and locked candidates solve a puzzle, they also solve every puzzle with more clues, and so does
//! any ladder that contains them. Only the other puzzles are graded.

use super::mailbox::Mailbox;
use super::words::{CellWords, WordGrid, cell_words};
use crate::board::bands::CELLS;
use crate::generate::oracle::{Oracle, RemovalOrder};
use crate::generate::removal::without_clues;
use crate::grade::Rank;

/// The number of orbits (sets of symmetric cells) whose clues are removed first, all together. Most puzzles
/// with half of the clues have one solution.
const FIRST_GROUP: usize = 40;

/// Implements [`Oracle::remove`] with questions to the lanes.
pub(super) async fn remove(mailbox: &Mailbox, removal: RemovalOrder<'_>) -> Vec<usize> {
    let mut remover = Remover {
        mailbox,
        removal,
        puzzle: WordGrid::new(removal.solution, [CELLS; 3]),
        clues: 81,
        removed_positions: Vec::with_capacity(64),
        one_must_stay: Vec::new(),
        is_known_basic: true,
        basic_is_enough: { removal.ladder }
            .is_some_and(|ladder| ladder.end().is_none_or(|end| end >= Rank::LOCKED_CLAIMING)),
    };
    let mut order_index = 0;
    let mut group_size = FIRST_GROUP;
    while order_index < removal.order.len() {
        let group = remover.removable_orbits(order_index, group_size);
        if group.is_empty() {
            // The next orbit must keep its clues: otherwise too few clues would be left, or a known second
            // solution would not be excluded.
            order_index += 1;
        } else if group.len() > 1 {
            let group_end = group[group.len() - 1] + 1;
            if remover.try_to_remove_group(&group).await {
                order_index = group_end;
                group_size = remover.next_group_size();
            } else {
                group_size = (group.len() * 3 / 4).max(1);
            }
        } else {
            remover.try_to_remove_orbit(group[0]).await;
            order_index = group[0] + 1;
            group_size = remover.next_group_size();
        }
    }
    remover.removed_positions
}

/// A puzzle while clues are being removed from it.
struct Remover<'a> {
    mailbox: &'a Mailbox,
    removal: RemovalOrder<'a>,
    puzzle: WordGrid,
    /// The number of clues that the puzzle still has.
    clues: usize,
    /// The orbits (sets of symmetric cells) that were removed, as positions in the order of removal.
    removed_positions: Vec<usize>,
    /// For each second solution that was found, the cells in which it differs from the wanted one. At least
    /// one of these cells must keep its clue.
    one_must_stay: Vec<CellWords>,
    /// Whether it is known that singles and locked candidates solve the puzzle.
    is_known_basic: bool,
    /// Whether the ladder (list of techniques) solves every puzzle that singles and locked candidates solve.
    basic_is_enough: bool,
}

impl Remover<'_> {
    /// The cells of the orbit (set of symmetric cells) at this position in the order of removal.
    fn orbit_cells(&self, at: usize) -> CellWords {
        cell_words(&self.removal.orbits[self.removal.order[at]])
    }

    fn orbit_size(&self, at: usize) -> usize {
        self.removal.orbits[self.removal.order[at]].len()
    }

    /// How many orbits to remove together next. The fewer clues are left, the smaller the number, because each
    /// clue is more likely to be needed for one solution.
    fn next_group_size(&self) -> usize {
        if self.removal.ladder.is_some() && !self.is_known_basic {
            return 1;
        }
        match self.clues {
            37.. => 3,
            33.. => 2,
            _ => 1,
        }
    }

    /// The positions of the next orbits (sets of symmetric cells) that may be removed together, from position
    /// `first` on. Empty if the orbit at `first` must keep its clues.
    fn removable_orbits(&self, first: usize, most: usize) -> Vec<usize> {
        let mut group = Vec::with_capacity(most);
        let mut puzzle = self.puzzle;
        let mut clues = self.clues;
        for at in first..self.removal.order.len() {
            let fewer_clues = puzzle.without_cells(self.orbit_cells(at));
            let is_possible = clues >= self.removal.least_clues + self.orbit_size(at)
                && self.one_must_stay.iter().all(|cells| {
                    let clues_left = [0, 1, 2].map(|band| cells[band] & fewer_clues.clues[band]);
                    clues_left != [0; 3]
                });
            // An orbit that must keep its clues ends the group, because the following orbits depend on it.
            if !is_possible || group.len() == most {
                break;
            }
            group.push(at);
            puzzle = fewer_clues;
            clues -= self.orbit_size(at);
        }
        group
    }

    fn remove_orbit(&mut self, at: usize) {
        self.puzzle = self.puzzle.without_cells(self.orbit_cells(at));
        self.clues -= self.orbit_size(at);
        self.removed_positions.push(at);
    }

    /// Removes the clues of the orbits at these positions together, if the puzzle then still has one solution
    /// and the techniques still solve it.
    async fn try_to_remove_group(&mut self, group: &[usize]) -> bool {
        let mut fewer_clues = self.puzzle;
        for &at in group {
            fewer_clues = fewer_clues.without_cells(self.orbit_cells(at));
        }
        let is_good = if self.removal.ladder.is_some() {
            // Only for the lowest techniques it is certain that they still solve a puzzle after clues are
            // added.
            if self.basic_is_enough {
                fewer_clues.is_solved_without_guess(self.mailbox).await
            } else {
                self.is_unique(&fewer_clues).await && !self.is_beyond_ladder(group).await
            }
        } else {
            self.is_unique(&fewer_clues).await
        };
        if is_good {
            group.iter().for_each(|&at| self.remove_orbit(at));
        }
        is_good
    }

    /// Whether the puzzle has one solution. If it has a second one, remembers the cells in which the two
    /// solutions differ.
    async fn is_unique(&mut self, puzzle: &WordGrid) -> bool {
        match puzzle.other_solution(self.mailbox).await {
            None => true,
            Some(cells) => {
                self.one_must_stay.push(cells);
                false
            }
        }
    }

    /// Removes the clues of the orbit at this position, if the puzzle then still has one solution and the
    /// techniques still solve it.
    async fn try_to_remove_orbit(&mut self, at: usize) {
        let fewer_clues = self.puzzle.without_cells(self.orbit_cells(at));
        let mailbox = self.mailbox;
        let may_be_basic = self.basic_is_enough && self.is_known_basic;
        if may_be_basic && fewer_clues.is_solved_without_guess(mailbox).await {
            self.remove_orbit(at);
            return;
        }
        let is_unique = match self.removal.orbits[self.removal.order[at]].as_slice() {
            [cell] => fewer_clues.has_no_other_digit(mailbox, *cell).await,
            _ => fewer_clues.other_solution(mailbox).await.is_none(),
        };
        if is_unique && !self.is_beyond_ladder(&[at]).await {
            self.remove_orbit(at);
            self.is_known_basic = !self.basic_is_enough;
        }
    }

    /// Whether the techniques of the ladder fail to solve the puzzle without the clues of these orbits.
    async fn is_beyond_ladder(&self, group: &[usize]) -> bool {
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
        for &at in self.removed_positions.iter().chain(group) {
            puzzle = without_clues(&puzzle, &orbits[order[at]]);
        }
        self.mailbox.grade(ladder, &puzzle).await.beyond
    }
}
