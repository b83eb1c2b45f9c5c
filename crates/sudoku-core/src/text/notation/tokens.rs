//! The cells of a grid as they are written, before their symbols are known.

use super::token_value::TokenValue;
use crate::board::Size;
use crate::text::{ParseError, ParseErrorKind};

/// The cells of a grid in row order, each as it is written: `5`, `5.0`, `-1`, `None`, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tokens<'a> {
    /// The number of cells in a row.
    pub(crate) order: usize,
    pub(crate) cells: Vec<&'a str>,
}

/// The cells of a grid as a notation writes them.
pub(crate) enum Written<'a> {
    /// Each cell is a token.
    Tokens(Tokens<'a>),
    /// Each cell is a character, or has the nine characters of its pencil marks.
    Characters(String),
}

/// What a notation makes of a text: `None` if the text is not in this notation; an error if it is, but is not a grid.
pub(crate) type Split<'a> = Option<Result<Written<'a>, ParseError>>;

impl<'a> Tokens<'a> {
    pub(super) fn new(order: usize, cells: Vec<&'a str>) -> Tokens<'a> {
        Tokens { order, cells }
    }

    /// The error for the first token that cannot be a cell; `None` if all can.
    pub(super) fn error(&self) -> Option<ParseError> {
        let mut tokens = self.cells.iter().zip(1..);
        let (token, position) =
            tokens.find(|(token, _)| TokenValue::from_token(token).is_none())?;
        let message = format!("{token:?} at position {position} is not a cell");
        Some(ParseError::new(ParseErrorKind::BadCharacter, message))
    }

    /// Whether at least three quarters of the tokens can be cells.
    pub(super) fn are_mostly_cells(&self) -> bool {
        let cells = self.cells.iter();
        let count = cells
            .filter(|cell| TokenValue::from_token(cell).is_some())
            .count();
        4 * count >= 3 * self.cells.len()
    }

    /// Whether every token can be a cell.
    pub(super) fn are_cells(&self) -> bool {
        self.error().is_none()
    }
}

/// The error for a text that has a wrong number of cells. `what` names its notation.
pub(super) fn wrong_count(what: &str, count: usize) -> ParseError {
    let message = format!("{what} of {count} cells; a puzzle has 81");
    ParseError::new(ParseErrorKind::WrongLength, message)
}

/// The error for a row that has a wrong number of cells.
pub(super) fn wrong_row(row: usize, cells: usize, order: usize) -> ParseError {
    let message = format!(
        "row {row} of the grid has {cells} cells; each of its {order} rows must have as many"
    );
    ParseError::new(ParseErrorKind::WrongLength, message)
}

/// The error for a list whose middle was left out by the program that wrote it.
pub(super) fn elided() -> ParseError {
    let message = "the list was cut when it was written: \"...\" stands for cells that are lost; write it whole \
                   (numpy.set_printoptions(threshold=sys.maxsize), or tolist())";
    ParseError::new(ParseErrorKind::WrongLength, message)
}

/// The order of the grid that has so many cells; `None` if there is none.
pub(super) fn order_of(cells: usize) -> Option<usize> {
    Size::is_cell_count(cells).then(|| cells.isqrt())
}
