//! HoDoKu's Franken fish: fish that have blocks besides lines in the base or in the cover.

use crate::bit_rows::bits;
use crate::board::{Cell, CellSet, Digit, House};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// The largest number of fins. The next constant is the largest number of endo fins: fins in two base houses.
const MOST_FINS: usize = 5;
const MOST_ENDO_FINS: usize = 2;

/// The first fish of this size by digit; bases of rows and blocks come before bases of columns and blocks. Fins are the
/// places of the base outside the cover, or in two houses of the base. A removed candidate sees all fins, and is in the
/// cover but not in the base, or in two houses of the cover.
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

/// Houses of the base or of the cover, as bits in the order of the search.
///
/// ```text
/// bits 0–8   lines: in the base rows, then columns; in the cover the lines across
/// bits 9–17  blocks
/// ```
type Houses = u32;

const BLOCKS: Houses = 0x3_fe00;

/// The search for fish of one digit, with rows or with columns as the lines of the base.
struct Fish {
    /// Whether the base has rows, not columns, as its lines.
    is_rows: bool,
    /// For each possible house of the base, its places. `cover` has the same for the cover.
    base: [CellSet; 18],
    cover: [CellSet; 18],
    size: u32,
    finned: bool,
    /// The first fish found so far: base and cover, by which fish are ordered, and the cells that lose the digit.
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

    /// Searches all fish of one digit whose places are `places`, and stores the first one in `first`.
    fn search(&mut self, places: CellSet) {
        if self.finned {
            places.for_each(|place| self.search_removing(place));
        } else {
            bits(with_places(&self.cover)).for_each(|cover| self.search_with_cover(cover));
        }
    }

    /// For a cell, the indexes of the line that the base can have, of the line across it, and of the block.
    fn houses_of(&self, cell: Cell) -> [usize; 3] {
        let (row, column, block) = (cell.row(), cell.column(), 9 + cell.box_index());
        if self.is_rows {
            [row, column, block]
        } else {
            [column, row, block]
        }
    }

    /// Searches fish without fins whose cover contains this house.
    fn search_with_cover(&mut self, cover: usize) {
        let rest = self.uncovered_places(self.cover[cover], !(BLOCKS & 1 << cover));
        rest.for_each_base(self.size, self.size - 1, &mut |base, others| {
            self.offer(base, others | 1 << cover);
        });
    }

    /// Searches finned fish that remove the digit from `place`. Places that it does not see cannot be fins. If its own
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

    /// For each of these base houses, finds the cover houses that contain all its places that are not in `known`.
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

    /// Stores the fish if it removes something, and comes before the stored fish by base and cover.
    fn offer(&mut self, base: Houses, cover: Houses) {
        if cover.count_ones() != self.size || base & cover & BLOCKS != 0 {
            return;
        }
        let ranks = [base, cover].map(Houses::reverse_bits);
        if (self.first.as_ref()).is_some_and(|(first, _)| *first >= ranks) {
            return;
        }
        // The places that are in at least one of the houses, and those that are in two.
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

/// The places of each base house that cannot be fins and are not covered yet. The rest of the cover must contain them.
struct UncoveredPlaces {
    /// For each base house, its uncovered places. Two houses of a base must not share one of them.
    places: [CellSet; 18],
    /// The houses that can be in the cover: each has at least one place.
    covers: Houses,
    /// The base houses without uncovered places. `within[a][b]` has the base houses whose uncovered places are all in
    /// the cover houses a and b; if a = b, in that house alone.
    in_none: Houses,
    within: [[Houses; 18]; 18],
}

impl UncoveredPlaces {
    /// Visits each choice of `count` base houses and `covers` cover houses (at most two) that contain all uncovered
    /// places of the base houses.
    fn for_each_base(&self, count: u32, covers: u32, visit: &mut impl FnMut(Houses, Houses)) {
        let mut among = |houses: Houses, cover: Houses| {
            // The same block cannot be both in the base and in the cover.
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

    /// Visits each choice of `count` of these base houses, together with the houses in `chosen`. `taken` has the places
    /// of the chosen houses; no other house may have one of them.
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

/// The houses that have at least one place.
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
