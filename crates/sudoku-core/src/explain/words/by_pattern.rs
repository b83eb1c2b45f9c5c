//! Finds the reason for a step in its pattern (houses, cells and symbols), for grids of every size.

use super::joined_list;
use crate::bit_rows::bits;
use crate::explain::step_board::{StepBoard, shape};
use crate::sizes::{Shape, SizedStep, Symbol};

/// The names of houses as text, such as `rows 1 and 4, column 7 and box 2`.
fn house_names(shape: &Shape, houses: &[usize]) -> String {
    let names_of_kind = |(n, kind): (usize, &str)| -> Option<String> {
        let houses_of_kind = houses.iter().filter(|house| *house / shape.order == n);
        let numbers: Vec<_> = houses_of_kind
            .map(|house| house % shape.order + 1)
            .collect();
        let plural = match (numbers.len(), kind) {
            (0, _) => return None,
            (1, _) => "",
            (_, "box") => "es",
            _ => "s",
        };
        Some(format!("{kind}{plural} {}", joined_list(numbers)))
    };
    let house_kinds = ["row", "column", "box"].into_iter().enumerate();
    joined_list(house_kinds.filter_map(names_of_kind))
}

/// The reason for a step in words, found from the houses, cells and symbols of its pattern. Each claim is
/// checked on the board. A pattern for which no claim is true gets a plain list of its parts.
pub(in crate::explain) fn reason_from_pattern<B: StepBoard>(board: &B, step: &SizedStep) -> String {
    let shape = shape(board);
    single_reason(board, step)
        .or_else(|| subset_reason(board, step))
        .or_else(|| single_symbol_reason(board, step))
        .unwrap_or_else(|| match pattern_text(shape, step) {
            parts if parts.is_empty() => String::new(),
            parts => format!("the pattern is {parts}"),
        })
}

/// The open cells in these houses that have the symbol as a candidate, in ascending order.
fn open_places<B: StepBoard>(board: &B, symbol: usize, houses: &[usize]) -> Vec<usize> {
    let shape = shape(board);
    let cells = houses.iter().flat_map(|house| &shape.houses[*house]);
    let has_symbol = |cell: &usize| board.is_open(*cell) && board.symbols(*cell) >> symbol & 1 == 1;
    let mut cells_of_symbol: Vec<usize> = cells.copied().filter(has_symbol).collect();
    cells_of_symbol.sort_unstable();
    cells_of_symbol.dedup();
    cells_of_symbol
}

/// The reason for a naked or hidden single; `None` for other steps.
fn single_reason<B: StepBoard>(board: &B, step: &SizedStep) -> Option<String> {
    let shape = shape(board);
    let (cell, symbol) = (0..shape.order).find_map(|symbol| {
        let mut placed_symbols = step.placed.iter().filter(|(_, own)| *own == symbol);
        placed_symbols
            .next()
            .filter(|_| placed_symbols.next().is_none())
            .copied()
    })?;
    let (cell_name, name) = (shape.cell_name(cell), Symbol::new(symbol).character());
    if let [house] = step.houses[..] {
        let house_name = shape.house_name(house);
        let mut open_cells = shape.houses[house]
            .iter()
            .filter(|cell| board.is_open(**cell));
        if open_cells.next() == Some(&cell) && open_cells.next().is_none() {
            return Some(format!(
                "{cell_name} is the last empty cell of {house_name}"
            ));
        }
        if open_places(board, symbol, &[house]) == [cell] {
            return Some(format!("{name} has no other place in {house_name}"));
        }
    }
    let is_single = board.symbols(cell) == 1 << symbol;
    is_single.then(|| format!("{cell_name} has no other candidate than {name}"))
}

