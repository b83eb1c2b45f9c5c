//! The inference rules of the solving methods, written as simply as possible.

use crate::board::{Candidates, Cell, CellSet, Contradiction, Digit, DigitSet, House};

crate::enum_with_ids! {
    /// An inference rule of a solving method.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Rule {
        /// Naked single: a cell has one candidate.
        NakedSingle = "naked_single",
        /// Hidden single: a digit has one place in a house.
        HiddenSingle = "hidden_single",
        /// Naked pair: two cells of a house have together two candidates.
        NakedPair = "naked_pair",
        /// Hidden pair: two digits have together two places in a house.
        HiddenPair = "hidden_pair",
        /// Naked triple: three cells of a house have together three candidates.
        NakedTriple = "naked_triple",
        /// Hidden triple: three digits have together three places in a house.
        HiddenTriple = "hidden_triple",
        /// Pointing: all places of a digit in a box are in one line.
        Pointing = "locked_pointing",
        /// Template: a cell is in all templates of a digit.
        Template = "template",
        /// Trial: a candidate leads to a contradiction by naked singles.
        Trial = "trial",
    }
}

impl Rule {
    /// Applies the rule once to the whole board. Returns whether the board has changed.
    pub(super) fn apply(
        self,
        board: &mut Candidates,
        counts: &mut RuleCounts,
    ) -> Result<bool, Contradiction> {
        if board.at_least()[0] != CellSet::FULL {
            return Err(Contradiction);
        }
        let changes = match self {
            Rule::NakedSingle => naked_singles(board),
            Rule::HiddenSingle => hidden_singles(board)?,
            Rule::NakedPair => naked_subsets(board, 2),
            Rule::HiddenPair => hidden_subsets(board, 2),
            Rule::NakedTriple => naked_subsets(board, 3),
            Rule::HiddenTriple => hidden_subsets(board, 3),
            Rule::Pointing => pointing(board),
            // The methods that use these two rules apply and count them themselves.
            Rule::Template | Rule::Trial => 0,
        };
        counts.add(self, changes);
        Ok(changes > 0)
    }
}

/// How often each inference rule has changed the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleCounts([u64; Rule::ALL.len()]);

impl RuleCounts {
    /// The counts before any rule was applied: all are 0.
    pub const NONE: RuleCounts = RuleCounts([0; Rule::ALL.len()]);

    /// How often this rule has changed the board.
    pub fn count(&self, rule: Rule) -> u64 {
        self.0[rule as usize]
    }

    pub(super) fn add(&mut self, rule: Rule, changes: u64) {
        self.0[rule as usize] += changes;
    }
}

/// Fails with a contradiction if a cell has no candidate.
pub(super) fn check_candidates_left(board: &Candidates) -> Result<(), Contradiction> {
    if board.at_least()[0] == CellSet::FULL {
        Ok(())
    } else {
        Err(Contradiction)
    }
}

/// Fills the cells that have one candidate, in row order. Returns their number.
pub(super) fn naked_singles(board: &mut Candidates) -> u64 {
    let mut changes = 0;
    for cell in board.unsolved() & board.exactly_one() {
        // The cell may have lost its candidate, because an earlier cell of this loop was filled with it.
        if let Some(digit) = board.digits(cell).single() {
            board.place(cell, digit);
            changes += 1;
        }
    }
    changes
}

fn hidden_singles(board: &mut Candidates) -> Result<u64, Contradiction> {
    let mut changes = 0;
    for house in House::ALL {
        for digit in Digit::ALL {
            let cells_of_digit = board.places(digit) & house.cells();
            if cells_of_digit.is_empty() {
                return Err(Contradiction);
            }
            if let Some(cell) = (cells_of_digit & board.unsolved()).single()
                && cells_of_digit.len() == 1
            {
                board.place(cell, digit);
                changes += 1;
            }
        }
    }
    Ok(changes)
}

fn naked_subsets(board: &mut Candidates, size: usize) -> u64 {
    let mut changes = 0;
    for house in House::ALL {
        let open_cells: Vec<Cell> = (house.cells() & board.unsolved()).collect();
        for_each_choice(&open_cells, size, &mut |subset| {
            let cells: CellSet = subset.iter().copied().collect();
            let digits = cells.fold(DigitSet::EMPTY, |all, cell| all.union(board.digits(cell)));
            if digits.len() <= size {
                changes += remove_digits(board, digits, house.cells().without(cells));
            }
        });
    }
    changes
}

fn hidden_subsets(board: &mut Candidates, size: usize) -> u64 {
    let mut changes = 0;
    for house in House::ALL {
        let is_open = |digit: &Digit| !(board.open_places(*digit) & house.cells()).is_empty();
        let open_digits: Vec<Digit> = Digit::ALL.into_iter().filter(is_open).collect();
        for_each_choice(&open_digits, size, &mut |subset| {
            let digits: DigitSet = subset.iter().copied().collect();
            let cells_of_digits = digits.fold(CellSet::EMPTY, |all, digit| {
                all | board.open_places(digit) & house.cells()
            });
            if cells_of_digits.len() <= size {
                changes += remove_digits(board, digits.complement(), cells_of_digits);
            }
        });
    }
    changes
}

fn pointing(board: &mut Candidates) -> u64 {
    let mut changes = 0;
    for box_ in House::boxes() {
        for digit in Digit::ALL {
            let cells_of_digit = board.open_places(digit) & box_.cells();
            for line in House::lines() {
                if !cells_of_digit.is_empty() && cells_of_digit.is_subset(line.cells()) {
                    let digits = DigitSet::from_iter([digit]);
                    changes += remove_digits(board, digits, line.cells().without(cells_of_digit));
                }
            }
        }
    }
    changes
}

/// Removes these digits from the unsolved cells of a set. Returns 1 if the board has changed,
/// otherwise 0.
fn remove_digits(board: &mut Candidates, digits: DigitSet, cells: CellSet) -> u64 {
    let mut changes = 0;
    for digit in digits {
        let removed_cells = board.open_places(digit) & cells;
        if !removed_cells.is_empty() {
            board.eliminate(digit, removed_cells);
            changes = 1;
        }
    }
    changes
}

/// Calls `visit` with every choice of `size` of the items.
fn for_each_choice<T: Copy>(items: &[T], size: usize, visit: &mut impl FnMut(&[T])) {
    fn choose<T: Copy>(
        items: &[T],
        size: usize,
        chosen: &mut Vec<T>,
        visit: &mut impl FnMut(&[T]),
    ) {
        if chosen.len() == size {
            return visit(chosen);
        }
        for (at, item) in items.iter().enumerate() {
            chosen.push(*item);
            choose(&items[at + 1..], size, chosen, visit);
            chosen.pop();
        }
    }
    choose(items, size, &mut Vec::with_capacity(size), visit);
}
