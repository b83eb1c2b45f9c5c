//! Generates random puzzles of sizes other than 9 × 9.

use super::ladder::grade_sized;
use super::search::solve::{has_other_solution, random_full, solve_sized};
use super::shape::Shape;
use super::{Size, SizedGrid, Symbol};
use crate::generate::{Generator, GradeTarget};
use crate::grade::{Grade, Ladder};
use crate::random::Rng;
use crate::solve::Limits;

/// The most search nodes for deciding whether a clue can be removed. If the search reaches them, the clue
/// stays.
const PROOF_NODES: u64 = 1000;

/// Like [`PROOF_NODES`], for 25 × 25 grids. With a higher limit, a few of these decisions would take nine
/// tenths of the time.
const LARGE_PROOF_NODES: u64 = 50;

/// The most search nodes for proving that the removal of a clue creates a second solution, if the puzzle must
/// be minimal.
const MINIMAL_NODES: u64 = 100_000;

/// A generated puzzle with its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizedGenerated {
    /// The clues of the puzzle.
    pub puzzle: SizedGrid,
    /// The solution of the puzzle. If it has several, the full grid from which clues were removed.
    pub solution: SizedGrid,
}

/// Generates puzzle `n` of a series of this size, counted from 0; `None` if no attempt found one. The same
/// arguments always give the same puzzle. No puzzle has a rating, so a target that is a rating is never met. A
/// puzzle counts as not minimal if this is not proven within a limit of nodes.
pub fn generate_sized(size: Size, generator: &Generator, n: u64) -> Option<SizedGenerated> {
    let mut rng = Rng::for_item(generator.seed, n);
    let wanted_puzzle = WantedPuzzle { size, generator };
    (0..generator.max_attempts).find_map(|_| wanted_puzzle.attempt(&mut rng))
}

/// The properties that generated puzzles must have.
struct WantedPuzzle<'a> {
    size: Size,
    generator: &'a Generator,
}

impl WantedPuzzle<'_> {
    /// Removes clues from a random full grid in random order, while the puzzle keeps one solution and is not
    /// too hard. `None` if the puzzle does not have the wanted properties in the end.
    fn attempt(&self, rng: &mut Rng) -> Option<SizedGenerated> {
        let solution = full_grid(self.size, rng);
        let digits: Vec<Option<Symbol>> = solution.cells().collect();
        let mut cells = digits.clone();
        let mut clues_left = cells.len();
        let most_nodes = match self.size {
            Size::TwentyFive => LARGE_PROOF_NODES,
            _ => PROOF_NODES,
        };
        let mut orbits = self.generator.symmetry.orbits(self.size.order());
        rng.shuffle(&mut orbits);
        for orbit in &orbits {
            if self
                .generator
                .clues
                .is_some_and(|wanted| clues_left < wanted + orbit.len())
            {
                continue;
            }
            for &cell in orbit {
                cells[cell] = None;
            }
            let fewer_clues = self.grid_from_cells(&cells)?;
            let is_only = |&cell: &usize| {
                has_other_solution(&fewer_clues, cell, digits[cell], most_nodes) == Some(false)
            };
            let is_good = orbit.iter().all(is_only)
                && (self.generator.target == GradeTarget::Any || !self.is_too_hard(&fewer_clues));
            if is_good {
                clues_left -= orbit.len();
            } else {
                for &cell in orbit {
                    cells[cell] = digits[cell];
                }
            }
        }
        let mut puzzle = self.grid_from_cells(&cells)?;
        let mut count = 1;
        for orbit in &orbits {
            if count == self.generator.solutions {
                break;
            }
            let mut fewer_cells: Vec<Option<Symbol>> = puzzle.cells().collect();
            orbit.iter().for_each(|&cell| fewer_cells[cell] = None);
            let fewer_clues = self.grid_from_cells(&fewer_cells)?;
            if let Some(solution_count) = self
                .count_solutions(&fewer_clues)
                .filter(|count| *count <= self.generator.solutions)
            {
                (puzzle, count) = (fewer_clues, solution_count);
            }
        }
        clues_left = puzzle.clue_count();
        let is_wanted = count == self.generator.solutions
            && self
                .generator
                .clues
                .is_none_or(|wanted| clues_left == wanted)
            && (self.generator.target == GradeTarget::Any || {
                let grade = self.grade(&puzzle);
                !grade.beyond && self.generator.target.accepts(grade.rank)
            })
            && (!self.generator.minimal || self.is_minimal(&puzzle, &digits)?);
        is_wanted.then_some(SizedGenerated { puzzle, solution })
    }

    /// Whether it is proven, for every clue, that its removal creates a second solution. `None` only if there
    /// is a bug: a grid without one of its clues is always valid.
    fn is_minimal(&self, puzzle: &SizedGrid, digits: &[Option<Symbol>]) -> Option<bool> {
        let mut cells: Vec<Option<Symbol>> = puzzle.cells().collect();
        for cell in 0..cells.len() {
            let Some(clue) = cells[cell].take() else {
                continue;
            };
            let fewer_clues = self.grid_from_cells(&cells)?;
            if has_other_solution(&fewer_clues, cell, digits[cell], MINIMAL_NODES) != Some(true) {
                return Some(false);
            }
            cells[cell] = Some(clue);
        }
        Some(true)
    }

    /// The number of solutions of a puzzle, up to one more than the wanted number; `None` if the search
    /// reaches its limit.
    fn count_solutions(&self, puzzle: &SizedGrid) -> Option<u32> {
        let limits = Limits {
            solutions: self.generator.solutions.saturating_add(1),
            ..Limits::default()
        };
        let result = solve_sized(puzzle, limits);
        (!result.gave_up).then_some(result.count)
    }

    fn grade(&self, puzzle: &SizedGrid) -> Grade {
        grade_sized(puzzle, &Ladder::default())
    }

    fn is_too_hard(&self, puzzle: &SizedGrid) -> bool {
        let grade = self.grade(puzzle);
        grade.beyond
            || self
                .generator
                .target
                .highest()
                .is_some_and(|highest| grade.rank > highest)
    }

    fn grid_from_cells(&self, cells: &[Option<Symbol>]) -> Option<SizedGrid> {
        SizedGrid::new(self.size, cells.iter().copied())
    }
}