/// The reason for a naked or hidden subset, which has as many symbols as cells; `None` for other steps.
fn subset_reason<B: StepBoard>(board: &B, step: &SizedStep) -> Option<String> {
    let shape = shape(board);
    let own_cells = &step.cells;
    let is_inside = |house: &usize| {
        own_cells
            .iter()
            .all(|cell| shape.houses[*house].contains(cell))
    };
    let is_subset = own_cells.len() >= 2 && !step.houses.is_empty() && step.others.is_empty();
    if !is_subset || !step.houses.iter().all(is_inside) {
        return None;
    }
    let symbols = step.symbols.count_ones() as usize;
    let houses = house_names(shape, &step.houses);
    let (cells, named) = (
        cell_names(shape, own_cells),
        joined_list(symbol_characters(step.symbols)),
    );
    let is_naked = own_cells
        .iter()
        .all(|cell| board.symbols(*cell) & !step.symbols == 0);
    if is_naked && symbols <= own_cells.len() {
        return Some(format!(
            "in {houses}, {cells} have no candidates but {named}"
        ));
    }
    let is_hidden = bits(step.symbols).all(|symbol| {
        let open_cells = open_places(board, symbol, &step.houses);
        open_cells.iter().all(|cell| own_cells.contains(cell))
    });
    (is_hidden && own_cells.len() <= symbols)
        .then(|| format!("in {houses}, {named} have no places but {cells}"))
}

/// The reason for a step of locked candidates or of a fish, in which all places of a symbol in some houses
/// are in equally many other houses, except for fins. `None` for other steps.
fn single_symbol_reason<B: StepBoard>(board: &B, step: &SizedStep) -> Option<String> {
    let shape = shape(board);
    let mut symbols = bits(step.symbols);
    let symbol = symbols.next().filter(|_| symbols.next().is_none())?;
    let base_count = step.houses.len() / 2;
    let (bases, covers) = step.houses.split_at(base_count);
    if base_count == 0 || covers.len() != base_count {
        return None;
    }
    let is_covered = |cell: &usize| covers.iter().any(|own| shape.houses[*own].contains(cell));
    let mut uncovered = open_places(board, symbol, bases);
    uncovered.retain(|cell| !is_covered(cell));
    let (bases, covers) = (house_names(shape, bases), house_names(shape, covers));
    let name = Symbol::new(symbol).character();
    if uncovered.is_empty() {
        return Some(format!("in {bases}, all places of {name} lie in {covers}"));
    }
    let mut removed_cells = step.removed.iter().filter(|(_, own)| *own == symbol);
    let sees_all =
        removed_cells.all(|(cell, _)| uncovered.iter().all(|fin| shape.peers[*fin].contains(cell)));
    (sees_all && uncovered.iter().all(|fin| step.others.contains(fin))).then(|| {
        let fins = cell_names(shape, &uncovered);
        format!(
            "in {bases}, all places of {name} but {fins} lie in {covers}; what is removed sees \
             {fins} too"
        )
    })
}

/// The symbols, cells and houses of a pattern as text; empty if the pattern has none of them.
pub(super) fn pattern_text(shape: &Shape, step: &SizedStep) -> String {
    let mut clauses = Vec::new();
    let houses = house_names(shape, &step.houses);
    let symbols = joined_list(symbol_characters(step.symbols));
    let is_house = |house: &usize| shape.houses[*house] == step.cells;
    let cells = if step.houses.iter().any(is_house) {
        String::new()
    } else {
        cell_names(shape, &step.cells)
    };
    match (symbols.is_empty(), cells.is_empty()) {
        (true, true) => {}
        (false, true) => clauses.push(symbols),
        (true, false) => clauses.push(cells),
        (false, false) => clauses.push(format!("{symbols} in {cells}")),
    }
    if !step.others.is_empty() {
        clauses.push(format!("with {}", self::cell_names(shape, &step.others)));
    }
    if !houses.is_empty() {
        clauses.push(format!("in {houses}"));
    }
    clauses.join("; ")
}

/// The characters of the symbols whose bits are set in a mask.
fn symbol_characters(symbols: u32) -> impl Iterator<Item = char> {
    bits(symbols).map(|symbol| Symbol::new(symbol).character())
}

fn cell_names(shape: &Shape, cells: &[usize]) -> String {
    joined_list(cells.iter().map(|cell| shape.cell_name(*cell)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_read_like_sentences() {
        let nine = Shape::nine();
        assert_eq!(
            house_names(nine, &[0, 20, 4, 3]),
            "rows 1, 5 and 4 and box 3"
        );
        assert_eq!(house_names(nine, &[]), "");
    }
}
