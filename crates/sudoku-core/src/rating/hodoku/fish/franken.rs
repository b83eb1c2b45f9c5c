//! HoDoKu's Franken fish: fish whose base or cover contains blocks besides lines.

use crate::bit_rows::bits;
use crate::board::{Cell, CellSet, Digit, House};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// The largest number of fins; the constant below has that of endo fins, which are in two houses of the base.
const MOST_FINS: usize = 5;
const MOST_ENDO_FINS: usize = 2;

/// The first fish of this size, in the order of digits, with rows and blocks as base before columns and blocks.
/// Fins are the places of the base that the cover does not contain, and those in two houses of the base. A removed
/// candidate sees all fins, and is in the cover but not in the base, or in two houses of the cover.
///
/// Few bases can remove anything, so the search starts with a place that could be removed. One house of the cover
/// contains it. The other houses of the cover must contain all places of the base that cannot be fins.
pub(crate) fn find(search: &mut Search, size: usize, finned: bool) -> Option<Step> {
    search.find_in_each(Digit::ALL, |search, digit| {
        let places = search.state.places(digit);
        [true, false].into_iter().find_map(|is_rows| {
            let mut fish = Fish::new(places, is_rows, size as u32, finned);
            fish.search(places);
            let (_, removed) = fish.first?;
            let removed = removed.into_iter().map(|cell| (cell, digit));
            Step::removing(search.name, removed.collect())
        })
    })
}

/// A set of houses of the base or of the cover, as bits in the order of the search.
///
/// ```text
/// bits 0–8   lines: in the base rows, then columns; in the cover the lines across
/// bits 9–17  blocks
/// ```
type Houses = u32;

const BLOCKS: Houses = 0x3_fe00;

/// The search for fish of one digit, with either rows or columns in the base.
struct Fish {
    /// Whether the lines of the base are rows.
    is_rows: bool,
    /// The places in each possible house of the base. `cover` has them for each possible house of the cover.
    base: [CellSet; 18],
    cover: [CellSet; 18],
    size: u32,
    finned: bool,
    /// The first fish so far: its base and its cover, which determine the order, and the cells that it removes.
    first: Option<([Houses; 2], Vec<Cell>)>,
}

impl Fish {
    fn new(places: CellSet, is_rows: bool, size: u32, finned: bool) -> Fish {
        let with_blocks = |lines: &[House]| {
            let house = |at: usize| *lines.get(at).unwrap_or(&House::boxes()[at % 9]);
            std::array::from_fn(|at| house(at).cells() & places)
        };
        let (rows, columns) = (with_blocks(House::rows()), with_blocks(House::columns()));
        Fish {
            is_rows,
            base: if is_rows { rows } else { columns },
            cover: if is_rows { columns } else { rows },
            size,
            finned,
            first: None,
        }
    }

    /// Searches all fish of this digit and direction, and stores the first one in `first`.
    fn search(&mut self, places: CellSet) {
        match self.finned {
            true => places.for_each(|place| self.search_removing(place)),
            false => bits(with_places(&self.cover)).for_each(|cover| self.search_with_cover(cover)),
        }
    }

    /// The line that can be in the base, the line across it, and the block of a cell, as indexes of houses.
    fn houses_of(&self, cell: Cell) -> [usize; 3] {
        let (row, column, block) = (cell.row(), cell.column(), 9 + cell.box_index());
        match self.is_rows {
            true => [row, column, block],
            false => [column, row, block],
        }
    }

    /// Searches fish without fins that have this house in the cover.
    fn search_with_cover(&mut self, cover: usize) {
        let rest = self.uncovered_places(self.cover[cover], !(BLOCKS & 1 << cover));
        rest.for_each_base(self.size, self.size - 1, &mut |base, others| {
            self.offer(base, others | 1 << cover);
        });
    }

    /// Searches finned fish that remove this place. Places that it does not see cannot be fins. If the place's own
    /// line is in the base, the line across and the block must be in the cover.
    fn search_removing(&mut self, place: Cell) {
        let [along, across, block] = self.houses_of(place).map(|house| 1 << house);
        let rest = self.uncovered_places(place.peers() | CellSet::of(place), !(along | block));
        rest.for_each_base(self.size, self.size - 1, &mut |base, others| {
            self.offer(base, others | across);
            self.offer(base, others | block);
        });
        rest.for_each_base(self.size - 1, self.size - 2, &mut |base, others| {
            self.offer(base | along, others | across | block);
        });
    }

    /// Groups these houses of the base by the houses of the cover that contain all their places but the `known` ones.
    fn uncovered_places(&self, known: CellSet, bases: Houses) -> UncoveredPlaces {
        let mut rest = UncoveredPlaces {
            places: self.base.map(|cells| cells.without(known)),
            covers: with_places(&self.cover),
            in_none: 0,
            within: [[0; 18]; 18],
        };
        for house in bits(bases & with_places(&self.base)) {
            let places = rest.places[house];
            let Some(first) = places.first() else {
                rest.in_none |= 1 << house;
                continue;
            };
            for a in self.houses_of(first).into_iter().skip(1) {
                let left = places.without(self.cover[a]);
                let Some(second) = left.first() else {
                    rest.within[a][a] |= 1 << house;
                    continue;
                };
                for b in self.houses_of(second).into_iter().skip(1) {
                    if left.is_subset(self.cover[b]) {
                        rest.within[a.min(b)][a.max(b)] |= 1 << house;
                    }
                }
            }
        }
        rest
    }

