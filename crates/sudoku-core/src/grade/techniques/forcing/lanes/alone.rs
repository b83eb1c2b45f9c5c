//! Tests whether assumptions lead to a contradiction by singles, with vector instructions: many assumptions at the
//! same time.

use super::cells::{BLOCK, candidates};
use super::queue::{Block, BlockTest, MOST, Round, TestQueue};
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit};
use crate::vectors::Vectors;

/// A mask of all nine digits. Cells that an assumption says nothing about have this value.
const ALL: u16 = 0o777;

/// The candidates of a board that lead to a contradiction if they are assumed, by singles alone.
///
/// An assumption is stored as a board: the assumed cell has only the assumed digit, and all other cells have all
/// digits. A test starts with the intersection of this board and the given board.
pub(in super::super) fn refuted(vectors: Vectors, board: &Candidates) -> CandidateSet {
    let assumed: Vec<(Digit, Cell)> = candidates(&board.all_open_places()).collect();
    let mut queue = TestQueue::new();
    let mut failed = Vec::new();
    let mut first = 0;
    for round in assumed.chunks(MOST - MOST % BLOCK) {
        let blocks: Vec<Block> = round.chunks(BLOCK).map(block).collect();
        let tests = blocks
            .iter()
            .zip(round.chunks(BLOCK))
            .map(|(block, of_block)| {
                let test = BlockTest {
                    board,
                    name: 0,
                    block,
                    first,
                    with: u32::MAX >> (BLOCK - of_block.len()),
                };
                first += BLOCK as u16;
                test
            });
        vectors.run_shorts(Round {
            queue: &mut queue,
            tests: &tests.collect::<Vec<_>>(),
            refuted: &mut failed,
        });
    }
    vectors.run_shorts(Round {
        queue: &mut queue,
        tests: &[],
        refuted: &mut failed,
    });
    let mut refuted_candidates = CandidateSet::EMPTY;
    for [_, test] in failed {
        let (digit, cell) = assumed[usize::from(test)];
        refuted_candidates.insert(digit, CellSet::of(cell));
    }
    refuted_candidates
}

/// A block of boards: one board for each of these assumptions.
fn block(assumed: &[(Digit, Cell)]) -> Block {
    let mut block = [[ALL; BLOCK]; 81];
    for (n, (digit, cell)) in assumed.iter().enumerate() {
        block[cell.index()][n] = 1 << digit.index();
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::grade::techniques::forcing::branches::Branches;
    use crate::grade::{Ladder, Rank};

    #[test]
    fn the_same_assumptions_fail_as_one_by_one() {
        let seed = 43;
        let ladder = Ladder::up_to(Rank::UNIQUENESS);
        let mut refuted_count = 0;
        for n in 0..60 {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            let boards = [
                Candidates::new(&puzzle),
                ladder.stall(&puzzle).board().clone(),
                Candidates::FULL,
            ];
            for board in boards {
                let expected_refuted = Branches::with_singles(&board).refuted();
                for (name, vectors) in Vectors::available() {
                    let refuted = refuted(vectors, &board);
                    assert_eq!(refuted, expected_refuted, "{name}, seed {seed}: {puzzle}");
                }
                refuted_count += usize::from(!expected_refuted.is_empty());
            }
        }
        assert!(refuted_count > 30, "{refuted_count}");
    }
}
