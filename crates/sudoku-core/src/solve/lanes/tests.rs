//! Compares the lane solver with [`Backtracker`], for every instruction set, on random boards of many kinds.

use super::board::{Guess, LaneBoard, LaneBoards};
use super::close::{Close, Closed, DigitBoard, OpenCells};
use super::guess::{guess, guess_alone};
use super::sweep::Sweep;
use super::{LaneSolver, SLOTS, most_alone};
use crate::board::bands::{WORDS, spread};
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, Grid};
use crate::random::Rng;
use crate::solve::Kernel;
use crate::solve::{Backtracker, Limits, Solution, Solver, random_solution, solve_all};
use crate::text::{Given, Puzzle};
use crate::vectors::{LaneWork, Lanes, Vectors};

/// A lane solver for each instruction set of this machine.
fn all_solvers() -> Vec<Box<dyn Solver>> {
    let lanes = |kernel: &Kernel| kernel.name() != "scalar";
    let kernels = Kernel::available().into_iter().filter(lanes);
    kernels.map(Kernel::solver).collect()
}

fn solve(solver: &dyn Solver, boards: &[Candidates], limits: Limits) -> Vec<Solution> {
    let mut solutions = Vec::new();
    solver.solve(boards, limits, &mut solutions);
    solutions
}

fn limits(solutions: u32) -> Limits {
    Limits {
        solutions,
        nodes: u64::MAX,
    }
}

/// Makes a random board of one of many kinds.
fn board(rng: &mut Rng) -> Candidates {
    let solution = random_solution(rng);
    let mut cells: Vec<Cell> = Cell::all().collect();
    rng.shuffle(&mut cells);
    // The number of clues ranges from nearly none to nearly all, and is often that of a typical puzzle.
    let clues = [3 + rng.below(78), 16 + rng.below(16), 22 + rng.below(6)][rng.below(3)];
    let mut grid = solution;
    for cell in &cells[clues.min(81)..] {
        grid.set(*cell, None);
    }
    match rng.below(8) {
        // Change up to two digits of the solution, which may be clues or not.
        0 | 1 => {
            for _ in 0..=rng.below(2) {
                let digit = Digit::from_value(1 + rng.below(9) as u8);
                grid.set(Cell::new(rng.below(81)), digit);
            }
            Candidates::new(&grid)
        }
        // Use pencil marks that lack some candidates, perhaps also those of the solution.
        2 | 3 => {
            let mut board = Candidates::new(&grid);
            let keeps_solution = rng.below(4) > 0;
            for cell in Cell::all() {
                for digit in Digit::ALL {
                    let is_kept = keeps_solution && solution.get(cell) == Some(digit);
                    if !is_kept && rng.below(8) == 0 {
                        board.eliminate(digit, CellSet::of(cell));
                    }
                }
            }
            board
        }
        // Use pencil marks that have no clue.
        4 => {
            let mut pencil_marks = CandidateSet::EMPTY;
            for cell in Cell::all() {
                for digit in Digit::ALL {
                    if solution.get(cell) == Some(digit) || rng.below(4) == 0 {
                        pencil_marks.insert(digit, CellSet::of(cell));
                    }
                }
            }
            let mut board = Candidates::FULL;
            board.keep_only(&pencil_marks);
            board
        }
        _ => Candidates::new(&grid),
    }
}

fn assert_agree(
    board: &Candidates,
    limits: Limits,
    found_solution: &Solution,
    expected: &Solution,
    case: &str,
) {
    assert_eq!(found_solution.count, expected.count, "{case}: {board:?}");
    assert_eq!(
        found_solution.gave_up, expected.gave_up,
        "{case}: {board:?}"
    );
    assert_eq!(
        found_solution.first.is_some(),
        found_solution.count > 0,
        "{case}: {board:?}"
    );
    if let Some(first) = found_solution.first {
        let is_candidate = |cell: Cell| {
            let digit = first.get(cell);
            digit.is_some_and(|digit| board.places(digit).contains(cell))
        };
        assert!(
            first.is_solution() && Cell::all().all(is_candidate),
            "{case}: {first}"
        );
        // If there is only one solution, both solvers must find it. If there are several, the first ones may
        // differ.
        if found_solution.count == 1 && limits.solutions > 1 {
            assert_eq!(Some(first), expected.first, "{case}");
        }
    }
}

