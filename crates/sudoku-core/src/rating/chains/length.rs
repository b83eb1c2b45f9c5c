//! Computes the bonus that Sudoku Explainer adds to the rating of long chains.

/// The rating bonus for chains with this many nodes. Sudoku Explainer adds 0.1 for each of the lengths 4, 6, 8, 12, 16,
/// 24, 32, … that is less than the number of nodes minus two. The doubles are rounded as there.
pub(super) fn bonus(nodes: u32) -> f64 {
    let nodes = nodes.saturating_sub(2);
    let mut length_bonus = 0.0;
    let mut step = 4;
    let mut is_odd = false;
    while nodes > step {
        length_bonus += 0.1;
        step = if is_odd { step * 4 / 3 } else { step * 3 / 2 };
        is_odd = !is_odd;
    }
    length_bonus
}

#[cfg(test)]
mod tests {
    use super::bonus;

    #[test]
    fn the_bonus_grows_by_steps() {
        let expected_bonuses = [
            (2, 0.0),
            (6, 0.0),
            (7, 0.1),
            (8, 0.1),
            (9, 0.2),
            (14, 0.1 + 0.1 + 0.1),
            (26, 0.5),
            (34, 0.6),
            (50, 0.7),
            (1026, 1.599_999_999_999_999_9),
        ];
        for (nodes, added) in expected_bonuses {
            assert!((bonus(nodes) - added).abs() < 1e-9, "{nodes}");
        }
        // The sum must equal that of Sudoku Explainer in every bit.
        assert_eq!(bonus(14).to_bits(), 0.300_000_000_000_000_04f64.to_bits());
        assert_eq!(bonus(66).to_bits(), 0.799_999_999_999_999_9f64.to_bits());
    }
}
