//! The symmetries that the pattern of a puzzle's clues can have.

crate::enum_with_ids! {
    /// The symmetry of the cells that have clues. Their digits do not matter.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Symmetry {
        /// No symmetry.
        #[default]
        None = "none",
        /// Rotation by half a turn, the usual symmetry in newspapers.
        Rotational = "rotational",
        /// Rotation by a quarter turn.
        QuarterTurn = "quarter-turn",
        /// Reflection that exchanges left and right.
        Horizontal = "horizontal",
        /// Reflection that exchanges top and bottom.
        Vertical = "vertical",
        /// Reflection at the diagonal through the top left corner.
        Diagonal = "diagonal",
    }
}

impl Symmetry {
    /// The description in the help text.
    pub const fn about(self) -> &'static str {
        match self {
            Symmetry::None => "any clues",
            Symmetry::Rotational => "the same after half a turn",
            Symmetry::QuarterTurn => "the same after a quarter turn",
            Symmetry::Horizontal => "the same with left and right exchanged",
            Symmetry::Vertical => "the same with top and bottom exchanged",
            Symmetry::Diagonal => "the same with rows and columns exchanged",
        }
    }

    /// The orbits: sets of cells that the symmetry maps to each other, for a grid with `order` rows.
    /// They are sorted by their first cell.
    pub(crate) fn orbits(self, order: usize) -> Vec<Vec<usize>> {
        let last_index = order - 1;
        let image = |cell: usize| {
            let (row, column) = (cell / order, cell % order);
            let (row, column) = match self {
                Symmetry::None => (row, column),
                Symmetry::Rotational => (last_index - row, last_index - column),
                Symmetry::QuarterTurn => (column, last_index - row),
                Symmetry::Horizontal => (row, last_index - column),
                Symmetry::Vertical => (last_index - row, column),
                Symmetry::Diagonal => (column, row),
            };
            row * order + column
        };
        let mut is_seen = vec![false; order * order];
        let mut orbits = Vec::new();
        for first in 0..order * order {
            let mut orbit = Vec::new();
            let mut cell = first;
            while !is_seen[cell] {
                is_seen[cell] = true;
                orbit.push(cell);
                cell = image(cell);
            }
            if !orbit.is_empty() {
                orbits.push(orbit);
            }
        }
        orbits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_in_one_orbit() {
        for symmetry in Symmetry::ALL {
            for order in [4, 6, 9] {
                let orbits = symmetry.orbits(order);
                let mut cells: Vec<usize> = orbits.concat();
                cells.sort_unstable();
                assert!(cells.into_iter().eq(0..order * order), "{symmetry:?}");
            }
        }
        assert_eq!(Symmetry::None.orbits(9).len(), 81);
        assert_eq!(Symmetry::Rotational.orbits(9).len(), 41);
        assert_eq!(Symmetry::QuarterTurn.orbits(9).len(), 21);
        assert_eq!(Symmetry::Diagonal.orbits(4)[1], [1, 4]);
    }
}
