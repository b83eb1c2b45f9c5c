//! Which of two grids of a text is its answer: a right one that is taken back, and a wrong one.

use super::*;

pub(super) const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub(super) const RIGHT: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// The solution with another digit in r1c3.
const WRONG: &str =
    "536678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The text with grids in the place of their names.
pub(super) fn with_grids(text: &str) -> String {
    let rows = |grid: &str, count: usize| -> String {
        let rows = grid.as_bytes().chunks(9).take(count);
        let rows: Vec<&str> = rows.map(|row| std::str::from_utf8(row).unwrap()).collect();
        rows.join("\n")
    };
    let table = || {
        let heads: String = (1..=9).map(|column| format!(" C{column} |")).collect();
        let rows = WRONG.as_bytes().chunks(9).zip(1..);
        let rows = rows.map(|(row, at)| {
            let cells: String = row
                .iter()
                .map(|cell| format!(" {} |", char::from(*cell)))
                .collect();
            format!("| R{at} |{cells}\n")
        });
        format!(
            "| |{heads}\n{}\n{}",
            "|---".repeat(10),
            rows.collect::<String>()
        )
    };
    text.replace("TABLE OF WRONG", &table())
        .replace("RIGHT ROWS", &rows(RIGHT, 9))
        .replace("8 ROWS OF WRONG", &rows(WRONG, 8))
        .replace("80 OF WRONG", &WRONG[..80])
        .replace("80 OF PUZZLE", &PUZZLE[..80])
        .replace("RIGHT", RIGHT)
        .replace("WRONG", WRONG)
        .replace("PUZZLE", PUZZLE)
}

/// The grid and the rule of an answer, or the reason why there is none.
pub(super) type Expected<'a> = Result<(&'a str, &'a str), &'a str>;

