//! Random answers, with texts and drafts around them.

use super::written::{FORMS as WRITTEN, Form as WrittenForm, Sample, Style, plain};
use super::{alphabets, can_write, read};
use crate::random::Rng;

/// Texts around the answer. `{}` is the answer, `{draft}` a wrong grid, `{puzzle}` the puzzle.
const AROUND: [&str; 12] = [
    "{}",
    "Here is the solution:\n\n{}\n\nEach row, column and box has every digit once.",
    "The puzzle is:\n{puzzle}\n\nI look for singles in row 1, then in columns 2 and 3.\n\n**Solution:**\n\n{}\n",
    "<think>\nFirst r1c1. Then I try\n{draft}\nNo.\n</think>\n\n{}\n",
    "<think>{draft}</think><answer>\n{}\n</answer>\nThe puzzle was\n{puzzle}\n",
    "Step 1: my first attempt:\n{draft}\nThat has 2 errors in row 3 and 1 in column 9.\nFinal answer:\n{}\n",
    "{draft}\n\nWait, box 5 has a 3 twice. The corrected grid is:\n\n{}",
    "Given:\n{puzzle}\nAnswer:\n{}\nOriginal:\n{puzzle}\n",
    "1. Find the naked singles.\n2. Place 4 in row 2.\n3. Done in 17 steps!\n\nFinal grid:\n\n{}\n\nSum of each row: 45.",
    "{draft}\n\nThat was a draft. Here is the result:\n\n{}\n\nP.S. 9 x 9 = 81.",
    "reasoning {draft} </think>\n\n{}",
    "<solution>{}</solution>\n\n{draft}",
];

/// Random forms, sizes and texts around them: a right answer is read, and a wrong one is not read as a right one.
#[test]
fn random_answers_are_read() {
    let seed = 1958;
    let alphabets = alphabets();
    let mut failures = Vec::new();
    // Puzzles and drafts stand on one line.
    let style = Style {
        numbers: false,
        empty: ".",
    };
    let on_one_line = |form: &&WrittenForm| !(form.write)(&[1; 16], style).contains('\n');
    let short_forms: Vec<&WrittenForm> = WRITTEN.iter().filter(on_one_line).collect();
    let mut rng = Rng::for_item(seed, 0);
    let count = 3000;
    for at in 0..count {
        let order = [9, 9, 9, 4, 6, 12, 16][rng.below(7)];
        let sample = Sample::random(order, &mut rng);
        let numbers = order > 9 && rng.below(2) == 0;
        let style = Style {
            numbers,
            empty: [".", "0", "_"][rng.below(3)],
        };
        let form = loop {
            let form = &WRITTEN[rng.below(WRITTEN.len())];
            if can_write(form, order, style) {
                break form;
            }
        };
        let short_form = |rng: &mut Rng| loop {
            let form = short_forms[rng.below(short_forms.len())];
            if can_write(form, order, style) {
                return form;
            }
        };
        let mut draft = sample.solution.clone();
        let blank = sample.puzzle.iter().position(|cell| *cell == 0).unwrap();
        draft[blank] = draft[blank] % order + 1;
        let is_right = rng.below(4) > 0;
        let (answer, draft) = if is_right {
            (&sample.solution, draft)
        } else {
            (&draft, sample.solution.clone())
        };
        let around = AROUND[rng.below(AROUND.len())];
        let text = around
            .replace("{}", &(form.write)(answer, style))
            .replace("{draft}", &(short_form(&mut rng).write)(&draft, style))
            .replace(
                "{puzzle}",
                &(short_form(&mut rng).write)(&sample.puzzle, style),
            );
        let read = read(&text, &sample, &alphabets);
        let right = plain(&sample.solution);
        if (read.as_deref() == Ok(&right)) != is_right {
            failures.push(format!(
                "{at}: {order} {} {is_right} in {:?}\n{read:?}\n{text}",
                form.name,
                around.get(..30)
            ));
        }
    }
    let names: Vec<&str> = failures
        .iter()
        .filter_map(|failure| failure.lines().next())
        .collect();
    let first = failures.first().map_or("", String::as_str);
    assert!(
        failures.is_empty(),
        "seed {seed}: {} of {count}\n{}\n{first}",
        failures.len(),
        names.join("\n")
    );
}
