//! The names of Sudoku Explainer's techniques. Also short reasons for steps that neither a technique of the grading
//! ladder nor a chain explains.

/// Declares a constant for each name, and the list of all names. A reason is followed by the names of the techniques
/// that it explains.
macro_rules! techniques {
    ($($($reason:literal:)? [$($constant:ident $name:literal,)+])+) => {
        $($(pub(in crate::rating) const $constant: &str = $name;)+)+

        /// All techniques, as lists of names that share a reason. A reason is a clause without a subject; it is empty
        /// if there is none.
        const ALL: &[(&[&str], &str)] = &[
            $((&[$($name),+], concat!("" $(, $reason)?)),)+
        ];
    };
}

techniques! {
    [
        LAST_CELL "Last cell of a house",
        HIDDEN_SINGLE_BOX "Hidden single in a box",
        HIDDEN_SINGLE_LINE "Hidden single in a line",
        NAKED_SINGLE "Naked single",
        POINTING "Pointing",
        CLAIMING "Claiming",
        NAKED_PAIR "Naked pair",
        NAKED_TRIPLET "Naked triplet",
        NAKED_QUAD "Naked quad",
        HIDDEN_PAIR "Hidden pair",
        HIDDEN_TRIPLET "Hidden triplet",
        HIDDEN_QUAD "Hidden quad",
        X_WING "X-wing",
        SWORDFISH "Swordfish",
        JELLYFISH "Jellyfish",
        XY_WING "XY-wing",
        XYZ_WING "XYZ-wing",
    ]
    "the places of the digit in another box lie in one line; that line has no other, and one place is left here": [
        DIRECT_POINTING "Direct pointing",
    ]
    "the places of the digit in a line lie in one box; that box has no other, and one place is left here": [
        DIRECT_CLAIMING "Direct claiming",
    ]
    "two other digits have the same two places in a house, and one place is left for this one": [
        DIRECT_HIDDEN_PAIR "Direct hidden pair",
    ]
    "three other digits have the same three places in a house, and one place is left for this one": [
        DIRECT_HIDDEN_TRIPLET "Direct hidden triplet",
    ]
    "a loop of cells in pairs of houses with the same two digits alone would have two solutions": [
        UNIQUE_RECTANGLE_1 "Unique rectangle type 1",
        UNIQUE_RECTANGLE_2 "Unique rectangle type 2",
        UNIQUE_RECTANGLE_3 "Unique rectangle type 3",
        UNIQUE_RECTANGLE_4 "Unique rectangle type 4",
        UNIQUE_LOOP_1 "Unique loop type 1",
        UNIQUE_LOOP_2 "Unique loop type 2",
        UNIQUE_LOOP_3 "Unique loop type 3",
        UNIQUE_LOOP_4 "Unique loop type 4",
    ]
    "with two candidates in every open cell, and two places for every digit in every house, there \
     would not be one solution: one of the candidates beyond these is true": [
        BUG_1 "BUG type 1",
        BUG_2 "BUG type 2",
        BUG_3 "BUG type 3",
        BUG_4 "BUG type 4",
    ]
    "every combination of candidates of the aligned cells with this one would leave a cell that \
     they see without a candidate": [
        ALIGNED_PAIR "Aligned pair exclusion",
        ALIGNED_TRIPLET "Aligned triplet exclusion",
    ]
    [
        FORCING_CYCLE "Forcing cycle",
        FORCING_CHAIN "Forcing chain",
        NISHIO "Nishio forcing chain",
        MULTIPLE "Multiple forcing chains",
        DYNAMIC "Dynamic forcing chains",
        DYNAMIC_PLUS "Dynamic forcing chains (+)",
        NESTED_FORCING "Dynamic forcing chains (+ forcing chains)",
        NESTED_MULTIPLE "Dynamic forcing chains (+ multiple forcing chains)",
        NESTED_DYNAMIC "Dynamic forcing chains (+ dynamic forcing chains)",
        NESTED_DYNAMIC_FORCING "Dynamic forcing chains (+ dynamic forcing chains with nested ones)",
    ]
}

/// The reason for steps of a technique; `None` if a technique of the grading ladder or a chain explains them.
pub(crate) fn reason(technique: &str) -> Option<&'static str> {
    let (_, reason) = ALL.iter().find(|(names, _)| names.contains(&technique))?;
    (!reason.is_empty()).then_some(reason)
}

/// The names of all techniques of Sudoku Explainer.
#[cfg(test)]
pub(crate) fn technique_names() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|(names, _)| names.iter().copied())
}
