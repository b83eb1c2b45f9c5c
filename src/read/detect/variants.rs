//! Notices data sets of Sudoku variants, whose puzzles have rules beside those of Sudoku.

use crate::read::{ColumnInfo, ColumnRole};

/// Names of columns that state further rules of a puzzle.
const RULE_NAMES: [&str; 10] = [
    "cages",
    "constraints",
    "extra_constraints",
    "killer_cages",
    "rules",
    "ruleset",
    "thermometers",
    "variant",
    "variants",
    "visual_elements",
];

/// The warning for an input whose columns state further rules of its puzzles; `None` for other inputs.
pub(crate) fn warning(source_name: &str, columns: &[ColumnInfo]) -> Option<String> {
    let has_puzzles = columns
        .iter()
        .any(|column| column.role == ColumnRole::Puzzle);
    let states_rules = |column: &&ColumnInfo| {
        let name = column.name.trim().to_ascii_lowercase();
        column.role != ColumnRole::Puzzle && RULE_NAMES.contains(&name.as_str())
    };
    let names = columns
        .iter()
        .filter(states_rules)
        .map(|column| column.name.as_str());
    let names: Vec<&str> = names.collect();
    (has_puzzles && !names.is_empty()).then(|| {
        format!(
            "{source_name}: its puzzles may be of a variant, by the names of its columns ({}): they are read with the \
             rules of classic Sudoku alone, so that several solutions may not be an error",
            names.join(", ")
        )
    })
}
