//! Compares the search for min-lex forms with the slow twin, and both with a brute force search.

use super::*;
use crate::board::{Cell, Digit, Isomorph};
use crate::random::Rng;
use crate::solve::random_solution;

/// The canonical form of a grid. Checks that it is the same with every instruction set of this machine.
fn canonical_with_every_instruction_set(grid: &Grid) -> Canonical {
    let canonical_by_set = Shuffles::available()
        .into_iter()
        .map(|(name, shuffles)| (name, canonical_with(shuffles, grid)));
    let canonical_forms: Vec<_> = canonical_by_set.collect();
    for (name, canonical) in &canonical_forms {
        assert_eq!(*canonical, canonical_forms[0].1, "{name}: {grid}");
    }
    canonical_forms[0].1
}

/// Checks that the search and the slow twin agree on a grid and on random isomorphs of it.
fn check_against_twin(grid: &Grid, rng: &mut Rng, seed: u64) {
    let expected = twin::canonical(grid);
    assert_eq!(
        canonical_with_every_instruction_set(grid),
        expected,
        "seed {seed}: {grid}"
    );
    for _ in 0..3 {
        let image = Isomorph::random(rng).apply(grid);
        assert_eq!(
            canonical_with_every_instruction_set(&image),
            expected,
            "seed {seed}: {grid} as {image}"
        );
    }
}

/// A puzzle with `clues` randomly chosen clues of a grid.
fn random_clues(grid: &Grid, clues: usize, rng: &mut Rng) -> Grid {
    let mut cells: Vec<_> = Cell::all().collect();
    rng.shuffle(&mut cells);
    let mut fewer_clues = *grid;
    for cell in &cells[clues..] {
        fewer_clues.set(*cell, None);
    }
    fewer_clues
}

/// A puzzle of twelve clues with a symmetry: a half turn and an exchange of digits map it to itself.
fn symmetric_puzzle() -> Grid {
    let mut grid = Grid::EMPTY;
    for (at, digit) in [(0, 1), (10, 2), (20, 3), (5, 4), (33, 5), (38, 6)] {
        let digit_at = |value| Digit::from_value(value);
        grid.set(Cell::new(at), digit_at(digit));
        grid.set(Cell::new(80 - at), digit_at(10 - digit));
    }
    grid
}

/// The full grid that has the most automorphisms of all: 648.
fn most_symmetric_grid() -> Grid {
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
        .parse()
        .unwrap()
}

#[test]
fn the_search_and_the_twin_agree_on_any_number_of_clues() {
    let seed = 41;
    let mut rng = Rng::new(seed);
    for clues in 4..=81 {
        for _ in 0..4 {
            let full_grid = random_solution(&mut rng);
            check_against_twin(&random_clues(&full_grid, clues, &mut rng), &mut rng, seed);
        }
    }
}

#[test]
fn the_search_and_the_twin_agree_on_symmetric_grids() {
    let seed = 42;
    let mut rng = Rng::new(seed);
    check_against_twin(&symmetric_puzzle(), &mut rng, seed);
    check_against_twin(&most_symmetric_grid(), &mut rng, seed);
    assert_eq!(canonical(&most_symmetric_grid()).automorphisms, 648);
    for clues in [80, 79, 78, 75, 72, 60] {
        check_against_twin(
            &random_clues(&most_symmetric_grid(), clues, &mut rng),
            &mut rng,
            seed,
        );
    }
    // Remove some rows, some digits, both, or nothing.
    for case in 0..20 {
        let mut grid = most_symmetric_grid();
        let (rows, digits) = (rng.below(512), rng.below(512));
        for (cell, digit) in most_symmetric_grid().clues() {
            let is_removed = rows >> cell.row() & 1 == 1 && case % 2 == 0
                || digits >> digit.index() & 1 == 1 && case % 4 < 2;
            if is_removed {
                grid.set(cell, None);
            }
        }
        // The twin takes seconds for grids with very few clues.
        if grid.clue_count() > 8 {
            check_against_twin(&grid, &mut rng, seed);
        }
    }
}

#[test]
fn a_grid_with_a_conflict_has_a_form_too() {
    let mut grid = symmetric_puzzle();
    grid.set(Cell::new(1), Digit::from_value(1));
    assert!(grid.conflict().is_some());
    let mut rng = Rng::new(43);
    let expected = canonical(&grid);
    for _ in 0..5 {
        let image = Isomorph::random(&mut rng).apply(&grid);
        assert_eq!(canonical(&image), expected, "{image}");
    }
}

