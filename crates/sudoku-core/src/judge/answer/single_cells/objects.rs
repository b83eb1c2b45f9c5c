//! Reads cells that are objects: `{"row": 1, "col": 3, "value": 4}`, `{"cell": "r1c3", "digit": 4}`.

use super::named_cells::{Assignment, Value, cell_of_field};
use crate::judge::answer::tokens::CellSyntax;

const ROW_KEYS: [&str; 4] = ["row", "r", "i", "y"];
const COLUMN_KEYS: [&str; 5] = ["column", "col", "c", "j", "x"];
const VALUE_KEYS: [&str; 8] = ["value", "digit", "number", "val", "num", "v", "d", "n"];
const CELL_KEYS: [&str; 3] = ["cell", "position", "square"];

/// The longest object of a cell, in bytes.
const LONGEST_OBJECT: usize = 160;

/// The cell that the object is whose bracket stands at `start`.
pub(super) fn cell_object(text: &[u8], start: usize, syntax: CellSyntax) -> Option<Assignment> {
    let window = &text[start + 1..text.len().min(start + LONGEST_OBJECT)];
    let length = window.iter().position(|byte| matches!(byte, b'{' | b'}'))?;
    if window[length] != b'}' {
        return None;
    }
    let inside = std::str::from_utf8(&window[..length]).ok()?;
    let (mut row, mut column, mut value) = (None, None, None);
    let mut rest = inside.trim();
    while !rest.is_empty() {
        let (key, own) = rest.split_once(':')?;
        let key = bare(key).to_ascii_lowercase();
        let own = own.trim_start();
        // The comma in `[1, 3]` does not end the field.
        let in_brackets = own.find(']').filter(|_| own.starts_with('['));
        let end = in_brackets.unwrap_or(0);
        let end = own[end..].find(',').map_or(own.len(), |comma| end + comma);
        let field = own[..end].trim();
        rest = own[end..].trim_start_matches([',', ' ', '\n']);
        let is = |keys: &[&str]| keys.contains(&key.as_str());
        let twice = if is(&ROW_KEYS) {
            row.replace(bare(field).parse().ok()?).is_some()
        } else if is(&COLUMN_KEYS) {
            column.replace(bare(field).parse().ok()?).is_some()
        } else if is(&VALUE_KEYS) {
            value.replace(value_of(bare(field), syntax)?).is_some()
        } else if is(&CELL_KEYS) {
            let (own_row, own_column) = cell_of_field(bare(field), syntax)?;
            row.replace(own_row).is_some() || column.replace(own_column).is_some()
        } else {
            return None;
        };
        if twice {
            return None;
        }
    }
    Some(Assignment {
        row: row?,
        column: column?,
        value: value?,
        start,
        end: start + 1 + length + 1,
    })
}

/// A field without its quotes.
fn bare(field: &str) -> &str {
    field.trim().trim_matches(['"', '\''])
}

fn value_of(field: &str, syntax: CellSyntax) -> Option<Value> {
    match field.as_bytes() {
        [letter] if syntax.has_letters && letter.is_ascii_alphabetic() => {
            Some(Value::Letter(*letter))
        }
        _ => Some(Value::Number(field.parse().ok()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::answer::tokens::cell_syntax;

    #[test]
    fn objects_of_a_cell_are_read() {
        let read = |text: &str| {
            let cell = cell_object(text.as_bytes(), 0, cell_syntax(9, false))?;
            assert_eq!(cell.end, text.len());
            Some((cell.row, cell.column, cell.value))
        };
        let four = Some((1, 3, Value::Number(4)));
        assert_eq!(read("{\"row\": 1, \"col\": 3, \"value\": 4}"), four);
        assert_eq!(read("{'r':1,'c':3,'v':'4'}"), four);
        assert_eq!(read("{\"digit\": 4, \"cell\": \"r1c3\"}"), four);
        assert_eq!(read("{\"position\": [1, 3], \"value\": 4}"), four);
        for other in [
            "{\"row\": 1, \"col\": 3}",
            "{\"row\": 1, \"col\": 3, \"value\": 4, \"candidates\": 5}",
            "{\"row\": 1, \"row\": 1, \"col\": 3, \"value\": 4}",
            "{\"row\": 1, \"cells\": [5, 3, 4]}",
            "{}",
            "{",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
