//! Finds the candidates that Sue de Coq removes, without listing steps. This is a faster version of the search in the
//! [parent module](super).

use wide::u16x8;

use super::eights::{CELL_COUNTS, count, zeros};
use crate::bit_rows::bits;
use crate::board::{Cell, CellSet, DigitSet, House};
use crate::grade::order::TechniqueName;
use crate::grade::techniques::als::crossing::{Crossing, Part};
use crate::grade::{Position, Steps};

/// Finds the removed candidates. Only lines and boxes that have changed since the technique last found nothing are
/// searched.
pub(in super::super) fn find_union(board: &Position, found: &mut Steps) {
    let changed = board.changes(TechniqueName::SueDeCoq, found).cells();
    let unions = unions(board);
    let (mut in_line, mut in_box) = (Parts::NONE, Parts::NONE);
    for crossing in &CROSSINGS {
        if (crossing.cells & changed).is_empty() {
            continue;
        }
        let segment = &unions[crossing.segment.index()];
        let centres = centres(segment);
        if centres == 0 {
            continue;
        }
        let line_rest = fewest_last(crossing.rest_of_line, &unions);
        let box_rest = fewest_last(crossing.rest_of_box, &unions);
        in_line.fill(line_rest.map(|segment| &unions[segment.index()]));
        in_box.fill(box_rest.map(|segment| &unions[segment.index()]));
        for centre in bits(centres) {
            let cells = usize::from(CELL_COUNTS[0][centre]);
            in_line.for_each_with(&in_box, segment[centre], cells, |line_part, box_part| {
                let part = |segments: &[Segment], choice| {
                    Part::new(chosen(segments, choice), board.by_cell())
                };
                let (line_part, box_part) =
                    (part(&line_rest, line_part), part(&box_rest, box_part));
                let step = Crossing {
                    line: crossing.segment.line(),
                    box_: crossing.box_,
                    centre: part(&[crossing.segment], centre as u8),
                };
                step.step(board, &line_part, &box_part, found);
            });
        }
    }
    board.record_miss(TechniqueName::SueDeCoq, found);
}

/// The possible centres of a Sue de Coq in a segment. They are subsets of two or three of its cells that have at least
/// two more digits than cells; each bit of the result stands for a subset.
fn centres(unions: &[u16; 8]) -> u32 {
    const TWO_OR_THREE: u32 = 1 << 0b011 | 1 << 0b101 | 1 << 0b110 | 1 << 0b111;
    let digits = u16x8::new(*unions);
    let more = count(digits).saturating_sub(u16x8::new(CELL_COUNTS[0]) + u16x8::ONE);
    let is_solved = digits.simd_eq(u16x8::splat(SOLVED));
    !zeros(more & !is_solved) & TWO_OR_THREE
}

/// Orders two segments by their number of unsolved cells, so that the one with fewer comes last.
fn fewest_last([one, two]: [Segment; 2], unions: &[[u16; 8]; 54]) -> [Segment; 2] {
    let solved = |segment: Segment| {
        zeros(u16x8::new(unions[segment.index()]) - u16x8::splat(SOLVED)).count_ones()
    };
    if solved(one) > solved(two) {
        [two, one]
    } else {
        [one, two]
    }
}

/// A segment: the three cells in which a line and a box cross. The value is its index, from 0 to 53.
#[derive(Clone, Copy)]
struct Segment(u8);

impl Segment {
    const fn at(line: usize, third: usize) -> Segment {
        Segment((3 * line + third) as u8)
    }

    /// The index of the segment, from 0 to 53. The segments are ordered by line.
    fn index(self) -> usize {
        self.0.into()
    }

    fn line(self) -> House {
        House::ALL[self.index() / 3]
    }

    fn cells(self) -> [Cell; 3] {
        let line = self.line();
        [0, 1, 2].map(|n| line.cell(3 * (self.index() % 3) + n))
    }
}

/// A line and a box that cross, and the segments (groups of three cells) around their crossing.
struct LineAndBox {
    segment: Segment,
    box_: House,
    /// All cells that are in the line or in the box.
    cells: CellSet,
    /// The other two segments of the line.
    rest_of_line: [Segment; 2],
    /// The other two segments of the box that are parallel to the line.
    rest_of_box: [Segment; 2],
}

/// All pairs of a line and a box that cross, by the index of the segment where they cross.
static CROSSINGS: [LineAndBox; 54] = {
    let mut crossings = [const { LineAndBox::at(0, 0) }; 54];
    let mut n = 0;
    while n < 54 {
        crossings[n] = LineAndBox::at(n / 3, n % 3);
        n += 1;
    }
    crossings
};

impl LineAndBox {
    const fn at(line: usize, third: usize) -> LineAndBox {
        let house = House::ALL[line];
        let box_ = House::box_(house.cell(3 * third).box_index());
        let first = line - line % 3;
        LineAndBox {
            segment: Segment::at(line, third),
            box_,
            cells: CellSet::from_bits(house.cells().bits() | box_.cells().bits()),
            rest_of_line: [
                Segment::at(line, (third + 1) % 3),
                Segment::at(line, (third + 2) % 3),
            ],
            rest_of_box: [
                Segment::at(first + (line + 1) % 3, third),
                Segment::at(first + (line + 2) % 3, third),
            ],
        }
    }
}

/// The cells of a subset of several segments. Bit n of `choice` is set if the subset has the n-th cell, counted over
/// all segments.
fn chosen(segments: &[Segment], choice: u8) -> CellSet {
    let cells = segments.iter().flat_map(|segment| segment.cells());
    let chosen = cells.enumerate().filter(|(n, _)| choice >> n & 1 == 1);
    chosen.map(|(_, cell)| cell).collect()
}

