//! Franken fish: fish with blocks among the lines of the base or of the cover.

use super::search::Search;
use super::state::State;
use super::step::Step;
use crate::board::{Cell, CellSet, Digit, House};

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
    finned: bool,
) -> Option<Step> {
    let state = &search.state;
    Digit::ALL.into_iter().find_map(|digit| {
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
            let targets = state.places(digit);
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
