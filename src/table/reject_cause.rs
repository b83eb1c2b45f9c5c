//! Probable causes of rejects: changes that other programs made to a dataset.

use sudoku_core::board::Grid;
use sudoku_core::text::{Normalised, normalise};

sudoku_core::enum_with_ids! {
    /// The probable cause of a reject.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum RejectCause {
        /// Another program converted the digits to a number, which lost its leading zeros.
        LeadingZeros = "leading_zeros_lost",
        /// The text ends a cell early: with one more cell, it fits the given solution.
        LastCell = "last_cell_missing",
        /// Another program converted the digits to a number, and wrote it in scientific notation.
        ScientificNotation = "scientific_notation",
    }
}

/// The minimum number of digits of a puzzle that has lost its leading zeros. Puzzles rarely start with more than
/// twenty empty cells.
const FEWEST_DIGITS: usize = 60;

impl RejectCause {
    /// A phrase that describes the cause, for a message about one record.
    pub const fn what(self) -> &'static str {
        match self {
            RejectCause::LeadingZeros => "its leading zeros were lost",
            RejectCause::LastCell => "its last cell is missing, as its solution shows",
            RejectCause::ScientificNotation => "its digits were written as a number",
        }
    }

    /// A phrase that describes the cause, for a message about several records. Advice follows.
    pub const fn advice(self) -> &'static str {
        match self {
            RejectCause::LeadingZeros => {
                "they are 60 to 80 digits: their leading zeros were lost when a program read them as numbers; \
                 write the column as text (zeros can be put back: text.rjust(81, \"0\") in Python)"
            }
            RejectCause::LastCell => {
                "their last cell is missing, as their solutions show: a program cut the texts; \
                 write the column again, from the source"
            }
            RejectCause::ScientificNotation => {
                "they are numbers like 4.0003E+80: a program read the digits as numbers, and most digits are \
                 lost; write the column as text, from the source"
            }
        }
    }

    /// The cause that the text of a puzzle with a wrong length suggests, with the solution that came with it;
    /// `None` if they suggest no cause.
    pub(crate) fn from_text(text: &[u8], given_solution: Option<&[u8]>) -> Option<RejectCause> {
        let text = text.trim_ascii();
        let solution = given_solution.and_then(full_grid);
        let is_number = text.iter().all(u8::is_ascii_digit) && !text.starts_with(b"0");
        if is_number && (FEWEST_DIGITS..81).contains(&text.len()) && text.contains(&b'0') {
            let padded = [&[b'0'; 81][text.len()..], text].concat();
            if may_be_puzzle(&padded, solution.as_ref()) {
                return Some(RejectCause::LeadingZeros);
            }
        }
        // Only the solution says on which side a cell is missing.
        let blank = text.iter().find(|byte| !byte.is_ascii_digit());
        let blank = blank.copied().unwrap_or(b'0');
        if text.len() == 80
            && solution.is_some()
            && may_be_puzzle(&[text, &[blank]].concat(), solution.as_ref())
        {
            return Some(RejectCause::LastCell);
        }
        is_scientific(text).then_some(RejectCause::ScientificNotation)
    }
}

/// The grid of a text that is a full grid without pencil marks.
fn full_grid(text: &[u8]) -> Option<Grid> {
    match normalise(text) {
        Ok(Normalised::Clues(grid)) if grid.is_full() => Some(grid),
        _ => None,
    }
}

/// Whether a text of 81 cells has no conflict, and does not contradict the solution, if there is one.
fn may_be_puzzle(text: &[u8], solution: Option<&Grid>) -> bool {
    let Ok(Normalised::Clues(puzzle)) = normalise(text) else {
        return false;
    };
    let fits = |solution: &Grid| {
        let mut cells = puzzle.as_str().bytes().zip(solution.as_str().bytes());
        cells.all(|(clue, digit)| clue == b'.' || clue == digit)
    };
    puzzle.conflict().is_none() && solution.is_none_or(fits)
}

