//! Finds Sue de Coq without listing it: the quick twin of the listing in
//! [`sue_de_coq`](super::sue_de_coq).

use wide::u16x8;

use super::eights::{CELL_COUNTS, bits, count, zeros};
use super::sue_de_coq::{Crossing, Part};
use crate::board::{Cell, CellSet, DigitSet, House, count_nine};
use crate::grade::order::TechniqueName;
use crate::grade::{Position, Steps};

/// Finds what the listing has. Only in houses that have changed since the technique last found
/// nothing can there be anything new.
pub(super) fn find(board: &Position, found: &mut Steps) {
    let changed = board.changes(TechniqueName::SueDeCoq, found).cells();
    let unions = unions(board);
    let (mut in_line, mut in_box) = (Parts::NONE, Parts::NONE);
    for (crossing, segment_unions) in Segment::all().zip(&unions) {
        let (line, box_) = (crossing.line, crossing.box_());
        if ((line.cells() | box_.cells()) & changed).is_empty() {
            continue;
        }
        let centres = CENTRES.map(|choice| (choice, segment_unions[choice]));
        let centres = centres.iter().filter(|(choice, digits)| {
            let is_solved = *digits == SOLVED;
            !is_solved && count_nine(*digits) >= count_nine(*choice as u16) + 2
        });
        if centres.clone().next().is_none() {
            continue;
        }
        let [line_rest, box_rest] = [crossing.rest_of_line(), crossing.rest_of_box()];
        in_line.fill(line_rest.map(|segment| &unions[segment.index()]));
        in_box.fill(box_rest.map(|segment| &unions[segment.index()]));
        for (centre, digits) in centres {
            let cells = count_nine(*centre as u16);
            in_line.for_each_with(&in_box, *digits, cells, |line_part, box_part| {
                let part = |segments: &[Segment], choice| {
                    Part::new(chosen(segments, choice), board.by_cell())
                };
                let centre = part(&[crossing], *centre as u8);
                let (line_part, box_part) =
                    (part(&line_rest, line_part), part(&box_rest, box_part));
                Crossing { line, box_, centre }.step(board, &line_part, &box_part, found);
            });
        }
    }
    board.record_miss(TechniqueName::SueDeCoq, found);
}

/// The choices of two or three cells of a segment.
const CENTRES: [usize; 4] = [0b011, 0b101, 0b110, 0b111];

/// The three cells that a line has in common with a box: a third of the line.
#[derive(Clone, Copy)]
struct Segment {
    line: House,
    third: usize,
}

impl Segment {
    /// The segments by [`Segment::index`].
    fn all() -> impl Iterator<Item = Segment> {
        let of_line = |line: &House| [0, 1, 2].map(|third| Segment { line: *line, third });
        House::lines().iter().flat_map(of_line)
    }

    /// 0–53.
    fn index(self) -> usize {
        3 * self.line.index() + self.third
    }

    fn cells(self) -> [Cell; 3] {
        [0, 1, 2].map(|n| self.line.cell(3 * self.third + n))
    }

    fn box_(self) -> House {
        House::box_(self.line.cell(3 * self.third).box_index())
    }

    /// The other segments of the line.
    fn rest_of_line(self) -> [Segment; 2] {
        let others = [1, 2].map(|n| (self.third + n) % 3);
        others.map(|third| Segment { third, ..self })
    }

    /// The other segments of the box in this direction.
    fn rest_of_box(self) -> [Segment; 2] {
        let line = self.line.index();
        let others = [1, 2].map(|n| line - line % 3 + (line + n) % 3);
        others.map(|line| Segment {
            line: House::ALL[line],
            ..self
        })
    }
}

/// The cells of a choice: bit n stands for cell n of the segments, counted from the first segment on.
fn chosen(segments: &[Segment], choice: u8) -> CellSet {
    let cells = segments.iter().flat_map(|segment| segment.cells());
    let chosen = cells.enumerate().filter(|(n, _)| choice >> n & 1 == 1);
    chosen.map(|(_, cell)| cell).collect()
}

/// For each segment and each choice of its cells: their digits, or `SOLVED`.
fn unions(board: &Position) -> [[u16; 8]; 54] {
    let mut digits = board.by_cell().map(DigitSet::bits);
    (!board.unsolved()).for_each(|cell| digits[cell.index()] = SOLVED);
    let mut unions = [[0; 8]; 54];
    for (segment, unions) in Segment::all().zip(&mut unions) {
        let [a, b, c] = segment.cells().map(|cell| digits[cell.index()]);
        *unions = [0, a, b, a | b, c, a | c, b | c, a | b | c];
    }
    unions
}

/// Stands for the digits of cells of which one is solved. They are no part: these are more digits
/// than two and the number of cells.
const SOLVED: u16 = 0x3ff;

/// The parts of two segments: choices of their unsolved cells that have at most two more digits than
/// cells. By the number of digits beyond that of the cells.
struct Parts([Group; 3]);

/// Parts with the same number of digits beyond that of the cells.
struct Group {
    len: usize,
    /// By part: its cells, as for [`chosen`].
    choices: [u8; 64],
    /// By part: its digits, in eights.
    digits: [[u16; 8]; 8],
}

impl Parts {
    const NONE: Parts = Parts([const { Group::NONE }; 3]);

    /// Replaces the parts by those of two segments, whose unions these are.
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
            // The choice of no cell is no part.
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

    /// Visits each of these parts with each part of the box that completes a pattern around a centre
    /// with these digits and so many cells.
    fn for_each_with(
        &self,
        in_box: &Parts,
        centre: u16,
        cells: usize,
        mut visit: impl FnMut(u8, u8),
    ) {
        for (line_excess, in_line) in self.0.iter().enumerate() {
            for (box_excess, in_box) in in_box.0.iter().enumerate() {
                // The room left for digits of the centre that are in neither part: they count
                // separately.
                let Some(room) = cells.checked_sub(line_excess + box_excess) else {
                    continue;
                };
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

    /// The parts and their digits.
    fn parts(&self) -> impl Iterator<Item = (u8, u16)> + '_ {
        let parts = self.choices.iter().zip(self.digits.as_flattened());
        let parts = parts.take(self.len);
        parts.map(|(choice, digits)| (*choice, *digits))
    }

    /// Visits each part that lacks at most so many of these digits.
    fn for_each_with(&self, digits: u16, most: usize, mut visit: impl FnMut(u8)) {
        for (at, eight) in self.digits[..self.len.div_ceil(8)].iter().enumerate() {
            let mut lacked = u16x8::splat(digits) & !u16x8::new(*eight);
            for _ in 0..most {
                // Takes the lowest digit out. An empty set stays empty.
                lacked &= lacked - u16x8::ONE;
            }
            for n in bits(zeros(lacked)) {
                // There may be old parts behind the last one.
                if 8 * at + n < self.len {
                    visit(self.choices[8 * at + n]);
                }
            }
        }
    }
}
