//! Isomorphs and the min-lex form of 4 × 4 and 6 × 6 grids, by plain search over all rearrangements.
//!
//! | | rows | columns | transposition | rearrangements |
//! |---|---|---|---|---|
//! | 4 × 4 | 8 | 8 | yes | 128 |
//! | 6 × 6 | 48 | 72 | no: its boxes have two rows and three columns | 3,456 |
//!
//! A rearrangement permutes the bands, the rows of each band, the stacks and the columns of each stack, with
//! or without transposition. Then the symbols are renamed in the order in which they appear, which gives the
//! smallest text for this rearrangement. The min-lex form is the smallest of all these texts.

use std::fmt;
use std::sync::LazyLock;

use super::{SizedGrid, Symbol};
use crate::board::Size;
use crate::random::Rng;

/// The permutations of rows and of columns that turn a grid of one size into its isomorphs.
struct Rearrangements {
    row_orders: Vec<Vec<usize>>,
    column_orders: Vec<Vec<usize>>,
    transposes: bool,
}

impl Rearrangements {
    fn new(size: Size) -> Rearrangements {
        let (box_rows, box_columns) = size.of_box();
        Rearrangements {
            row_orders: line_permutations(size.order(), box_rows),
            column_orders: line_permutations(size.order(), box_columns),
            transposes: box_rows == box_columns,
        }
    }

    /// The rearrangements of grids of this size; `None` for sizes that have too many for a plain search.
    fn for_size(size: Size) -> Option<&'static Rearrangements> {
        static FOUR_BY_FOUR: LazyLock<Rearrangements> =
            LazyLock::new(|| Rearrangements::new(Size::Four));
        static SIX_BY_SIX: LazyLock<Rearrangements> =
            LazyLock::new(|| Rearrangements::new(Size::Six));
        match size {
            Size::Four => Some(&FOUR_BY_FOUR),
            Size::Six => Some(&SIX_BY_SIX),
            Size::Twelve | Size::Sixteen | Size::TwentyFive => None,
        }
    }

    /// The number of rearrangements, before symbols are renamed.
    fn rearrangement_count(&self) -> u64 {
        (self.row_orders.len() * self.column_orders.len() * (1 + usize::from(self.transposes)))
            as u64
    }

    /// All rearrangements: for each, the index of the original cell for each cell of the rearranged grid.
    fn all_cell_orders(&self) -> impl Iterator<Item = impl Iterator<Item = usize> + '_> + '_ {
        let order = self.row_orders.first().map_or(0, Vec::len);
        let transposed: &[bool] = if self.transposes {
            &[false, true]
        } else {
            &[false]
        };
        transposed.iter().flat_map(move |transposed| {
            self.row_orders.iter().flat_map(move |rows| {
                self.column_orders.iter().map(move |columns| {
                    rows.iter().flat_map(move |row| {
                        columns.iter().map(move |column| match transposed {
                            false => row * order + column,
                            true => column * order + row,
                        })
                    })
                })
            })
        })
    }
}

/// All permutations of `order` rows or columns that keep groups of `size` neighbouring lines together.
fn line_permutations(order: usize, size: usize) -> Vec<Vec<usize>> {
    let orders_within_groups = all_permutations(size);
    let mut permutations = Vec::new();
    for groups in all_permutations(order / size) {
        let mut partial_orders = vec![Vec::new()];
        for group in groups {
            let extended_orders = partial_orders.iter().flat_map(|list: &Vec<usize>| {
                orders_within_groups.iter().map(move |lines| {
                    let lines = lines.iter().map(|line| group * size + line);
                    list.iter().copied().chain(lines).collect()
                })
            });
            partial_orders = extended_orders.collect();
        }
        permutations.extend(partial_orders);
    }
    permutations
}

fn all_permutations(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else {
        return vec![Vec::new()];
    };
    let shorter = all_permutations(last);
    let permutations_with_last = shorter.iter().flat_map(|list| {
        (0..=list.len()).map(move |place| {
            let mut extended = list.clone();
            extended.insert(place, last);
            extended
        })
    });
    permutations_with_last.collect()
}

/// The min-lex form of a 4 × 4 or 6 × 6 grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizedCanonical {
    /// Of all isomorphs, the one whose text comes first, with an empty cell before `1`.
    pub form: SizedGrid,
    /// The number of rearrangements that give the same grid after a renaming of symbols. At least 1, because
    /// the identity counts.
    pub automorphisms: u32,
}

