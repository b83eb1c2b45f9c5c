//! Franken fish: fish with blocks among the lines of the base or of the cover.

use crate::bit_rows::bits;
use crate::board::{Cell, CellSet, Digit, House, count_nine};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// The most fins, and the most cells that are in two houses of the base.
const MOST_FINS: usize = 5;
const MOST_ENDO_FINS: usize = 2;

/// The first fish of this size: digits, then rows and blocks as base, then columns and blocks. Fins are
/// places of the base that the cover does not have, and those in two houses of the base. A removed
/// candidate sees all fins, and is in the cover only, or in two houses of the cover.
///
/// Few bases can remove anything, so the search begins with a removed place. One house of the cover has this
/// place. The other houses of the cover must have all places of the base that cannot be fins.
pub(crate) fn find(search: &mut Search, size: usize, finned: bool) -> Option<Step> {
    search.in_each(Digit::ALL, |search, digit| {
        let places = search.state.places(digit);
        [true, false].into_iter().find_map(|is_rows| {
            let lines = if is_rows {
                House::rows()
            } else {
                House::columns()
            };
            let all = MustCover::new(std::array::from_fn(|at| {
                search.state.positions(lines[at], digit)
            }));
            let mut fish = Fish {
                places,
                is_rows,
                size: size as u32,
                finned,
                first: None,
            };
            if finned {
                places.for_each(|place| fish.removing(&all, place));
            } else {
                bits(all.covers).for_each(|cover| fish.with_cover(&all, cover));
            }
            let (_, removed) = fish.first?;
            Step::removing(
                search.name,
                removed.into_iter().map(|cell| (cell, digit)).collect(),
            )
        })
    })
}

/// Lines and blocks of the base or of the cover, as bits.
///
/// ```text
/// bits 0–8   base: lines along (rows, then columns); cover: lines across
/// bits 9–17  blocks: in the order across, three along the first three lines, then three along the next …
/// ```
type Houses = u32;

const BLOCKS: Houses = 0x3_fe00;

/// The block of a line along and a line across.
fn block_of(along: usize, across: usize) -> usize {
    9 + along / 3 * 3 + across / 3
}

/// The third of the lines across that a block has.
fn third(block: usize) -> u16 {
    0b111 << (3 * (block % 3))
}

/// Visits all choices of `count` of the houses, each together with `chosen`.
fn choose(houses: Houses, count: u32, chosen: Houses, visit: &mut impl FnMut(Houses)) {
    if count == 0 {
        return visit(chosen);
    }
    let mut left = houses;
    while left.count_ones() >= count {
        let lowest = left & left.wrapping_neg();
        left ^= lowest;
        choose(left, count - 1, chosen | lowest, visit);
    }
}

/// The places that the rest of the cover must have if they are in the base: those that cannot be fins.
#[derive(Clone)]
struct MustCover {
    /// By line along, the lines across where it has places.
    lines: [u16; 9],
    /// By line, the blocks that cannot be in the base beside it, because they share places with it.
    crossed: [Houses; 9],
    /// The houses that can be in the base, and in the cover.
    base: Houses,
    covers: Houses,
}

impl MustCover {
    /// All places of a digit.
    fn new(lines: [u16; 9]) -> MustCover {
        let mut all = MustCover {
            lines,
            crossed: crossed(&lines),
            base: 0,
            covers: 0,
        };
        let with_places = (0..18).filter(|house| all.mask(*house) != 0);
        all.base = with_places.fold(0, |base, house| base | 1 << house);
        let across = lines.iter().fold(0, |across, mask| across | mask);
        all.covers = all.base & BLOCKS | Houses::from(across);
        all
    }

    /// The lines across where a house of the base has places.
    fn mask(&self, house: usize) -> u16 {
        if house < 9 {
            return self.lines[house];
        }
        let lines = &self.lines[(house - 9) / 3 * 3..][..3];
        (lines[0] | lines[1] | lines[2]) & third(house)
    }

