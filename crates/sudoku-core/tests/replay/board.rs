//! The board on which the tests replay steps, with houses and peers. It shares no code with the finders of
//! steps.

use sudoku_core::board::{Candidates, Cell, CellSet, Digit, DigitSet, House};
use sudoku_core::grade::{Effect, Step};

/// A digit from 1 to 9 in a cell from 0 to 80.
pub(crate) type Candidate = (u8, usize);

/// A board: the candidates of each cell, and whether each cell is solved or given.
#[derive(Clone)]
pub(crate) struct Board {
    candidates: Vec<Vec<u8>>,
    solved: Vec<bool>,
    given: Vec<bool>,
}

impl Board {
    pub(crate) fn new(board: &Candidates, clues: CellSet) -> Board {
        let mut replay_board = Board {
            candidates: board.by_cell().map(digits).to_vec(),
            solved: vec![true; 81],
            given: vec![false; 81],
        };
        for cell in cells(board.unsolved()) {
            replay_board.solved[cell] = false;
        }
        for cell in cells(clues) {
            replay_board.given[cell] = true;
        }
        replay_board
    }

    pub(crate) fn digits(&self, cell: usize) -> &[u8] {
        &self.candidates[cell]
    }

    pub(crate) fn has(&self, (digit, cell): Candidate) -> bool {
        self.candidates[cell].contains(&digit)
    }

    pub(crate) fn is_solved(&self, cell: usize) -> bool {
        self.solved[cell]
    }

    pub(crate) fn is_given(&self, cell: usize) -> bool {
        self.given[cell]
    }

    /// The cells, out of `cells`, that have the digit as a candidate.
    pub(crate) fn places(&self, digit: u8, cells: &[usize]) -> Vec<usize> {
        let has_digit = |cell: &usize| self.has((digit, *cell));
        cells.iter().copied().filter(has_digit).collect()
    }

    /// The candidates of all these cells together, in ascending order.
    pub(crate) fn union(&self, cells: &[usize]) -> Vec<u8> {
        let can_stand = |digit: &u8| cells.iter().any(|cell| self.has((*digit, *cell)));
        (1..=9).filter(can_stand).collect()
    }

    pub(crate) fn place(&mut self, (digit, cell): Candidate) {
        self.candidates[cell] = vec![digit];
        self.solved[cell] = true;
        for other in (0..81).filter(|other| sees(cell, *other)) {
            self.remove((digit, other));
        }
    }

    pub(crate) fn remove(&mut self, (digit, cell): Candidate) {
        self.candidates[cell].retain(|own| *own != digit);
    }

    pub(crate) fn apply(&mut self, effect: &Effect) {
        for candidate in placed_candidates(effect) {
            self.place(candidate);
        }
        for candidate in removed_candidates(effect) {
            self.remove(candidate);
        }
    }
}

pub(crate) fn row(cell: usize) -> usize {
    cell / 9
}

pub(crate) fn column(cell: usize) -> usize {
    cell % 9
}

pub(crate) fn box_of(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

/// Whether two cells share a row, a column or a box.
pub(crate) fn sees(a: usize, b: usize) -> bool {
    a != b && (row(a) == row(b) || column(a) == column(b) || box_of(a) == box_of(b))
}

/// Whether the cell sees each of the other cells.
pub(crate) fn sees_all(cell: usize, others: &[usize]) -> bool {
    others.iter().all(|other| sees(cell, *other))
}

pub(crate) fn is_box(house: House) -> bool {
    house.to_string().starts_with("box")
}

pub(crate) fn is_row(house: House) -> bool {
    house.to_string().starts_with("row")
}

/// The nine cells of a house.
pub(crate) fn house(house: House) -> Vec<usize> {
    let name = house.to_string();
    let (kind, number) = name.split_once(' ').expect("a kind and a number");
    let number: usize = number.parse::<usize>().expect("a number") - 1;
    let is_in = |cell: &usize| match kind {
        "row" => row(*cell) == number,
        "column" => column(*cell) == number,
        "box" => box_of(*cell) == number,
        _ => panic!("no house is called {name}"),
    };
    (0..81).filter(is_in).collect()
}

/// The cells of several houses together, each once.
pub(crate) fn houses(all: &[House]) -> Vec<usize> {
    let mut cells: Vec<usize> = all.iter().flat_map(|own| house(*own)).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// The cells of all 27 houses: each row, column and box.
pub(crate) fn all_houses() -> Vec<Vec<usize>> {
    let of = |kind: fn(usize) -> usize| {
        (0..9).map(move |n| (0..81).filter(|cell| kind(*cell) == n).collect())
    };
    of(row).chain(of(column)).chain(of(box_of)).collect()
}

/// Whether one house contains all these cells.
pub(crate) fn share_a_house(cells: &[usize]) -> bool {
    let share = |kind: fn(usize) -> usize| cells.iter().all(|cell| kind(*cell) == kind(cells[0]));
    share(row) || share(column) || share(box_of)
}

pub(crate) fn cells(set: CellSet) -> Vec<usize> {
    set.map(Cell::index).collect()
}

pub(crate) fn digits(set: DigitSet) -> Vec<u8> {
    set.map(Digit::value).collect()
}

pub(crate) fn set_difference<T: PartialEq + Copy>(all: &[T], out: &[T]) -> Vec<T> {
    let is_kept = |item: &T| !out.contains(item);
    all.iter().copied().filter(is_kept).collect()
}

pub(crate) fn is_subset<T: PartialEq + Copy>(some: &[T], all: &[T]) -> bool {
    some.iter().all(|item| all.contains(item))
}

fn candidates(of: impl Fn(Digit) -> CellSet) -> Vec<Candidate> {
    let all_digits = Digit::ALL.into_iter();
    all_digits
        .flat_map(|digit| {
            cells(of(digit))
                .into_iter()
                .map(move |c| (digit.value(), c))
        })
        .collect()
}

/// The candidates that an effect removes, without those that its placements remove.
pub(crate) fn removed_candidates(effect: &Effect) -> Vec<Candidate> {
    candidates(|digit| effect.removed(digit))
}

/// The digits that an effect places, with their cells.
pub(crate) fn placed_candidates(effect: &Effect) -> Vec<Candidate> {
    candidates(|digit| effect.placed(digit))
}

/// The digit of a step's pattern. Fails unless the pattern has exactly one digit.
pub(crate) fn only_digit(step: &Step) -> Result<u8, String> {
    let [digit] = digits(step.pattern.digits)[..] else {
        return Err("the pattern has not exactly one digit".into());
    };
    Ok(digit)
}
