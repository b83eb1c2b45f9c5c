use super::technique::{Info, Level, Technique};
use super::techniques::fish::jellyfish::Jellyfish;
use super::techniques::forcing::nishio::Nishio;
use super::techniques::locked::locked_claiming::LockedClaiming;
use super::techniques::locked::locked_pointing::LockedPointing;
use super::techniques::singles::hidden_single_box::HiddenSingleBox;
use super::techniques::singles::hidden_single_line::HiddenSingleLine;
use super::techniques::singles::naked_single::NakedSingle;
use super::techniques::{INFOS, LADDER};

/// A place on the ladder, from 1: the techniques in the order of [`LADDER`], and search behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// The rank of a puzzle that the ladder does not solve: a search has to.
pub const SEARCH: Rank = Rank(LADDER.len() as u8 + 1);

const SEARCH_ID: &str = "search";
const SEARCH_EFFORT: u32 = 10_000;

impl Rank {
    /// The rank of the first technique.
    pub const LOWEST: Rank = Rank(1);
    /// The rank of naked singles.
    pub const NAKED_SINGLE: Rank = Rank::of(&NakedSingle::INFO);
    /// The rank of hidden singles in boxes.
    pub const HIDDEN_SINGLE_BOX: Rank = Rank::of(&HiddenSingleBox::INFO);
    /// The rank of the last of the singles.
    pub const HIDDEN_SINGLE_LINE: Rank = Rank::of(&HiddenSingleLine::INFO);
    /// The rank of the first technique that only removes candidates.
    pub const LOCKED_POINTING: Rank = Rank::of(&LockedPointing::INFO);
    /// The rank of the locked candidates, of both kinds and all singles.
    pub const LOCKED_CLAIMING: Rank = Rank::of(&LockedClaiming::INFO);
    /// The rank that techniques count as which argue with uniqueness: they are tried between it,
    /// that of jellyfish, and the next.
    pub const UNIQUENESS: Rank = Rank::of(&Jellyfish::INFO);
    /// The rank of nishio.
    pub const NISHIO: Rank = Rank::of(&Nishio::INFO);
    /// How many ranks there are: the ladder's techniques and search.
    pub const COUNT: usize = LADDER.len() + 1;

    /// The rank of a technique of the ladder: its place there.
    pub(super) const fn of(info: &Info) -> Rank {
        let mut at = 0;
        while !is_same(INFOS[at].id, info.id) {
            at += 1;
        }
        Rank(at as u8 + 1)
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

    /// The technique of this rank; search has none.
    pub fn technique(self) -> Option<&'static dyn Technique> {
        LADDER.get(self.index()).copied()
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
        self.info().map_or(SEARCH_ID, |info| info.id)
    }

    /// The technique's level.
    pub fn level(self) -> Level {
        self.info().map_or(Level::Extreme, |info| info.level)
    }

    /// What one wave of the technique adds to a puzzle's effort.
    pub fn effort(self) -> u32 {
        self.info().map_or(SEARCH_EFFORT, |info| info.effort)
    }

    fn info(self) -> Option<&'static Info> {
        self.technique().map(Technique::info)
    }
}

/// Whether two ids are the same; `==` cannot be used in constants.
const fn is_same(one: &str, two: &str) -> bool {
    let (one, two) = (one.as_bytes(), two.as_bytes());
    let mut at = 0;
    while at < one.len() && at < two.len() && one[at] == two[at] {
        at += 1;
    }
    at == one.len() && at == two.len()
}
