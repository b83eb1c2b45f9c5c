//! The solver for other sizes than 9 × 9: naked and hidden singles, and a guess where the fewest
//! choices are left, be it a cell with its candidates or a symbol with its places in a house.
//!
//! ```text
//! candidates[cell]   bit s: the symbol s may stand there
//! open[cell]         the cell has no symbol yet
//! ```

use super::shape::Shape;
use super::{Size, SizedGrid, Symbol};
use crate::random::Rng;
use crate::solve::{Deduced, Limits, Solution, depth_first};

/// What a node of a 9 × 9 puzzle costs: cells looked at.
const WORK_OF_A_NODE: u64 = 1000;

/// Limits below this many nodes are counted in nodes alone.
const LEAST_NODES: u64 = 10_000;

/// Cells looked at before the search gives up: a node costs the more the larger the board is, and
/// the limit stands for the time, not for a number.
pub(super) fn work(limits: Limits) -> u64 {
    (limits.nodes.max(LEAST_NODES)).saturating_mul(WORK_OF_A_NODE)
}

/// Counts the solutions of a puzzle of any size, and finds the first.
///
/// [`Limits::nodes`] are those of 9 × 9 puzzles: on larger boards, where a node costs more, the
/// search gives up after as much work as so many nodes of a 9 × 9 puzzle take.
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
    solve_without(puzzle, None, limits)
}

/// The same, where this cell does not have this symbol.
pub(super) fn solve_without(
    puzzle: &SizedGrid,
    without: Option<(usize, Symbol)>,
    limits: Limits,
) -> Solution<SizedGrid> {
    let mut board = Board::new(puzzle);
    if let (Some(board), Some((cell, symbol))) = (&mut board, without) {
        board.candidates[cell] &= !(1 << symbol.index());
    }
    search(puzzle.size(), board, limits, &mut |choices| lowest(choices))
}

/// A full grid at random, unless the search loses its way: every choice is free.
pub(super) fn random_full(size: Size, rng: &mut Rng) -> Option<SizedGrid> {
    let limits = Limits {
        solutions: 1,
        nodes: 2000,
    };
    let empty = SizedGrid::new(size, vec![None; size.cells()])?;
    let mut any = |choices: u32| {
        let nth = rng.below(choices.count_ones() as usize);
        let left = (0..nth).fold(choices, |left, _| left & (left - 1));
        lowest(left)
    };
    search(size, Board::new(&empty), limits, &mut any).first
}

/// Depth first. `pick` takes one of the choices at a stalled board: of the symbols of a cell, or of
/// the cells of a house.
fn search(
    size: Size,
    board: Option<Board>,
    limits: Limits,
    pick: &mut impl FnMut(u32) -> u32,
) -> Solution<SizedGrid> {
    let Some(board) = board else {
        return Solution::NONE;
    };
    let most = work(limits);
    let mut done = 0;
    depth_first(board, limits, |mut board| {
        if board.fill_singles(&mut done).is_err() {
            return Deduced::Contradiction;
        }
        let Some(choice) = board.fewest() else {
            return { board.grid(size) }.map_or(Deduced::Contradiction, Deduced::Solved);
        };
        if done > most {
            return Deduced::GaveUp;
        }
        let (cell, symbol) = match choice {
            Choice::Cell(cell) => (cell, pick(board.candidates[cell])),
            Choice::House(house, symbol, places) => {
                let n = pick(places).trailing_zeros() as usize;
                (board.shape.houses[house][n], symbol)
            }
        };
        let mut with = board.clone();
        board.candidates[cell] &= !symbol;
        let is_possible = with.place(cell, symbol).is_ok();
        Deduced::Guess(is_possible.then_some(with), board)
    })
}

/// Where a guess has the fewest choices.
enum Choice {
    /// The candidates of a cell.
    Cell(usize),
    /// The places of a symbol in a house: bit n for its n-th cell.
    House(usize, u32, u32),
}

/// A cell without a candidate, or a symbol without a place.
struct Contradiction;

#[derive(Clone)]
struct Board {
    shape: &'static Shape,
    candidates: Box<[u32]>,
    open: Box<[bool]>,
}

impl Board {
    /// The board with the clues; `None` where they leave a cell nothing.
    fn new(puzzle: &SizedGrid) -> Option<Board> {
        let shape = Shape::of(puzzle.size());
        let mut board = Board {
            shape,
            candidates: vec![(1 << shape.order) - 1; shape.cells()].into(),
            open: vec![true; shape.cells()].into(),
        };
        for (cell, symbol) in puzzle.cells().enumerate() {
            if let Some(symbol) = symbol {
                board.place(cell, 1 << symbol.index()).ok()?;
            }
        }
        Some(board)
    }

    /// Puts a symbol into a cell, and takes it out of the cell's peers.
    fn place(&mut self, cell: usize, symbol: u32) -> Result<(), Contradiction> {
        if self.candidates[cell] & symbol == 0 {
            return Err(Contradiction);
        }
        self.candidates[cell] = symbol;
        self.open[cell] = false;
        for &peer in &self.shape.peers[cell] {
            self.candidates[peer] &= !symbol;
            if self.candidates[peer] == 0 {
                return Err(Contradiction);
            }
        }
        Ok(())
    }

    /// Places naked and hidden singles until there are none; counts the cells that it looks at.
    fn fill_singles(&mut self, done: &mut u64) -> Result<(), Contradiction> {
        loop {
            *done += 4 * self.open.len() as u64;
            let mut any = false;
            for cell in 0..self.open.len() {
                let candidates = self.candidates[cell];
                if self.open[cell] && candidates.is_power_of_two() {
                    self.place(cell, candidates)?;
                    any = true;
                }
            }
            for house in &self.shape.houses {
                any |= self.fill_hidden(house)?;
            }
            if !any {
                return Ok(());
            }
        }
    }