#[test]
fn random_boards_have_the_solutions_that_the_backtracker_finds() {
    let seed = 61;
    let boards: Vec<_> = (0..1500)
        .map(|n| board(&mut Rng::for_item(seed, n)))
        .collect();
    let mut solution_counts = [0; 3];
    for up_to in [1, 2, 3, 50] {
        let limits = limits(up_to);
        let expected_solutions = solve(&Backtracker, &boards, limits);
        for solver in all_solvers() {
            let solutions = solve(&*solver, &boards, limits);
            assert_eq!(solutions.len(), boards.len());
            for (n, board) in boards.iter().enumerate() {
                let case_text = format!("seed {seed}, item {n}");
                assert_agree(
                    board,
                    limits,
                    &solutions[n],
                    &expected_solutions[n],
                    &case_text,
                );
            }
        }
        for solution in expected_solutions {
            solution_counts[solution.count.min(2) as usize] += 1;
        }
    }
    assert!(
        solution_counts.into_iter().all(|count| count > 100),
        "{solution_counts:?}"
    );
}

#[test]
fn full_empty_and_impossible_boards_are_boards_too() {
    let mut rng = Rng::new(62);
    let full_grid = random_solution(&mut rng);
    let mut wrong_grid = full_grid;
    let (first, second) = (full_grid.get(Cell::new(0)), full_grid.get(Cell::new(1)));
    wrong_grid.set(Cell::new(0), second);
    wrong_grid.set(Cell::new(1), first);
    let mut no_candidates = Candidates::FULL;
    no_candidates.keep_only(&CandidateSet::EMPTY);
    let mut repeated_digit = Grid::EMPTY;
    repeated_digit.set(Cell::at(0, 0), Digit::from_value(7));
    repeated_digit.set(Cell::at(0, 8), Digit::from_value(7));
    let boards = [
        Candidates::new(&full_grid),
        Candidates::FULL,
        Candidates::new(&wrong_grid),
        no_candidates,
        Candidates::new(&repeated_digit),
    ];
    for solver in all_solvers() {
        let solutions = solve(&*solver, &boards, limits(10));
        let counts: Vec<_> = solutions.iter().map(|solution| solution.count).collect();
        assert_eq!(counts, [1, 10, 0, 0, 0]);
        assert_eq!(solutions[0], Solution::without_search(full_grid));
        assert!(solve(&*solver, &[], limits(10)).is_empty());
    }
}

#[test]
fn neighbours_batches_and_implementations_change_nothing() {
    let seed = 63;
    let boards: Vec<_> = (0..300)
        .map(|n| board(&mut Rng::for_item(seed, n)))
        .collect();
    let limits = Limits {
        solutions: 4,
        nodes: 40,
    };
    let expected = solve(&LaneSolver(Vectors::Portable), &boards, limits);
    assert!(boards.len() > most_alone(SLOTS));
    assert!(expected.iter().any(|solution| solution.gave_up));
    assert!(expected.iter().any(|solution| solution.nodes > 10));
    for solver in all_solvers() {
        for batch in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 300] {
            let solutions = boards
                .chunks(batch)
                .flat_map(|some| solve(&*solver, some, limits));
            assert!(
                solutions.eq(expected.iter().cloned()),
                "seed {seed}, by {batch}"
            );
        }
        let backwards: Vec<_> = boards.iter().rev().cloned().collect();
        let solutions = solve(&*solver, &backwards, limits);
        assert!(
            solutions.iter().rev().eq(&expected),
            "seed {seed}, backwards"
        );
    }
}

