//! The search for the min-lex form of a puzzle: breadth first, one row of the form after another.
//!
//! All states of a depth have the same rows so far. Each state makes every possible next row as small as
//! possible. Only the states that have the smallest next row are continued.
//!
//! Columns are fixed late. A column without a clue so far is *open*: nothing distinguishes it from the other
//! open columns of its stack. Open columns are at the left of their stack, and stacks without a clue so far
//! are at the left of the form, both without an order. A row sorts the open columns and stacks; those in
//! which it has a clue become fixed.
//!
//! All new digits compare as one name greater than all names. This is right because all states of a depth
//! have named the same number of digits. New digits are named only in the states that are continued. So a
//! state branches only where new digits tie: among the open columns of a stack, or among equal mini-rows of
//! open stacks. Columns and stacks that are still open at the end can be permuted without effect, and count
//! as automorphisms.

use super::super::grid::Grid;
use super::dense;
use super::form::Canonical;
use super::layout::{BYTE_MASKS, HIGH_HALF, NAME_BITS, OrientedRows, REVERSE, RowBytes};
use super::state::{ExtendedState, NextRow, SearchState, StateVectors};
use crate::vectors::{ByteWork, Bytes};

/// The lists that a search needs, kept from one search to the next to reuse their memory.
#[derive(Default)]
pub(super) struct MinLexSearch {
    states: Vec<SearchState>,
    children: Vec<SearchState>,
    next_rows: Vec<NextRow>,
    seeds: Vec<dense::Seed>,
}

/// The task of finding the min-lex form of a grid without conflicts, as an algorithm for any instruction set.
pub(super) struct CanonicalForm<'a> {
    pub(super) search: &'a mut MinLexSearch,
    pub(super) grid: &'a Grid,
}

impl ByteWork for CanonicalForm<'_> {
    type Output = Canonical;

    #[inline(always)]
    fn run<B: Bytes>(self, proof: B::Proof) -> Canonical {
        self.search.run::<B>(proof, self.grid)
    }
}

/// The rows of the min-lex form that are found so far, as text, and the number of digits that have a name.
struct Form {
    cells: [u8; 96],
    named_count: usize,
}

impl MinLexSearch {
    #[inline(always)]
    fn run<B: Bytes>(&mut self, proof: B::Proof, grid: &Grid) -> Canonical {
        let rows = OrientedRows::new::<B>(proof, grid);
        let least_rank = rows.least_rank();
        let mut form = Form {
            cells: [0; 96],
            named_count: 0,
        };
        self.states.clear();
        let first_depth = if dense::arrangement_count(least_rank) > dense::MAX_ARRANGEMENTS {
            form.named_count = dense::seeds(&rows, least_rank, &mut self.seeds, &mut self.states);
            let seed = &self.states[0];
            let line = seed.used_rows.trailing_zeros() as usize;
            let digits = rows.digits[usize::from(seed.orientation)][line].load::<B>(proof);
            let names = seed.names.load::<B>(proof).shuffle(digits);
            form.write_row(proof, 0, names.shuffle(seed.column_order.load::<B>(proof)));
            1
        } else {
            for orientation in 0..2 {
                let next = rows.lines_of_rank(orientation, least_rank);
                if next != 0 {
                    self.states
                        .push(SearchState::start(orientation as u8, next));
                }
            }
            0
        };
        for depth in first_depth..8 {
            self.find_next_rows::<B>(proof, &rows);
            self.advance::<B>(proof, &rows, form.named_count);
            form.add_row::<B>(proof, depth, &self.next_rows[0]);
        }
        self.find_next_rows::<B>(proof, &rows);
        form.add_row::<B>(proof, 8, &self.next_rows[0]);
        Canonical {
            form: form.grid(),
            automorphisms: self.arrangements::<B>(proof, &rows),
        }
    }

