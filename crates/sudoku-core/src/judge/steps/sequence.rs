//! A judged sequence of moves.

use crate::board::Grid;

use super::{JudgedMove, MoveVerdict, StepJudge};

/// A judged sequence of moves, and the board after the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedSteps {
    /// The moves in their order.
    pub moves: Vec<JudgedMove>,
    /// The written board after the last move; see [`StepJudge::written`].
    pub written: Grid,
    /// Whether the written board still has a solution; see [`StepJudge::is_solvable`].
    pub is_solvable: bool,
    /// The number of empty cells of the puzzle.
    pub blanks: u32,
}

impl JudgedSteps {
    pub(super) fn new(moves: Vec<JudgedMove>, judge: &StepJudge<'_>) -> JudgedSteps {
        JudgedSteps {
            moves,
            written: judge.written(),
            is_solvable: judge.is_solvable(),
            blanks: judge.blanks(),
        }
    }

    /// The number of moves with this verdict.
    pub fn count(&self, verdict: MoveVerdict) -> usize {
        let moves = self.moves.iter();
        moves.filter(|judged| judged.verdict == verdict).count()
    }

    /// The index of the first false or illegal move; `None` if there is none.
    pub fn first_wrong(&self) -> Option<usize> {
        let mut moves = self.moves.iter();
        moves.position(|judged| judged.verdict.is_wrong())
    }

    /// Whether the moves solve the puzzle: the written board is full, and no false move stands.
    pub fn is_solved(&self) -> bool {
        self.is_solvable && self.written.is_full()
    }

    /// What a move adds to the reward, whatever moves follow.
    ///
    /// | verdict | placement | elimination |
    /// |---|---|---|
    /// | `implied` | +1 | 0 |
    /// | `true`, `possible` | +½ | 0 |
    /// | `repeated` | 0 | 0 |
    /// | `false`, `illegal` | −1 | −1 |
    ///
    /// divided by the number of empty cells of the puzzle.
    pub fn move_reward(&self, judged: &JudgedMove) -> f64 {
        judged.verdict.value(judged.made.kind) / f64::from(self.blanks.max(1))
    }

    /// The sum of the rewards of the moves: 1 if all empty cells are filled by implied placements without a wrong move.
    ///
    /// The reward is dense: each right placement raises it as soon as it is written, so that two wrong solutions differ by how
    /// far they come. It cannot be collected without progress: a cell pays once, and neither repetitions nor eliminations
    /// pay. A guess that happens to be right pays half, so that a reason is worth more than luck. A wrong move costs as much
    /// as a reasoned placement earns, so that guessing among two digits does not pay.
    pub fn reward(&self) -> f64 {
        let values = self.moves.iter();
        let values = values.map(|judged| judged.verdict.value(judged.made.kind));
        values.fold(0.0, |sum, value| sum + value) / f64::from(self.blanks.max(1))
    }
}
