//! Grids that are no answer: deleted, rejected, or one of several options; and data whose rows or cells are objects.

use super::chosen::{RIGHT, check, with_grids};

#[test]
fn deleted_text_and_comments_are_no_answers() {
    let deleted = Err("the only boards in the text are deleted or in a comment");
    for (start, end) in [("<del>", "</del>"), ("~~", "~~"), ("<!-- ", " -->")] {
        let alone = format!("{start}RIGHT{end}");
        let first = format!("{start}RIGHT{end}\n\nWRONG");
        let behind = format!("WRONG\n\n{start}RIGHT{end}");
        let wrong = Ok(("WRONG", "unmarked"));
        check(&[(&alone, deleted), (&first, wrong), (&behind, wrong)]);
    }
    // The tokens that begin and end a text in some models delete nothing, and a mentioned tag hides nothing.
    check(&[
        ("<s> Solution:\nRIGHT</s>", Ok(("RIGHT", "solution"))),
        (
            "I looked at the <analysis> of the puzzle.\nRIGHT",
            Ok(("RIGHT", "unmarked")),
        ),
    ]);
    let rows = with_grids("RIGHT ROWS").replace('\n', "~~\n~~");
    check(&[(&format!("~~{rows}~~"), deleted)]);
}

#[test]
fn a_grid_that_words_reject_is_no_answer() {
    let rejected = Err("the words before the board say that it is wrong");
    let empty = Err("the field for the answer is empty");
    check(&[
        ("The solution is NOT:\n\nRIGHT ROWS", rejected),
        ("The solution is not the following:\n\nRIGHT ROWS", rejected),
        ("Incorrect grid:\nRIGHT ROWS", rejected),
        ("**Wrong solution:**\nRIGHT", rejected),
        ("{\"wrong\": \"RIGHT\", \"error\": \"none\"}", rejected),
        ("{\"draft\": \"RIGHT\", \"answer\": null}", empty),
        ("{\"grid\": \"RIGHT\", \"solution\": \"\"}", empty),
        (
            "{\"draft\": \"RIGHT\", \"answer\": \"WRONG\"}",
            Ok(("WRONG", "solution")),
        ),
        ("{\"draft\": \"RIGHT\"}", Ok(("RIGHT", "draft"))),
        (
            "RIGHT\n\nDas ist falsch.",
            Err("the text behind the grid takes it back"),
        ),
        (
            "答案：\nRIGHT ROWS\n\n这个答案不对。",
            Err("the text behind the grid takes it back"),
        ),
        (
            "答案：\nRIGHT ROWS\n\n没有错误。",
            Ok(("RIGHT", "unmarked")),
        ),
        (
            "RIGHT\n\nEs gibt keine Lösung.",
            Err("the text behind the grid refuses to answer"),
        ),
    ]);
}

#[test]
fn a_draft_beside_a_refusal_is_no_answer() {
    let refused = Err("beside a draft the text refuses to answer");
    check(&[
        (
            "There is no solution. My best attempt:\nRIGHT ROWS",
            refused,
        ),
        (
            "I could not solve it. The closest I got is:\nRIGHT ROWS",
            refused,
        ),
        (
            "I cannot place 5 in row 2. My best attempt:\nRIGHT ROWS",
            Ok(("RIGHT", "draft")),
        ),
    ]);
}

#[test]
fn of_several_options_the_one_that_is_chosen_counts() {
    let none = Err("the text offers several boards and chooses none");
    let options = "Option 1:\nWRONG\n\nOption 2:\nRIGHT";
    let with = |words: &str| format!("{options}\n\n{words}");
    check(&[
        (options, none),
        (&with("I choose option 1."), Ok(("WRONG", "final_answer"))),
        (&with("My answer is 2."), Ok(("RIGHT", "final_answer"))),
        (
            &with("The second option is correct."),
            Ok(("RIGHT", "final_answer")),
        ),
        ("Either\nWRONG\nor\nRIGHT", none),
        ("It is RIGHT or WRONG", none),
        (
            "Option 1:\nWRONG\nThis has two 6s in row 1.\n\nOption 2:\nRIGHT",
            Ok(("RIGHT", "solution")),
        ),
        (
            "First solution:\nWRONG\nSecond solution:\nRIGHT",
            Ok(("RIGHT", "solution")),
        ),
    ]);
}

#[test]
fn cells_can_be_objects() {
    let cells = |write: &dyn Fn(usize, usize, char) -> String| {
        let cells = RIGHT.chars().enumerate();
        let cells: Vec<String> = cells
            .map(|(at, digit)| write(at / 9 + 1, at % 9 + 1, digit))
            .collect();
        format!("[{}]", cells.join(", "))
    };
    let single = Ok(("RIGHT", "single_cells"));
    check(&[
        (
            &cells(&|row, column, digit| {
                format!("{{\"row\": {row}, \"col\": {column}, \"value\": {digit}}}")
            }),
            single,
        ),
        (
            &cells(&|row, column, digit| {
                format!("{{\"digit\": \"{digit}\", \"cell\": \"R{row}C{column}\"}}")
            }),
            single,
        ),
    ]);
    let rows = |end: &str| {
        let rows = RIGHT.as_bytes().chunks(9).zip(1..).map(|(row, at)| {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| char::from(*cell).to_string())
                .collect();
            format!(
                "{{{end}\"row\": {at},{end}\"cells\": [{}]{end}}}",
                cells.join(", ")
            )
        });
        let rows: Vec<String> = rows.collect();
        format!("{{\"rows\": [{}]}}", rows.join(&format!(",{end}")))
    };
    check(&[
        (&rows(" "), Ok(("RIGHT", "unmarked"))),
        (&rows("\n  "), Ok(("RIGHT", "unmarked"))),
    ]);
}

#[test]
fn a_table_of_html_has_as_many_rows_as_the_grid() {
    let table = |cells: &str, start: &str, end: &str| {
        let row = |row: &str| {
            row.chars()
                .map(|cell| format!("<td>{cell}</td>"))
                .collect::<String>()
        };
        let rows = cells
            .as_bytes()
            .chunks(9)
            .map(|own| std::str::from_utf8(own).unwrap());
        let rows: String = rows
            .map(|own| format!("{start}{}{end}", row(own)))
            .collect();
        format!("<table>{rows}</table>")
    };
    let (short, long, headed) = (
        &RIGHT[..72],
        format!("{RIGHT}{}", &RIGHT[72..]),
        format!("123456789{RIGHT}"),
    );
    let cells = |cells: usize| format!("the answer has {cells} cells in its grid instead of 81");
    for (start, end) in [("<tr>", "</tr>"), ("  <tr>\n", "\n</tr>\n"), ("<tr>", "")] {
        check(&[
            (&table(RIGHT, start, end), Ok(("RIGHT", "unmarked"))),
            (&table(&headed, start, end), Ok(("RIGHT", "unmarked"))),
            (&table(short, start, end), Err(&cells(72))),
            (&table(&long, start, end), Err(&cells(90))),
        ]);
    }
}
