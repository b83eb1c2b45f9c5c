//! The techniques of ranks 1–15 for boards of any size, written as simply as possible.
//!
//! On 9 × 9 boards they are the readable twins of the fast techniques of the
//! [`LADDER`](crate::grade::LADDER).

use super::board::SizedBoard;
use super::step::SizedStep;
use crate::bit_rows::bits;
use crate::grade::Rank;

/// A function that finds all steps of one technique that change the board.
type FindSteps = fn(&SizedBoard) -> Vec<SizedStep>;

/// The functions that find the steps of the techniques of ranks 1–15, by rank. These techniques form the ladder
/// `basic`.
pub(super) const FINDERS_BY_RANK: [FindSteps; Rank::UNIQUENESS.index() + 1] = [
    full_house,
    naked_single,
    hidden_single_box,
    hidden_single_line,
    locked_pointing,
    locked_claiming,
    |board| naked_subset(board, 2),
    |board| hidden_subset(board, 2),
    |board| naked_subset(board, 3),
    |board| hidden_subset(board, 3),
    |board| find_fish(board, 2),
    |board| find_fish(board, 3),
    |board| naked_subset(board, 4),
    |board| hidden_subset(board, 4),
    |board| find_fish(board, 4),
];

/// Applies the techniques of `ranks` in order until one finds a step. Returns its index in `ranks` and all its steps;
/// `None` if no technique finds any. Ranks above 15 find nothing.
pub(super) fn first_that_finds(
    board: &SizedBoard,
    ranks: &[Rank],
) -> Option<(usize, Vec<SizedStep>)> {
    ranks.iter().enumerate().find_map(|(at, rank)| {
        let steps = FINDERS_BY_RANK.get(rank.index())?(board);
        (!steps.is_empty()).then_some((at, steps))
    })
}

/// The candidate of an open cell that has only one; `None` for all other cells.
fn single_candidate(board: &SizedBoard, cell: usize) -> Option<usize> {
    let candidates = board.candidates[cell];
    let is_single = board.is_open[cell] && candidates.is_power_of_two();
    is_single.then(|| candidates.trailing_zeros() as usize)
}

/// Finds full houses: a house has one open cell left.
fn full_house(board: &SizedBoard) -> Vec<SizedStep> {
    let houses = 0..3 * board.shape.order;
    let full_houses = houses.filter_map(|house| {
        let mut open_cells = board.open_in(house);
        let cell = open_cells.next().filter(|_| open_cells.next().is_none())?;
        let symbol = single_candidate(board, cell)?;
        Some(SizedStep::placement(Some(house), cell, symbol))
    });
    full_houses.collect()
}

/// Finds naked singles: an open cell has one candidate.
fn naked_single(board: &SizedBoard) -> Vec<SizedStep> {
    let cells = 0..board.shape.cells();
    let singles = cells.filter_map(|cell| {
        let symbol = single_candidate(board, cell)?;
        Some(SizedStep::placement(None, cell, symbol))
    });
    singles.collect()
}

fn hidden_single_box(board: &SizedBoard) -> Vec<SizedStep> {
    let order = board.shape.order;
    hidden_single(board, 2 * order..3 * order)
}

fn hidden_single_line(board: &SizedBoard) -> Vec<SizedStep> {
    hidden_single(board, 0..2 * board.shape.order)
}

/// Finds hidden singles: a symbol has one place in a house.
fn hidden_single(board: &SizedBoard, houses: std::ops::Range<usize>) -> Vec<SizedStep> {
    let mut steps = Vec::new();
    for house in houses {
        for symbol in 0..board.shape.order {
            let cell_bits = board.places(house, symbol);
            if cell_bits.is_power_of_two() {
                let cell = board.shape.houses[house][cell_bits.trailing_zeros() as usize];
                steps.push(SizedStep::placement(Some(house), cell, symbol));
            }
        }
    }
    steps
}

/// Finds locked candidates (pointing): all places of a symbol in a box are in one line.
fn locked_pointing(board: &SizedBoard) -> Vec<SizedStep> {
    let order = board.shape.order;
    find_locked_candidates(board, 2 * order..3 * order, 0..2 * order)
}

/// Finds locked candidates (claiming): all places of a symbol in a line are in one box.
fn locked_claiming(board: &SizedBoard) -> Vec<SizedStep> {
    let order = board.shape.order;
    find_locked_candidates(board, 0..2 * order, 2 * order..3 * order)
}

/// Finds locked candidates: all places of a symbol in one house are also in another house.
fn find_locked_candidates(
    board: &SizedBoard,
    from: std::ops::Range<usize>,
    to: std::ops::Range<usize>,
) -> Vec<SizedStep> {
    let mut steps = Vec::new();
    for house in from {
        for symbol in 0..board.shape.order {
            let cell_indices = bits(board.places(house, symbol));
            let cells: Vec<usize> = cell_indices.map(|n| board.shape.houses[house][n]).collect();
            let Some(&first) = cells.first() else {
                continue;
            };
            for other in board
                .shape
                .houses_of(first)
                .into_iter()
                .filter(|own| to.contains(own))
            {
                let in_other = |cell: &usize| board.shape.houses_of(*cell).contains(&other);
                if cells.iter().all(in_other) {
                    let in_house = |cell: &usize| board.shape.houses_of(*cell).contains(&house);
                    let other_cells = board.shape.houses[other].iter().copied();
                    let other_cells = other_cells.filter(|cell| !in_house(cell));
                    let pattern = (vec![house, other], cells.clone(), 1 << symbol);
                    steps.extend(SizedStep::removal(board, 1 << symbol, other_cells, pattern));
                }
            }
        }
    }
    steps
}

