use std::cell::RefCell;

use crate::board::{Candidates, CellSet, Digit, DigitSet, House};

/// Techniques that argue within one digit or one house remember the board on which they last found
/// nothing: only what has changed since can hold something new.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    /// Per watch, the open places of the digits at that time; empty until the first.
    quiet: RefCell<Vec<Option<[CellSet; 9]>>>,
}

/// A technique's place among the watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Watch {
    NakedPair,
    NakedTriple,
    NakedQuad,
    HiddenPair,
    HiddenTriple,
    HiddenQuad,
    XWing,
    Swordfish,
    Jellyfish,
    FinnedXWing,
    FinnedSwordfish,
    FinnedJellyfish,
    EmptyRectangle,
    XChain,
}

impl Watch {
    const COUNT: usize = Watch::XChain as usize + 1;
}

/// What has changed on a board since a technique found nothing on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct News {
    cells: CellSet,
    digits: DigitSet,
}

impl News {
    /// Everything.
    pub(super) const ALL: News = News {
        cells: CellSet::FULL,
        digits: DigitSet::FULL,
    };

    /// The digits that have lost a place.
    pub(super) fn digits(self) -> DigitSet {
        self.digits
    }

    /// Nothing.
    pub(super) fn is_empty(self) -> bool {
        self.digits.is_empty()
    }

    /// The houses in which a cell has lost a candidate, of these: bits by [`House::index`].
    pub(super) fn houses(self, among: u32) -> impl Iterator<Item = House> {
        let has_news = move |house: &House| !(house.cells() & self.cells).is_empty();
        House::of_bits(among).filter(has_news)
    }
}

impl Watches {
    /// Forgets all: the next board is another puzzle's.
    pub(super) fn clear(&mut self) {
        self.quiet.get_mut().fill(None);
    }

    /// What is new to this technique.
    pub(super) fn news(&self, board: &Candidates, watch: Watch) -> News {
        let quiet = self.quiet.borrow();
        let Some(Some(before)) = quiet.get(watch as usize) else {
            return News::ALL;
        };
        let mut news = News {
            cells: CellSet::EMPTY,
            digits: DigitSet::EMPTY,
        };
        for (digit, before) in Digit::ALL.iter().zip(before) {
            let changed = board.open_places(*digit) ^ *before;
            if !changed.is_empty() {
                news.digits.insert(*digit);
                news.cells |= changed;
            }
        }
        news
    }

    /// The technique has found nothing on this board.
    pub(super) fn found_nothing(&self, board: &Candidates, watch: Watch) {
        let mut quiet = self.quiet.borrow_mut();
        if quiet.is_empty() {
            quiet.resize(Watch::COUNT, None);
        }
        quiet[watch as usize] = Some(board.all_open_places());
    }
}
