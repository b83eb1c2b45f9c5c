//! The forms in which answers write grids.

use super::grids::Found;
use super::row_names::NameKind;

/// A form in which an answer writes a grid.
#[derive(Debug)]
pub struct Form {
    /// The name in tables and reports.
    pub id: &'static str,
    /// A sentence that describes the form.
    pub what: &'static str,
    /// A 4 × 4 grid in this form.
    pub example: &'static str,
}

impl PartialEq for Form {
    fn eq(&self, other: &Form) -> bool {
        self.id == other.id
    }
}

impl Eq for Form {}

pub(super) static CHARACTERS: Form = Form {
    id: "characters",
    what: "a character for each cell, without spaces",
    example: "1234341221434321",
};
pub(super) static ROWS: Form = Form {
    id: "rows",
    what: "the rows on one line, with a separator or an escaped line end between them",
    example: "1234/3412/2143/4321",
};
pub(super) static FIELDS: Form = Form {
    id: "fields",
    what: "the cells on one line, with separators between them",
    example: "1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1",
};
pub(super) static LIST: Form = Form {
    id: "list",
    what: "a list of JSON or of a programming language, flat or with rows, on one line or several",
    example: "[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]",
};
pub(super) static BOARD: Form = Form {
    id: "board",
    what: "a line for each row, with or without bullets, quotes, emphasis and rules",
    example: "1 2 | 3 4\n3 4 | 1 2\n----+----\n2 1 | 4 3\n4 3 | 2 1",
};
pub(super) static ROW_NAMES: Form = Form {
    id: "row_names",
    what: "rows behind their names or numbers, on lines of their own or in a JSON object",
    example: "Row 1: 1 2 3 4\nRow 2: 3 4 1 2\nRow 3: 2 1 4 3\nRow 4: 4 3 2 1",
};
pub(super) static TABLE: Form = Form {
    id: "table",
    what: "a table of Markdown, with or without heads",
    example: "| | C1 | C2 | C3 | C4 |\n|---|---|---|---|---|\n| R1 | 1 | 2 | 3 | 4 |\n| R2 | 3 | 4 | 1 | 2 |\n\
              | R3 | 2 | 1 | 4 | 3 |\n| R4 | 4 | 3 | 2 | 1 |",
};
pub(super) static HTML_TABLE: Form = Form {
    id: "html_table",
    what: "a table of HTML",
    example: "<table><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr><tr><td>3</td><td>4</td><td>1</td><td>2</td></tr>\
              <tr><td>2</td><td>1</td><td>4</td><td>3</td></tr><tr><td>4</td><td>3</td><td>2</td><td>1</td></tr></table>",
};
pub(super) static LATEX: Form = Form {
    id: "latex",
    what: "an array or a matrix of LaTeX",
    example: "\\begin{array}{cc|cc}1&2&3&4\\\\3&4&1&2\\\\\\hline 2&1&4&3\\\\4&3&2&1\\end{array}",
};
pub(super) static BOX_DRAWING: Form = Form {
    id: "box_drawing",
    what: "rows in a frame of box-drawing characters",
    example: "║ 1 2 │ 3 4 ║\n║ 3 4 │ 1 2 ║\n╟─────┼─────╢\n║ 2 1 │ 4 3 ║\n║ 4 3 │ 2 1 ║",
};
pub(super) static ASSIGNMENTS: Form = Form {
    id: "assignments",
    what: "the cells one by one, if they fill all empty cells of the puzzle",
    example: "r1c2 = 2, (1, 3): 3, row 1, column 4 is 4",
};
pub(super) static NOTATION: Form = Form {
    id: "notation",
    what: "the whole text is a grid in another notation that is read as a prediction without other words",
    example: "2x2:1_2_3_4_3_4_1_2_2_1_4_3_4_3_2_1",
};

/// All forms.
pub static FORMS: [&Form; 12] = [
    &CHARACTERS,
    &ROWS,
    &FIELDS,
    &LIST,
    &BOARD,
    &ROW_NAMES,
    &TABLE,
    &HTML_TABLE,
    &LATEX,
    &BOX_DRAWING,
    &ASSIGNMENTS,
    &NOTATION,
];

/// The form of a grid. `text` is what the answer has in its place.
pub(super) fn form_of(found: &Found, text: &str) -> &'static Form {
    let is_list = || text.contains(['[', '(']);
    let is_drawn = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    let rows = || text.matches('\n').count().max(1);
    if text.contains("<t") || text.contains("<T") {
        &HTML_TABLE
    } else if text.contains('&') && text.contains("\\\\") {
        &LATEX
    } else if text.contains(is_drawn) {
        &BOX_DRAWING
    } else if found.has_lines {
        match found.names {
            _ if text.matches('|').count() >= 3 * rows() && text.contains("|\n") => &TABLE,
            Some(NameKind::Word | NameKind::Letter | NameKind::Number) => &ROW_NAMES,
            None if is_list() => &LIST,
            None => &BOARD,
        }
    } else if is_list() || text.contains("\", \"") {
        &LIST
    } else if text
        .trim_matches(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '.')
        .trim_end_matches(['.', '}', '`', '"', '*'])
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
    {
        &CHARACTERS
    } else if is_of_rows(text) {
        &ROWS
    } else {
        &FIELDS
    }
}

/// Whether a text on one line has parts of several characters.
fn is_of_rows(text: &str) -> bool {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let lengths: Vec<usize> = parts.map(|part| part.chars().count()).collect();
    lengths.iter().any(|length| *length > 3)
}