#[test]
fn a_search_ends_at_its_node_limit_and_not_before() {
    let seed = 64;
    let boards: Vec<_> = (0..200)
        .map(|n| board(&mut Rng::for_item(seed, n)))
        .collect();
    for solver in all_solvers() {
        let full_searches = solve(&*solver, &boards, limits(2));
        for (board, whole) in boards.iter().zip(&full_searches) {
            let solve = |nodes| {
                let limits = Limits {
                    solutions: 2,
                    nodes,
                };
                solve(&*solver, std::slice::from_ref(board), limits).remove(0)
            };
            assert_eq!(solve(whole.nodes), *whole, "seed {seed}");
            if whole.nodes > 0 {
                let limited_search = solve(whole.nodes - 1);
                assert!(
                    limited_search.gave_up && limited_search.count <= whole.count,
                    "seed {seed}"
                );
                assert_eq!(limited_search.nodes, whole.nodes - 1, "seed {seed}");
            }
        }
    }
}

/// Checks that puzzles that singles and locked candidates solve need no search node.
#[test]
fn singles_and_locked_candidates_need_no_node() {
    let seed = 65;
    let mut unsolved_count = 0;
    for n in 0..600 {
        let board = board(&mut Rng::for_item(seed, n));
        let expected_solution = &solve(&Backtracker, std::slice::from_ref(&board), limits(2))[0];
        if expected_solution.nodes == 0 {
            unsolved_count += 1;
            for solver in all_solvers() {
                let solutions = solve(&*solver, std::slice::from_ref(&board), limits(2));
                assert_eq!(&solutions[0], expected_solution, "seed {seed}, item {n}");
            }
        }
    }
    assert!(unsolved_count > 50, "{unsolved_count}");
}

#[test]
fn puzzles_are_solved_as_their_candidates_are() {
    let seed = 68;
    let puzzles: Vec<Puzzle> = (0..400)
        .map(|n| {
            let rng = &mut Rng::for_item(seed, n);
            let mut clues = random_solution(rng);
            let mut cells: Vec<Cell> = Cell::all().collect();
            rng.shuffle(&mut cells);
            for cell in &cells[22 + rng.below(12)..] {
                clues.set(*cell, None);
            }
            // Add up to two clues that contradict other clues, directly or not.
            for cell in &cells[..rng.below(8) / 6] {
                clues.set(*cell, Digit::from_value(1 + rng.below(9) as u8));
            }
            Puzzle {
                clues,
                marks: None,
                given: Given::Absent,
            }
        })
        .collect();
    let boards: Vec<Candidates> = puzzles.iter().map(Puzzle::board).collect();
    let limits = Limits {
        solutions: 3,
        nodes: 40,
    };
    for kernel in Kernel::available() {
        let expected = solve(&*kernel.solver(), &boards, limits);
        assert!((0..=3).all(|count| expected.iter().any(|found| found.count == count)));
        for batch in [1, 400] {
            let solutions = puzzles
                .chunks(batch)
                .flat_map(|some| solve_all(kernel, some, limits));
            assert!(
                solutions.eq(expected.iter().cloned()),
                "seed {seed}, by {batch}"
            );
        }
    }
}

/// Applies the rules of the solver to a board with one digit in each lane.
struct CloseAlone<'a>(&'a Candidates);

impl LaneWork for CloseAlone<'_> {
    type Output = (Closed, [u32; WORDS]);

    #[inline(always)]
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) -> (Closed, [u32; WORDS]) {
        let mut board = DigitBoard::from_lane(&LaneBoard::new(self.0));
        let state = V::step(proof, Close(&mut board));
        (state, board.places())
    }
}

/// Applies the rules of the solver to a board in one of several lanes.
struct CloseInLanes<'a> {
    board: &'a Candidates,
    lane: usize,
}

impl LaneWork for CloseInLanes<'_> {
    type Output = (Closed, [u32; WORDS]);

    #[inline(always)]
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) -> (Closed, [u32; WORDS]) {
        let mut boards = LaneBoards::<N>::empty();
        let lane = self.lane % N;
        boards.put(lane, &LaneBoard::new(self.board));
        let state = loop {
            let swept = V::step(proof, Sweep(&mut boards));
            if swept.dead >> lane & 1 == 1 {
                break Closed::Dead;
            }
            if swept.solved >> lane & 1 == 1 {
                break Closed::Solved;
            }
            if swept.stalled >> lane & 1 == 1 {
                break Closed::Stalled(OpenCells {
                    pairs: boards.pairs.map(|words| words[lane]),
                    open: boards.open_cells.map(|words| words[lane]),
                });
            }
        };
        (state, boards.places(lane))
    }
}