impl SizedGrid {
    /// The min-lex form of the grid, which is the same for all isomorphs; `None` for sizes above 6 × 6.
    ///
    /// ```
    /// use sudoku_core::sizes::{Alphabets, parse};
    ///
    /// let grid = |text: &[u8]| parse(text, None, &Alphabets::new(None)).unwrap().unwrap().clues;
    /// let [one, transposed] = [b"12.4........43.1", b"1..42..3....4..1"].map(|text| grid(text));
    /// assert_eq!(one.canonical(), transposed.canonical());
    /// ```
    pub fn canonical(&self) -> Option<SizedCanonical> {
        let cells: Vec<Option<Symbol>> = self.cells().collect();
        let order = self.size().order();
        let mut smallest_form: Vec<u8> = vec![u8::MAX; cells.len()];
        let mut automorphisms = 0;
        for rearranged in Rearrangements::for_size(self.size())?.all_cell_orders() {
            let mut names = [0_u8; 6];
            let mut used_symbols = 0;
            let mut is_less = false;
            let mut is_greater = false;
            for (at, from) in rearranged.enumerate() {
                let name = match cells[from] {
                    None => 0,
                    Some(symbol) => {
                        let name = &mut names[symbol.index() % order];
                        if *name == 0 {
                            used_symbols += 1;
                            *name = used_symbols;
                        }
                        *name
                    }
                };
                if !is_less && name > smallest_form[at] {
                    is_greater = true;
                    break;
                }
                is_less |= name < smallest_form[at];
                smallest_form[at] = name;
            }
            if is_less {
                automorphisms = 1;
            } else if !is_greater {
                automorphisms += 1;
            }
        }
        let symbols = smallest_form.into_iter().map(|name| {
            let index = name.checked_sub(1)?;
            Some(Symbol::new(usize::from(index)))
        });
        let canonical_form = SizedGrid::new(self.size(), symbols)?;
        Some(SizedCanonical {
            form: canonical_form,
            automorphisms,
        })
    }

    /// The number of different isomorphs of the grid, including the grid itself; `None` for sizes above 6 ×
    /// 6.
    pub fn isomorph_count(&self) -> Option<u64> {
        let rearrangement_count = Rearrangements::for_size(self.size())?.rearrangement_count();
        let automorphisms = u64::from(self.canonical()?.automorphisms);
        let grid_order = self.size().order();
        let used_symbols: std::collections::HashSet<Symbol> = self.cells().flatten().collect();
        // Renaming symbols that do not occur in the grid does not change it, so only renamings of the other
        // symbols count.
        let renamings: u64 = (grid_order - used_symbols.len() + 1..=grid_order)
            .map(|n| n as u64)
            .product();
        Some(rearrangement_count / automorphisms * renamings)
    }
}

/// A transformation of a 4 × 4 or 6 × 6 grid that keeps it the same puzzle. Its text is like that of
/// [`Isomorph`](crate::board::Isomorph), with fewer symbols and lines: `2134 r1243 c3412 t`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizedIsomorph {
    symbols: Vec<usize>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    transpose: bool,
}

impl SizedIsomorph {
    /// The transformation that changes nothing; `None` for sizes above 6 × 6.
    pub fn identity(size: Size) -> Option<SizedIsomorph> {
        Rearrangements::for_size(size)?;
        let lines: Vec<usize> = (0..size.order()).collect();
        Some(SizedIsomorph {
            symbols: lines.clone(),
            rows: lines.clone(),
            columns: lines,
            transpose: false,
        })
    }

    /// A random transformation, all equally likely; `None` for sizes above 6 × 6.
    pub fn random(size: Size, rng: &mut Rng) -> Option<SizedIsomorph> {
        let rearrangements = Rearrangements::for_size(size)?;
        let mut symbols: Vec<usize> = (0..size.order()).collect();
        rng.shuffle(&mut symbols);
        Some(SizedIsomorph {
            symbols,
            rows: rearrangements.row_orders[rng.below(rearrangements.row_orders.len())].clone(),
            columns: rearrangements.column_orders[rng.below(rearrangements.column_orders.len())]
                .clone(),
            transpose: rearrangements.transposes && rng.below(2) == 1,
        })
    }

    /// The grid after the transformation; `None` if its size is not that of the transformation.
    pub fn apply(&self, grid: &SizedGrid) -> Option<SizedGrid> {
        let order = self.rows.len();
        if grid.size().order() != order {
            return None;
        }
        let mut image = vec![None; order * order];
        for (cell, symbol) in grid.cells().enumerate() {
            let (row, column) = if self.transpose {
                (cell % order, cell / order)
            } else {
                (cell / order, cell % order)
            };
            let renamed = symbol.map(|symbol| Symbol::new(self.symbols[symbol.index()]));
            image[self.rows[row] * order + self.columns[column]] = renamed;
        }
        SizedGrid::new(grid.size(), image)
    }
}