/// For each segment and each subset of its three cells, the union of their candidates; [`SOLVED`] if one of the cells
/// is solved.
fn unions(board: &Position) -> [[u16; 8]; 54] {
    let mut digits = board.by_cell().map(DigitSet::bits);
    (!board.unsolved()).for_each(|cell| digits[cell.index()] = SOLVED);
    let mut unions = [[0; 8]; 54];
    for (n, unions) in unions.iter_mut().enumerate() {
        let cells = Segment(n as u8).cells();
        let [a, b, c] = cells.map(|cell| digits[cell.index()]);
        *unions = [0, a, b, a | b, c, a | c, b | c, a | b | c];
    }
    unions
}

/// The value for subsets that have a solved cell and cannot be a part of a Sue de Coq. It has ten bits, more digits
/// than any part may have.
const SOLVED: u16 = 0x3ff;

/// The possible parts of a Sue de Coq among the cells of two segments. A part is a subset of unsolved cells. Its excess
/// is the number of its digits minus the number of its cells. Group n has the parts with excess n, from 0 to 2.
struct Parts([Group; 3]);

/// The parts of a Sue de Coq in two segments that have the same excess (number of digits minus number of cells).
struct Group {
    len: usize,
    /// For each part, its cells as a subset of the cells of two segments, in the format of [`chosen`].
    choices: [u8; 64],
    /// For each part, its digits as bits, in groups of eight.
    digits: [[u16; 8]; 8],
}

impl Parts {
    const NONE: Parts = Parts([const { Group::NONE }; 3]);

    /// Computes the parts of two segments. Each array has the union of candidates for each subset of a segment's cells.
    fn fill(&mut self, [first, second]: [&[u16; 8]; 2]) {
        for group in &mut self.0 {
            group.len = 0;
        }
        let first = u16x8::new(*first);
        for (high, (&more, cells)) in second.iter().zip(&CELL_COUNTS).enumerate() {
            if more == SOLVED {
                continue;
            }
            let digits = first | u16x8::splat(more);
            let excess = count(digits).saturating_sub(u16x8::new(*cells));
            let too_many = excess.saturating_sub(u16x8::splat(2));
            // The empty subset is not a part of a Sue de Coq.
            let parts = zeros(too_many) & if high == 0 { !1 } else { !0 };
            if parts == 0 {
                continue;
            }
            let (digits, excess) = (digits.to_array(), excess.to_array());
            for low in bits(parts) {
                let choice = (8 * high + low) as u8;
                self.0[usize::from(excess[low % 8]) % 3].push(choice, digits[low % 8]);
            }
        }
    }

    /// Finds all Sue de Coq with a centre of these digits and this number of cells. Calls `visit` with the part in the
    /// line, from `self`, and the part in the box, from `in_box`.
    fn for_each_with(
        &self,
        in_box: &Parts,
        centre: u16,
        cells: usize,
        mut visit: impl FnMut(u8, u8),
    ) {
        for (line_excess, in_line) in self.0.iter().enumerate() {
            if in_line.len == 0 {
                continue;
            }
            // `room` is the largest number of the centre's digits that may be in neither part.
            let rooms = (0..=cells - line_excess).rev();
            for (in_box, room) in in_box.0.iter().zip(rooms) {
                if in_box.len == 0 {
                    continue;
                }
                for (line_part, digits) in in_line.parts() {
                    let left = centre & !digits;
                    in_box.for_each_with(left, room, |box_part| visit(line_part, box_part));
                }
            }
        }
    }
}

impl Group {
    const NONE: Group = Group {
        len: 0,
        choices: [0; 64],
        digits: [[0; 8]; 8],
    };

    fn push(&mut self, choice: u8, digits: u16) {
        let at = self.len % 64;
        self.choices[at] = choice;
        self.digits[at / 8][at % 8] = digits;
        self.len += 1;
    }

    /// Lists the parts of the group: for each, the subset of its cells, and its digits.
    fn parts(&self) -> impl Iterator<Item = (u8, u16)> + '_ {
        let parts = self.choices.iter().zip(self.digits.as_flattened());
        let parts = parts.take(self.len);
        parts.map(|(choice, digits)| (*choice, *digits))
    }

    /// Calls `visit` with the cells of each part that lacks at most `most` of these digits.
    fn for_each_with(&self, digits: u16, most: usize, mut visit: impl FnMut(u8)) {
        for (at, eight) in self.digits[..self.len.div_ceil(8)].iter().enumerate() {
            let mut lacked = u16x8::splat(digits) & !u16x8::new(*eight);
            for _ in 0..most {
                // Clear the lowest digit of each set. An empty set stays empty.
                lacked &= lacked - u16x8::ONE;
            }
            for n in bits(zeros(lacked)) {
                // Skip unused entries of the last group of eight. They may contain parts from an earlier call.
                if 8 * at + n < self.len {
                    visit(self.choices[8 * at + n]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::generate::Generator;
    use crate::grade::Ladder;
    use crate::grade::techniques::als::sue_de_coq::SueDeCoq;
    use crate::grade::techniques::testing::steps;

    /// Tests boards on which the steps of naked subsets have not been applied. So a part of a Sue de Coq can have only
    /// as many digits as cells.
    #[test]
    fn the_quick_finder_finds_the_listed_steps_without_naked_subsets() {
        let seed = 19;
        let singles = Ladder::named("naked_single,hidden_single_box,hidden_single_line").unwrap();
        let mut found = 0;
        for n in 0..60 {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            let board = singles.stall(&puzzle);
            let steps = steps(&SueDeCoq, &board, &format!("seed {seed}: {puzzle}"));
            found += usize::from(!steps.is_empty());
        }
        assert!(found >= 5, "{found}");
    }
}
