use std::cell::{OnceCell, RefCell};
use std::ops::Deref;

use super::by_house::ByHouse;
use super::effect::{Effect, Steps};
use super::techniques::als::AlsLinks;
use super::techniques::chains::x_chain::XChain;
use super::techniques::forcing::Branches;
use super::techniques::single_digit::x_chains;
use super::watch::{News, WatchSlot, Watches};
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, DigitSet, Grid, House};
use crate::text::Puzzle;

/// What a technique looks at: a board, and which of its cells the puzzle gave.
///
/// Derefs to the board. What several techniques need of one board is worked out once, on first use,
/// and forgotten when the board changes.
#[derive(Clone, Debug)]
pub struct Position {
    board: Candidates,
    clues: CellSet,
    watches: Watches,
    by_house: OnceCell<ByHouse>,
    by_house_before: RefCell<Option<ByHouse>>,
    by_cell: OnceCell<[DigitSet; 81]>,
    x_chains: OnceCell<CandidateSet>,
    almost_locked_sets: OnceCell<Box<AlsLinks>>,
    filled_with_singles: OnceCell<Branches>,
    filled_with_basics: OnceCell<Branches>,
}

impl Position {
    /// A puzzle before its first step.
    pub fn new(puzzle: &Grid) -> Position {
        let clues = puzzle.clues().map(|(cell, _)| cell).collect();
        Position::with_clues(Candidates::new(puzzle), clues)
    }

    /// A board some of whose solved cells were given.
    pub fn with_clues(board: Candidates, clues: CellSet) -> Position {
        Position {
            board,
            clues,
            watches: Watches::default(),
            by_house: OnceCell::new(),
            by_house_before: RefCell::new(None),
            by_cell: OnceCell::new(),
            x_chains: OnceCell::new(),
            almost_locked_sets: OnceCell::new(),
            filled_with_singles: OnceCell::new(),
            filled_with_basics: OnceCell::new(),
        }
    }

    /// Another puzzle takes the place of this one.
    pub(super) fn restart(&mut self, board: Candidates) {
        self.watches.clear();
        self.clues = CellSet::EMPTY;
        self.change(|own| *own = board);
    }

    /// The board.
    pub fn board(&self) -> &Candidates {
        &self.board
    }

    /// The cells that the puzzle gave. Only techniques that argue with the uniqueness of the
    /// solution look at it.
    pub fn clues(&self) -> CellSet {
        self.clues
    }

    /// Makes changes.
    pub fn apply(&mut self, effect: &Effect) {
        self.change(|board| effect.apply(board));
    }

    /// Puts a digit into a cell.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        self.change(|board| board.place(cell, digit));
    }

    /// Takes a digit out of cells.
    pub fn eliminate(&mut self, digit: Digit, cells: CellSet) {
        self.change(|board| board.eliminate(digit, cells));
    }

    /// Changes the board by a function.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Candidates) -> T) -> T {
        let result = change(&mut self.board);
        self.forget();
        result
    }

    fn forget(&mut self) {
        if let Some(by_house) = self.by_house.take() {
            self.by_house_before.replace(Some(by_house));
        }
        self.by_cell.take();
        self.x_chains.take();
        self.almost_locked_sets.take();
        self.filled_with_singles.take();
        self.filled_with_basics.take();
    }

    /// What is new to a technique since it found nothing; everything where its steps are listed.
    pub(super) fn news(&self, slot: WatchSlot, found: &Steps) -> News {
        if found.is_listing() {
            News::ALL
        } else {
            self.watches.news(&self.board, slot)
        }
    }

    /// Whether a technique has found nothing on this very board; never where steps are listed.
    pub(super) fn is_quiet(&self, slot: WatchSlot, found: &Steps) -> bool {
        !found.is_listing() && self.watches.news(&self.board, slot).is_empty()
    }

    /// Tells how the technique's search ended.
    pub(super) fn searched(&self, slot: WatchSlot, found: &Steps) {
        if found.is_empty() {
            self.watches.found_nothing(&self.board, slot);
        }
    }

    /// The open places of a digit in a house, as places in it: see [`House::project`].
    pub(super) fn open_in(&self, house: House, digit: Digit) -> u16 {
        self.open_by_house()[house.index()][digit.index()]
    }

    /// [`Position::open_in`] of every house, and in it of every digit.
    pub(super) fn open_by_house(&self) -> &[[u16; 9]; 27] {
        self.by_house().places()
    }

    /// The houses in which a digit has two open places.
    pub(super) fn houses_with_two(&self, digit: Digit) -> impl Iterator<Item = House> + Clone {
        House::of_bits(self.by_house().with_two(digit))
    }

    /// How many cells of a house are unsolved.
    pub(super) fn unsolved_in(&self, house: House) -> usize {
        self.by_house().unsolved(house)
    }

    /// How many places there are where.
    pub(super) fn by_house(&self) -> &ByHouse {
        self.by_house
            .get_or_init(|| ByHouse::of(&self.board, self.by_house_before.take()))
    }

    /// [`Candidates::by_cell`].
    pub(super) fn by_cell(&self) -> &[DigitSet; 81] {
        self.by_cell.get_or_init(|| self.board.by_cell())
    }

    /// What chains of one digit remove, of whatever form and length.
    pub(super) fn x_chains(&self) -> &CandidateSet {
        const SLOT: WatchSlot = WatchSlot::of(&XChain::INFO);
        self.x_chains.get_or_init(|| {
            let news = self.watches.news(&self.board, SLOT);
            let removed = x_chains(self, news.digits());
            if removed.is_empty() {
                self.watches.found_nothing(&self.board, SLOT);
            }
            removed
        })
    }

    /// The almost locked sets, and the links that they are.
    pub(super) fn almost_locked_sets(&self) -> &AlsLinks {
        self.almost_locked_sets
            .get_or_init(|| Box::new(AlsLinks::new(self)))
    }

    /// Each candidate assumed in turn, with the singles that follow.
    pub(super) fn filled_with_singles(&self) -> &Branches {
        self.filled_with_singles
            .get_or_init(|| Branches::with_singles(&self.board))
    }

    /// Each candidate assumed in turn, with what full house to jellyfish find.
    pub(super) fn filled_with_basics(&self) -> &Branches {
        self.filled_with_basics
            .get_or_init(|| self.filled_with_singles().with_basics())
    }
}

/// Before its first step.
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

/// Before its first step.
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
