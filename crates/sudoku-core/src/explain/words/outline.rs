//! Lists the parts that a step combines, or its cases with their deductions, line by line.

use super::refutation::{has_only_singles, single_text};
use super::{capitalised, reason_clause};
use crate::board::{Candidates, Digit};
use crate::grade::{Case, CaseEnding, Step};

/// A sentence that explains the notation for singles that follow from an assumption.
pub(in crate::explain) const NOTATION_SENTENCE: &str = "After an assumption, r2c3=5 (row 2) means that 5 has no other \
    place in row 2, and r2c3=5 alone that r2c3 has no other candidate.";

/// A part or a case of a step: one line of text, and numbered lines below it.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::explain) struct OutlineLine {
    pub(in crate::explain) text: String,
    /// The numbered lines below: the deductions of a case, in order.
    pub(in crate::explain) lines_below: Vec<String>,
    /// The last numbered line, which says how a case ends; `None` if it has none.
    pub(in crate::explain) last_line: Option<String>,
}

impl OutlineLine {
    fn from_text(text: String) -> OutlineLine {
        OutlineLine {
            text,
            lines_below: Vec::new(),
            last_line: None,
        }
    }
}

/// Whether the outline of a step has deductions to show.
pub(in crate::explain) fn has_trace(step: &Step) -> bool {
    let mut cases = step.pattern.cases.iter();
    cases.any(|case| !case.is_empty())
}

/// Lists the parts that a step combines, or its assumptions with their deductions. Empty if the reason for
/// the step already says everything.
pub(in crate::explain) fn outline_of_step(board: &Candidates, step: &Step) -> Vec<OutlineLine> {
    let part_lines = step.pattern.parts.iter().map(|part| {
        OutlineLine::from_text(format!("{}: {}.", part.effect, reason_clause(board, part)))
    });
    let cases = &step.pattern.cases;
    let is_explained = matches!(&cases[..], [case] if has_only_singles(case));
    let case_lines = cases.iter().filter(|_| !is_explained);
    let case_lines = case_lines.map(|case| case_outline(board, step, case));
    part_lines.chain(case_lines).collect()
}

fn case_outline(board: &Candidates, step: &Step, case: &Case) -> OutlineLine {
    let Case { digit, cell, .. } = case;
    let case_end = match case.ending {
        CaseEnding::NoCandidate(cell) => format!("{cell} has no candidate left: this case fails."),
        CaseEnding::NoPlace(digit, house) => {
            format!("{house} has no place left for {digit}: this case fails.")
        }
        CaseEnding::Removed if removal_count(step) > 2 => "All that is removed is gone.".to_owned(),
        CaseEnding::Removed => format!("{} follows.", step.effect),
    };
    let mut lines = deduction_lines(board, case);
    if lines.len() < 2 && has_only_singles(case) {
        let text = match lines.pop() {
            Some(singles) => format!("If {cell} is {digit}: {singles}. {case_end}"),
            None => format!("If {cell} is {digit}: {case_end}"),
        };
        return OutlineLine::from_text(capitalised(&text));
    }
    OutlineLine {
        text: format!("If {cell} is {digit}:"),
        lines_below: lines.iter().map(|line| capitalised(line) + ".").collect(),
        last_line: Some(capitalised(&case_end)),
    }
}

fn removal_count(step: &Step) -> usize {
    let digits = Digit::ALL.into_iter();
    digits.map(|digit| step.effect.removed(digit).len()).sum()
}

/// The deductions of a case as lines of text, each with its reason. Consecutive singles share a line.
fn deduction_lines(board: &Candidates, case: &Case) -> Vec<String> {
    let mut board = board.clone();
    board.place(case.cell, case.digit);
    let mut lines = Vec::new();
    let mut singles: Vec<String> = Vec::new();
    for deduction in &case.trace {
        let step = &deduction.step;
        if let Some(single) = single_text(deduction) {
            singles.push(single);
        } else {
            lines.extend((!singles.is_empty()).then(|| singles.join(", ")));
            singles.clear();
            lines.push(format!("{}: {}", step.effect, reason_clause(&board, step)));
        }
        step.effect.apply(&mut board);
    }
    lines.extend((!singles.is_empty()).then(|| singles.join(", ")));
    lines
}