    /// Takes out the places of a house of the cover.
    fn remove(&mut self, cover: usize) {
        if cover < 9 {
            self.lines
                .iter_mut()
                .for_each(|mask| *mask &= !(1 << cover));
        } else {
            let lines = &mut self.lines[(cover - 9) / 3 * 3..][..3];
            lines.iter_mut().for_each(|mask| *mask &= !third(cover));
            self.base &= !(1 << cover);
        }
    }

    /// Visits all choices of `count` houses of the base whose places lie in `covers` houses of the cover, 0 to 2,
    /// with these houses of the cover.
    fn for_each_base(&self, count: u32, covers: u32, visit: &mut impl FnMut(Houses, Houses)) {
        // The houses of the base without places, and those whose places lie in one or in two houses of the cover.
        let (mut in_none, mut in_one, mut in_two) = (0, [0; 18], [[0; 18]; 18]);
        // The houses of the cover with some in `in_one`, and by house of the cover the second ones of `in_two`.
        let (mut alone, mut partners): (Houses, [Houses; 18]) = (0, [0; 18]);
        for house in bits(self.base) {
            let own = 1 << house;
            let mask = self.mask(house);
            let lowest = |mask: u16| mask.trailing_zeros() as usize;
            let mut add = |covers: [usize; 2]| match covers {
                [a, b] if a == b => {
                    in_one[a] |= own;
                    alone |= 1 << a;
                }
                [a, b] => {
                    in_two[a][b] |= own;
                    partners[a] |= 1 << b;
                }
            };
            if mask == 0 {
                in_none |= own;
                continue;
            }
            let others = mask & (mask - 1);
            if others & others.wrapping_sub(1) == 0 {
                let last = if others == 0 { mask } else { others };
                add([lowest(mask), lowest(last)]);
            }
            if house >= 9 {
                continue;
            }
            for block in block_of(house, 0)..=block_of(house, 8) {
                let rest = mask & !third(block);
                let next = block_of(house, lowest(rest));
                if rest == 0 {
                    add([block, block]);
                } else if rest & (rest - 1) == 0 {
                    add([lowest(rest), block]);
                } else if rest & !third(next) == 0 {
                    add([block.min(next), block.max(next)]);
                }
            }
        }
        let mut among = |houses: Houses, cover: Houses| {
            // A block cannot be in both.
            let houses = houses & !(cover & BLOCKS);
            if self.has_disjoint(houses, count as usize) {
                choose(houses, count, 0, &mut |base| visit(base, cover));
            }
        };
        match covers {
            0 => among(in_none, 0),
            1 => bits(self.covers).for_each(|a| among(in_none | in_one[a], 1 << a)),
            _ => {
                for a in bits(self.covers) {
                    let has_enough = (in_none | in_one[a]).count_ones() >= count;
                    let useful = if has_enough { !0 } else { alone | partners[a] };
                    for b in bits(self.covers & useful & !0 << a << 1) {
                        let houses = in_none | in_one[a] | in_one[b] | in_two[a][b];
                        among(houses, 1 << a | 1 << b);
                    }
                }
            }
        }
    }

    /// Whether `count` of the houses, three at most, share no place. Lines share places with blocks only.
    fn has_disjoint(&self, houses: Houses, count: usize) -> bool {
        let size = |houses: Houses| count_nine(houses as u16 | (houses >> 9) as u16);
        let (lines, blocks) = (houses & !BLOCKS, houses & BLOCKS);
        if size(lines) >= count || size(blocks) >= count {
            return true;
        }
        // One line or both, and the blocks that share no place with them.
        let first = lines & lines.wrapping_neg();
        size(lines) + size(blocks) >= count
            && [first, lines ^ first, lines].into_iter().any(|chosen| {
                let crossed = bits(chosen).fold(0, |all, line| all | self.crossed[line]);
                size(chosen) + size(blocks & !crossed) >= count
            })
    }
}

