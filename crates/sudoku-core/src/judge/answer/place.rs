//! Places of cells in the simple text.

use std::ops::Range;

use super::tokens::{Kind, Token};

/// Where cells are in the simple text.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) cells: Range<usize>,
    /// The place with the separators around the cells.
    pub(super) around: Range<usize>,
}

impl Place {
    /// The place of the tokens of a stretch. A full stop behind it does not belong to the cells.
    pub(super) fn from_tokens(tokens: &[Token], text: &[u8]) -> Place {
        let span = |tokens: &mut dyn Iterator<Item = &Token>| {
            let mut span: Option<Range<usize>> = None;
            for token in tokens {
                span = Some(span.map_or(token.start, |span| span.start)..token.end);
            }
            span.unwrap_or_default()
        };
        let has_cells =
            |token: &&Token| matches!(token.kind, Kind::Cells | Kind::Number(_) | Kind::Empty);
        // A full stop behind a bracket or a quote.
        let inner = match tokens {
            [inner @ .., mark, stop]
                if matches!(mark.kind, Kind::Separator(_))
                    && &text[stop.start..stop.end] == b"." =>
            {
                inner
            }
            _ => tokens,
        };
        let cells = span(&mut inner.iter().filter(has_cells));
        Place {
            // A row can have nothing but marks, which are its empty cells.
            cells: if cells.is_empty() {
                span(&mut inner.iter())
            } else {
                cells
            },
            around: span(&mut tokens.iter()),
        }
    }

    /// From the start of one place to the end of another.
    pub(super) fn to(&self, last: &Place) -> Place {
        Place {
            cells: self.cells.start..last.cells.end,
            around: self.around.start..last.around.end,
        }
    }
}
