//! Counts the solutions of a puzzle of a size other than 9 × 9, and finds the first one.

use crate::random::Rng;
use crate::sizes::search::backtrack::{backtrack, find_solutions_sized};
use crate::sizes::search::learn::{ClauseLearning, LearnLimits, VariableGroups};
use crate::sizes::search::work_limit::work_limit;
use crate::sizes::{Size, SizedBoard, SizedGrid, Symbol};
use crate::solve::{Limits, Solution, SolutionList};

/// Up to this limit of solutions, clause learning is used. Beyond it, a plain search counts the solutions,
/// because clause learning needs a clause for each solution.
const MOST_LEARNED: u32 = 1000;

/// Counts the solutions of a puzzle of any size, and finds the first one.
///
/// [`Limits::nodes`] is the number of nodes for 9 × 9. Nodes of a larger board take more time, so the
/// search gives up after the work of this many nodes of a 9 × 9 puzzle.
///
/// ```
/// use sudoku_core::Limits;
/// use sudoku_core::sizes::{Alphabets, parse, solve_sized};
///
/// let puzzle = parse(b"1.....2..3.....4", None, &Alphabets::default()).expect("16 cells")?;
/// let solution = solve_sized(&puzzle.clues, Limits::default());
/// assert_eq!(solution.count, 1);
/// assert_eq!(solution.first.expect("a grid").to_string().len(), 16);
/// # Ok::<(), sudoku_core::ParseError>(())
/// ```
pub fn solve_sized(puzzle: &SizedGrid, limits: Limits) -> Solution<SizedGrid> {
    match (SizedBoard::without_contradiction(puzzle), limits.solutions) {
        (None, _) => Solution::NONE,
        (Some(board), ..=MOST_LEARNED) => search(board, limits, || 0.0),
        (Some(board), _) => backtrack(board, limits),
    }
}

/// Whether the puzzle has a solution with a different symbol in this cell; `None` if the search reaches
/// the limit of nodes.
pub(crate) fn has_other_solution(
    puzzle: &SizedGrid,
    cell: usize,
    symbol: Option<Symbol>,
    nodes: u64,
) -> Option<bool> {
    let Some(mut board) = SizedBoard::without_contradiction(puzzle) else {
        return Some(false);
    };
    if let Some(symbol) = symbol {
        board.candidates[cell] &= !(1 << symbol.index());
    }
    let limits = Limits {
        solutions: 1,
        nodes,
    };
    let result = search(board, limits, || 0.0);
    (!result.gave_up).then_some(result.count > 0)
}

/// A random full grid, found by a search that makes random guesses; `None` if the search reaches its limit of
/// work.
pub(crate) fn random_full(size: Size, rng: &mut Rng) -> Option<SizedGrid> {
    let limits = Limits {
        solutions: 1,
        nodes: 10_000,
    };
    let empty_grid = SizedGrid::new(size, vec![None; size.cells()])?;
    let random_preference = || rng.below(1 << 16) as f64 / f64::from(1 << 16);
    search(
        SizedBoard::without_contradiction(&empty_grid)?,
        limits,
        random_preference,
    )
    .first
}

/// Lists the solutions of a puzzle: those that [`solve_sized`] counts within the same limits, in the order in which it
/// finds them.
pub fn list_solutions_sized(puzzle: &SizedGrid, limits: Limits) -> SolutionList<SizedGrid> {
    if limits.solutions > MOST_LEARNED {
        let (grids, gave_up) = find_solutions_sized(puzzle, limits);
        return SolutionList { grids, gave_up };
    }
    let found = SizedBoard::without_contradiction(puzzle).and_then(|board| {
        let kept_solutions = limits.solutions as usize;
        learn(board, limits, kept_solutions, || 0.0)
    });
    found.map_or_else(SolutionList::default, |(result, grids)| SolutionList {
        grids,
        gave_up: result.gave_up,
    })
}

/// Fills naked and hidden singles, then searches with clause learning.
fn search(
    board: SizedBoard,
    limits: Limits,
    preference: impl FnMut() -> f64,
) -> Solution<SizedGrid> {
    let Some((result, grids)) = learn(board, limits, 1, preference) else {
        return Solution::NONE;
    };
    Solution {
        count: result.count,
        first: grids.into_iter().next(),
        nodes: result.guesses,
        backtracks: result.backtrack_count,
        gave_up: result.gave_up,
    }
}

