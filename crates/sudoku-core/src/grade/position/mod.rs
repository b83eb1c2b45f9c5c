//! The input of all techniques: a board, and cached values that several techniques compute from the board.
//!
//! ```text
//! board        the candidates of each cell; the only part that steps change
//! by_house     where each digit is still possible in each house, and in how many cells
//! placements   which candidates of a digit are in no set of nine cells, one in each house
//! derived      values of techniques, such as graphs of links, one of each type
//! changes      what has changed since each technique last found nothing; kept when the board changes
//! ```

mod by_house;
mod changes;
mod derived;
mod placements;

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::ops::Deref;

use super::order::TechniqueName;
use super::steps::Steps;
use super::steps::effect::Effect;
use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet, Grid, House};
use crate::solve::Kernel;
use crate::text::Puzzle;
use crate::vectors::Vectors;
use by_house::PlacesByHouse;
use changes::{ChangedPlaces, LastMisses};
use derived::DerivedValues;
use placements::Placements;

/// The input of a technique: a board, and which of its cells are clues.
///
/// A position dereferences to its board. Values that several techniques need are computed on first use, and are
/// cached until the board changes.
#[derive(Clone, Debug)]
pub struct Position {
    board: Candidates,
    clues: CellSet,
    last_misses: LastMisses,
    placements: RefCell<Placements>,
    by_house: OnceCell<PlacesByHouse>,
    by_house_before: RefCell<Option<PlacesByHouse>>,
    by_cell: OnceCell<[DigitSet; 81]>,
    derived: DerivedValues,
    /// Decides which vector instructions techniques use; `None` for the fastest kernel of this machine.
    kernel: Option<Kernel>,
}

/// A value that several techniques compute from a board. [`Position::derived`] computes it on first use
/// and caches it until the board changes.
pub(super) trait Derived: Any {
    /// Computes the value from the board of a position.
    fn from_position(position: &Position) -> Self;
}

impl Position {
    /// The position of a puzzle to which no step has been applied.
    pub fn new(puzzle: &Grid) -> Position {
        let clues = puzzle.clues().map(|(cell, _)| cell).collect();
        Position::with_clues(Candidates::new(puzzle), clues)
    }

    /// The position of a board. `clues` are the cells that are clues of the puzzle.
    pub fn with_clues(board: Candidates, clues: CellSet) -> Position {
        Position {
            board,
            clues,
            last_misses: LastMisses::default(),
            placements: RefCell::default(),
            by_house: OnceCell::new(),
            by_house_before: RefCell::new(None),
            by_cell: OnceCell::new(),
            derived: DerivedValues::default(),
            kernel: None,
        }
    }

    /// Sets the kernel of the techniques that follow many assumptions at the same time. The default is the fastest
    /// kernel of this machine.
    #[must_use]
    pub(super) fn with_kernel(mut self, kernel: Kernel) -> Position {
        self.kernel = Some(kernel);
        self
    }

    /// The instruction set for techniques that follow many assumptions at the same time; `None` for the
    /// scalar kernel.
    pub(super) fn vectors(&self) -> Option<Vectors> {
        self.kernel.unwrap_or_default().vectors()
    }

    /// Replaces the board by the board of another puzzle, without clues.
    pub(super) fn restart(&mut self, board: Candidates) {
        self.last_misses.clear();
        self.clues = CellSet::EMPTY;
        self.change(|own| *own = board);
    }

    /// The current board: the candidates of each cell, and which cells are solved.
    pub fn board(&self) -> &Candidates {
        &self.board
    }

    /// The cells of the puzzle's clues. Only uniqueness techniques need them.
    pub fn clues(&self) -> CellSet {
        self.clues
    }

    /// Applies placements and removals to the board.
    pub fn apply(&mut self, effect: &Effect) {
        self.change(|board| effect.apply(board));
    }

