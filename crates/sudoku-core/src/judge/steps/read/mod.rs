//! Reads a sequence of moves in the forms in which people and programs write it.
//!
//! ```text
//! text ── JSON? ─→ lists of moves, steps, messages, boards, arrays
//!   └── else ────→ numbered steps, moves, boards in a text
//! ```

mod array;
mod boards;
mod json;
mod written;

use std::str::FromStr;

use super::{Move, MoveKind};
use crate::board::Grid;
use crate::judge::answer::named_cells;
use crate::text::notation::fold;
use json::Json;

/// A form in which a sequence of moves is written.
#[derive(Debug)]
pub struct StepForm {
    /// The name in tables.
    pub id: &'static str,
    /// A description, in the style of the documentation.
    pub what: &'static str,
    /// An example: moves from the puzzle in the tests, or from an empty grid.
    pub example: &'static str,
}

impl PartialEq for StepForm {
    fn eq(&self, other: &StepForm) -> bool {
        self.id == other.id
    }
}

impl Eq for StepForm {}

/// All forms.
pub static STEP_FORMS: [StepForm; 7] = [
    StepForm {
        id: "moves",
        what: "moves in a text, in their order: `r1c3=4`, `r1c3: 4`, `(1, 3) = 4` place a digit; `r1c3<>4`, `r1c3!=4`, \
               `r1c3≠4`, `r1c3-4` eliminate one, and `r1c3<>47` two. In a text without these, the cells that are named \
               one by one: `A3 = 4`, `row 1, column 3 is 4`, `place 4 at r1c3`",
        example: "r1c3=4, then r5c5 = 5 and r2c2<>3",
    },
    StepForm {
        id: "numbered_steps",
        what: "lines with a number, a name and moves, as `trace --format chat` and `{steps}` of its templates write them; \
               what follows the moves on their line is a reason and not read",
        example: "1. Full house: r1c3=4. r1c3 is the last empty cell of row 1.\n2. Naked pair: r5c5-1, r5c5-2. Both hold r2c2=3.",
    },
    StepForm {
        id: "messages",
        what: "a JSON list of messages with `role` and `content`, as `trace --format chat` writes it: the text of the \
               `assistant`",
        example: r#"[{"role": "user", "content": "Solve r9c9=1"}, {"role": "assistant", "content": "1. Full house: r1c3=4."}]"#,
    },
    StepForm {
        id: "step_table",
        what: "a list of steps with `placements` and `eliminations`, as the column `steps` of `trace`, or with a `move`, as \
               `judged_moves`",
        example: r#"[{"placements": ["r1c3=4"], "eliminations": []}, {"placements": [], "eliminations": ["r5c5-1"]}]"#,
    },
    StepForm {
        id: "list",
        what: "a list of texts with moves",
        example: r#"["r1c3=4", "r5c5<>1"]"#,
    },
    StepForm {
        id: "boards",
        what: "boards one after the other, in a list or in the forms of [answers](#answers-of-language-models): the cells \
               that differ from the board before, in row order, are placements",
        example: r#"["..4..............................................................................", "..45............................................................................."]"#,
    },
    StepForm {
        id: "array",
        what: "a list of 325 numbers, as `trace --format steps-npy` writes it: the placements after the clues",
        example: "[0, 0,2,4,3, 4,4,5,2, 0,0,0,0, 0,0,0,0, …]",
    },
];

/// A sequence of moves, and the form in which it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadSteps {
    /// The moves in their order.
    pub moves: Vec<Move>,
    /// The form.
    pub form: &'static StepForm,
}

fn form(id: &str) -> &'static StepForm {
    let mut forms = STEP_FORMS.iter();
    forms.find(|form| form.id == id).unwrap_or(&STEP_FORMS[0])
}

fn read_as(id: &str, moves: Vec<Move>) -> ReadSteps {
    ReadSteps {
        moves,
        form: form(id),
    }
}

/// Reads a sequence of moves that begins with the puzzle `clues`. A text without moves is an error; an empty list has none.
///
/// ```
/// use sudoku_core::Grid;
/// use sudoku_core::judge::read_steps;
///
/// let steps = read_steps("1. Naked pair: r2c1-3, r2c2-3. They hold 1 and 2.", &Grid::EMPTY)?;
/// let moves: Vec<String> = steps.moves.iter().map(ToString::to_string).collect();
/// assert_eq!(moves, ["r2c1<>3", "r2c2<>3"]);
/// assert_eq!(steps.form.id, "numbered_steps");
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// The reason why the text is no sequence of moves.
pub fn read_steps(text: &str, clues: &Grid) -> Result<ReadSteps, String> {
    let text = text.trim();
    let json = text.starts_with(['[', '{']).then(|| json::parse(text));
    match json.flatten() {
        Some(json) => read_json(&json, clues),
        None => read_text(text, clues),
    }
}

