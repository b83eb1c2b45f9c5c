//! A Sue de Coq where a line and a box cross: its three parts, and the resulting step.

use crate::board::{Cell, CellSet, DigitSet, House};
use crate::grade::{NamedSet, Pattern, Position, SetName, Steps};

/// One of the three parts of a Sue de Coq, as cells with their candidates: the centre, the cells in the line, or the
/// cells in the box.
#[derive(Clone, Copy)]
pub(super) struct Part {
    cells: CellSet,
    digits: DigitSet,
    pub(super) count: usize,
    /// How many more digits than cells the part has; 0 if it has fewer.
    pub(super) excess: usize,
}

impl Part {
    const EMPTY: Part = Part {
        cells: CellSet::EMPTY,
        digits: DigitSet::EMPTY,
        count: 0,
        excess: 0,
    };

    pub(super) fn new(cells: CellSet, digits: &[DigitSet; 81]) -> Part {
        cells.fold(Part::EMPTY, |part, cell| {
            part.with(cell, digits[cell.index()])
        })
    }

    fn with(mut self, cell: Cell, candidates: DigitSet) -> Part {
        self.cells.insert(cell);
        self.digits = self.digits.union(candidates);
        self.count += 1;
        self.excess = self.digits.len().saturating_sub(self.count);
        self
    }

    fn named(self, name: SetName) -> NamedSet {
        let Part { cells, digits, .. } = self;
        NamedSet {
            name,
            cells,
            digits,
        }
    }

    /// All possible parts among these cells: each non-empty subset that has at most two more digits than cells.
    pub(super) fn all(cells: CellSet, digits: &[DigitSet; 81]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for cell in cells {
            let candidates = digits[cell.index()];
            for at in 0..parts.len() {
                parts.push(parts[at].with(cell, candidates));
            }
            parts.push(Part::EMPTY.with(cell, candidates));
        }
        parts.retain(|part| part.excess <= 2);
        parts
    }
}

/// A line, a box that crosses it, and the centre of a Sue de Coq: cells that are in both.
pub(super) struct Crossing {
    pub(super) line: House,
    pub(super) box_: House,
    pub(super) centre: Part,
}

impl Crossing {
    /// Lists a step for each part in the line and each part in the box that complete a Sue de Coq with this centre.
    pub(super) fn list(
        &self,
        board: &Position,
        in_line: &[Part],
        in_box: &[Part],
        found: &mut Steps,
    ) {
        let Crossing { centre, .. } = self;
        for line_part in in_line {
            // The sum of the excess of the box's part and the number of the centre's digits that are in neither
            // part may be at most this.
            let Some(room) = centre.count.checked_sub(line_part.excess) else {
                continue;
            };
            let left = centre.digits.intersection(line_part.digits.complement());
            for box_part in in_box {
                let alone = left.intersection(box_part.digits.complement());
                if alone.len() + box_part.excess <= room {
                    self.step(board, line_part, box_part, found);
                }
            }
        }
    }

    /// Adds the step of a Sue de Coq with this centre and these two parts, if it removes anything.
    pub(super) fn step(
        &self,
        board: &Position,
        line_part: &Part,
        box_part: &Part,
        found: &mut Steps,
    ) {
        let Crossing { line, box_, centre } = *self;
        let all = line_part.cells | box_part.cells | centre.cells;
        let line_rest = line.cells().without(all);
        let box_rest = box_.cells().without(all);
        let digits = line_part.digits.union(box_part.digits).union(centre.digits);
        let removals = digits.map(|digit| {
            let (in_line, in_box) = (
                line_part.digits.contains(digit),
                box_part.digits.contains(digit),
            );
            let cells = match (in_line, in_box) {
                (true, true) => line_rest | box_rest | centre.cells,
                (true, false) => line_rest,
                (false, true) => box_rest,
                (false, false) => line_rest | box_rest,
            };
            (digit, cells)
        });
        found.eliminate(board, removals, || {
            Pattern::new([line, box_], centre.cells, digits)
                .with_others(line_part.cells | box_part.cells)
                .with_sets(vec![
                    centre.named(SetName::Centre),
                    line_part.named(SetName::LinePart),
                    box_part.named(SetName::BoxPart),
                ])
                .because(self.why(line_part, box_part))
        });
    }

    /// The reason of the step as a sentence: counting how often each digit can be in the cells gives exactly the
    /// number of cells.
    fn why(&self, line_part: &Part, box_part: &Part) -> String {
        let Crossing { line, box_, centre } = self;
        let twice = line_part.digits.intersection(box_part.digits);
        let all = line_part.digits.union(box_part.digits).union(centre.digits);
        let cells = centre.count + line_part.count + box_part.count;
        let counted = if twice.is_empty() {
            format!("the {cells} cells have {} digits, each of which", all.len())
        } else {
            let each: Vec<_> = twice.map(|digit| digit.to_string()).collect();
            format!(
                "the {cells} cells have {} digits, of which {} can stand twice, in {line} and in \
                 {box_}; each of the others",
                all.len(),
                each.join(" and ")
            )
        };
        format!(
            "{counted} can stand once, so that there is no digit to spare and all of them stand \
             there; what is removed would take one of their places"
        )
    }
}