/// Checks that the rules leave the same candidates with one digit in each lane and with one board in each
/// lane.
#[test]
fn a_board_alone_closes_as_it_does_in_a_lane() {
    let seed = 67;
    let mut state_counts = [0; 3];
    for n in 0..1500 {
        let rng = &mut Rng::for_item(seed, n);
        let board = if n % 5 == 0 {
            board_of_pairs(rng)
        } else {
            board(rng)
        };
        for (name, vectors) in Vectors::available() {
            let case_text = format!("{name}, seed {seed}, item {n}");
            let lane = n as usize;
            let in_lanes = vectors.run(CloseInLanes {
                board: &board,
                lane,
            });
            let close_alone = vectors.run(CloseAlone(&board));
            assert_eq!(close_alone.0, in_lanes.0, "{case_text}: {board:?}");
            if close_alone.0 != Closed::Dead {
                assert_eq!(close_alone.1, in_lanes.1, "{case_text}: {board:?}");
            }
            state_counts[match close_alone.0 {
                Closed::Dead => 0,
                Closed::Solved => 1,
                Closed::Stalled(_) => 2,
            }] += 1;
        }
    }
    assert!(
        state_counts.into_iter().all(|count| count > 100),
        "{state_counts:?}"
    );
}

/// The readable twin of [`guess`]: it scores one cell after the other.
fn readable_guess(board: &Candidates) -> (Cell, Digit) {
    let fewest_candidates = (board.unsolved())
        .map(|cell| board.digits(cell).len())
        .min();
    let pairs: CellSet = (board.unsolved())
        .filter(|cell| Some(board.digits(*cell).len()) == fewest_candidates)
        .collect();
    let sharing = |cell: Cell, digit| (board.places(digit) & pairs & cell.peers()).len() as u32;
    let lowest_and_highest = |cell| {
        let mut digits = board.digits(cell);
        let low = digits.next().expect("an unsolved cell has candidates");
        [low, digits.last().expect("and more than one")]
    };
    let score = |cell: Cell| {
        let [low, high] = lowest_and_highest(cell);
        let open_peer_count = (board.unsolved() & cell.peers()).len() as u32;
        3 * (sharing(cell, low) + sharing(cell, high)) + 2 * open_peer_count
    };
    // `max_by_key` returns the last maximum, so the order of the cells is reversed to get the first one.
    let cells: Vec<Cell> = pairs.collect();
    let cell = cells.into_iter().rev().max_by_key(|cell| score(*cell));
    let cell = cell.expect("the board is not solved");
    let [low, high] = lowest_and_highest(cell);
    let is_high = sharing(cell, high) > sharing(cell, low);
    (cell, if is_high { high } else { low })
}

/// Chooses the guess for a board in one of several lanes. The boards in the other lanes must not matter.
struct GuessInLane<'a> {
    board: &'a Candidates,
    lane: usize,
}

impl LaneWork for GuessInLane<'_> {
    type Output = (Guess, LaneBoard);

    #[inline(always)]
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) -> (Guess, LaneBoard) {
        let [_, two, three] = self.board.at_least();
        let mut boards = LaneBoards::<N>::empty();
        let lane = self.lane % N;
        boards.put(lane, &LaneBoard::new(self.board));
        for band in 0..3 {
            boards.pairs[band][lane] = spread(two & !three)[band];
            boards.open_cells[band][lane] = spread(two)[band];
        }
        let mut copy = LaneBoard::EMPTY;
        boards.copy(lane, &mut copy);
        let in_lanes = guess::<V, N>(proof, &boards, lane, &copy);
        let [pairs, open] =
            [&boards.pairs, &boards.open_cells].map(|words| words.map(|word| word[lane]));
        let guess_of_alone = guess_alone::<V, N>(proof, &DigitBoard::from_lane(&copy), pairs, open);
        assert_eq!(guess_of_alone, in_lanes);
        (in_lanes, copy)
    }
}

