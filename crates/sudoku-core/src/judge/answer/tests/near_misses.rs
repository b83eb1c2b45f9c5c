//! Texts that are nearly a right answer.

use super::*;

#[test]
fn near_misses_are_not_right() {
    let mut rng = Rng::for_item(SEED, 3);
    for _ in 0..5 {
        let Texts {
            puzzle,
            right,
            wrong,
            right_rows,
            right_lines,
            wrong_lines,
            ..
        } = texts(&mut rng);
        let named = |rows: &[String]| -> String {
            (1..)
                .zip(rows)
                .map(|(at, row)| format!("Row {at}: {row}\n"))
                .collect()
        };
        let mut short_row = right_rows.clone();
        short_row[4] = short_row[4][2..].to_owned();
        let mut long_row = right_rows.clone();
        long_row[4] += "7";
        let mut swapped = right_rows.clone();
        swapped.swap(2, 3);
        let columns: String = (0..9)
            .map(|column| {
                let cells: String = (0..9)
                    .map(|row| format!(" {}", &right[row * 9 + column..][..1]))
                    .collect();
                format!("Column {}:{cells}\n", column + 1)
            })
            .collect();
        let other = |grid: &str, rule| Ok((grid.to_owned(), rule));
        let reason = |reason: &str| Err(reason.to_owned());
        let damaged = |cells| {
            Err(format!(
                "the answer has {cells} cells in its grid instead of 81"
            ))
        };
        for (text, expected) in [
            (right[1..].to_owned(), damaged(80)),
            (format!("{right}7"), damaged(82)),
            (
                format!("The answer is {}.", &right[..80]),
                other(&format!("{}.", &right[..80]), "solution"),
            ),
            (
                format!(
                    "[{}]",
                    right[..80]
                        .chars()
                        .map(String::from)
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                damaged(80),
            ),
            (
                format!(
                    "[{}, 1]",
                    right
                        .chars()
                        .map(String::from)
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                damaged(82),
            ),
            (right_rows[..8].join("\n"), damaged(72)),
            (named(&right_rows[..8]), damaged(72)),
            (named(&right_rows[1..]), damaged(72)),
            (format!("{right_lines}\n{}", right_rows[3]), damaged(90)),
            (short_row.join("\n"), damaged(72)),
            (long_row.join("\n"), reason("no board is in the text")),
            (named(&short_row), reason("no board is in the text")),
            (
                named(&swapped),
                other(&swapped.concat().replace(' ', ""), "unmarked"),
            ),
            (wrong.clone(), other(&wrong, "unmarked")),
            (wrong_lines.clone(), other(&wrong, "unmarked")),
            (
                format!("{right_lines}\n\nFinal answer:\n{wrong_lines}"),
                other(&wrong, "final_answer"),
            ),
            (
                format!("Draft:\n{right_lines}\nAnswer:\n{wrong_lines}"),
                other(&wrong, "solution"),
            ),
            (
                format!("Solution: {right}\nWait, there is a mistake in row 3.\n{wrong}"),
                other(&wrong, "correction"),
            ),
            (
                format!("Solution: {right}\nFinal answer: {}", &right[1..]),
                damaged(80),
            ),
            (
                format!(
                    "I tried\n{right_lines}\nFinal answer:\n{}",
                    short_row.join("\n")
                ),
                damaged(72),
            ),
            (
                format!(
                    "I tried\n{right_lines}\nFinal answer:\n{}",
                    right_rows[..8].join("\n")
                ),
                damaged(72),
            ),
            (
                format!(
                    "I tried\n{right_lines}\nFinal answer:\n{}",
                    named(&short_row)
                ),
                reason("the final answer is no board"),
            ),
            (
                format!("<think>{right}</think>The answer is {wrong}"),
                other(&wrong, "solution"),
            ),
            (
                format!("<think>{right}</think>I cannot solve it."),
                reason("the only boards in the text are in <think>"),
            ),
            (
                format!("<think>Let me see. {right_lines}\nNow the rows"),
                reason("the only boards in the text are in <think>"),
            ),
            (
                format!("Thoughts: {right}</think><answer>{wrong}</answer>"),
                other(&wrong, "answer_tag"),
            ),
            (
                format!("{right} <answer>I cannot solve it.</answer>"),
                reason("the part for the answer has no board"),
            ),
            (
                format!("{right} <answer>{}</answer>", &right[..80]),
                damaged(80),
            ),
            (
                format!("{right} \\boxed{{{wrong}}}"),
                other(&wrong, "boxed"),
            ),
            (
                format!("{right} <answer>{puzzle}</answer>"),
                other(&puzzle, "puzzle"),
            ),
            (
                format!("<answer>{right}</answer> No: <answer>{wrong}</answer>"),
                other(&wrong, "answer_tag"),
            ),
            (
                format!("My attempt is {right}, but I cannot solve it."),
                reason("beside a draft the text refuses to answer"),
            ),
            (
                format!("Attempt: {right}\nFinal answer: I could not find one."),
                reason("the final answer is no board"),
            ),
            (puzzle.clone(), other(&puzzle, "puzzle")),
            (
                format!("The puzzle is {puzzle}. I cannot solve it."),
                reason("beside a draft the text refuses to answer"),
            ),
            (
                format!("The puzzle is {}.", puzzle.replace('.', "0")),
                other(&puzzle, "puzzle"),
            ),
            (columns, reason("no board is in the text")),
            (
                "The rows sum to 45 45 45 45 45 45 45 45 45.".repeat(9),
                reason("no board is in the text"),
            ),
            (
                "45 45 45 45 45 45 45 45 45\n".repeat(9),
                reason("no board is in the text"),
            ),
            (
                (1..=9)
                    .map(|row| format!("The sum of row {row} is 45 and of column {row} is 45.\n"))
                    .collect(),
                reason("no board is in the text"),
            ),
            (
                "1 2 3 4 5 6 7 8 9\n".repeat(9),
                other(&"123456789".repeat(9), "unmarked"),
            ),
            (
                format!("{}\n{}", "1 2 3 4 5 6 7 8 9", right_rows[..8].join("\n")),
                other(
                    &format!("123456789{}", right_rows[..8].concat().replace(' ', "")),
                    "unmarked",
                ),
            ),
            (
                "I cannot solve it.".to_owned(),
                reason("no board is in the text"),
            ),
            (String::new(), reason("no board is in the text")),
        ] {
            let answer = read_answer(&text, &puzzle, &Alphabets::default());
            let read = answer.map(|answer| (answer.grid, answer.rule.id));
            assert_eq!(read, expected, "{puzzle}\n{text}");
        }
    }
}
