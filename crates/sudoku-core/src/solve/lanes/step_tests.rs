//! Compares the parts of a search by lanes with each other and with readable twins: applying the rules to a board, and
//! choosing a guess.

use super::board::{Guess, LaneBoard, LaneBoards};
use super::close::{Close, Closed, DigitBoard, OpenCells};
use super::guess::{guess, guess_alone};
use super::sweep::Sweep;
use super::tests::board;
use crate::board::bands::{WORDS, spread};
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit};
use crate::random::Rng;
use crate::vectors::{LaneWork, Lanes, Vectors};

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

/// Makes a board without a solution. In one stack of boxes each (the first for 1, the second for 2, the third for 3), the
/// digits 1, 2 and 3 have places only in the first column. A digit needs all columns of a stack, so a sweep removes
/// these places. That leaves one digit in each cell and all nine in each row, but each of the three digits is missing
/// in the three boxes of its stack.
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
