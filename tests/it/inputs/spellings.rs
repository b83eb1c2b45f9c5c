//! Writes puzzles in the notations that text datasets use, for other tests.

use std::fmt::Write;

use crate::util::{TestDir, generated};

/// Generated puzzles, with dots for empty cells.
pub(crate) fn puzzles(dir: &TestDir, count: &str) -> Vec<String> {
    let rows = generated(dir, count).into_iter();
    rows.map(|(puzzle, _)| puzzle).collect()
}

pub(crate) fn rows(puzzle: &str) -> Vec<&str> {
    (0..9).map(|row| &puzzle[row * 9..row * 9 + 9]).collect()
}

/// The puzzle as a board whose boxes are separated by lines. The last four arguments are the texts of the
/// lines.
pub(crate) fn boxed_board(puzzle: &str, top: &str, middle: &str, bar: &str, space: &str) -> String {
    let mut text = format!("{top}\n");
    for (at, row) in rows(puzzle).iter().enumerate() {
        if at == 3 || at == 6 {
            let _ = writeln!(text, "{middle}");
        }
        let boxes = [&row[..3], &row[3..6], &row[6..]].map(|cells| {
            let cells: Vec<String> = cells.chars().map(String::from).collect();
            cells.join(space)
        });
        let _ = writeln!(text, "{bar}{}{bar}", boxes.join(bar));
    }
    text + top + "\n"
}

/// The puzzle with nine characters per cell: for a clue its digit and blanks, and for an empty cell all nine
/// digits.
pub(crate) fn any_digit(puzzle: &str, blank: char) -> String {
    let cell_text = |cell: char| match cell {
        '.' => "123456789".to_owned(),
        clue => ('1'..='9')
            .map(|digit| if digit == clue { digit } else { blank })
            .collect(),
    };
    puzzle.chars().map(cell_text).collect()
}

/// The pencil marks as 81 groups of digits.
pub(crate) fn groups(marks: &str) -> String {
    let cells = marks.as_bytes().chunks(9);
    let groups = cells.map(|cell| String::from_utf8_lossy(cell).replace('.', ""));
    groups.collect::<Vec<_>>().join(" ")
}

/// A text: its name, its format as a value of `--input-format`, and its content.
pub(crate) type NamedText = (&'static str, &'static str, String);

