//! Places on the ladder.

use super::order::TechniqueName;

/// A place on the ladder, from 1: the techniques in the order of [`LADDER`](super::LADDER), and
/// search behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// The rank of a puzzle that the ladder does not solve: a search has to.
pub const SEARCH: Rank = Rank(TechniqueName::COUNT as u8 + 1);

const SEARCH_ID: &str = "search";

impl Rank {
    /// The rank of the first technique.
    pub const LOWEST: Rank = Rank(1);
    /// The rank of naked singles.
    pub const NAKED_SINGLE: Rank = Rank::of(TechniqueName::NakedSingle);
    /// The rank of hidden singles in boxes.
    pub const HIDDEN_SINGLE_BOX: Rank = Rank::of(TechniqueName::HiddenSingleBox);
    /// The rank of the last of the singles.
    pub const HIDDEN_SINGLE_LINE: Rank = Rank::of(TechniqueName::HiddenSingleLine);
    /// The rank of the first technique that only removes candidates.
    pub const LOCKED_POINTING: Rank = Rank::of(TechniqueName::LockedPointing);
    /// The rank of the locked candidates, of both kinds and all singles.
    pub const LOCKED_CLAIMING: Rank = Rank::of(TechniqueName::LockedClaiming);
    /// The rank that techniques count as which argue with uniqueness: they are tried between it,
    /// that of jellyfish, and the next.
    pub const UNIQUENESS: Rank = Rank(TechniqueName::BASIC as u8);
    /// The rank of nishio.
    pub const NISHIO: Rank = Rank::of(TechniqueName::Nishio);
    /// How many ranks there are: the ladder's techniques and search.
    pub const COUNT: usize = SEARCH.0 as usize;

    /// The rank of a technique of the ladder: its place there.
    pub(super) const fn of(technique: TechniqueName) -> Rank {
        Rank(technique as u8 + 1)
    }

    /// The ranks from the lowest up, search last.
    pub fn all() -> impl Iterator<Item = Rank> {
        (1..=SEARCH.0).map(Rank)
    }

    /// The number in tables, from 1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The place among [`Rank::all`].
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// The rank with this number: that of a technique, or of search.
    pub fn from_number(number: u8) -> Option<Rank> {
        (1..=SEARCH.0).contains(&number).then_some(Rank(number))
    }

    /// The rank of the technique with this id.
    pub fn from_id(id: &str) -> Option<Rank> {
        Rank::all().find(|rank| rank.id() == id)
    }

    /// The technique's id, as tables store it.
    pub fn id(self) -> &'static str {
        TechniqueName::IDS
            .get(self.index())
            .copied()
            .unwrap_or(SEARCH_ID)
    }
}
