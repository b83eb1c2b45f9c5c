//! Franken fish: fish with blocks among the lines of the base or of the cover.

use super::search::{Kind, Search};
use super::state::State;
use super::step::Step;
use crate::board::{Cell, CellSet, Digit, House, HouseKind};

/// The most fins, and the most cells that are in two houses of the base.
const MOST_FINS: usize = 5;
const MOST_ENDO_FINS: usize = 2;

/// The first fish of this size: digits, then rows and blocks as base, then columns and blocks. Fins are
/// places of the base that the cover does not have, and those in two houses of the base. A removed
/// candidate sees all fins, and is in the cover only, or in two houses of the cover.
pub(super) fn find(
    search: &mut Search,
    size: usize,
    name: &'static str,
    kind: Kind,
) -> Option<Step> {
    let finned = matches!(kind, Kind::FinnedFranken2 | Kind::FinnedFranken3);
    search.by_digit(kind, |search, digit| {
        let state = &search.state;
        let lines = [
            (House::rows(), House::columns()),
            (House::columns(), House::rows()),
        ];
        lines.into_iter().find_map(|(base, cover)| {
            let fish = Fish {
                state,
                digit,
                name,
                size,
                finned,
                base: base.iter().chain(House::boxes()).copied().collect(),
                cover: cover.iter().chain(House::boxes()).copied().collect(),
            };
            let mut used = Vec::new();
            let places = state.places(digit);
            let targets: CellSet = places.filter(|target| fish.has_bases(*target)).collect();
            fish.bases(&mut used, 0, (CellSet::EMPTY, CellSet::EMPTY), targets)
        })
    })
}

struct Fish<'a> {
    state: &'a State,
    digit: Digit,
    name: &'static str,
    size: usize,
    finned: bool,
    base: Vec<House>,
    cover: Vec<House>,
}