fn read_text(text: &str, clues: &Grid) -> Result<ReadSteps, String> {
    let folded = fold(text);
    if let Some(moves) = written::numbered_steps(&folded) {
        return Ok(read_as("numbered_steps", moves));
    }
    let moves = moves_in(&folded);
    if !moves.is_empty() {
        return Ok(read_as("moves", moves));
    }
    match boards::moves_between(&boards::boards_in(text, clues), clues) {
        Some(moves) => Ok(read_as("boards", moves)),
        None => Err("the text has neither moves such as r1c3=4 nor boards".to_owned()),
    }
}

/// The moves of a text; if there are none, the cells that it names one by one.
fn moves_in(text: &str) -> Vec<Move> {
    let moves = written::moves(text);
    if !moves.is_empty() {
        return moves;
    }
    let number = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    let cells = named_cells(text).into_iter();
    let placements = cells.map(|(row, column, digit)| Move {
        kind: MoveKind::Place,
        row: number(row),
        column: number(column),
        digit: number(digit),
    });
    placements.collect()
}

fn read_json(json: &Json, clues: &Grid) -> Result<ReadSteps, String> {
    let items = match json {
        Json::List(items) => items.as_slice(),
        Json::Object(fields) => {
            // An object with one list, such as {"steps": [...]}, or a single step or message.
            let of_steps = ["placements", "eliminations", "content"];
            let mut lists = fields.iter().filter(|(name, value)| {
                matches!(value, Json::List(_)) && !of_steps.contains(&name.as_str())
            });
            let is_step = fields
                .iter()
                .any(|(name, _)| of_steps.contains(&name.as_str()));
            match (lists.next(), lists.next()) {
                (Some((_, list)), None) if !is_step => return read_json(list, clues),
                _ => std::slice::from_ref(json),
            }
        }
        _ => std::slice::from_ref(json),
    };
    if let Some(numbers) = array::numbers(items) {
        return array::moves(&numbers).map(|moves| read_as("array", moves));
    }
    if items.iter().any(|item| item.field("content").is_some()) {
        let is_answer = |item: &&Json| item.field("role").and_then(Json::text) == Some("assistant");
        let texts = items.iter().filter(is_answer);
        let texts: Vec<&str> = texts
            .filter_map(|item| item.field("content"))
            .flat_map(|content| match content {
                // Parts, such as {"type": "text", "text": "r1c3=4"}.
                Json::List(parts) => parts.iter().filter_map(|part| part.field("text")).collect(),
                content => vec![content],
            })
            .filter_map(Json::text)
            .collect();
        let steps = read_text(&texts.join("\n"), clues)?;
        return Ok(read_as("messages", steps.moves));
    }
    let is_step =
        |item: &Json| item.field("placements").is_some() || item.field("eliminations").is_some();
    if !items.is_empty() && items.iter().all(is_step) {
        let changes = ["placements", "eliminations"];
        let mut moves = Vec::new();
        for item in items {
            for texts in changes.iter().filter_map(|name| item.field(name)) {
                moves.extend(listed_moves(texts)?);
            }
        }
        return Ok(read_as("step_table", moves));
    }
    let moves: Option<Vec<Json>> = items
        .iter()
        .map(|item| item.field("move").cloned())
        .collect();
    if let Some(moves) = moves.filter(|moves| !moves.is_empty()) {
        return Ok(read_as("step_table", listed_moves(&Json::List(moves))?));
    }
    if let Some(boards) = boards::listed(items) {
        let moves = boards::moves_between(&boards, clues);
        return Ok(read_as("boards", moves.unwrap_or_default()));
    }
    Ok(read_as("list", listed_moves(json)?))
}

/// The moves in a list of texts.
fn listed_moves(list: &Json) -> Result<Vec<Move>, String> {
    let items = match list {
        Json::List(items) => items.as_slice(),
        Json::Other => &[],
        one => std::slice::from_ref(one),
    };
    let mut moves = Vec::new();
    for item in items {
        let own = item.text().map(|text| moves_in(&fold(text)));
        let own = own.unwrap_or_default();
        if own.is_empty() {
            return Err(format!("{} of the list is no move", item.excerpt()));
        }
        moves.extend(own);
    }
    Ok(moves)
}

/// Reads one move, such as `r1c3=4` or `r1c3<>4`.
impl FromStr for Move {
    type Err = String;

    fn from_str(text: &str) -> Result<Move, String> {
        match written::moves(&fold(text)).as_slice() {
            [one] => Ok(*one),
            _ => Err(format!("{text:?} is no move such as r1c3=4 or r1c3<>4")),
        }
    }
}
