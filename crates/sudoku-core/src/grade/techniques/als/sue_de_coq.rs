//! Sue de Coq: a technique of the ladder.

use super::quick_sue_de_coq;
use crate::board::{Cell, CellSet, DigitSet, House};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{NamedSet, Pattern, Position, SetName, Steps};

technique! {
    /// Take two or three cells at the crossing of a line and a box that have at least two more
    /// candidates than cells; some cells of the rest of the line (the line's part); and some of the
    /// rest of the box (the box's part). The candidates of all these cells are counted: each once,
    /// but twice if it is in the line's part and in the box's part. If the count is at most the
    /// number of cells, every digit is in the cells exactly as often as it is counted. So a digit
    /// of the line's part is removed from the rest of the line, one of the box's part from the rest
    /// of the box, and one of neither part from both. A digit that is counted twice is removed from
    /// both too, and from the crossing. Also called two-sector disjoint subsets.
    ///
    /// # Why it is sound
    ///
    /// Each of the cells holds a digit, and no digit stands in them more often than it is counted.
    /// The counts add up to the number of cells, so every digit stands exactly as often. One that
    /// stands twice stands once in each part: in the crossing, line and box would both be used up.
    SueDeCoq {
        id: "sue_de_coq",
        name: "Sue de Coq",
        level: Level::Unfair,
        effort: 250,
        hodoku: &["1101"],
        hodoku_place: Some(370),
        explainer: "~5.5",
        steps_of_hodoku: &["Sue de Coq"],
        steps_of_explainer: &[],
        example: Example {
            grid: "583419627167285934294763518978326...32154876945619728381.9....664.8.....73.65.8..",
            removed: "",
            effect: "r7c8<>4, r8c9<>1, r9c6<>2",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    if !found.is_listing() {
        quick_sue_de_coq::find(board, found);
        return;
    }
    let digits = board.by_cell();
    for &box_ in House::boxes() {
        for &line in House::lines() {
            let crossing = line.cells() & box_.cells() & board.unsolved();
            let rest = |house: House, other: House| {
                (house.cells() & board.unsolved()).without(other.cells())
            };
            let mut in_line = Part::all(rest(line, box_), digits);
            let mut in_box = Part::all(rest(box_, line), digits);
            // Parts with a lower excess are listed first.
            in_line.sort_by_key(|part| part.excess);
            in_box.sort_by_key(|part| part.excess);
            for centre in centres(crossing, digits) {
                let crossing = Crossing { line, box_, centre };
                crossing.list(board, &in_line, &in_box, found);
            }
        }
    }
}

/// The possible centres: two or three cells of a crossing that have together at least two more
/// digits than cells.
fn centres(crossing: CellSet, digits: &[DigitSet; 81]) -> impl Iterator<Item = Part> {
    let left_out = crossing.map(CellSet::of).chain([CellSet::EMPTY]);
    left_out
        .map(move |out| Part::new(crossing.without(out), digits))
        .filter(|centre| centre.count >= 2 && centre.excess >= 2)
}

/// Some cells with their candidates.
#[derive(Clone, Copy)]
pub(super) struct Part {
    cells: CellSet,
    digits: DigitSet,
    count: usize,
    /// The number of digits minus the number of cells.
    excess: usize,
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

    /// All parts among these cells: choices that have at most two more digits than cells.
    fn all(cells: CellSet, digits: &[DigitSet; 81]) -> Vec<Part> {
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

/// A line, a box that crosses it, and the centre.
pub(super) struct Crossing {
    pub(super) line: House,
    pub(super) box_: House,
    pub(super) centre: Part,
}

impl Crossing {
    fn list(&self, board: &Position, in_line: &[Part], in_box: &[Part], found: &mut Steps) {
        let Crossing { centre, .. } = self;
        for line_part in in_line {
            // The largest excess that the box's part may have. Digits of the centre that are in
            // neither part count separately.
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

    /// Adds the step with these two parts.
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

    /// The reason as a sentence: the numbers of times that each digit can be in the cells add up to
    /// the number of cells.
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

#[cfg(test)]
mod tests {
    use super::SueDeCoq;
    use crate::grade::techniques::testing::check;

    #[test]
    fn finds_the_pattern_and_no_near_miss() {
        check(
            &SueDeCoq,
            &[
                // The centre is two cells of the crossing.
                (
                    "r1c12=1234 r1c5=12 r2c1=34",
                    "r1c346789<>12, r1c3<>34, r2c23<>34, r3c123<>34",
                ),
                // The centre is three cells; its fifth digit is in neither part.
                (
                    "r1c123=12345 r1c5=12 r2c1=34",
                    "r1c46789<>125, r2c23<>345, r3c123<>345",
                ),
                // The line is a column.
                (
                    "r45c5=6789 r9c5=67 r6c4=89",
                    "r123678c5<>67, r6c5<>89, r45c46<>89, r6c6<>89",
                ),
            ],
            &[
                // Near miss: the cells have one digit too many: five digits in four cells.
                "r1c12=1234 r1c5=12 r2c1=35",
                // Near miss: r2c4 is not in the box.
                "r1c12=1234 r1c5=12 r2c4=34",
            ],
        );
    }
}