/// Searches a board with clause learning, and keeps the first solutions; `None` if naked and hidden singles lead to a
/// contradiction.
fn learn(
    mut board: SizedBoard,
    limits: Limits,
    kept_solutions: usize,
    preference: impl FnMut() -> f64,
) -> Option<(ClauseLearning, Vec<SizedGrid>)> {
    board.fill_singles(&mut 0).ok()?;
    let groups = VariableGroups::new(board.shape, &board.candidates, &board.is_open);
    let limits = LearnLimits {
        solutions: limits.solutions,
        guesses: limits.nodes,
        work_limit: work_limit(limits),
        kept_solutions,
    };
    let result = ClauseLearning::search(groups, limits, preference);
    let grids = result.solutions.iter().filter_map(|cells| {
        let mut full_board = board.clone();
        for &(cell, symbol) in cells {
            full_board.candidates[cell] = 1 << symbol;
        }
        full_board.grid_of_candidates()
    });
    let grids = grids.collect();
    Some((result, grids))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::sizes::{backtrack_sized, cover_sized};

    /// Counts solutions by trying every symbol in every cell, as a reference for the tests.
    fn count_plainly(cells: &mut Vec<Option<Symbol>>, size: Size, limit: u32) -> u32 {
        let Some(cell) = cells.iter().position(Option::is_none) else {
            return 1;
        };
        let mut count = 0;
        for symbol in (0..size.order()).map(Symbol::new) {
            cells[cell] = Some(symbol);
            let grid = SizedGrid::new(size, cells.iter().copied()).unwrap();
            if count < limit && grid.conflict().is_none() {
                count += count_plainly(cells, size, limit - count);
            }
        }
        cells[cell] = None;
        count
    }

    /// A full grid whose symbols are renamed at random, and whose rows are permuted at random within the
    /// bands.
    fn random_full_cells(size: Size, rng: &mut Rng) -> Vec<Option<Symbol>> {
        let order = size.order();
        let (rows, columns) = size.of_box();
        let mut names: Vec<usize> = (0..order).collect();
        rng.shuffle(&mut names);
        let mut lines: Vec<Vec<usize>> = (0..order / rows)
            .map(|band| {
                let mut band: Vec<usize> = (0..rows).map(|row| band * rows + row).collect();
                rng.shuffle(&mut band);
                band
            })
            .collect();
        rng.shuffle(&mut lines);
        let lines = lines.into_iter().flatten();
        lines
            .flat_map(|row| {
                let first_symbol = row % rows * columns + row / rows;
                (0..order).map(move |column| (first_symbol + column) % order)
            })
            .map(|symbol| Some(Symbol::new(names[symbol])))
            .collect()
    }

    fn random_puzzle_with_solution(
        size: Size,
        holes: usize,
        rng: &mut Rng,
    ) -> (SizedGrid, SizedGrid) {
        let solution = random_full_cells(size, rng);
        let mut cells = solution.clone();
        let mut order: Vec<usize> = (0..size.cells()).collect();
        rng.shuffle(&mut order);
        for cell in &order[..holes] {
            cells[*cell] = None;
        }
        let grid = |cells| SizedGrid::new(size, cells).unwrap();
        (grid(cells), grid(solution))
    }

    #[test]
    fn the_count_is_that_of_the_plainest_search() {
        let seed = 46;
        let mut counts = [0; 3];
        for n in 0..150 {
            let mut rng = Rng::for_item(seed, n);
            let size = [Size::Four, Size::Six][rng.below(2)];
            let hole_count = rng.below(size.cells() * 2 / 3);
            let (grid, _) = random_puzzle_with_solution(size, hole_count, &mut rng);
            let mut cells: Vec<_> = grid.cells().collect();
            // Write symbols into empty cells of every second puzzle. Most of them are wrong without an
            // immediate conflict.
            for _ in 0..20 * rng.below(2) {
                let cell = rng.below(size.cells());
                if cells[cell].is_none() {
                    cells[cell] = Some(Symbol::new(rng.below(size.order())));
                    let wrong_grid = SizedGrid::new(size, cells.iter().copied()).unwrap();
                    if wrong_grid.conflict().is_none() {
                        break;
                    }
                    cells[cell] = None;
                }
            }
            let grid = SizedGrid::new(size, cells.iter().copied()).unwrap();
            let expected_count = count_plainly(&mut cells, size, 2);
            let solution = solve_sized(&grid, Limits::default());
            assert_eq!(solution.count, expected_count, "seed {seed}: {grid}");
            let first_solution = solution.first;
            assert!(first_solution.is_none_or(|first| first.is_solution() && first.extends(&grid)));
            counts[expected_count as usize] += 1;
        }
        assert!(counts.into_iter().all(|count| count > 5), "{counts:?}");
    }

    /// Checks that on puzzles with many solutions, a clause learned from one solution does not exclude
    /// another one.
    #[test]
    fn learning_depth_first_search_and_exact_cover_count_alike() {
        let seed = 48;
        let mut most_work = 0;
        for n in 0..200 {
            let mut rng = Rng::for_item(seed, n);
            let size = [Size::Four, Size::Six, Size::Twelve][rng.below(3)];
            let hole_count = rng.below(size.cells() * 3 / 4);
            let (grid, _) = random_puzzle_with_solution(size, hole_count, &mut rng);
            let limits = Limits {
                solutions: 60,
                ..Limits::default()
            };
            let results = [solve_sized, backtrack_sized, cover_sized].map(|solve| {
                let result = solve(&grid, limits);
                let first_solution = result.first;
                assert!(
                    first_solution.is_none_or(|first| first.is_solution() && first.extends(&grid))
                );
                (result.count, result.gave_up)
            });
            assert!(
                results.iter().all(|own| *own == results[0]),
                "seed {seed}, {n}: {results:?}"
            );
            most_work = most_work.max(results[0].0);
        }
        assert_eq!(most_work, 60);
    }

    /// Checks that clause learning needs far fewer guesses than the plain search, whose nodes fail for the
    /// same reasons again and again.
    #[test]
    fn learning_needs_far_fewer_guesses() {
        let text = "8....D....F....AA3..9..B.81....D.....2.G...9.4..D.7...6..E4.....E..2...5.......B..A1\
                    8.GF9....5....5.29E.G..B..7..G...B...A..D...4...C.B...9...3.3F.6.5A7..D....C..D.F..1\
                    .G7...5.G....3...C.F......4.18......6.9..92...C..4E..7...7..E..2A..6B..8F.3.B4DA8...\
                    .GE.";
        let symbol = |byte: u8| "123456789ABCDEFG".find(char::from(byte)).map(Symbol::new);
        let puzzle = SizedGrid::new(Size::Sixteen, text.bytes().map(symbol)).unwrap();
        let learned = solve_sized(&puzzle, Limits::default());
        let plain_count = backtrack_sized(&puzzle, Limits::default());
        assert_eq!((learned.count, plain_count.count), (1, 1));
        assert_eq!(learned.first, plain_count.first);
        assert!(
            learned.nodes * 4 < plain_count.nodes,
            "{} and {}",
            learned.nodes,
            plain_count.nodes
        );
    }

    #[test]
    fn large_puzzles_are_solved_and_hopeless_ones_given_up() {
        let seed = 47;
        let mut rng = Rng::new(seed);
        for (size, holes) in [(Size::Sixteen, 130), (Size::TwentyFive, 250)] {
            let (grid, solution) = random_puzzle_with_solution(size, holes, &mut rng);
            let found = solve_sized(&grid, Limits::default());
            assert!(found.count >= 1, "seed {seed}: {grid}");
            let first_solution = found.first.unwrap();
            assert!(
                first_solution.is_solution() && first_solution.extends(&grid),
                "seed {seed}: {grid}"
            );
            assert!(
                found.count > 1 || first_solution == solution,
                "seed {seed}: {grid}"
            );
        }
        let empty_grid = SizedGrid::new(Size::TwentyFive, vec![None; 625]).unwrap();
        let few_solutions = Limits {
            solutions: 2,
            nodes: 3,
        };
        let solution = solve_sized(&empty_grid, few_solutions);
        assert_eq!(
            (solution.count, solution.nodes, solution.gave_up),
            (0, 3, true)
        );
    }
}