/// By line, the blocks in which the line has places.
fn crossed(lines: &[u16; 9]) -> [Houses; 9] {
    std::array::from_fn(|line| {
        let blocks = block_of(line, 0)..=block_of(line, 8);
        let with_place = blocks.filter(|block| lines[line] & third(*block) != 0);
        with_place.fold(0, |all, block| all | 1 << block)
    })
}

/// The fish of a digit in one direction.
struct Fish {
    places: CellSet,
    /// Whether the lines of the base are rows.
    is_rows: bool,
    size: u32,
    finned: bool,
    /// The first fish so far: the ranks of its base and its cover, and the cells that it removes, in order.
    first: Option<([u32; 2], Vec<Cell>)>,
}

impl Fish {
    /// Looks for fish without fins with this house in the cover.
    fn with_cover(&mut self, all: &MustCover, cover: usize) {
        let mut rest = all.clone();
        rest.remove(cover);
        rest.for_each_base(self.size, self.size - 1, &mut |base, others| {
            self.test(base, others | 1 << cover);
        });
    }

    /// Looks for fish with fins that remove a place. Places that it does not see cannot be fins. If the place's
    /// line is in the base, its line across and its block are in the cover.
    fn removing(&mut self, all: &MustCover, place: Cell) {
        let (row, column) = (place.row(), place.column());
        let (along, across) = if self.is_rows {
            (row, column)
        } else {
            (column, row)
        };
        let block = block_of(along, across);
        let mut rest = all.clone();
        rest.remove(across);
        rest.remove(block);
        rest.lines[along] = 0;
        rest.base &= !(1 << along);
        rest.crossed = crossed(&rest.lines);
        rest.for_each_base(self.size, self.size - 1, &mut |base, others| {
            self.test(base, others | 1 << across);
            self.test(base, others | 1 << block);
        });
        rest.for_each_base(self.size - 1, self.size - 2, &mut |base, others| {
            self.test(base | 1 << along, others | 1 << across | 1 << block);
        });
    }

    /// Keeps the fish of this base and this cover if it removes something, and comes before the first one so far
    /// in the lexicographic order of base and cover.
    fn test(&mut self, base: Houses, cover: Houses) {
        if cover.count_ones() != self.size || base & cover & BLOCKS != 0 {
            return;
        }
        let ranks = [base, cover].map(|houses| {
            let houses = bits(houses).map(|house| self.number(house));
            houses.fold(0, |rank, number| rank | 1 << (17 - number))
        });
        if self
            .first
            .as_ref()
            .is_some_and(|(first, _)| *first >= ranks)
        {
            return;
        }
        // The places in a house of each, and those in two.
        let places = |houses: Houses, is_base: bool| {
            let houses = bits(houses).map(|house| self.house(house, is_base).cells() & self.places);
            houses.fold((CellSet::EMPTY, CellSet::EMPTY), |(one, two), cells| {
                (one | cells, two | (one & cells))
            })
        };
        let ((base, endo), (covered, twice)) = (places(base, true), places(cover, false));
        let fins = base.without(covered) | endo;
        let most = if self.finned { MOST_FINS } else { 0 };
        if fins.len() > most || endo.len() > MOST_ENDO_FINS || fins.is_empty() == self.finned {
            return;
        }
        let is_apart = |house| (self.house(house, false).cells() & base).is_empty();
        if bits(cover).any(is_apart) {
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

    /// The place of a house in the order of the search: lines, then blocks in their own order.
    fn number(&self, house: usize) -> usize {
        match house {
            9.. if !self.is_rows => 9 + (house - 9) % 3 * 3 + (house - 9) / 3,
            _ => house,
        }
    }

    fn house(&self, house: usize, is_base: bool) -> House {
        match self.number(house) {
            number @ 9.. => House::box_(number - 9),
            number if self.is_rows == is_base => House::row(number),
            number => House::column(number),
        }
    }
}