/// Finds naked subsets: N cells of a house have together at most N candidates.
fn naked_subset(board: &SizedBoard, size: usize) -> Vec<SizedStep> {
    let mut steps = Vec::new();
    for house in 0..3 * board.shape.order {
        let has_few_candidates =
            |cell: &usize| board.candidates[*cell].count_ones() as usize <= size;
        let cells: Vec<usize> = board.open_in(house).filter(has_few_candidates).collect();
        let sets: Vec<u32> = cells.iter().map(|cell| board.candidates[*cell]).collect();
        for_each_locked_choice(&sets, size, |choice, symbols| {
            let subset: Vec<usize> = choice.iter().map(|at| cells[*at]).collect();
            let other_cells = board.open_in(house).filter(|cell| !subset.contains(cell));
            let pattern = (vec![house], subset.clone(), symbols);
            steps.extend(SizedStep::removal(board, symbols, other_cells, pattern));
        });
    }
    steps
}

/// Finds hidden subsets: N symbols have together at most N places in a house.
fn hidden_subset(board: &SizedBoard, size: usize) -> Vec<SizedStep> {
    let mut steps = Vec::new();
    for house in 0..3 * board.shape.order {
        let (symbols, sets) = with_few_places(board, house, size);
        for_each_locked_choice(&sets, size, |choice, places| {
            let subset = choice.iter().fold(0, |all, at| all | 1 << symbols[*at]);
            let cells: Vec<usize> = bits(places).map(|n| board.shape.houses[house][n]).collect();
            let pattern = (vec![house], cells.clone(), subset);
            steps.extend(SizedStep::removal(
                board,
                !subset,
                cells.into_iter(),
                pattern,
            ));
        });
    }
    steps
}

/// The symbols that have 1 to `most` places in the open cells of a house, and for each symbol the mask of its
/// places.
fn with_few_places(board: &SizedBoard, house: usize, most: usize) -> (Vec<usize>, Vec<u32>) {
    let symbols = 0..board.shape.order;
    let symbol_places = symbols.map(|symbol| (symbol, board.places(house, symbol)));
    let has_few_places =
        |(_, places): &(usize, u32)| (1..=most).contains(&(places.count_ones() as usize));
    symbol_places.filter(has_few_places).unzip()
}

/// Finds fish: in N lines, all places of a symbol are in at most N crossing lines.
fn find_fish(board: &SizedBoard, size: usize) -> Vec<SizedStep> {
    let order = board.shape.order;
    let mut steps = Vec::new();
    for (bases, covers) in [(0, order), (order, 0)] {
        for symbol in 0..order {
            let line_places =
                (0..order).map(|line| (bases + line, board.places(bases + line, symbol)));
            let has_few_places =
                |(_, places): &(usize, u32)| (1..=size).contains(&(places.count_ones() as usize));
            let (lines, sets): (Vec<usize>, Vec<u32>) = line_places.filter(has_few_places).unzip();
            for_each_locked_choice(&sets, size, |choice, across| {
                let chosen_lines: Vec<usize> = choice.iter().map(|at| lines[*at]).collect();
                let is_base = |cell: &usize| {
                    let houses_of_cell = board.shape.houses_of(*cell);
                    chosen_lines
                        .iter()
                        .any(|line| houses_of_cell.contains(line))
                };
                let cover_lines = bits(across).map(|line| covers + line);
                let cells = cover_lines
                    .clone()
                    .flat_map(|line| board.shape.houses[line].iter().copied());
                let (base, rest): (Vec<usize>, Vec<usize>) = cells.partition(is_base);
                let has_symbol = |cell: &usize| {
                    board.is_open[*cell] && board.candidates[*cell] >> symbol & 1 == 1
                };
                let base = base.into_iter().filter(has_symbol).collect();
                let houses = chosen_lines.iter().copied().chain(cover_lines).collect();
                let pattern = (houses, base, 1 << symbol);
                steps.extend(SizedStep::removal(
                    board,
                    1 << symbol,
                    rest.into_iter(),
                    pattern,
                ));
            });
        }
    }
    steps
}

/// Calls `visit` with the indices of every choice of `size` sets whose union has at most `size`
/// elements, and with the union.
fn for_each_locked_choice(sets: &[u32], size: usize, mut visit: impl FnMut(&[usize], u32)) {
    fn visit_choices(
        sets: &[u32],
        size: usize,
        union: u32,
        chosen: &mut Vec<usize>,
        visit: &mut impl FnMut(&[usize], u32),
    ) {
        if chosen.len() == size {
            return visit(chosen, union);
        }
        for at in chosen.last().map_or(0, |last| last + 1)..sets.len() {
            let wider_union = union | sets[at];
            if wider_union.count_ones() as usize <= size {
                chosen.push(at);
                visit_choices(sets, size, wider_union, chosen, visit);
                chosen.pop();
            }
        }
    }
    visit_choices(sets, size, 0, &mut Vec::with_capacity(size), &mut visit);
}