pub(super) fn check(cases: &[(&str, Expected<'_>)]) {
    for (text, expected) in cases {
        let answer = read_answer(&with_grids(text), PUZZLE, &Alphabets::default());
        let read = match &answer {
            Ok(answer) if answer.grid == RIGHT => Ok(("RIGHT", answer.rule.id)),
            Ok(answer) if answer.grid == WRONG => Ok(("WRONG", answer.rule.id)),
            Ok(answer) => Ok((&*answer.grid, answer.rule.id)),
            Err(reason) => Err(reason.as_str()),
        };
        assert_eq!(read, *expected, "{text}");
    }
}

const NO_FINAL: &str = "the final answer is no board";
const NO_BOARD_IN_TAG: &str = "the part for the answer has no board";
const EIGHTY: &str = "the answer has 80 cells in its grid instead of 81";

#[test]
fn words_about_an_earlier_grid_do_not_demote_the_final_one() {
    check(&[
        (
            "Solution:\nRIGHT\n\nAfter fixing column 3, the final answer is:\nWRONG",
            Ok(("WRONG", "final_answer")),
        ),
        (
            "Solution:\nRIGHT\n\nThe earlier solution has a mistake in row 3, so the corrected final solution is:\nWRONG",
            Ok(("WRONG", "final_answer")),
        ),
        (
            "I get:\nRIGHT\n\nSince the previous attempt breaks box 2, the final answer is:\nWRONG",
            Ok(("WRONG", "final_answer")),
        ),
        (
            "Answer:\nRIGHT\nI swap columns 2 and 3:\nWRONG",
            Ok(("WRONG", "solution")),
        ),
        (
            "I get:\nRIGHT\n\nThe answer, if I have not made an error, is:\nWRONG",
            Ok(("WRONG", "solution")),
        ),
        (
            "Solution:\nRIGHT\n\nThat breaks row 2. Given this, the repaired grid is:\nWRONG",
            Ok(("WRONG", "solution")),
        ),
        (
            "I get:\nRIGHT\nThat fails. Starting over gives this grid:\nWRONG",
            Ok(("WRONG", "solution")),
        ),
        // Words for a draft that are a part of its name still count, and so do those for a puzzle with empty cells.
        (
            "Solution:\nWRONG\n\nMy previous solution was:\nRIGHT",
            Ok(("WRONG", "solution")),
        ),
        // The heads of columns and the keys of JSON do not hide the words before them.
        (
            "I get:\nRIGHT\n\nFinal answer:\n\nTABLE OF WRONG",
            Ok(("WRONG", "final_answer")),
        ),
        (
            "Solution: RIGHT\nThat fails.\n{\"solution\": \"WRONG\"}",
            Ok(("WRONG", "solution")),
        ),
        (
            "Result:\nWRONG\nMy first attempt was:\n{\"text\": {\"grid\": \"RIGHT\"}}",
            Ok(("WRONG", "solution")),
        ),
        (
            "Solution:\nRIGHT\n\nOriginal grid:\n80 OF PUZZLE",
            Ok(("RIGHT", "solution")),
        ),
    ]);
}

#[test]
fn a_grid_that_is_taken_back_is_no_answer() {
    check(&[
        (
            "<answer>RIGHT</answer>\nThat breaks box 5.\n<answer>No solution exists.</answer>",
            Err(NO_BOARD_IN_TAG),
        ),
        (
            "<answer>RIGHT</answer>\nThat breaks box 5.\n<answer>I do not know",
            Err(NO_BOARD_IN_TAG),
        ),
        (
            "<answer>RIGHT</answer>\nI used the <answer> tags as you asked.",
            Ok(("RIGHT", "answer_tag")),
        ),
        (
            "<answer>RIGHT</answer>\n<answer></answer>",
            Ok(("RIGHT", "answer_tag")),
        ),
        ("Answer: RIGHT\nNo. Answer: 80 OF WRONG", Err(EIGHTY)),
        (
            "Solution:\nRIGHT\n\nBetter solution:\n8 ROWS OF WRONG",
            Err("the answer has 72 cells in its grid instead of 81"),
        ),
        (
            "Final answer: RIGHT\nFinal answer: 80 OF WRONG",
            Err(EIGHTY),
        ),
        // Nothing announces the remains.
        ("Solution: RIGHT\n\n80 OF WRONG", Ok(("RIGHT", "solution"))),
        (
            "Solution:\nRIGHT\n\nThat breaks column 3.\n\\boxed{\\text{No valid solution found}}",
            Err("the box for the answer refuses to answer"),
        ),
        (
            "\\boxed{RIGHT}\nNo: \\boxed{\\text{no answer}}",
            Err("the box for the answer refuses to answer"),
        ),
        (
            "\\boxed{\\text{No valid solution yet}}\nSolution:\nRIGHT",
            Ok(("RIGHT", "solution")),
        ),
        (
            "Solution:\nRIGHT\n\\boxed{\\text{Done}}",
            Ok(("RIGHT", "solution")),
        ),
        (
            "Attempt:\nRIGHT\nI don't have a full grid.",
            Err("beside a draft the text refuses to answer"),
        ),
        (
            "Final answer:\nRIGHT\nThat breaks row 2. **Final answer**: no valid grid exists.",
            Err(NO_FINAL),
        ),
        (
            "Final answer:\nRIGHT\nI cannot find a fault in this final answer, which cannot be another one.",
            Ok(("RIGHT", "final_answer")),
        ),
    ]);
}

#[test]
fn a_stronger_grid_can_be_taken_back_before_a_later_one() {
    check(&[
        (
            "Final answer: RIGHT\n\nSorry, that has an error. The correct solution: WRONG",
            Ok(("WRONG", "solution")),
        ),
        (
            "\\boxed{RIGHT}\nWait, that is wrong. Final answer: WRONG",
            Ok(("WRONG", "final_answer")),
        ),
        (
            "<answer>RIGHT</answer>\nWait, that is wrong. Corrected: WRONG",
            Ok(("WRONG", "correction")),
        ),
        (
            "Final answer: RIGHT\n\nUpdated: WRONG",
            Ok(("WRONG", "correction")),
        ),
        // The words before a draft are about the draft.
        (
            "Final answer: RIGHT\n\nMy first attempt, which is wrong: WRONG",
            Ok(("RIGHT", "final_answer")),
        ),
        (
            "Final answer: RIGHT\n\nThis is wrong:\nWRONG",
            Ok(("RIGHT", "final_answer")),
        ),
    ]);
}

#[test]
fn thoughts_and_deleted_text_are_no_answers() {
    check(&[("[THINK]RIGHT[/THINK]", Ok(("RIGHT", "thinking")))]);
    for (start, end) in [
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        ("<seed:think>", "</seed:think>"),
        ("<analysis>", "</analysis>"),
        ("<reflection>", "</reflection>"),
        ("<|channel|>analysis<|message|>", "<|end|>"),
        ("analysis\n", "\nassistantfinal "),
    ] {
        let none = format!("{start}RIGHT{end}\nThat was hard.");
        let other = format!("{start}The answer is RIGHT{end}\nSolution:\nWRONG");
        check(&[
            (&none, Err("the only boards in the text are in <think>")),
            (&other, Ok(("WRONG", "solution"))),
        ]);
    }
}

#[test]
fn a_refusal_behind_a_grid_counts_unless_it_is_about_something_else() {
    let refused = Err("the text behind the grid refuses to answer");
    let taken_back = Err("the text behind the grid takes it back");
    let solution = Ok(("RIGHT", "solution"));
    check(&[
        ("RIGHT\n\nThe puzzle has no solution.", refused),
        ("RIGHT\n\nI am unable to solve this puzzle.", refused),
        ("Solution:\nRIGHT\n\nI can't solve it.", refused),
        (
            "\\boxed{RIGHT}\nThat's wrong. The final answer is: none.",
            taken_back,
        ),
        (
            "Solution:\nRIGHT\n\nThe final grid has no valid alternative.",
            solution,
        ),
        (
            "Solution:\nRIGHT\n\nThe final grid cannot have duplicates.",
            solution,
        ),
        (
            "Solution:\nRIGHT\n\nThe final grid satisfies all: row 1 has 5,3,4,6,7,8,9,1,2, row 2 has 6,7,2,1,9,5,3,4,8, \
             row 3 has 1,9,8,3,4,2,5,6,7, row 4 has 8,5,9,7,6,1,4,2,3 and row 5 has 4,2,6,8,5,3,7,9,1.",
            solution,
        ),
        (
            "I must give the final answer as a grid. In row 1 there are 5, 3 and 7, in row 2 6, 1, 9, 5, in row 3 9, 8, 6, \
             in row 4 8, 6, 3, in row 5 4, 8, 3, 1, in row 6 7, 2, 6, in row 7 6, 2, 8, in row 8 4, 1, 9, 5.\n\n\
             Solution:\nRIGHT",
            solution,
        ),
        (
            "Solution:\nRIGHT\n\nNote that the puzzle cannot have another solution.",
            solution,
        ),
        (
            "Solution:\nRIGHT\n\nThe puzzle has no other solution.",
            solution,
        ),
        (
            "Attempt: WRONG\nThat is wrong, because of r1c3.\n\nRIGHT\n\nI could not find any mistakes.",
            Ok(("RIGHT", "draft")),
        ),
    ]);
}

#[test]
fn puzzles_of_no_size_have_no_answer() {
    let row = "1 2 3 4 5 6 7 8 9\n";
    let texts = [
        "a".to_owned(),
        row.repeat(9),
        "r1c1 = 1, [1, 1, 2]".to_owned(),
    ];
    for text in &texts {
        for cells in [0, 1, 2, 3, 9, 25, 80, 82, 100, 676, 1000] {
            let clues = ".".repeat(cells);
            let grids = find_grids(text, &clues, &Alphabets::default());
            assert_eq!(grids, [], "{cells}\n{text}");
            let reason = format!("the puzzle has {cells} cells, and no grid has as many");
            let answer = read_answer(text, &clues, &Alphabets::default());
            assert_eq!(answer, Err(reason), "{text}");
        }
    }
}

#[test]
fn row_numbers_of_any_length_are_read() {
    let last = format!("Row {}: 1 2 3 4\n", usize::MAX);
    for text in [format!("{last}Row 1: 1 2 3 4"), last.repeat(4)] {
        let answer = read_answer(&text, &".".repeat(16), &Alphabets::default());
        assert!(answer.is_err(), "{text}");
    }
}

#[test]
fn a_last_row_of_marks_belongs_to_the_place() {
    let text = "It is\n1 2 3 4\n3 4 1 2\n2 1 4 3\n____\nas far as I can see.";
    let puzzle = "1".to_owned() + &".".repeat(15);
    let answer = read_answer(text, &puzzle, &Alphabets::default()).unwrap();
    assert_eq!(answer.grid, "123434122143....");
    assert_eq!(&text[answer.place], "1 2 3 4\n3 4 1 2\n2 1 4 3\n____");
}

/// Regression test: the columns of a wrong grid were read as rows, and could be the right solution.
#[test]
fn columns_are_no_rows() {
    let no_rows = Err("the words before the board say that its lines are no rows");
    check(&[
        ("By columns:\nRIGHT", no_rows),
        ("Transposed:\nRIGHT", no_rows),
        ("Answer (columns):\nRIGHT", no_rows),
        ("Here are the columns from left to right:\nRIGHT", no_rows),
        (
            "Solution:\nRIGHT\n\nAs columns:\nWRONG",
            Ok(("RIGHT", "solution")),
        ),
        (
            "I checked rows, columns, and boxes. Solution:\nRIGHT",
            Ok(("RIGHT", "solution")),
        ),
    ]);
}

/// Regression test: words behind a draft made the next draft stronger than a solution that was announced after it.
#[test]
fn an_announced_solution_replaces_a_draft_behind_a_correction() {
    check(&[
        (
            "First: WRONG\nWait, a mistake.\nRIGHT\nThat fails too.\nSolution: WRONG",
            Ok(("WRONG", "solution")),
        ),
        (
            "Draft:\nWRONG\nLet me correct that.\nMy first try:\nRIGHT\nLet me correct that.\nThe solution is:\nWRONG",
            Ok(("WRONG", "solution")),
        ),
        (
            "Final answer: WRONG\nWait, a mistake.\nRIGHT",
            Ok(("RIGHT", "correction")),
        ),
    ]);
}
