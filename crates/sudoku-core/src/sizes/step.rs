//! Steps on boards of any size.

use super::board::SizedBoard;
use super::grid::Symbol;
use super::shape::Shape;
use crate::bit_rows::bits;

/// A deduction on a grid of any size: a pattern and its effect. Cells are numbered in row order, symbols from
/// 0, and houses from 0: the rows, then the columns, then the boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizedStep {
    /// The houses that belong to the pattern, by index.
    pub houses: Vec<usize>,
    /// The cells that belong to the pattern, by index in row order.
    pub cells: Vec<usize>,
    /// The cells that have a second role, such as fins. The techniques of ranks 1–15 have none.
    pub others: Vec<usize>,
    /// The symbols of the pattern as a mask: bit s for symbol s.
    pub symbols: u32,
    /// The placements, as pairs of cell and symbol.
    pub placed: Vec<(usize, usize)>,
    /// The removed candidates, as pairs of cell and symbol.
    pub removed: Vec<(usize, usize)>,
}

impl SizedStep {
    /// A step that places a symbol in a cell. `house` is the house that the reason for the step names, if
    /// any.
    pub(super) fn placement(house: Option<usize>, cell: usize, symbol: usize) -> SizedStep {
        SizedStep {
            houses: house.into_iter().collect(),
            cells: vec![cell],
            others: Vec::new(),
            symbols: 1 << symbol,
            placed: vec![(cell, symbol)],
            removed: Vec::new(),
        }
    }

    /// A step that removes symbols from open cells; `None` if none of the cells has any of the symbols as a
    /// candidate.
    pub(super) fn removal(
        board: &SizedBoard,
        removed_symbols: u32,
        from: impl Iterator<Item = usize>,
        pattern: (Vec<usize>, Vec<usize>, u32),
    ) -> Option<SizedStep> {
        let open_cells = from.filter(|cell| board.is_open[*cell]);
        let removed_candidates = open_cells.flat_map(|cell| {
            bits(board.candidates[cell] & removed_symbols).map(move |symbol| (cell, symbol))
        });
        let removed_candidates: Vec<(usize, usize)> = removed_candidates.collect();
        let (houses, cells, symbols) = pattern;
        (!removed_candidates.is_empty()).then_some(SizedStep {
            houses,
            cells,
            others: Vec::new(),
            symbols,
            placed: Vec::new(),
            removed: removed_candidates,
        })
    }

    /// The effect of the step as text, such as `r1c4=7` or `r2c5<>3, r2c6<>3`.
    pub(crate) fn effect(&self, shape: &Shape) -> String {
        let name = |(cell, symbol): &(usize, usize), sign: &str| {
            format!("{}{sign}{}", shape.cell_name(*cell), name_of(*symbol))
        };
        let placement_names = self.placed.iter().map(|one| name(one, "="));
        let removed_names = self.removed.iter().map(|one| name(one, "<>"));
        placement_names
            .chain(removed_names)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// Applies the effects of all steps to the board.
pub(crate) fn apply(steps: &[SizedStep], board: &mut SizedBoard) {
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
