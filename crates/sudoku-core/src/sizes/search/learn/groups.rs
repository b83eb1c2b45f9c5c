//! The variables of the solver with clause learning, and their groups: in each group exactly one variable is
//! true.

use crate::sizes::shape::Shape;

/// The number of groups that contain a variable: its cell, and its symbol in its row, its column and its box.
const GROUPS_PER_VARIABLE: usize = 4;

/// The variables of a board's open cells, and the groups that contain them.
///
/// ```text
/// variable   a candidate of an open cell, numbered by cell and then by symbol
/// group      an open cell, or a symbol in a house where it is not placed
/// ```
pub(crate) struct VariableGroups {
    /// The cell and the symbol of each variable.
    cells_and_symbols: Vec<(u16, u8)>,
    /// For each variable, the indices of the groups that contain it.
    groups_of_variable: Vec<[u32; GROUPS_PER_VARIABLE]>,
    /// The variables of all groups, one group after the other.
    group_variables: Vec<u32>,
    /// The index in `group_variables` at which each group begins, and the index at which the last one ends.
    group_starts: Vec<u32>,
}

impl VariableGroups {
    /// The variables and groups of a board's open cells. `candidates` and `open` are those of the board. A
    /// group without variables is kept, because it is a contradiction.
    pub(crate) fn new(shape: &Shape, candidates: &[u32], open: &[bool]) -> VariableGroups {
        let order = shape.order;
        let is_candidate = |cell: usize, symbol: usize| candidates[cell] >> symbol & 1 == 1;
        let mut groups = VariableGroups {
            cells_and_symbols: Vec::new(),
            groups_of_variable: Vec::new(),
            group_variables: Vec::new(),
            group_starts: vec![0],
        };
        let mut variables = vec![0; order * shape.cells()];
        for cell in (0..shape.cells()).filter(|cell| open[*cell]) {
            for symbol in (0..order).filter(|symbol| is_candidate(cell, *symbol)) {
                let variable = groups.cells_and_symbols.len() as u32;
                variables[cell * order + symbol] = variable;
                groups.cells_and_symbols.push((cell as u16, symbol as u8));
                groups.groups_of_variable.push([0; GROUPS_PER_VARIABLE]);
                groups.add_variable(variable, 0);
            }
            groups
                .group_starts
                .push(groups.group_variables.len() as u32);
        }
        for (house, cells) in shape.houses.iter().enumerate() {
            let place = 1 + house / order;
            for symbol in 0..order {
                if cells
                    .iter()
                    .any(|&cell| !open[cell] && is_candidate(cell, symbol))
                {
                    continue;
                }
                for &cell in cells.iter().filter(|cell| open[**cell]) {
                    if is_candidate(cell, symbol) {
                        groups.add_variable(variables[cell * order + symbol], place);
                    }
                }
                groups
                    .group_starts
                    .push(groups.group_variables.len() as u32);
            }
        }
        groups
    }

    /// Adds a variable to the group that is being built. `place` is the number of groups that already contain
    /// the variable.
    fn add_variable(&mut self, variable: u32, place: usize) {
        self.groups_of_variable[variable as usize][place] = self.len() as u32;
        self.group_variables.push(variable);
    }

    /// The number of groups of the board.
    pub(super) fn len(&self) -> usize {
        self.group_starts.len() - 1
    }

    /// The cell and the symbol of each variable.
    pub(crate) fn cells_and_symbols(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + '_ {
        let names = self.cells_and_symbols.iter();
        names.map(|&(cell, symbol)| (usize::from(cell), usize::from(symbol)))
    }

    /// The indices of the four groups that contain a variable.
    pub(super) fn groups_of(&self, variable: u32) -> [u32; GROUPS_PER_VARIABLE] {
        self.groups_of_variable[variable as usize]
    }

    /// The variables of a group.
    pub(super) fn members(&self, group: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|next| self.group_starts[group as usize + next] as usize);
        &self.group_variables[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn every_candidate_is_in_its_cell_and_in_three_houses() {
        let shape = Shape::for_size(Size::Four);
        let groups = VariableGroups::new(shape, &[0b1111; 16], &[true; 16]);
        assert_eq!((groups.cells_and_symbols().len(), groups.len()), (64, 64));
        for (variable, (cell, symbol)) in groups.cells_and_symbols().enumerate() {
            let [own, row, column, box_] = groups.groups_of(variable as u32);
            let cell_members = [own].map(|group| groups.members(group));
            let houses = [row, column, box_].map(|group| groups.members(group));
            let names: Vec<_> = groups.cells_and_symbols().collect();
            let is_own = |member: &u32| names[*member as usize].0 == cell;
            assert!(
                cell_members
                    .iter()
                    .all(|members| members.iter().all(is_own))
            );
            for (house, members) in shape.houses_of(cell).into_iter().zip(houses) {
                let expected_members: Vec<_> =
                    shape.houses[house].iter().map(|c| (*c, symbol)).collect();
                let member_names: Vec<_> = members.iter().map(|one| names[*one as usize]).collect();
                assert_eq!(member_names, expected_members);
            }
        }
    }
}