impl Fish<'_> {
    fn places(&self, house: House) -> CellSet {
        house.cells() & self.state.places(self.digit)
    }

    /// Whether there may be a base for a place: as many houses as the size, whose places that must not be
    /// fins lie in one house less. The last house of the cover has the place itself, and at most places
    /// that see it.
    ///
    /// This only counts houses, and leaves out that a house cannot be in the base and in the cover.
    fn has_bases(&self, target: Cell) -> bool {
        let [row, column, block] = target.houses();
        if self.finned {
            return self.has_bases_without(target, target.peers());
        }
        let line = if self.base[0].index() < 9 {
            column
        } else {
            row
        };
        [line, block]
            .into_iter()
            .any(|house| self.has_bases_without(target, house.cells()))
    }

    /// [`Fish::has_bases`], if these cells need no other house.
    fn has_bases_without(&self, target: Cell, covered: CellSet) -> bool {
        // How many houses of the base lie in one house of the cover, and in two. Those of one count for
        // each pair with it.
        let mut in_one = [0_u8; 27];
        let mut in_two = [[0_u8; 27]; 27];
        let mut pairs = Vec::new();
        for house in &self.base {
            // If a house of the base has the place, then both houses across are in the cover. The block
            // cannot be in both.
            let has_target = house.cells().contains(target);
            if has_target && (self.finned || house.kind() == HouseKind::Box) {
                continue;
            }
            let places = self.places(*house);
            let own = [*house];
            let cells = places.without(covered | CellSet::of(target));
            let Some(cell) = cells.first() else {
                if places.is_empty() {
                    continue;
                }
                return true;
            };
            for first in self.houses_across(cell, &own) {
                let rest = cells.without(first.cells());
                let Some(cell) = rest.first() else {
                    in_one[first.index()] += 1;
                    continue;
                };
                for second in self.houses_across(cell, &own) {
                    if rest.is_subset(second.cells()) {
                        let pair = [first.index(), second.index()];
                        let [low, high] = [pair[0].min(pair[1]), pair[0].max(pair[1])];
                        in_two[low][high] += 1;
                        pairs.push((low, high));
                    }
                }
            }
        }
        let (mut most, mut second) = (0, 0);
        for count in in_one {
            (most, second) = (most.max(count), second.max(count.min(most)));
        }
        // Of three houses, the line of the place could be one, if there are fins.
        if most >= 2 && (self.size == 2 || self.finned) {
            return true;
        }
        if self.size == 2 {
            return false;
        }
        let is_enough = |(a, b): &(usize, usize)| in_one[*a] + in_one[*b] + in_two[*a][*b] >= 3;
        most + second >= 3 || pairs.iter().any(is_enough)
    }

    /// Tries all bases that begin with these houses. `base` are their places, `endo` those in two of them,
    /// and `targets` the places that could be removed with the houses before the last one.
    fn bases(
        &self,
        used: &mut Vec<House>,
        from: usize,
        (base, endo): (CellSet, CellSet),
        targets: CellSet,
    ) -> Option<Step> {
        // Another house of the base only makes a removal harder. Most bases end here.
        let targets: CellSet = targets
            .filter(|target| self.can_remove(*target, used, (base, endo)))
            .collect();
        if targets.is_empty() {
            return None;
        }
        if used.len() == self.size {
            return self.covers(used, base, endo);
        }
        for at in from..self.base.len() {
            let cells = self.places(self.base[at]);
            let endo = endo | (base & cells);
            if cells.is_empty() || endo.len() > if self.finned { MOST_ENDO_FINS } else { 0 } {
                continue;
            }
            used.push(self.base[at]);
            let found = self.bases(used, at + 1, (base | cells, endo), targets);
            used.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether a place might be removed: houses that have it, and others, can hold all places of the base
    /// that must not be fins, since the place does not see them.
    fn can_remove(&self, target: Cell, used: &[House], (base, endo): (CellSet, CellSet)) -> bool {
        let seen = target.peers();
        if !endo.is_subset(seen) {
            return false;
        }
        let free = if self.finned { seen } else { CellSet::EMPTY };
        let rest = base.without(free | CellSet::of(target));
        let mut houses = self.houses_across(target, used);
        if base.contains(target) {
            let (Some(line), Some(block)) = (houses.next(), houses.next()) else {
                return false;
            };
            let rest = rest.without(line.cells() | block.cells());
            return self.can_cover(rest, self.size - 2, used);
        }
        houses.any(|house| self.can_cover(rest.without(house.cells()), self.size - 1, used))
    }

    fn can_cover(&self, cells: CellSet, more: usize, used: &[House]) -> bool {
        let Some(cell) = cells.first() else {
            return true;
        };
        more > 0
            && self
                .houses_across(cell, used)
                .any(|house| self.can_cover(cells.without(house.cells()), more - 1, used))
    }

    /// The houses of a cell that can be in the cover.
    fn houses_across(&self, cell: Cell, used: &[House]) -> impl Iterator<Item = House> {
        let [row, column, block] = cell.houses();
        let line = if self.base[0].index() < 9 {
            column
        } else {
            row
        };
        let is_free = |house: &House| !used.contains(house);
        let houses = [line, block].map(|house| Some(house).filter(is_free));
        houses.into_iter().flatten()
    }

    fn covers(&self, used: &[House], base: CellSet, endo: CellSet) -> Option<Step> {
        let covers: Vec<CellSet> = (self.cover.iter())
            .filter(|house| !used.contains(house))
            .map(|house| self.places(*house))
            .filter(|cells| !(*cells & base).is_empty())
            .collect();
        self.cover(
            &covers,
            self.size,
            (base, endo),
            (CellSet::EMPTY, CellSet::EMPTY),
        )
    }

    /// Tries all covers with so many more houses. `cover` are the places so far, `twice` those in two.
    fn cover(
        &self,
        covers: &[CellSet],
        more: usize,
        (base, endo): (CellSet, CellSet),
        (cover, twice): (CellSet, CellSet),
    ) -> Option<Step> {
        if more == 0 {
            let fins = base.without(cover) | endo;
            let count = fins.len();
            if (count > 0) != self.finned || count > MOST_FINS {
                return None;
            }
            let seen = if count > 0 {
                fins.common_peers()
            } else {
                CellSet::FULL
            };
            let outside = cover.without(base) & seen;
            let cannibal = (twice & base & seen).without(fins);
            let removed: Vec<(Cell, Digit)> = (outside.into_iter().chain(cannibal))
                .map(|cell| (cell, self.digit))
                .collect();
            return Step::removing(self.name, removed);
        }
        for (at, cells) in covers.iter().enumerate() {
            let next = (cover | *cells, twice | (cover & *cells));
            let found = self.cover(&covers[at + 1..], more - 1, (base, endo), next);
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