    /// Places the symbols that have one place in the house; says whether there are any.
    fn fill_hidden(&mut self, house: &[usize]) -> Result<bool, Contradiction> {
        let [mut once, mut twice] = [0; 2];
        for &cell in house {
            let candidates = self.candidates[cell];
            twice |= once & candidates;
            once |= candidates;
        }
        if once.count_ones() < house.len() as u32 {
            return Err(Contradiction);
        }
        let alone = once & !twice;
        let mut any = false;
        for &cell in house {
            let single = self.candidates[cell] & alone;
            if self.open[cell] && single != 0 {
                // Two of them in one cell: one has no place then.
                self.place(cell, lowest(single))?;
                if !single.is_power_of_two() {
                    return Err(Contradiction);
                }
                any = true;
            }
        }
        Ok(any)
    }

    /// The cell with the fewest candidates, or the symbol with the fewest places in a house, where
    /// there are fewer of them.
    fn fewest(&self) -> Option<Choice> {
        let open = (0..self.open.len()).filter(|cell| self.open[*cell]);
        let cell = open.min_by_key(|cell| self.candidates[*cell].count_ones())?;
        let mut least = self.candidates[cell].count_ones();
        let mut choice = Choice::Cell(cell);
        if least == 2 {
            return Some(choice);
        }
        for (at, house) in self.shape.houses.iter().enumerate() {
            // Symbols that more than one, two, … of the cells have.
            let mut more = [0_u32; 5];
            for &cell in house {
                for n in (1..more.len()).rev() {
                    more[n] |= more[n - 1] & self.candidates[cell];
                }
                more[0] |= self.candidates[cell];
            }
            for places in 2..(least as usize).min(more.len()) {
                let few = more[places - 1] & !more[places];
                if few != 0 {
                    let symbol = lowest(few);
                    let mask = house.iter().enumerate().fold(0, |mask, (n, cell)| {
                        mask | u32::from(self.candidates[*cell] & symbol != 0) << n
                    });
                    (least, choice) = (places as u32, Choice::House(at, symbol, mask));
                    break;
                }
            }
            if least == 2 {
                break;
            }
        }
        Some(choice)
    }

    fn grid(&self, size: Size) -> Option<SizedGrid> {
        let symbol = |candidates: &u32| Some(Symbol::new(candidates.trailing_zeros() as usize));
        SizedGrid::new(size, self.candidates.iter().map(symbol))
    }
}

fn lowest(candidates: u32) -> u32 {
    candidates & candidates.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    /// The plainest search there is.
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

    /// A full grid, its symbols renamed and its rows exchanged within the bands at random.
    fn full(size: Size, rng: &mut Rng) -> Vec<Option<Symbol>> {
        let order = size.order();
        let (rows, columns) = match size {
            Size::Six => (2, 3),
            Size::Twelve => (3, 4),
            _ => (order.isqrt(), order.isqrt()),
        };
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
                let start = row % rows * columns + row / rows;
                (0..order).map(move |column| (start + column) % order)
            })
            .map(|symbol| Some(Symbol::new(names[symbol])))
            .collect()
    }

    fn random(size: Size, holes: usize, rng: &mut Rng) -> (SizedGrid, SizedGrid) {
        let solution = full(size, rng);
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
            let holes = rng.below(size.cells() * 2 / 3);
            let (grid, _) = random(size, holes, &mut rng);
            let mut cells: Vec<_> = grid.cells().collect();
            // In every other, a symbol in an empty cell, mostly a wrong one that does no harm at
            // once.
            for _ in 0..20 * rng.below(2) {
                let cell = rng.below(size.cells());
                if cells[cell].is_none() {
                    cells[cell] = Some(Symbol::new(rng.below(size.order())));
                    let wrong = SizedGrid::new(size, cells.iter().copied()).unwrap();
                    if wrong.conflict().is_none() {
                        break;
                    }
                    cells[cell] = None;
                }
            }
            let grid = SizedGrid::new(size, cells.iter().copied()).unwrap();
            let expected = count_plainly(&mut cells, size, 2);
            let solved = solve_sized(&grid, Limits::default());
            assert_eq!(solved.count, expected, "seed {seed}: {grid}");
            let first = solved.first;
            assert!(first.is_none_or(|first| first.is_solution() && first.extends(&grid)));
            counts[expected as usize] += 1;
        }
        assert!(counts.into_iter().all(|count| count > 5), "{counts:?}");
    }

    #[test]
    fn large_puzzles_are_solved_and_hopeless_ones_given_up() {
        let seed = 47;
        let mut rng = Rng::new(seed);
        for (size, holes) in [(Size::Sixteen, 130), (Size::TwentyFive, 250)] {
            let (grid, solution) = random(size, holes, &mut rng);
            let solved = solve_sized(&grid, Limits::default());
            assert!(solved.count >= 1, "seed {seed}: {grid}");
            let first = solved.first.unwrap();
            assert!(
                first.is_solution() && first.extends(&grid),
                "seed {seed}: {grid}"
            );
            assert!(solved.count > 1 || first == solution, "seed {seed}: {grid}");
        }
        let empty = SizedGrid::new(Size::TwentyFive, vec![None; 625]).unwrap();
        let few = Limits {
            solutions: 2,
            nodes: 3,
        };
        let solved = solve_sized(&empty, few);
        assert_eq!((solved.count, solved.nodes, solved.gave_up), (0, 3, true));
    }
}