    /// Finds the smallest possible next row of the min-lex form, and all pairs of a state and a row of the
    /// grid that give it.
    #[inline(always)]
    fn find_next_rows<B: Bytes>(&mut self, proof: B::Proof, rows: &OrientedRows) {
        let mut smallest_row = u64::MAX;
        self.next_rows.clear();
        for (index, state) in self.states.iter().enumerate() {
            let orientation = usize::from(state.orientation);
            let arranged = StateVectors::<B>::new(proof, state);
            let mut lines = state.distinct_next_rows(rows.empty[orientation]);
            while lines != 0 {
                let line = lines.trailing_zeros() as usize;
                lines &= lines - 1;
                let digits = rows.digits[orientation][line].load::<B>(proof);
                let row = arranged.row(proof, digits);
                let image = arranged.names_as_number(row);
                if image <= smallest_row {
                    if image < smallest_row {
                        smallest_row = image;
                        self.next_rows.clear();
                    }
                    self.next_rows.push(NextRow {
                        row: RowBytes(row.to_array()),
                        state: index as u32,
                        line: line as u8,
                    });
                }
            }
        }
    }

    /// Replaces the states of this depth by the states that follow after the next row.
    #[inline(always)]
    fn advance<B: Bytes>(&mut self, proof: B::Proof, rows: &OrientedRows, named_count: usize) {
        self.children.clear();
        for next_row in &self.next_rows {
            let state = &self.states[next_row.state as usize];
            let (orientation, line) = (usize::from(state.orientation), usize::from(next_row.line));
            let digits = rows.digits[orientation][line].load::<B>(proof);
            let next_state = state.state_after(line, rows.empty[orientation]);
            let extended = ExtendedState::<B>::new(proof, state, next_row);
            extended.children(proof, next_state, digits, named_count, &mut self.children);
        }
        std::mem::swap(&mut self.states, &mut self.children);
    }

    /// The number of arrangements of the grid that give the min-lex form, counted from the states of the last
    /// row. This is the number of automorphisms.
    #[inline(always)]
    fn arrangements<B: Bytes>(&self, proof: B::Proof, rows: &OrientedRows) -> u32 {
        let arrangements = self.next_rows.iter().map(
            #[inline(always)]
            |next_row| {
                let state = &self.states[next_row.state as usize];
                let empty = rows.empty[usize::from(state.orientation)];
                let weight = state.state_after(usize::from(next_row.line), empty).weight;
                weight * ExtendedState::<B>::new(proof, state, next_row).arrangements()
            },
        );
        arrangements.sum()
    }
}

impl Form {
    /// Adds the next row to the min-lex form, and gives new digits the next free names.
    #[inline(always)]
    fn add_row<B: Bytes>(&mut self, proof: B::Proof, depth: usize, next_row: &NextRow) {
        let mut row = next_row.row.load::<B>(proof) & HIGH_HALF.load::<B>(proof);
        let mut new_positions = row.equals(HIGH_HALF.load::<B>(proof)).high_bits();
        while new_positions != 0 {
            let position = new_positions.ilog2();
            new_positions ^= 1 << position;
            self.named_count += 1;
            row = row
                ^ BYTE_MASKS[position as usize & 15].load::<B>(proof)
                    & NAME_BITS[self.named_count].load::<B>(proof);
        }
        self.write_row(proof, depth, row);
    }

    /// Writes a row of the min-lex form whose digits all have names.
    #[inline(always)]
    fn write_row<B: Bytes>(&mut self, proof: B::Proof, depth: usize, row: B) {
        let columns = row.shuffle(REVERSE.load::<B>(proof)).to_array();
        // This writes sixteen bytes, of which nine belong to the row; the next row overwrites the other
        // seven.
        self.cells[9 * depth..][..16].copy_from_slice(&columns);
    }

    #[inline(always)]
    fn grid(&self) -> Grid {
        let mut characters = [0; 81];
        for (character, cell) in characters.iter_mut().zip(&self.cells) {
            let name = cell >> 4;
            *character = if name == 0 { b'.' } else { b'0' + name };
        }
        Grid::from_characters(characters)
    }
}