/// Makes a board without a solution. Each of the digits 1 to 3 has, besides its only place in some rows, places in one
/// column of a stack, where it has no others. When a sweep removes these, every cell is left with one digit, and
/// every row with all nine, but the digit is missing in three boxes.
fn board_with_digits_missing_in_boxes() -> Candidates {
    let mut pencil_marks = CandidateSet::EMPTY;
    for cell in Cell::all() {
        let (row, column) = (cell.index() / 9, cell.index() % 9);
        let (band, row_in_band) = (row / 3, row % 3);
        // A solved grid in which each mini-row has one of the values 0, 3 and 6. These three are exchanged in
        // their row.
        let value = (3 * row_in_band + band + column) % 9;
        let by = if row_in_band == band { 1 } else { 2 };
        let digit = match value % 3 {
            0 => (column / 3 + 3 - by) % 3,
            rest => 3 * rest + value / 3,
        };
        pencil_marks.insert(Digit::ALL[digit], CellSet::of(cell));
        if row_in_band != band && column % 3 == 0 {
            pencil_marks.insert(Digit::ALL[column / 3], CellSet::of(cell));
        }
    }
    let mut board = Candidates::FULL;
    board.keep_only(&pencil_marks);
    board
}

#[test]
fn a_sweep_that_fills_every_cell_finds_digits_that_boxes_lack() {
    let board = board_with_digits_missing_in_boxes();
    for (name, vectors) in Vectors::available() {
        for lane in 0..16 {
            let (closed, _) = vectors.run(CloseInLanes {
                board: &board,
                lane,
            });
            assert_eq!(closed, Closed::Dead, "{name}, lane {lane}");
        }
    }
}

/// Makes a board that has two random candidates in most cells, and three in some.
fn board_of_pairs(rng: &mut Rng) -> Candidates {
    let mut pencil_marks = CandidateSet::EMPTY;
    let three_in = 1 + rng.below(20);
    for cell in Cell::all() {
        let count = if rng.below(three_in) == 1 { 3 } else { 2 };
        let mut digits = Digit::ALL;
        rng.shuffle(&mut digits);
        for digit in &digits[..count] {
            pencil_marks.insert(*digit, CellSet::of(cell));
        }
    }
    let mut board = Candidates::FULL;
    board.keep_only(&pencil_marks);
    board
}

#[test]
fn a_guess_decides_most_peers() {
    let seed = 66;
    let (mut of_two, mut of_more, mut most) = (0, 0, 0);
    for n in 0..900 {
        let rng = &mut Rng::for_item(seed, n);
        let board = if n % 3 == 0 {
            board_of_pairs(rng)
        } else {
            board(rng)
        };
        let [one, two, three] = board.at_least();
        if one != CellSet::FULL || two != board.unsolved() || two.is_empty() {
            continue;
        }
        let (cell, digit) = readable_guess(&board);
        let is_of_two = board.digits(cell).len() == 2;
        let expected_guess = Guess {
            band: cell.index() / 27,
            cell: spread(CellSet::of(cell))[cell.index() / 27],
            digit: digit.index(),
            is_of_two,
        };
        for (name, vectors) in Vectors::available() {
            let (guess, copy) = vectors.run(GuessInLane {
                board: &board,
                lane: n as usize,
            });
            let case_text = format!("{name}, seed {seed}, item {n}");
            assert_eq!(guess, expected_guess, "{case_text}: {board:?}");
            assert_eq!(copy, LaneBoard::new(&board), "{case_text}");
        }
        *(if is_of_two { &mut of_two } else { &mut of_more }) += 1;
        most = most.max((two & !three).len());
    }
    assert!(of_two > 30 && of_more > 30, "{of_two}, {of_more}");
    // Check that some boards exceed the 64 cells that the vector code supports.
    assert!(most > 70, "{most}");
}