/// Makes a random full grid by a random search. If the search finds none, transforms a regular grid at random.
fn full_grid(size: Size, rng: &mut Rng) -> SizedGrid {
    let full_grid = (0..3).find_map(|_| random_full(size, rng));
    full_grid.unwrap_or_else(|| random_regular_grid(size, rng))
}

/// A regular grid, whose rows are shifts of one row, with symbols, rows and columns permuted at random.
fn random_regular_grid(size: Size, rng: &mut Rng) -> SizedGrid {
    let shape = Shape::for_size(size);
    let order = shape.order;
    let mut names: Vec<usize> = (0..order).collect();
    rng.shuffle(&mut names);
    let rows = random_lines(order, shape.box_rows, rng);
    let columns = random_lines(order, shape.box_columns, rng);
    let cells = rows.iter().flat_map(|row| {
        let row_start = row % shape.box_rows * shape.box_columns + row / shape.box_rows;
        columns
            .iter()
            .map(move |column| (row_start + column) % order)
    });
    let cells = cells.map(|at| Some(Symbol::new(names[at])));
    SizedGrid::new(size, cells).expect("a symbol a cell")
}

/// A random permutation of the rows or columns of a grid that keeps bands or stacks together. `band_size` is
/// the number of lines in a band or stack.
fn random_lines(order: usize, band_size: usize, rng: &mut Rng) -> Vec<usize> {
    let mut bands: Vec<Vec<usize>> = (0..order / band_size)
        .map(|band| (band * band_size..(band + 1) * band_size).collect())
        .collect();
    bands.iter_mut().for_each(|band| rng.shuffle(band));
    rng.shuffle(&mut bands);
    bands.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Symmetry;
    use crate::grade::{Level, Rank};
    use crate::sizes::cover_sized;

    const SERIES: Generator = Generator {
        max_attempts: 50,
        ..Generator::any(15)
    };

    fn puzzle(size: Size, n: u64) -> SizedGrid {
        generate_sized(size, &SERIES, n).unwrap().puzzle
    }

    /// A random isomorph of the puzzle, for any size.
    fn random_isomorph(puzzle: &SizedGrid, rng: &mut Rng) -> SizedGrid {
        let shape = Shape::for_size(puzzle.size());
        let order = shape.order;
        let mut names: Vec<usize> = (0..order).collect();
        rng.shuffle(&mut names);
        let rows = random_lines(order, shape.box_rows, rng);
        let columns = random_lines(order, shape.box_columns, rng);
        let transposed = shape.box_rows == shape.box_columns && rng.below(2) == 1;
        let cells: Vec<_> = puzzle.cells().collect();
        let isomorph_cells = (0..order * order).map(|cell| {
            let (row, column) = (rows[cell / order], columns[cell % order]);
            let source_cell = if transposed {
                column * order + row
            } else {
                row * order + column
            };
            cells[source_cell].map(|symbol| Symbol::new(names[symbol.index()]))
        });
        SizedGrid::new(puzzle.size(), isomorph_cells).unwrap()
    }

    /// The number of puzzles of a size to test; the environment variable `FULL` raises it.
    fn test_count(size: Size) -> u64 {
        match (std::env::var_os("FULL"), size) {
            (Some(_), _) => 1000,
            (None, Size::Four | Size::Six) => 100,
            (None, Size::Twelve | Size::Sixteen) => 20,
            (None, Size::TwentyFive) => 1,
        }
    }

    #[test]
    fn puzzles_have_one_solution_by_two_solvers() {
        for size in Size::ALL {
            let (mut beyond, mut given_up) = (0, 0);
            for n in 0..test_count(size) {
                let case_text = format!("{size}, seed 15, puzzle {n}");
                let SizedGenerated { puzzle, solution } = generate_sized(size, &SERIES, n).unwrap();
                assert!(
                    solution.is_solution() && solution.extends(&puzzle),
                    "{case_text}"
                );
                let result = solve_sized(&puzzle, Limits::default());
                assert_eq!(
                    (result.count, result.first.as_ref()),
                    (1, Some(&solution)),
                    "{case_text}"
                );
                let limits = Limits {
                    solutions: 2,
                    nodes: 20_000,
                };
                let cover = cover_sized(&puzzle, limits);
                if !cover.gave_up {
                    assert_eq!(
                        (cover.count, cover.first),
                        (1, Some(solution)),
                        "{case_text}"
                    );
                }
                given_up += u64::from(cover.gave_up);
                beyond += u64::from(grade_sized(&puzzle, &Ladder::default()).beyond);
            }
            eprintln!("{size}: {beyond} beyond, {given_up} given up by exact cover");
            // Solving by exact cover reaches this limit of nodes for a tenth of 1,000 grids of 16 × 16.
            assert!(
                size == Size::TwentyFive || given_up * 2 <= test_count(size),
                "{size}: {given_up}"
            );
        }
    }

    /// Regression test: puzzles with a wanted level are minimal only if that is requested.
    #[test]
    fn puzzles_of_a_level_are_minimal_on_request() {
        let easy = Generator {
            target: GradeTarget::Level(Level::Easy),
            minimal: true,
            max_attempts: 1000,
            ..SERIES
        };
        let wanted = WantedPuzzle {
            size: Size::Six,
            generator: &easy,
        };
        for n in 0..4 {
            let SizedGenerated { puzzle, solution } = generate_sized(Size::Six, &easy, n).unwrap();
            assert_eq!(
                grade_sized(&puzzle, &Ladder::default()).level(),
                Level::Easy
            );
            let digits: Vec<_> = solution.cells().collect();
            assert_eq!(wanted.is_minimal(&puzzle, &digits), Some(true));
            let mut cells: Vec<_> = puzzle.cells().collect();
            let empty_cell = cells.iter().position(Option::is_none).unwrap();
            cells[empty_cell] = digits[empty_cell];
            let with_more_clues = SizedGrid::new(Size::Six, cells).unwrap();
            assert_eq!(wanted.is_minimal(&with_more_clues, &digits), Some(false));
        }
    }

    #[test]
    fn the_grade_is_the_same_for_all_isomorphs() {
        for size in Size::ALL {
            for n in 0..test_count(size) {
                let puzzle = puzzle(size, n);
                let grade = grade_sized(&puzzle, &Ladder::default());
                let mut rng = Rng::for_item(4, n);
                for _ in 0..4 {
                    let isomorph = random_isomorph(&puzzle, &mut rng);
                    let grade_of_isomorph = grade_sized(&isomorph, &Ladder::default());
                    assert_eq!(
                        grade_of_isomorph, grade,
                        "{size}, seed 15, puzzle {n}: {puzzle} and {isomorph}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_technique_a_symmetry_and_a_number_of_clues_are_met() {
        let hidden = Rank::HIDDEN_SINGLE_BOX;
        let mut generator = SERIES;
        generator.target = GradeTarget::Technique(hidden);
        let puzzle = generate_sized(Size::Six, &generator, 0).unwrap().puzzle;
        assert_eq!(grade_sized(&puzzle, &Ladder::default()).rank, hidden);
        let mut generator = SERIES;
        generator.symmetry = Symmetry::Rotational;
        generator.clues = Some(80);
        let puzzle = generate_sized(Size::Twelve, &generator, 0).unwrap().puzzle;
        let cells: Vec<bool> = puzzle.cells().map(|cell| cell.is_some()).collect();
        assert!(cells.iter().eq(cells.iter().rev()));
        assert_eq!(puzzle.clue_count(), 80);
        let mut generator = SERIES;
        generator.solutions = 3;
        let puzzle = generate_sized(Size::Six, &generator, 0).unwrap().puzzle;
        let limits = Limits {
            solutions: 9,
            ..Limits::default()
        };
        assert_eq!(solve_sized(&puzzle, limits).count, 3);
    }
}
