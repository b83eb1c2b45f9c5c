use super::has_solution;
use crate::board::{CandidateSet, Candidates, CellSet, Digit, Grid, Marks};

/// The clues of a puzzle with exactly one solution that can each be removed alone without a second
/// solution appearing. Pencil marks stay as they are, but for those of the clue's cell: without it,
/// any digit may stand there.
pub fn redundant_clues(clues: &Grid, marks: Option<&Marks>) -> CellSet {
    let marks = marks.map(Marks::set);
    let redundant = clues.clues().filter(|&(cell, digit)| {
        let mut fewer = *clues;
        fewer.set(cell, None);
        let mut board = Candidates::new(&fewer);
        if let Some(marks) = &marks {
            board.keep_only(&with_any_digit(*marks, CellSet::of(cell)));
        }
        board.eliminate(digit, CellSet::of(cell));
        !has_solution(board)
    });
    redundant.map(|(cell, _)| cell).collect()
}

/// Whether a puzzle with exactly one solution has none without any one of its clues or, where it has
/// pencil marks, with any one digit more that its clues would leave.
pub fn is_minimal(clues: &Grid, marks: Option<&Marks>) -> bool {
    redundant_clues(clues, marks).is_empty() && marks.is_none_or(|marks| needs_all(clues, marks))
}

/// Whether putting any missing mark back gives a second solution: one with the digit there.
fn needs_all(clues: &Grid, marks: &Marks) -> bool {
    let all = Candidates::new(clues);
    let board = marks.board(clues);
    Digit::ALL.into_iter().all(|digit| {
        let missing = all.places(digit).without(board.places(digit));
        missing.into_iter().all(|cell| {
            let mut with = board.clone();
            with.place(cell, digit);
            has_solution(with)
        })
    })
}

fn with_any_digit(mut marks: CandidateSet, cell: CellSet) -> CandidateSet {
    for digit in Digit::ALL {
        marks.insert(digit, cell);
    }
    marks
}