/// The puzzles in every text format, once for each notation.
pub(crate) fn texts(puzzles: &[String]) -> Vec<NamedText> {
    let spell_each = |one: &dyn Fn(usize, &str) -> String| -> String {
        puzzles
            .iter()
            .enumerate()
            .map(|(at, puzzle)| one(at, puzzle))
            .collect()
    };
    let with_zeros = |puzzle: &str| puzzle.replace('.', "0");
    let json_array = |puzzle: &str, cells: &dyn Fn(&str) -> String| {
        let rows: Vec<String> = rows(puzzle).into_iter().map(cells).collect();
        rows.join(",")
    };
    let json_numbers = |row: &str| {
        let cells: Vec<&str> = row
            .split("")
            .filter(|cell| !cell.is_empty())
            .map(|cell| if cell == "." { "0" } else { cell })
            .collect();
        cells.join(", ")
    };
    vec![
        (
            "sdm",
            "lines",
            spell_each(&|_, puzzle| format!("{puzzle}\n")),
        ),
        (
            "count line",
            "lines",
            format!(
                "{}\r\n{}",
                puzzles.len(),
                spell_each(&|_, puzzle| format!("{}\r\n", with_zeros(puzzle)))
            ),
        ),
        (
            "commented",
            "lines",
            spell_each(&|at, puzzle| format!("# {at}\n\n{puzzle} # {at}\n")),
        ),
        (
            "spaces",
            "lines",
            spell_each(&|at, puzzle| format!("{},{at}\n", puzzle.replace('.', " "))),
        ),
        (
            "marks",
            "lines",
            spell_each(&|_, puzzle| format!("{}\n", any_digit(puzzle, '.'))),
        ),
        (
            "groups of marks",
            "lines",
            spell_each(&|_, puzzle| format!("{}\n", groups(&any_digit(puzzle, '.')))),
        ),
        (
            "bank",
            "puzzle_bank",
            spell_each(&|at, puzzle| format!("{at:012x} {}  1.{at}\n", with_zeros(puzzle))),
        ),
        (
            "hodoku",
            "hodoku",
            spell_each(&|at, puzzle| format!(":{:04}:x:{puzzle}:::\n", at % 1000)),
        ),
        (
            "counted",
            "puzzle_count",
            spell_each(&|at, puzzle| format!("{puzzle}:{at}\n")),
        ),
        (
            "euler",
            "blocks",
            spell_each(&|at, puzzle| {
                format!("Grid {at:02}\n{}\n", rows(&with_zeros(puzzle)).join("\n"))
            }),
        ),
        (
            "sdk",
            "blocks",
            spell_each(&|at, puzzle| {
                format!(
                    "#A{at}\r\n[Puzzle]\r\n{0}\r\n[State]\r\n{0}\r\n",
                    rows(puzzle).join("\r\n")
                )
            }),
        ),
        (
            "ss",
            "blocks",
            spell_each(&|_, puzzle| boxed_board(puzzle, "*-----------*", "|---+---+---|", "|", "")),
        ),
        (
            "old ss",
            "blocks",
            spell_each(&|_, puzzle| boxed_board(puzzle, "", "-----------", "|", "") + "\n"),
        ),
        (
            "box",
            "blocks",
            spell_each(&|_, puzzle| {
                boxed_board(puzzle, "┌───┬───┬───┐", "├───┼───┼───┤", "│", " ")
            }),
        ),
        (
            "double",
            "blocks",
            spell_each(&|at, puzzle| {
                format!(
                    "{at}:\n{}",
                    boxed_board(puzzle, "╔═══╗", "╠═══╣", " ║ ", "│")
                )
            }),
        ),
        (
            "stars",
            "blocks",
            spell_each(&|_, puzzle| {
                boxed_board(
                    &puzzle.replace('.', "*"),
                    "+---+---+---+",
                    "+---+---+---+",
                    "|",
                    " ",
                )
            }),
        ),
        (
            "bare",
            "blocks",
            spell_each(&|_, puzzle| rows(puzzle).join("\n") + "\n"),
        ),
        (
            "opensudoku",
            "opensudoku",
            format!(
                "<?xml version=\"1.0\"?>\n<opensudoku>\n<!-- <game data=\"x\"/> -->\n{}</opensudoku>\n",
                spell_each(&|at, puzzle| format!(
                    "<game level='{at}' data=\"{}\"{}\n",
                    with_zeros(puzzle),
                    ["/>", "></game>"][at % 2]
                ))
            ),
        ),
        (
            "ndjson",
            "ndjson",
            spell_each(&|at, puzzle| format!("{{\"id\": {at}, \"grid\": \"{puzzle}\"}}\n")),
        ),
        (
            "json",
            "json",
            format!(
                "[{}]\n",
                spell_each(&|at, puzzle| format!("{{\"id\": {at}, \"grid\": \"{puzzle}\"}},\n"))
                    .trim_end_matches(",\n")
            ),
        ),
        (
            "nested",
            "ndjson",
            spell_each(&|at, puzzle| {
                format!(
                    "{{\"id\": {at}, \"grid\": [{}]}}\n",
                    json_array(puzzle, &|row| format!("[{}]", json_numbers(row)))
                )
            }),
        ),
        (
            "flat",
            "ndjson",
            spell_each(&|at, puzzle| {
                format!(
                    "{{\"id\": {at}, \"grid\": [{}]}}\n",
                    json_array(puzzle, &json_numbers).replace('0', "null")
                )
            }),
        ),
        (
            "csv",
            "csv",
            format!(
                "id,puzzle\n{}",
                spell_each(&|at, puzzle| format!("{at},{puzzle}\n"))
            ),
        ),
        (
            "tsv",
            "csv",
            format!(
                "puzzle\tid\r\n{}",
                spell_each(&|at, puzzle| format!("{puzzle}\t{at}\r\n"))
            ),
        ),
        (
            "quoted",
            "csv",
            format!(
                "a;Quizzes\n{}",
                spell_each(&|at, puzzle| format!("\"{at};\n\";\"{}\"\n", with_zeros(puzzle)))
            ),
        ),
    ]
}