/// Whether a text is a number in scientific notation, such as `4.0003E+80`.
fn is_scientific(text: &[u8]) -> bool {
    let Some(at) = text
        .iter()
        .position(|byte| byte.eq_ignore_ascii_case(&b'e'))
    else {
        return false;
    };
    let (mantissa, exponent) = (&text[..at], &text[at + 1..]);
    let exponent = exponent.strip_prefix(b"+").unwrap_or(exponent);
    let exponent = std::str::from_utf8(exponent).ok();
    let is_digits = |digits: &[u8]| digits.iter().all(u8::is_ascii_digit);
    let is_mantissa = match mantissa {
        [first, b'.' | b',', rest @ ..] => first.is_ascii_digit() && is_digits(rest),
        [first] => first.is_ascii_digit(),
        _ => false,
    };
    let exponent = exponent.and_then(|text| text.parse::<u8>().ok());
    is_mantissa && exponent.is_some_and(|exponent| (59..=80).contains(&exponent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::reject::{RejectKind, RejectReason};

    const PUZZLE: &str =
        "003020600900305001001806400008102900700000008006708200002609500800203009005010300";
    const SOLUTION: &str =
        "483921657967345821251876493548132976729564138136798245372689514814253769695417382";

    #[test]
    fn a_solution_says_on_which_side_cells_are_missing() {
        let cause = |text: &str, solution: &str| {
            RejectCause::from_text(text.as_bytes(), Some(solution.as_bytes()))
        };
        let zeros = Some(RejectCause::LeadingZeros);
        assert_eq!(cause(&PUZZLE[2..], SOLUTION), zeros);
        assert_eq!(cause(&PUZZLE[2..], "?"), zeros);
        for blank in ["0", ".", "x"] {
            let text = PUZZLE.replace('0', blank);
            let last = Some(RejectCause::LastCell);
            assert_eq!(cause(&text[..80], SOLUTION), last, "{text}");
            assert_eq!(cause(&text[..79], SOLUTION), None);
            assert_eq!(cause(&text[..80], "?"), None);
        }
        let other_solution: String = SOLUTION.chars().rev().collect();
        assert_eq!(cause(&PUZZLE[2..], &other_solution), None);
        assert_eq!(cause(&PUZZLE[..80], &other_solution), None);
    }

    #[test]
    fn texts_that_were_numbers_are_recognised() {
        let cause = |text: &str| RejectCause::from_text(text.as_bytes(), None);
        let zeros = Some(RejectCause::LeadingZeros);
        assert_eq!(cause(PUZZLE), None);
        assert_eq!(cause(&PUZZLE[2..]), zeros);
        assert_eq!(cause(&format!(" 4{} ", "0".repeat(79))), zeros);
        for text in ["4.0003E+80", "4e80", "1.2e+79", "4,03E+75"] {
            assert_eq!(cause(text), Some(RejectCause::ScientificNotation), "{text}");
        }
        // These texts are too short, have no zero, have another character for empty cells, or are not numbers.
        let dots = format!("4{}", ".".repeat(78));
        let (short, full) = ("40".repeat(29), "12".repeat(35));
        for text in [
            short.as_str(),
            &full,
            &dots,
            "4e8",
            "e80",
            "4.x3e80",
            "-1e80",
            "",
        ] {
            assert_eq!(cause(text), None, "{text}");
        }
        // With zeros in front, it would have a conflict; and a number does not begin with a zero.
        assert_eq!(cause(&format!("4{}", "01".repeat(39))), None);
        assert_eq!(cause(&PUZZLE[..80]), None);
        let text = &PUZZLE.as_bytes()[2..];
        let reason = |kind| RejectReason::new(kind, "").with_cause(text, None);
        assert!(reason(RejectKind::WrongLength).cause.is_some());
        assert_eq!(reason(RejectKind::Conflict).cause, None);
    }
}
