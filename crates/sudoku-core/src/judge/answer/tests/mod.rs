//! Tests of the reader of answers: every form in every size, near misses, and random texts.

mod cells;
mod chosen;
mod documented;
mod faults;
mod names;
mod near_misses;
mod ragged;
mod random;
mod rejected;
mod written;

use super::*;
use crate::random::Rng;
use written::{FORMS as WRITTEN, Form as WrittenForm, Range as Sizes, Sample, Style, plain};

const SEED: u64 = 58;

fn alphabets() -> Alphabets {
    let mut alphabets = Alphabets::default();
    let mut rng = Rng::for_item(SEED, 1);
    for order in [12, 16, 25] {
        for _ in 0..4 {
            alphabets.learn(plain(&Sample::random(order, &mut rng).solution).as_bytes());
        }
    }
    alphabets
}

fn read(text: &str, sample: &Sample, alphabets: &Alphabets) -> Result<String, String> {
    let answer = read_answer(text, &plain(&sample.puzzle), alphabets)?;
    Ok(answer.grid)
}

fn can_write(form: &WrittenForm, order: usize, style: Style) -> bool {
    match form.range {
        Sizes::All => true,
        Sizes::Characters => !style.numbers || order <= 9,
        Sizes::Digits => order <= 9,
    }
}

#[test]
fn every_form_of_every_size_is_read() {
    let alphabets = alphabets();
    let mut rng = Rng::for_item(SEED, 2);
    let mut failures = Vec::new();
    let mut count = 0;
    for order in [4, 6, 9, 9, 12, 16, 25] {
        for form in WRITTEN {
            for numbers in [false, true] {
                let style = Style {
                    numbers,
                    empty: ".",
                };
                if !can_write(form, order, style) || order <= 9 && numbers {
                    continue;
                }
                let sample = Sample::random(order, &mut rng);
                let written = (form.write)(&sample.solution, style);
                let around = format!("The answer:\n\n{written}\n\nI hope that this helps.");
                for text in [&written, &around] {
                    count += 1;
                    let read = read(text, &sample, &alphabets);
                    if read.as_deref() != Ok(&plain(&sample.solution)) {
                        failures.push(format!("{order} {} {numbers}: {read:?}\n{text}", form.name));
                    }
                }
            }
        }
    }
    let names: Vec<&str> = failures
        .iter()
        .filter_map(|failure| failure.lines().next())
        .collect();
    let first = failures.first().map_or("", String::as_str);
    let shown = format!("{}\n{first}", names.join("\n"));
    assert!(
        failures.is_empty(),
        "{} of {count} are misread\n{shown}",
        failures.len()
    );
    assert!(count > 1000, "{count}");
}

/// A 9 × 9 puzzle and the texts of which near misses are made.
struct Texts {
    puzzle: String,
    right: String,
    /// Full, keeps the clues, but is not the solution.
    wrong: String,
    right_rows: Vec<String>,
    right_lines: String,
    wrong_lines: String,
    sample: Sample,
}

fn texts(rng: &mut Rng) -> Texts {
    let sample = Sample::random(9, rng);
    let (puzzle, right) = (plain(&sample.puzzle), plain(&sample.solution));
    let blank = puzzle.find('.').unwrap();
    let mut wrong = right.clone();
    let other = if &right[blank..=blank] == "1" {
        "2"
    } else {
        "1"
    };
    wrong.replace_range(blank..=blank, other);
    let rows_of = |grid: &str| -> Vec<String> {
        let rows = grid.as_bytes().chunks(9);
        rows.map(|row| {
            row.iter()
                .map(|cell| format!("{} ", char::from(*cell)))
                .collect()
        })
        .collect()
    };
    Texts {
        right_rows: rows_of(&right),
        right_lines: rows_of(&right).join("\n"),
        wrong_lines: rows_of(&wrong).join("\n"),
        puzzle,
        right,
        wrong,
        sample,
    }
}