    /// Places a digit in a cell, and removes it from the cells that see that cell.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        self.change(|board| board.place(cell, digit));
    }

    /// Removes the candidate `digit` from these cells.
    pub fn eliminate(&mut self, digit: Digit, cells: CellSet) {
        self.change(|board| board.eliminate(digit, cells));
    }

    /// Calls a function that changes the board, and drops the cached values. Returns the result of the function.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Candidates) -> T) -> T {
        let result = change(&mut self.board);
        self.drop_cached_values();
        result
    }

    fn drop_cached_values(&mut self) {
        if let Some(by_house) = self.by_house.take() {
            self.by_house_before.replace(Some(by_house));
        }
        self.by_cell.take();
        self.derived.clear();
    }

    /// The cells and digits that have changed since the technique last found nothing. If steps are listed, these are
    /// all cells and digits, because the list of steps must be complete.
    pub(super) fn changes(&self, technique: TechniqueName, found: &Steps) -> ChangedPlaces {
        if found.is_listing() {
            ChangedPlaces::ALL
        } else {
            self.last_misses.changes(&self.board, technique)
        }
    }

    /// Whether the technique is already known to find nothing on this board. Always false if `found` lists steps.
    pub(super) fn is_missed(&self, technique: TechniqueName, found: &Steps) -> bool {
        !found.is_listing() && self.last_misses.has(&self.board, technique)
    }

    /// If `found` is empty, stores that the technique finds nothing on this board.
    pub(super) fn record_miss(&self, technique: TechniqueName, found: &Steps) {
        if found.is_empty() {
            self.last_misses.record(&self.board, technique);
        }
    }

    /// The possible cells of a digit that are in no placement (nine cells, one in each house). A technique that uses
    /// only this digit can remove no other candidates.
    pub(super) fn in_no_placement(&self, digit: Digit) -> CellSet {
        self.placements
            .borrow_mut()
            .outside_all_placements(&self.board, digit)
    }

    /// The digits in `among` that have a possible cell outside all placements (see [`Position::in_no_placement`]).
    pub(super) fn with_places_in_no_placement(&self, among: DigitSet) -> DigitSet {
        among
            .filter(|digit| !self.in_no_placement(*digit).is_empty())
            .collect()
    }

    /// The unsolved cells of a house that have this digit as a candidate (its open places), as bits: bit n for
    /// [`House::cell`] n.
    pub(super) fn open_in(&self, house: House, digit: Digit) -> u16 {
        self.open_by_house()[house.index()][digit.index()]
    }

    /// The open places of every digit in every house, as bits in the format of [`Position::open_in`].
    pub(super) fn open_by_house(&self) -> &[[u16; 9]; 27] {
        self.by_house().places()
    }

    /// The houses in which a digit has exactly two open places (unsolved cells with this candidate).
    pub(super) fn houses_with_two(&self, digit: Digit) -> impl Iterator<Item = House> + Clone {
        House::from_bits(self.by_house().with_two(digit))
    }

    /// The number of unsolved cells of a house.
    pub(super) fn unsolved_in(&self, house: House) -> usize {
        self.by_house().unsolved(house)
    }

    /// The cached candidate counts per house and digit.
    pub(super) fn by_house(&self) -> &PlacesByHouse {
        self.by_house
            .get_or_init(|| PlacesByHouse::from_board(&self.board, self.by_house_before.take()))
    }

    /// The candidates of each cell, computed on first use.
    pub(super) fn by_cell(&self) -> &[DigitSet; 81] {
        self.by_cell.get_or_init(|| self.board.by_cell())
    }

    /// The cached value of the type `T`, which is computed if it is not cached.
    pub(super) fn derived<T: Derived>(&self) -> &T {
        self.derived.get_or_compute(|| T::from_position(self))
    }
}

/// Converts a grid of clues to the position on which solving starts.
impl From<&Grid> for Position {
    fn from(puzzle: &Grid) -> Position {
        Position::new(puzzle)
    }
}

impl Deref for Position {
    type Target = Candidates;

    fn deref(&self) -> &Candidates {
        &self.board
    }
}

/// Converts a puzzle to the position on which solving starts. Candidates that its pencil marks exclude are removed.
impl From<&Puzzle> for Position {
    fn from(puzzle: &Puzzle) -> Position {
        match &puzzle.marks {
            None => Position::new(&puzzle.clues),
            Some(_) => {
                let clues = puzzle.clues.clues().map(|(cell, _)| cell).collect();
                Position::with_clues(puzzle.board(), clues)
            }
        }
    }
}
