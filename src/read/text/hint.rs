//! Gives the user advice if no line of a text is a puzzle.

use crate::options::{INPUT_FORMAT, PUZZLE_COLUMN};
use crate::read::bytes::head::Head;
use crate::read::text::header::DELIMITERS;
use sudoku_core::sizes::is_grid_text;

/// The advice for the user, if no record of a text with a puzzle a line is a puzzle. It depends on whether the first line
/// looks like a record of a table.
pub(super) fn hint(head: &Head<'_>) -> String {
    missing_header(head).unwrap_or_else(|| {
        format!(
            "a table needs a header line that names its columns, one of them puzzle, or the option \
             {PUZZLE_COLUMN}; boards over several lines are read with {}",
            INPUT_FORMAT.set_to("blocks")
        )
    })
}

/// The advice to add a header line, if the first line looks like a record of a table; otherwise `None`.
fn missing_header(head: &Head<'_>) -> Option<String> {
    let line = head.records().next()?.text;
    DELIMITERS.into_iter().find_map(|delimiter| {
        let fields = line.split(|byte| *byte == delimiter);
        let is_puzzle: Vec<bool> = fields.map(|field| is_grid(field.trim_ascii())).collect();
        let puzzle = is_puzzle.iter().position(|is_puzzle| *is_puzzle)?;
        if is_puzzle.len() < 2 {
            return None;
        }
        let name = |at: usize| {
            if at == puzzle {
                "puzzle".to_owned()
            } else {
                format!("column{}", at + 1)
            }
        };
        let names: Vec<_> = (0..is_puzzle.len()).map(name).collect();
        let separator = match delimiter {
            b'\t' => "\\t".to_owned(),
            delimiter => char::from(delimiter).to_string(),
        };
        Some(format!(
            "it looks like a table without a header line: put one before it, such as {}",
            names.join(&separator)
        ))
    })
}

fn is_grid(field: &[u8]) -> bool {
    let field = match field {
        [b'"', inner @ .., b'"'] => inner,
        field => field,
    };
    field.len() >= 81 && is_grid_text(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_header_is_proposed() {
        let puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let advice = |line: &str| hint(&Head::new("in", line.as_bytes()));
        let proposal = "it looks like a table without a header line: put one before it, such as ";
        for (line, header) in [
            (format!("1,{puzzle},easy\n"), "column1,puzzle,column3"),
            (format!("a;\"{puzzle}\"\n"), "column1;puzzle"),
            (format!("# c\n7\t{puzzle}\n"), "column1\\tpuzzle"),
        ] {
            assert_eq!(advice(&line), format!("{proposal}{header}"));
        }
        assert!(advice("Dear reader, hello\n").contains("`puzzle_column`"));
    }
}
