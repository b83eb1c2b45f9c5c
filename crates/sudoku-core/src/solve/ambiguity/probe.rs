//! The readable form of the algorithm, for boards of any size and any solver.

use super::SolutionDigits;

/// The result of a search for one solution of a board with restricted candidates.
pub(crate) enum Probe {
    /// The solution that was found: for each cell, a mask with the bit of its symbol.
    Solution(Vec<u32>),
    /// The restricted board has no solution.
    NoSolution,
    /// The search reached its limit.
    GaveUp,
}

/// The symbols that each cell has in the solutions of a board; `None` if a search gives up. `possible` has the
/// candidates of each cell as a mask. `search` gets the candidates to search with, and the symbols that each cell
/// has in the solutions found so far.
pub(crate) fn probe_cells(
    order: usize,
    mut possible: Vec<u32>,
    mut search: impl FnMut(&[u32], &[u32]) -> Probe,
) -> Option<SolutionDigits> {
    let mut seen = vec![0; possible.len()];
    for cell in 0..possible.len() {
        while possible[cell] != seen[cell] {
            let all_symbols = possible[cell];
            possible[cell] &= !seen[cell];
            let probe = search(&possible, &seen);
            possible[cell] = all_symbols;
            match probe {
                Probe::GaveUp => return None,
                Probe::Solution(solution) => {
                    for (seen, symbol) in seen.iter_mut().zip(solution) {
                        *seen |= symbol;
                    }
                }
                Probe::NoSolution => possible[cell] = seen[cell],
            }
        }
        if seen[cell] == 0 {
            break;
        }
    }
    Some(SolutionDigits::from_masks(order, seen))
}
