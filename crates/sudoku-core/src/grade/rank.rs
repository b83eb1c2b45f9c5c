//! Ranks of techniques. The rank is the position in the list of all techniques, from the easiest to the hardest.

use super::order::TechniqueName;

/// A position in the list of all techniques, from 1: first the techniques in the order of [`LADDER`](super::LADDER),
/// last search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// The rank of search, for puzzles that no technique of the ladder solves.
pub const SEARCH: Rank = Rank(TechniqueName::COUNT as u8 + 1);

const SEARCH_ID: &str = "search";

/// The prefix of the names of the columns with the waves of a technique.
const WAVES_PREFIX: &str = "waves_";

impl Rank {
    /// The lowest rank: the rank of the first technique.
    pub const LOWEST: Rank = Rank(1);
    /// The rank of naked singles, the second technique of the default ladder.
    pub(crate) const NAKED_SINGLE: Rank = Rank::for_technique(TechniqueName::NakedSingle);
    /// The rank of hidden singles in boxes, the third technique of the default ladder.
    pub(crate) const HIDDEN_SINGLE_BOX: Rank = Rank::for_technique(TechniqueName::HiddenSingleBox);
    /// The rank of hidden singles in rows and columns, the hardest singles.
    pub const HIDDEN_SINGLE_LINE: Rank = Rank::for_technique(TechniqueName::HiddenSingleLine);
    /// The rank of pointing (locked candidates), the first technique that only removes candidates.
    pub(crate) const LOCKED_POINTING: Rank = Rank::for_technique(TechniqueName::LockedPointing);
    /// The rank of claiming. All singles and both kinds of locked candidates have this rank or a lower one.
    pub(crate) const LOCKED_CLAIMING: Rank = Rank::for_technique(TechniqueName::LockedClaiming);
    /// The rank of all uniqueness techniques. They are tried after jellyfish, and have the same rank as jellyfish.
    pub const UNIQUENESS: Rank = Rank(TechniqueName::BASIC as u8);
    /// The rank of nishio, the first forcing technique.
    pub(crate) const NISHIO: Rank = Rank::for_technique(TechniqueName::Nishio);
    /// The number of ranks: one for each technique of the ladder, and one for search.
    pub const COUNT: usize = SEARCH.0 as usize;

    /// The rank of a technique of the ladder.
    pub(super) const fn for_technique(technique: TechniqueName) -> Rank {
        Rank(technique as u8 + 1)
    }

    /// All ranks in ascending order; the last one is search.
    pub fn all() -> impl Iterator<Item = Rank> {
        (1..=SEARCH.0).map(Rank)
    }

    /// The name of the column with the number of waves of this technique.
    pub fn waves_column(self) -> String {
        format!("{WAVES_PREFIX}{}", self.id())
    }

    /// The technique for whose waves a column has this name; `None` for other columns.
    pub fn from_waves_column(name: &str) -> Option<Rank> {
        Rank::from_id(name.strip_prefix(WAVES_PREFIX)?)
    }

    /// The number of the rank in output tables, from 1 to [`Rank::COUNT`].
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The index of the rank in [`Rank::all`], from 0; one less than its number.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// The rank with this number; `None` unless it is from 1 to [`Rank::COUNT`].
    pub fn from_number(number: u8) -> Option<Rank> {
        (1..=SEARCH.0).contains(&number).then_some(Rank(number))
    }

    /// The rank of the technique with this id, or of `search`; `None` for other ids.
    pub fn from_id(id: &str) -> Option<Rank> {
        Rank::all().find(|rank| rank.id() == id)
    }

    /// The id of the rank's technique, or `search`, as output tables store it.
    pub fn id(self) -> &'static str {
        TechniqueName::IDS
            .get(self.index())
            .copied()
            .unwrap_or(SEARCH_ID)
    }
}
