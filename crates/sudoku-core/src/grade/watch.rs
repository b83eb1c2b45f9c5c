//! What has changed since a technique found nothing: only that can hold something new for it.

use std::cell::RefCell;

use super::rank::Rank;
use super::technique::Info;
use super::techniques::INFOS;
use crate::board::{Candidates, CellSet, Digit, DigitSet, House};

/// Techniques that argue within one digit or one house remember the board on which they last found
/// nothing: only what has changed since can hold something new.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    /// Per slot, the open places of the digits at that time; empty until the first.
    quiet: RefCell<Vec<Option<[CellSet; 9]>>>,
}

/// Which changes of a board make it worth asking a technique again that found nothing on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Any change: it argues across houses and digits.
    Board,
    /// A house whose cells lost a candidate: it argues within one house.
    Houses,
    /// A digit that lost a place: it argues with one digit.
    Digits,
}

/// Where the watches keep what a technique saw, of those that watch houses or digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WatchSlot(u8);

impl WatchSlot {
    const COUNT: usize = watching_below(INFOS.len());

    /// The slot of a technique of the ladder.
    pub(super) const fn of(info: &Info) -> WatchSlot {
        assert!(!matches!(info.watch, Watch::Board), "it remembers nothing");
        WatchSlot(watching_below(Rank::of(info).index()) as u8)
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How many of the lowest so many techniques watch houses or digits.
const fn watching_below(techniques: usize) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < techniques {
        if !matches!(INFOS[at].watch, Watch::Board) {
            count += 1;
        }
        at += 1;
    }
    count
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
    pub(super) fn news(&self, board: &Candidates, slot: WatchSlot) -> News {
        let quiet = self.quiet.borrow();
        let Some(Some(before)) = quiet.get(slot.index()) else {
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
    pub(super) fn found_nothing(&self, board: &Candidates, slot: WatchSlot) {
        let mut quiet = self.quiet.borrow_mut();
        if quiet.is_empty() {
            quiet.resize(WatchSlot::COUNT, None);
        }
        quiet[slot.index()] = Some(board.all_open_places());
    }
}