#[test]
fn rows_without_clues_cost_no_time() {
    assert_eq!(
        canonical_with_every_instruction_set(&Grid::EMPTY),
        Canonical {
            form: Grid::EMPTY,
            automorphisms: 2 * 6u32.pow(8),
        }
    );
    let full_grid = most_symmetric_grid();
    let lines = |lines: std::ops::Range<usize>| {
        let mut grid = Grid::EMPTY;
        for (cell, digit) in full_grid
            .clues()
            .filter(|(cell, _)| lines.contains(&cell.row()))
        {
            grid.set(cell, Some(digit));
        }
        grid
    };
    // A grid with one full row: its columns and the eight empty rows can be permuted.
    let row = canonical_with_every_instruction_set(&lines(4..5));
    assert_eq!(row.automorphisms, 2 * 6u32.pow(2) * 2 * 6u32.pow(4));
    let band = canonical_with_every_instruction_set(&lines(3..6));
    assert_eq!(band.form.as_str()[..54], ".".repeat(54));
    assert!(band.form.as_str()[54..].starts_with("123456789456789123"));
}

/// The environment variable `UNIQUE=FILE:FILE` names files with puzzles.
#[test]
fn the_search_and_the_twin_agree_on_more_puzzles() {
    let seed = 44;
    let mut rng = Rng::new(seed);
    let Some(paths) = std::env::var_os("UNIQUE") else {
        return;
    };
    let limit = std::env::var("ISOMORPH_COUNT")
        .ok()
        .and_then(|n| n.parse().ok());
    for path in std::env::split_paths(&paths) {
        let text = std::fs::read_to_string(&path).unwrap();
        let puzzles = text.lines().filter_map(|line| {
            let line = line.get(..81)?.replace('0', ".");
            line.parse::<Grid>().ok()
        });
        for grid in puzzles.take(limit.unwrap_or(usize::MAX)) {
            check_against_twin(&grid, &mut rng, seed);
        }
    }
}

/// A reference for the search and its twin: it tries all 3,359,232 rearrangements of a grid.
mod twin_by_brute_force {
    use super::super::layout::ORDERS;
    use super::*;

    /// All orders of nine rows or columns that keep each band or stack together.
    fn line_orders() -> Vec<[usize; 9]> {
        let mut orders = Vec::new();
        for groups in ORDERS {
            for inner in 0..216 {
                let orders_within = [ORDERS[inner / 36], ORDERS[inner / 6 % 6], ORDERS[inner % 6]];
                orders.push(std::array::from_fn(|i| {
                    3 * groups[i / 3] + orders_within[i / 3][i % 3]
                }));
            }
        }
        orders
    }

    fn canonical_by_brute_force(grid: &Grid) -> Canonical {
        let orders = line_orders();
        let mut smallest_form = [u8::MAX; 81];
        let mut automorphisms = 0;
        for transposed in [false, true] {
            let cell_at = |row, column| {
                if transposed {
                    Cell::at(column, row)
                } else {
                    Cell::at(row, column)
                }
            };
            for columns in &orders {
                for rows in &orders {
                    let mut names = [0; 9];
                    let mut named_count = 0;
                    let mut order = std::cmp::Ordering::Equal;
                    let mut image = [0; 81];
                    let cells = rows
                        .iter()
                        .flat_map(|row| columns.iter().map(|column| (*row, *column)));
                    for (place, (row, column)) in cells.enumerate() {
                        if let Some(digit) = grid.get(cell_at(row, column)) {
                            if names[digit.index()] == 0 {
                                named_count += 1;
                                names[digit.index()] = named_count;
                            }
                            image[place] = names[digit.index()];
                        }
                        order = order.then(image[place].cmp(&smallest_form[place]));
                        if order.is_gt() {
                            break;
                        }
                    }
                    if order.is_lt() {
                        smallest_form = image;
                        automorphisms = 0;
                    }
                    automorphisms += u32::from(order.is_le());
                }
            }
        }
        let characters = smallest_form.map(|name| if name == 0 { b'.' } else { b'0' + name });
        Canonical {
            form: Grid::from_characters(characters),
            automorphisms,
        }
    }

    #[test]
    fn the_form_and_the_symmetry_are_those_of_brute_force() {
        let grid: Grid =
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
                .parse()
                .unwrap();
        for grid in [grid, symmetric_puzzle()] {
            assert_eq!(
                twin::canonical(&grid),
                canonical_by_brute_force(&grid),
                "{grid}"
            );
        }
        assert!(canonical(&symmetric_puzzle()).automorphisms > 1);
    }
}
