//! Draws the steps of puzzles of any size.

use super::Symbol;
use super::board::{SizedBoard, bits};
use super::step::SizedStep;
use crate::explain::{DrawnBoard, Geometry, steps_on};

impl DrawnBoard for SizedBoard {
    type Clues = [bool];

    fn is_clue(clues: &[bool], cell: usize) -> bool {
        clues[cell]
    }

    fn character(symbol: usize) -> char {
        Symbol::new(symbol).character()
    }

    fn geometry(&self) -> Geometry {
        Geometry::new(
            self.shape.order,
            self.shape.box_rows,
            self.shape.box_columns,
        )
    }

    fn is_open(&self, cell: usize) -> bool {
        self.open[cell]
    }

    fn symbols(&self, cell: usize) -> u32 {
        self.candidates[cell]
    }
}

/// Draws steps on the board with this id. Marks houses and cells only if there is one step, because marks of
/// several steps would overlap.
pub(super) fn steps(id: &str, board: &SizedBoard, steps: &[SizedStep], label: &str) -> String {
    let geometry = board.geometry();
    let (mut below, mut above) = (String::new(), String::new());
    if let [step] = steps {
        for house in &step.houses {
            below += &geometry.house(*house, "house");
        }
        for cell in &step.cells {
            below += &geometry.cell(*cell, "in-pattern");
        }
    }
    let placed = || steps.iter().flat_map(|step| &step.placed);
    for (cell, _) in placed() {
        below += &geometry.cell(*cell, "in-placed");
    }
    let mut mark = |cell, symbol, class| {
        above += &geometry.mark(cell, symbol, class, SizedBoard::character(symbol));
    };
    for step in steps {
        for &cell in &step.cells {
            for symbol in bits(step.symbols & board.candidates[cell]) {
                if !step.placed.contains(&(cell, symbol)) {
                    mark(cell, symbol, "pattern");
                }
            }
        }
        for &(cell, symbol) in &step.removed {
            mark(cell, symbol, "removed");
        }
    }
    for &(cell, symbol) in placed() {
        mark(cell, symbol, "placed");
    }
    steps_on(id, board, label, &below, &above)
}