impl fmt::Display for SizedIsomorph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = [
            ("", &self.symbols),
            (" r", &self.rows),
            (" c", &self.columns),
        ];
        for (name, list) in lists {
            write!(f, "{name}")?;
            list.iter()
                .try_for_each(|place| write!(f, "{}", place + 1))?;
        }
        write!(f, " {}", if self.transpose { 't' } else { '-' })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::sizes::solve_sized;
    use crate::solve::Limits;

    const SIZES: [Size; 2] = [Size::Four, Size::Six];

    fn random_grid(size: Size, clues: usize, rng: &mut Rng) -> SizedGrid {
        let mut cell_order: Vec<usize> = (0..size.cells()).collect();
        rng.shuffle(&mut cell_order);
        let mut cells = vec![None; size.cells()];
        for place in &cell_order[..clues] {
            cells[*place] = Some(Symbol::new(rng.below(size.order())));
        }
        SizedGrid::new(size, cells).unwrap()
    }

    /// The texts of all isomorphs of a grid, found by exchanging neighbouring symbols, lines and bands until no
    /// new text appears.
    fn all_isomorphs(grid: &SizedGrid) -> HashSet<String> {
        let size = grid.size();
        let order = size.order();
        let (box_rows, box_columns) = size.of_box();
        let identity = SizedIsomorph::identity(size).unwrap();
        let mut generators = Vec::new();
        for at in 1..order {
            let mut renamed = identity.clone();
            renamed.symbols.swap(at - 1, at);
            generators.push(renamed);
        }
        for is_row in [true, false] {
            let group = if is_row { box_rows } else { box_columns };
            for at in 1..order {
                let mut moved = identity.clone();
                let lines = if is_row {
                    &mut moved.rows
                } else {
                    &mut moved.columns
                };
                if at % group > 0 {
                    lines.swap(at - 1, at);
                } else {
                    (0..group).for_each(|line| lines.swap(at - group + line, at + line));
                }
                generators.push(moved);
            }
        }
        if box_rows == box_columns {
            let transpose = true;
            generators.push(SizedIsomorph {
                transpose,
                ..identity
            });
        }
        let mut known_texts = HashSet::from([grid.as_str().to_owned()]);
        let mut open_grids = vec![grid.clone()];
        while let Some(grid) = open_grids.pop() {
            for generator in &generators {
                let image = generator.apply(&grid).unwrap();
                if known_texts.insert(image.as_str().to_owned()) {
                    open_grids.push(image);
                }
            }
        }
        known_texts
    }

    #[test]
    fn the_form_is_the_least_of_all_isomorphs() {
        let seed = 5;
        let mut rng = Rng::new(seed);
        for (size, clues, count) in [(Size::Four, 5, 20), (Size::Six, 2, 3), (Size::Six, 3, 1)] {
            for _ in 0..count {
                let grid = random_grid(size, clues, &mut rng);
                let isomorphs = all_isomorphs(&grid);
                let least_form = isomorphs.iter().min().unwrap();
                assert_eq!(
                    grid.canonical().unwrap().form.as_str(),
                    least_form,
                    "seed {seed}: {grid}"
                );
                assert_eq!(
                    grid.isomorph_count(),
                    Some(isomorphs.len() as u64),
                    "seed {seed}: {grid}"
                );
            }
        }
    }

    #[test]
    fn isomorphs_have_the_same_form_and_automorphisms() {
        let seed = 6;
        let mut rng = Rng::new(seed);
        for size in SIZES {
            for clues in [0, 1, 4, 7, size.cells() / 2, size.cells()] {
                let grid = random_grid(size, clues, &mut rng);
                let canonical = grid.canonical().unwrap();
                for _ in 0..20 {
                    let isomorph = SizedIsomorph::random(size, &mut rng).unwrap();
                    let image = isomorph.apply(&grid).unwrap();
                    let form_of_image = image.canonical().unwrap();
                    assert_eq!(form_of_image, canonical, "seed {seed}: {grid}, {isomorph}");
                }
            }
        }
        assert_eq!(
            Rearrangements::for_size(Size::Four)
                .unwrap()
                .rearrangement_count(),
            128
        );
        assert_eq!(
            Rearrangements::for_size(Size::Six)
                .unwrap()
                .rearrangement_count(),
            3456
        );
        assert!(Rearrangements::for_size(Size::Sixteen).is_none());
    }

    /// Counts all 4 × 4 puzzles with one solution, up to isomorphism. The full grids fall into two classes,
    /// so all puzzles are subsets of two grids. It is known that 13 of them have four clues (Taalman, Arnold
    /// 2009 and others). An independent script that counts solutions in the list of all 288 grids gives the
    /// same numbers.
    #[test]
    fn all_puzzles_of_four_rows_are_counted() {
        let grids = ["1234341221434321", "1234341223414123"];
        for (clue_count, expected) in [(4, 13), (8, 1040)] {
            let mut classes = HashSet::new();
            for full in grids {
                let symbols: Vec<Option<Symbol>> = (full.bytes())
                    .map(|byte| Some(Symbol::new(usize::from(byte - b'1'))))
                    .collect();
                for clues in (0_u32..1 << 16).filter(|clues| clues.count_ones() == clue_count) {
                    let cells = symbols.iter().enumerate();
                    let cells = cells.map(|(at, symbol)| symbol.filter(|_| clues >> at & 1 == 1));
                    let puzzle = SizedGrid::new(Size::Four, cells).unwrap();
                    if solve_sized(&puzzle, Limits::default()).count == 1 {
                        classes.insert(puzzle.canonical().unwrap().form.as_str().to_owned());
                    }
                }
            }
            assert_eq!(classes.len(), expected, "{clue_count} clues");
        }
    }
}
