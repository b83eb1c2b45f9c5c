//! Answers that name the cells one by one.

use super::*;

/// Each cell of a grid in a form, with its row and column from 1 on.
fn one_by_one(cells: &[usize], form: &dyn Fn(usize, usize, usize) -> String) -> String {
    let order = cells.len().isqrt();
    let cells = cells.iter().enumerate();
    cells
        .map(|(at, value)| form(at / order + 1, at % order + 1, *value))
        .collect()
}

#[test]
fn cells_of_every_size_are_read_one_by_one() {
    let alphabets = alphabets();
    let mut rng = Rng::for_item(SEED, 6);
    let letter = |value: usize| plain(&[value]);
    let row = |row: usize| char::from(b'A' + row as u8 - 1);
    let forms: [&dyn Fn(usize, usize, usize) -> String; 7] = [
        &|row, column, value| format!("r{row}c{column} = {value}\n"),
        &|row, column, value| format!("r{row}c{column} = {}\n", letter(value)),
        &|row, column, value| format!("({row}, {column}): {}, ", letter(value)),
        &|row, column, value| {
            let lower = letter(value).to_lowercase();
            format!("r{row}c{column}: {lower}, ")
        },
        &|at, column, value| format!("{}{column} = {value}\n", row(at)),
        &|row, column, value| format!("Place {value} at r{row}c{column}.\n"),
        &|row, column, value| format!("Place {} in row {row}, column {column}.\n", letter(value)),
    ];
    for order in [4, 6, 9, 12, 16, 25] {
        for (at, form) in forms.iter().enumerate() {
            let sample = Sample::random(order, &mut rng);
            let text = one_by_one(&sample.solution, form);
            let right = plain(&sample.solution);
            let answer = read(&text, &sample, &alphabets);
            assert_eq!(answer.as_ref(), Ok(&right), "{order} {at}\n{text}");
            // The same with a candidate more, or a denial, in the last cell.
            let text = text.trim_end_matches(['\n', '.', ',', ' ']);
            for end in [" is impossible", ", which conflicts with row 1", "?"] {
                let text = format!("{text}{end}");
                if sample.puzzle[order * order - 1] == 0 {
                    let answer = read(&text, &sample, &alphabets);
                    assert!(answer.is_err(), "{order} {at}\n{text}");
                }
            }
        }
    }
}
