//! Answers with a fault in one cell or row: in no form are they right.

use super::written::{FORMS as WRITTEN, Sample, Style, plain};
use super::{alphabets, can_write, read};
use crate::random::Rng;

/// What stands in the place of a cell: nothing, two digits, a word, two cells.
const FAULTS: [&str; 8] = ["", "12", "10", "a", "!", "5 5", "5, 5", "?"];

#[test]
fn a_fault_in_a_cell_or_row_is_found_in_every_form() {
    let seed = 81;
    let alphabets = alphabets();
    let mut rng = Rng::for_item(seed, 0);
    let mut failures = Vec::new();
    let mut count = 0;
    for order in [4, 6, 9, 4, 6, 9] {
        for form in WRITTEN {
            for empty in FAULTS {
                let style = Style {
                    numbers: false,
                    empty,
                };
                let sample = Sample::random(order, &mut rng);
                let mut cells = sample.solution.clone();
                if empty.is_empty() && rng.below(2) == 0 {
                    let row = rng.below(order) * order;
                    cells[row..row + order].fill(0);
                } else {
                    cells[rng.below(order * order)] = 0;
                }
                if !can_write(form, order, style) {
                    continue;
                }
                count += 1;
                let text = (form.write)(&cells, style);
                if read(&text, &sample, &alphabets) == Ok(plain(&sample.solution)) {
                    failures.push(format!("{order} {} {empty:?}\n{text}", form.name));
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "seed {seed}: {} of {count}\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(count > 4000, "{count}");
}
