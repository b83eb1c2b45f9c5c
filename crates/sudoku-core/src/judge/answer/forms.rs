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

/// The name of the form of cells that are named one by one.
pub(super) const ASSIGNMENTS: &str = "assignments";

/// The name of the form of texts that are a grid in a notation.
pub(super) const NOTATION: &str = "notation";

/// All forms.
pub static FORMS: [Form; 12] = [
    Form {
        id: "characters",
        what: "a character for each cell, without spaces",
        example: "1234341221434321",
    },
    Form {
        id: "rows",
        what: "the rows on one line, with a separator or an escaped line end between them",
        example: "1234/3412/2143/4321",
    },
    Form {
        id: "fields",
        what: "the cells on one line, with separators between them",
        example: "1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1",
    },
    Form {
        id: "list",
        what: "a list of JSON or of a programming language, flat or with rows, on one line or several",
        example: "[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]",
    },
    Form {
        id: "board",
        what: "a line for each row, with or without bullets, quotes, emphasis and rules",
        example: "1 2 | 3 4\n3 4 | 1 2\n----+----\n2 1 | 4 3\n4 3 | 2 1",
    },
    Form {
        id: "row_names",
        what: "rows behind their names or numbers, on lines of their own or in a JSON object",
        example: "Row 1: 1 2 3 4\nRow 2: 3 4 1 2\nRow 3: 2 1 4 3\nRow 4: 4 3 2 1",
    },
    Form {
        id: "table",
        what: "a table of Markdown, with or without heads",
        example: "| | C1 | C2 | C3 | C4 |\n|---|---|---|---|---|\n| R1 | 1 | 2 | 3 | 4 |\n| R2 | 3 | 4 | 1 | 2 |\n\
                  | R3 | 2 | 1 | 4 | 3 |\n| R4 | 4 | 3 | 2 | 1 |",
    },
    Form {
        id: "html_table",
        what: "a table of HTML",
        example: "<table><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr><tr><td>3</td><td>4</td><td>1</td><td>2</td></tr>\
                  <tr><td>2</td><td>1</td><td>4</td><td>3</td></tr><tr><td>4</td><td>3</td><td>2</td><td>1</td></tr></table>",
    },
    Form {
        id: "latex",
        what: "an array or a matrix of LaTeX",
        example: "\\begin{array}{cc|cc}1&2&3&4\\\\3&4&1&2\\\\\\hline 2&1&4&3\\\\4&3&2&1\\end{array}",
    },
    Form {
        id: "box_drawing",
        what: "rows in a frame of box-drawing characters",
        example: "║ 1 2 │ 3 4 ║\n║ 3 4 │ 1 2 ║\n╟─────┼─────╢\n║ 2 1 │ 4 3 ║\n║ 4 3 │ 2 1 ║",
    },
    Form {
        id: ASSIGNMENTS,
        what: "the cells one by one, if they fill all empty cells of the puzzle",
        example: "r1c2 = 2, (1, 3): 3, row 1, column 4 is 4",
    },
    Form {
        id: NOTATION,
        what: "the whole text is a grid in another notation that is read as a prediction without other words",
        example: "2x2:1_2_3_4_3_4_1_2_2_1_4_3_4_3_2_1",
    },
];

pub(super) fn form(id: &str) -> &'static Form {
    FORMS.iter().find(|form| form.id == id).unwrap_or(&FORMS[0])
}

/// The form of a grid. `text` is what the answer has in its place.
pub(super) fn form_of(found: &Found, text: &str) -> &'static Form {
    let is_list = || text.contains(['[', '(']);
    let is_drawn = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    let rows = || text.matches('\n').count().max(1);
    form(if text.contains("<t") || text.contains("<T") {
        "html_table"
    } else if text.contains('&') && text.contains("\\\\") {
        "latex"
    } else if text.contains(is_drawn) {
        "box_drawing"
    } else if found.has_lines {
        match found.names {
            _ if text.matches('|').count() >= 3 * rows() && text.contains("|\n") => "table",
            Some(NameKind::Word | NameKind::Letter | NameKind::Number) => "row_names",
            None if is_list() => "list",
            None => "board",
        }
    } else if is_list() || text.contains("\", \"") {
        "list"
    } else if text
        .trim_matches(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '.')
        .trim_end_matches(['.', '}', '`', '"', '*'])
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
    {
        "characters"
    } else if is_of_rows(text) {
        "rows"
    } else {
        "fields"
    })
}

/// Whether a text on one line has parts of several characters.
fn is_of_rows(text: &str) -> bool {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let lengths: Vec<usize> = parts.map(|part| part.chars().count()).collect();
    lengths.iter().any(|length| *length > 3)
}
