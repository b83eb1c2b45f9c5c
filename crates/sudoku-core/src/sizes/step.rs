//! A step on a board of any size, and its description as text.

use super::board::{SizedBoard, bits};
use super::grid::Symbol;
use super::shape::Shape;
use crate::grade::Rank;

/// A deduction: a pattern and its effect. Houses and cells are indices in [`Shape`]. Symbols are
/// numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SizedStep {
    /// The rank of the technique.
    pub(crate) rank: Rank,
    /// The houses of the pattern.
    pub(crate) houses: Vec<usize>,
    /// The cells of the pattern.
    pub(crate) cells: Vec<usize>,
    /// The symbols of the pattern: bit s for symbol s.
    pub(crate) symbols: u32,
    /// The placements, as pairs of cell and symbol.
    pub(crate) placed: Vec<(usize, usize)>,
    /// The removed candidates, as pairs of cell and symbol.
    pub(crate) removed: Vec<(usize, usize)>,
}

impl SizedStep {
    /// A step that places a symbol in a cell.
    pub(super) fn placing(
        rank: Rank,
        house: Option<usize>,
        cell: usize,
        symbol: usize,
    ) -> SizedStep {
        SizedStep {
            rank,
            houses: house.into_iter().collect(),
            cells: vec![cell],
            symbols: 1 << symbol,
            placed: vec![(cell, symbol)],
            removed: Vec::new(),
        }
    }

    /// A step that removes these symbols from these open cells; `None` if no cell has any of them as a
    /// candidate.
    pub(super) fn removing(
        rank: Rank,
        board: &SizedBoard,
        gone: u32,
        from: impl Iterator<Item = usize>,
        pattern: (Vec<usize>, Vec<usize>, u32),
    ) -> Option<SizedStep> {
        let open = from.filter(|cell| board.open[*cell]);
        let removed = open
            .flat_map(|cell| bits(board.candidates[cell] & gone).map(move |symbol| (cell, symbol)));
        let removed: Vec<(usize, usize)> = removed.collect();
        let (houses, cells, symbols) = pattern;
        (!removed.is_empty()).then_some(SizedStep {
            rank,
            houses,
            cells,
            symbols,
            placed: Vec::new(),
            removed,
        })
    }

    /// The effect as text: `r1c4=7`, `r2c5<>3, r2c6<>3`.
    pub(crate) fn effect(&self, shape: &Shape) -> String {
        let name = |(cell, symbol): &(usize, usize), sign: &str| {
            format!("{}{sign}{}", shape.cell_name(*cell), name_of(*symbol))
        };
        let placed = self.placed.iter().map(|one| name(one, "="));
        let removed = self.removed.iter().map(|one| name(one, "<>"));
        placed.chain(removed).collect::<Vec<_>>().join(", ")
    }

    /// The pattern as text: `2 and 5 in row 3, at r3c1, r3c4`.
    pub(crate) fn pattern(&self, shape: &Shape) -> String {
        let symbols: Vec<String> = bits(self.symbols)
            .map(|at| name_of(at).to_string())
            .collect();
        let houses = self.houses.iter().map(|house| shape.house_name(*house));
        let houses = houses.collect::<Vec<_>>().join(", ");
        let cells = self.cells.iter().map(|cell| shape.cell_name(*cell));
        let cells = cells.collect::<Vec<_>>().join(", ");
        let mut text = symbols.join(" and ");
        if !houses.is_empty() {
            text += &format!(" in {houses}");
        }
        text + &format!(", at {cells}")
    }
}

/// Applies all steps to the board.
pub(super) fn apply(steps: &[SizedStep], board: &mut SizedBoard) {
    for step in steps {
        for &(cell, symbol) in &step.removed {
            board.candidates[cell] &= !(1 << symbol);
        }
    }
    for step in steps {
        for &(cell, symbol) in &step.placed {
            board.place(cell, symbol);
        }
    }
}

fn name_of(symbol: usize) -> char {
    Symbol::new(symbol).character()
}