#[test]
fn the_answer_is_chosen_among_several_grids() {
    let mut rng = Rng::for_item(SEED, 4);
    for _ in 0..5 {
        let Texts {
            puzzle,
            right,
            wrong,
            right_rows,
            right_lines,
            wrong_lines,
            sample,
        } = texts(&mut rng);
        let zeros = puzzle.replace('.', "0");
        let sums: String = right_rows
            .iter()
            .map(|row| format!("{}= 45\n", row.trim().replace(' ', " + ")))
            .collect();
        for (text, rule) in [
            (
                format!("{wrong} is a try. \\boxed{{{right}}}\nThe puzzle was {puzzle}."),
                "boxed",
            ),
            (
                format!("<answer>{right}</answer>\nOriginal puzzle: {zeros}"),
                "answer_tag",
            ),
            (
                format!("<solution>\n{right_lines}\n</solution>{wrong}"),
                "answer_tag",
            ),
            (format!("<think>{wrong}</think>\n{right_lines}"), "unmarked"),
            (format!("{wrong}</think>\n{right_lines}"), "unmarked"),
            (
                format!("<think>{wrong} <answer>{right}</answer>"),
                "answer_tag",
            ),
            (format!("<think>It is {right}.</think>"), "thinking"),
            (
                format!("Final answer: {right}\nEarlier draft (wrong): {wrong}"),
                "final_answer",
            ),
            (
                format!("**Final Answer:**\n\n{right_lines}\n\nChecks:\n{sums}"),
                "final_answer",
            ),
            (
                format!("Solution:\n{right_lines}\n\nOriginal:\n{zeros}"),
                "solution",
            ),
            (
                format!("Solution: {wrong}\nOops, row 3 is wrong: {right}"),
                "correction",
            ),
            (format!("Draft: {wrong}\n{right_lines}"), "unmarked"),
            (format!("{puzzle}\n{right}"), "unmarked"),
            (format!("1 2 3 4 5 6 7 8 9\n{right_lines}"), "unmarked"),
            (
                format!("{right_lines}\n\nCheck row: 5 3 4 6 7 8 9 1 2"),
                "unmarked",
            ),
            (format!("{right_lines}\n```\n345286179"), "unmarked"),
            (
                format!("{right_lines}\n{wrong_lines}\n{right_lines}"),
                "unmarked",
            ),
        ] {
            let answer = read_answer(&text, &puzzle, &Alphabets::default());
            let chosen = answer
                .as_ref()
                .map(|answer| (&*answer.grid, answer.rule.id));
            assert_eq!(chosen, Ok((&*right, rule)), "{puzzle}\n{text}");
        }
        let only_puzzle = read_answer(&format!("It is {zeros}"), &puzzle, &Alphabets::default());
        assert_eq!(only_puzzle.unwrap().rule.id, "puzzle");
        // Cells one by one.
        let one_by_one = |form: &dyn Fn(usize, usize, &str) -> String, is_blank: bool| -> String {
            (0..81)
                .filter(|at| !is_blank || &puzzle[*at..=*at] == ".")
                .map(|at| form(at / 9, at % 9, &right[at..=at]))
                .collect()
        };
        for is_blank in [true, false] {
            for text in [
                one_by_one(
                    &|row, column, digit| format!("r{}c{} = {digit}\n", row + 1, column + 1),
                    is_blank,
                ),
                one_by_one(
                    &|row, column, digit| format!("({}, {}): {digit}, ", row + 1, column + 1),
                    is_blank,
                ),
                one_by_one(
                    &|row, column, digit| format!("({row}, {column}): {digit}\n"),
                    is_blank,
                ),
                one_by_one(
                    &|row, column, digit| {
                        format!("Row {}, column {} is {digit}.\n", row + 1, column + 1)
                    },
                    is_blank,
                ),
                one_by_one(
                    &|row, column, digit| format!("\"r{}c{}\": {digit}, ", row + 1, column + 1),
                    is_blank,
                ),
            ] {
                assert_eq!(
                    read(&text, &sample, &Alphabets::default()).as_ref(),
                    Ok(&right),
                    "{text}"
                );
                let without_last = text.trim_end().rsplit_once(' ').unwrap().0;
                assert!(!is_blank || read(without_last, &sample, &Alphabets::default()).is_err());
            }
        }
    }
}
