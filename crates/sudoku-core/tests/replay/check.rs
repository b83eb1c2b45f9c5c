//! Checks that a step of a technique is valid, using only the data of the step's explanation.

use sudoku_core::grade::Step;

use crate::board::{Board, placed_candidates, removed_candidates};
use crate::{als, basics, chains, coloring, fish, forcing, sue_de_coq, uniqueness, wings};

/// Returns an error with this message from the function unless the condition holds.
macro_rules! ensure {
    ($holds:expr, $($what:tt)+) => {
        if !$holds {
            return Err(format!($($what)+));
        }
    };
}
pub(crate) use ensure;

pub(crate) type CheckResult = Result<(), String>;

/// Checks that a step of the technique with this id follows from its pattern on this board.
///
/// # Errors
/// A message about the condition that does not hold.
pub(crate) fn check(id: &str, board: &Board, step: &Step) -> CheckResult {
    let (placed, removed) = (
        placed_candidates(&step.effect),
        removed_candidates(&step.effect),
    );
    ensure!(
        !(placed.is_empty() && removed.is_empty()),
        "nothing changes"
    );
    for candidate in placed.iter().chain(&removed) {
        ensure!(board.has(*candidate), "{candidate:?} is no candidate");
        ensure!(!board.is_solved(candidate.1), "{candidate:?} is solved");
    }
    if !step.pattern.parts.is_empty() {
        return check_parts(id, board, step);
    }
    match id {
        "full_house" | "naked_single" | "hidden_single_box" | "hidden_single_line" => {
            basics::check_single(id, board, step)
        }
        "locked_pointing" | "locked_claiming" => basics::check_locked_candidates(id, board, step),
        "naked_pair" => basics::check_naked_subset(2, board, step),
        "naked_triple" => basics::check_naked_subset(3, board, step),
        "naked_quad" => basics::check_naked_subset(4, board, step),
        "hidden_pair" => basics::check_hidden_subset(2, board, step),
        "hidden_triple" => basics::check_hidden_subset(3, board, step),
        "hidden_quad" => basics::check_hidden_subset(4, board, step),
        "x_wing" => fish::fish(2, board, step),
        "swordfish" => fish::fish(3, board, step),
        "jellyfish" => fish::fish(4, board, step),
        "finned_x_wing" => fish::check_finned_fish(2, board, step),
        "finned_swordfish" => fish::check_finned_fish(3, board, step),
        "finned_jellyfish" => fish::check_finned_fish(4, board, step),
        "empty_rectangle" => fish::empty_rectangle(board, step),
        "xy_wing" => wings::wing(2, board, step),
        "xyz_wing" => wings::wing(3, board, step),
        "w_wing" => wings::w_wing(board, step),
        "remote_pair" => wings::remote_pair(board, step),
        "simple_coloring" => coloring::check_simple_coloring(board, step),
        "multi_coloring" => coloring::check_multi_coloring(board, step),
        "sue_de_coq" => sue_de_coq::check(board, step),
        "skyscraper" | "two_string_kite" | "turbot_fish" | "x_chain" | "xy_chain" | "aic"
        | "grouped_aic" | "als_chain" => chains::check(id, board, step),
        "als_xz" => als::xz(board, step),
        "als_xy_wing" => als::xy_wing(board, step),
        "death_blossom" => als::death_blossom(board, step),
        "nishio" | "cell_region_forcing" | "dynamic_forcing" | "nested_forcing" => {
            forcing::check(id, board, step)
        }
        _ => uniqueness::check(id, board, step),
    }
}

/// Checks a step that combines several steps: each part is valid, and all parts together have the effect of
/// the step.
fn check_parts(id: &str, board: &Board, step: &Step) -> CheckResult {
    let mut removed_by_parts = Vec::new();
    for part in &step.pattern.parts {
        ensure!(part.pattern.parts.is_empty(), "a part has parts");
        check(id, board, part)?;
        removed_by_parts.extend(removed_candidates(&part.effect));
    }
    ensure!(step.pattern.parts.len() >= 2, "a step of one part");
    removed_by_parts.sort_unstable();
    removed_by_parts.dedup();
    let mut removed_by_step = removed_candidates(&step.effect);
    removed_by_step.sort_unstable();
    ensure!(
        removed_by_parts == removed_by_step,
        "the parts remove {removed_by_parts:?}, the step {removed_by_step:?}"
    );
    ensure!(
        placed_candidates(&step.effect).is_empty(),
        "parts place nothing"
    );
    Ok(())
}
