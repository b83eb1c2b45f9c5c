//! Describes assumptions of a step that lead to a contradiction.

use crate::grade::{Case, CaseEnding, Deduction, Step};

/// A clause that says which contradiction an assumption leads to. If all deductions are singles, it lists the
/// singles.
pub(super) fn refutation_clause(case: &Case) -> String {
    let Case { digit, cell, .. } = case;
    let Some(end) = contradiction_clause(case.ending) else {
        return format!("if {cell} were {digit}, there would be a contradiction");
    };
    let singles: Vec<_> = case.trace.iter().filter_map(single_text).collect();
    if singles.is_empty() || !has_only_singles(case) {
        return format!("if {cell} were {digit}, {end}");
    }
    format!(
        "if {cell} were {digit}, then {}, and {end}",
        singles.join(", ")
    )
}

/// Whether all deductions that follow from a case's assumption are singles.
pub(super) fn has_only_singles(case: &Case) -> bool {
    let mut trace = case.trace.iter();
    trace.all(|deduction| single_text(deduction).is_some())
}

fn contradiction_clause(ending: CaseEnding) -> Option<String> {
    match ending {
        CaseEnding::NoCandidate(cell) => Some(format!("{cell} would have no candidate left")),
        CaseEnding::NoPlace(digit, house) => {
            Some(format!("{house} would have no place for {digit}"))
        }
        CaseEnding::Removed => None,
    }
}

/// The text of a deduction that is a single: `r2c3=5 (row 2)` for a hidden single, `r2c3=5` for a naked
/// single. `None` for other deductions.
pub(super) fn single_text(deduction: &Deduction) -> Option<String> {
    let Step { effect, pattern } = &deduction.step;
    if !effect.places_something() {
        return None;
    }
    Some(match pattern.houses.first() {
        Some(house) => format!("{effect} ({house})"),
        None => effect.to_string(),
    })
}