    /// Stores the fish if it removes something and comes before the stored one in the order of base and cover.
    fn offer(&mut self, base: Houses, cover: Houses) {
        if cover.count_ones() != self.size || base & cover & BLOCKS != 0 {
            return;
        }
        let ranks = [base, cover].map(Houses::reverse_bits);
        if (self.first.as_ref()).is_some_and(|(first, _)| *first >= ranks) {
            return;
        }
        // The places in at least one of the houses, and the places in two of them.
        let places = |houses: Houses, cells: &[CellSet; 18]| {
            bits(houses).fold((CellSet::EMPTY, CellSet::EMPTY), |(one, two), house| {
                (one | cells[house], two | (one & cells[house]))
            })
        };
        let ((base, endo), (covered, twice)) =
            (places(base, &self.base), places(cover, &self.cover));
        let fins = base.without(covered) | endo;
        let most_fins = if self.finned { MOST_FINS } else { 0 };
        if fins.len() > most_fins || endo.len() > MOST_ENDO_FINS || fins.is_empty() == self.finned {
            return;
        }
        if bits(cover).any(|house| (self.cover[house] & base).is_empty()) {
            return;
        }
        let seen = fins.common_peers();
        let outside = covered.without(base) & seen;
        let cannibal = (twice & base & seen).without(fins);
        let removed: Vec<Cell> = outside.into_iter().chain(cannibal).collect();
        if !removed.is_empty() {
            self.first = Some((ranks, removed));
        }
    }
}

/// By house of the base, the places that cannot be fins and are not covered yet. The rest of the cover must have them.
struct UncoveredPlaces {
    /// By house of the base, its uncovered places. Two houses of the same base must not share one.
    places: [CellSet; 18],
    /// The houses that can be in the cover, because they contain places.
    covers: Houses,
    /// The houses of the base without such places. `within[a][b]` has the houses of the base whose places lie in
    /// the houses a and b of the cover; if a = b, in that house alone.
    in_none: Houses,
    within: [[Houses; 18]; 18],
}

impl UncoveredPlaces {
    /// Visits each choice of `count` houses of the base and `covers` houses of the cover, at most two, that contain
    /// all uncovered places of the base.
    fn for_each_base(&self, count: u32, covers: u32, visit: &mut impl FnMut(Houses, Houses)) {
        let mut among = |houses: Houses, cover: Houses| {
            // A block cannot be in the base and in the cover.
            let bases = houses & !(cover & BLOCKS);
            if bases.count_ones() >= count {
                self.choose(bases, count, (0, CellSet::EMPTY), &mut |base| {
                    visit(base, cover);
                });
            }
        };
        let in_one = |a: usize| self.in_none | self.within[a][a];
        match covers {
            0 => among(self.in_none, 0),
            1 => bits(self.covers).for_each(|a| among(in_one(a), 1 << a)),
            _ => bits(self.covers).for_each(|a| {
                for b in bits(self.covers & !1 << a) {
                    among(in_one(a) | in_one(b) | self.within[a][b], 1 << a | 1 << b);
                }
            }),
        }
    }

    /// Visits each choice of `count` of these houses of the base, together with the houses `chosen` before.
    /// `taken` has the places of the chosen houses, which no further house may share.
    fn choose(
        &self,
        houses: Houses,
        count: u32,
        (chosen, taken): (Houses, CellSet),
        visit: &mut impl FnMut(Houses),
    ) {
        if count == 0 {
            return visit(chosen);
        }
        let mut left = houses;
        while left.count_ones() >= count {
            let house = left.trailing_zeros() as usize;
            left &= left - 1;
            if (self.places[house] & taken).is_empty() {
                let chosen = (chosen | 1 << house, taken | self.places[house]);
                self.choose(left, count - 1, chosen, visit);
            }
        }
    }
}

/// The houses that contain at least one place.
fn with_places(cells: &[CellSet; 18]) -> Houses {
    let houses = (0..18).filter(|house| !cells[*house].is_empty());
    houses.fold(0, |all, house| all | 1 << house)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::hodoku::{HodokuVersion, trace};

    #[test]
    fn the_first_fish_is_that_of_all_bases_and_covers() {
        let puzzle =
            "3..5...862..6.....5.8...21..3.24..6.....6.9.........787.6..3.9..........8.192....";
        let (_, steps) = trace(&puzzle.parse().expect(puzzle), HodokuVersion::V2_2);
        let mut found = [0, 0];
        for (step, digit) in steps.iter().step_by(8).zip(Digit::ALL) {
            let places = step.board.places(digit);
            for case in 0..8 {
                let new = || Fish::new(places, case & 1 == 0, 2 + case / 4, case & 2 == 0);
                let (mut quick, mut slow) = (new(), new());
                quick.search(places);
                let choices = (0..1 << 18).filter(|set: &Houses| set.count_ones() == slow.size);
                let choices: Vec<Houses> = choices.collect();
                for base in &choices {
                    choices.iter().for_each(|cover| slow.offer(*base, *cover));
                }
                assert_eq!(quick.first, slow.first, "{case} {step:?}");
                found[usize::from(slow.finned)] += usize::from(slow.first.is_some());
            }
        }
        assert!(found.iter().all(|count| *count > 0), "{found:?}");
    }
}
