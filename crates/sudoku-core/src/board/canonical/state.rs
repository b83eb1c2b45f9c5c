//! A state of the search for the min-lex form, its smallest possible next row, and the states that follow.

use super::layout::{
    BYTE_MASKS, COLUMN_ORDERS, HIGH_HALF, IOTA, LOW_HALF, NAME_BITS, NEIGHBOUR_BITS, NEW_NAME,
    NINE_BITS, NO_POSITION, ONES, RIGHT_OF_PAIR, RowBytes, STACK_ORDERS, SWAPS, ZERO,
};
use crate::vectors::Bytes;

/// A state of the search: a set of arrangements of the grid that give the same rows of the min-lex form so
/// far.
#[derive(Clone, Copy)]
pub(super) struct SearchState {
    /// Byte 8 - p has the column of the grid that is at position p of the min-lex form. The other bytes are
    /// 0x80.
    pub(super) column_order: RowBytes,
    /// Byte d has the new name of digit d, shifted up by 4.
    pub(super) names: RowBytes,
    /// Byte 8 - p is 0xff while the column at position p is open, that is, has no clue yet; otherwise 0.
    pub(super) open_positions: RowBytes,
    /// The number of equivalent states that this state stands for, because rows without clues can be
    /// exchanged.
    pub(super) weight: u32,
    /// A mask of the rows of the grid that are already in the min-lex form.
    pub(super) used_rows: u16,
    /// A mask of the rows of the grid that may become the next row of the min-lex form.
    pub(super) next_rows: u16,
    /// Which grid the state rearranges: 0 for the original, 1 for the transposed grid.
    pub(super) orientation: u8,
    /// The number of stacks that have no clue yet and so no fixed place: 0, 2 or 3. A single such stack has
    /// only one possible place, so it does not count.
    pub(super) open_stacks: u8,
    /// Whether a stack has at least two open columns, so that the next row has to be sorted.
    pub(super) sorts: bool,
}

/// A state of the search together with one of its possible next rows.
#[derive(Clone, Copy)]
pub(super) struct NextRow {
    /// The row, arranged to be as small as possible. Byte 8 - p has the name of the digit at position p in
    /// its high four bits, and the digit's column in its low four bits.
    pub(super) row: RowBytes,
    /// The index of the state in the search's list of states.
    pub(super) state: u32,
    /// The index of the row in the grid, 0–8.
    pub(super) line: u8,
}

/// The names of the digits while no digit has a name yet; an empty cell keeps 0.
pub(super) const UNNAMED: RowBytes = {
    let mut names = [NEW_NAME; 16];
    names[0] = 0;
    RowBytes(names)
};

impl SearchState {
    /// The state before the first row: only the orientation and the possible first rows are fixed.
    pub(super) fn start(orientation: u8, next: u16) -> SearchState {
        SearchState {
            column_order: RowBytes([
                8, 7, 6, 5, 4, 3, 2, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
            ]),
            names: UNNAMED,
            open_positions: RowBytes([
                0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0,
            ]),
            weight: 1,
            used_rows: 0,
            next_rows: next,
            orientation,
            open_stacks: 3,
            sorts: true,
        }
    }

    /// A mask of the rows that may come next, with only one row of each group of exchangeable rows: rows
    /// without clues in one band, or all rows of bands without clues. `empty` is a mask of the rows without
    /// clues.
    #[inline(always)]
    pub(super) fn distinct_next_rows(&self, empty: u16) -> u16 {
        let exchangeable = self.next_rows & empty;
        if exchangeable & exchangeable.wrapping_sub(1) == 0 {
            return self.next_rows;
        }
        let mut candidate_rows = self.next_rows & !empty;
        let mut has_empty_band = false;
        for band in BANDS {
            let rows = exchangeable & band;
            if rows != band || !has_empty_band {
                candidate_rows |= rows & rows.wrapping_neg();
            }
            has_empty_band |= rows == band;
        }
        candidate_rows
    }

    /// The size of the group of exchangeable rows without clues that contains this row; 1 if it has clues.
    #[inline(always)]
    fn exchangeable_count(&self, line: usize, empty: u16) -> u32 {
        let exchangeable = self.next_rows & empty;
        if exchangeable >> line & 1 == 0 {
            return 1;
        }
        let band = BANDS[line / 3];
        let rows = (exchangeable & band).count_ones();
        if exchangeable & band == band {
            let bands = BANDS.iter().filter(|band| exchangeable & **band == **band);
            rows * bands.count() as u32
        } else {
            rows
        }
    }

    /// A mask of the rows of the grid that may follow row `line`: the unused rows of its band, or any unused
    /// row if there are none. `used` is a mask of the used rows and includes `line`.
    #[inline(always)]
    pub(super) fn rows_after(used: u16, line: usize) -> u16 {
        let unused_in_band = BANDS[line / 3] & !used;
        if unused_in_band == 0 {
            NINE_BITS & !used
        } else {
            unused_in_band
        }
    }

    /// The number of arrangements of the columns and stacks that are still open.
    pub(super) fn arrangements(open: u32, open_stacks: usize) -> u32 {
        const FACTORIALS: [u32; 4] = [1, 1, 2, 6];
        let columns = [6, 3, 0].map(|low| FACTORIALS[(open >> low & 7).count_ones() as usize]);
        columns.iter().product::<u32>() * FACTORIALS[open_stacks]
    }
}

const BANDS: [u16; 3] = [7, 7 << 3, 7 << 6];

/// The vectors of a search state, loaded into registers.
pub(super) struct StateVectors<B> {
    order: B,
    names: B,
    iota: B,
    sorting: [NeighbourSort<B>; 2],
    open_stacks: u8,
    sorts: bool,
    high_half: B,
}

/// The vectors to sort one pair of neighbouring columns in every stack, where both columns are open.
struct NeighbourSort<B> {
    swap: B,
    /// A mask of the positions that do not take the smaller value of a pair.
    not_earlier: B,
    /// A mask of the positions that take the larger value of a pair.
    later: B,
}

impl<B: Bytes> StateVectors<B> {
    #[inline(always)]
    pub(super) fn new(proof: B::Proof, state: &SearchState) -> StateVectors<B> {
        let open = state.open_positions.load::<B>(proof);
        let sorting = [0, 1].map(
            #[inline(always)]
            |pair| {
                let swap = SWAPS[pair].load::<B>(proof);
                let later_positions = open & RIGHT_OF_PAIR[pair].load::<B>(proof);
                let not_earlier = later_positions.shuffle(swap) ^ ONES.load::<B>(proof);
                NeighbourSort {
                    swap,
                    not_earlier,
                    later: later_positions,
                }
            },
        );
        StateVectors {
            order: state.column_order.load::<B>(proof),
            names: state.names.load::<B>(proof),
            iota: IOTA.load::<B>(proof),
            sorting,
            open_stacks: state.open_stacks,
            sorts: state.sorts,
            high_half: HIGH_HALF.load::<B>(proof),
        }
    }

    /// Arranges a row of the grid so that it becomes as small as possible in this state.
    #[inline(always)]
    pub(super) fn row(&self, proof: B::Proof, digits: B) -> B {
        // Each byte has the column in its low bits, below the name, so that sorting the bytes also sorts the
        // columns.
        let mut row = (self.names.shuffle(digits) | self.iota).shuffle(self.order);
        if self.sorts {
            let [first, last] = &self.sorting;
            for pair in [last, first, last] {
                let swapped_row = row.shuffle(pair.swap);
                row = row
                    .min(swapped_row | pair.not_earlier)
                    .max(swapped_row & pair.later);
            }
            if self.open_stacks > 1 {
                row = self.sort_stacks(proof, row);
            }
        }
        row
    }

    #[inline(always)]
    fn sort_stacks(&self, proof: B::Proof, mut row: B) -> B {
        let pairs: &[usize] = match self.open_stacks {
            2 => &[1],
            _ => &[2, 1, 2],
        };
        for pair in pairs {
            let reordered_row = row.shuffle(STACK_ORDERS[*pair].load::<B>(proof));
            if self.names_as_number(reordered_row) < self.names_as_number(row) {
                row = reordered_row;
            }
        }
        row
    }

    /// The names of a row as one number. Rows in text order have ascending numbers.
    #[inline(always)]
    pub(super) fn names_as_number(&self, row: B) -> u64 {
        let [low, high] = (row & self.high_half).halves();
        low >> 4 | high << 56
    }
}

/// A state extended by its next row, before ties between new digits are broken.
pub(super) struct ExtendedState<B> {
    row: B,
    names: B,
    /// A mask of the positions whose columns stay open after this row.
    open: B,
    /// A mask of the positions with a new digit: one bit for each position, the first position highest.
    new_positions: u32,
    /// The orders of the stacks that make the same row, as indices in [`super::layout::ORDERS`].
    stack_orders: &'static [u8],
    column_orders: [&'static [u8]; 3],
    open_stacks: u8,
}

/// The orders of a stack's columns that do not change the row, as indices in [`super::layout::ORDERS`]. The
/// four lists are for no tie, a tie of the last two columns, a tie of the first two, and a tie of all three.
const TIED_ORDERS: [&[u8]; 4] = [&[0], &[0, 2], &[0, 1], &[0, 1, 2, 3, 4, 5]];

impl<B: Bytes> ExtendedState<B> {
    #[inline(always)]
    pub(super) fn new(
        proof: B::Proof,
        state: &SearchState,
        next_row: &NextRow,
    ) -> ExtendedState<B> {
        let row = next_row.row.load::<B>(proof);
        let names = row & HIGH_HALF.load::<B>(proof);
        let open = state.open_positions.load::<B>(proof);
        let is_new = names.equals(HIGH_HALF.load::<B>(proof));
        let still_open = open & names.equals(ZERO.load::<B>(proof));
        let new_positions = is_new.high_bits();
        let ties = new_positions & open.high_bits();
        let ties = ties & ties >> 1 & NEIGHBOUR_BITS;
        let mut extended = ExtendedState {
            row,
            names: state.names.load::<B>(proof),
            open: still_open,
            new_positions,
            stack_orders: TIED_ORDERS[0],
            column_orders: [TIED_ORDERS[0]; 3],
            open_stacks: 0,
        };
        if ties != 0 {
            extended.column_orders = [6, 3, 0].map(
                #[inline(always)]
                |low| TIED_ORDERS[(ties >> low & 3) as usize],
            );
        }
        if state.open_stacks > 1 {
            let [low, high] = names.halves();
            // The three mini-rows of the row as numbers, the first stack in the lowest bits.
            let mini_rows = [
                low >> 48 | high << 16,
                low >> 24 & 0xff_ffff,
                low & 0xff_ffff,
            ];
            let mini_rows = &mini_rows[..usize::from(state.open_stacks)];
            let empty_mini_rows = mini_rows.iter().filter(|mini_row| **mini_row == 0).count();
            extended.open_stacks = if empty_mini_rows == 1 {
                0
            } else {
                empty_mini_rows as u8
            };
            let tie = |at: usize| {
                at + 1 < mini_rows.len() && mini_rows[at] != 0 && mini_rows[at] == mini_rows[at + 1]
            };
            extended.stack_orders = TIED_ORDERS[usize::from(tie(1)) | usize::from(tie(0)) << 1];
        }
        extended
    }

    /// If this row is the last row of the min-lex form: the number of arrangements of the grid that give the
    /// form with this row.
    pub(super) fn arrangements(&self) -> u32 {
        let orders = self.stack_orders.len()
            * self
                .column_orders
                .iter()
                .map(|o| o.len())
                .product::<usize>();
        orders as u32
            * SearchState::arrangements(self.open.high_bits(), usize::from(self.open_stacks))
    }

    /// Adds the states after this row, one for each order of the tied positions. `named_count` is the number
    /// of digits that had a name before.
    #[inline(always)]
    pub(super) fn children(
        &self,
        proof: B::Proof,
        template: SearchState,
        digits: B,
        named_count: usize,
        states: &mut Vec<SearchState>,
    ) {
        let ties = self.column_orders.iter().any(|orders| orders.len() > 1);
        if !ties && self.stack_orders.len() == 1 {
            states.push(self.child(proof, template, digits, named_count, self.row));
            return;
        }
        for stacks in self.stack_orders {
            let row = self
                .row
                .shuffle(STACK_ORDERS[usize::from(*stacks)].load::<B>(proof));
            for left in self.column_orders[0] {
                let row = row.shuffle(COLUMN_ORDERS[0][usize::from(*left)].load::<B>(proof));
                for middle in self.column_orders[1] {
                    let row = row.shuffle(COLUMN_ORDERS[1][usize::from(*middle)].load::<B>(proof));
                    for right in self.column_orders[2] {
                        let row =
                            row.shuffle(COLUMN_ORDERS[2][usize::from(*right)].load::<B>(proof));
                        states.push(self.child(proof, template, digits, named_count, row));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn child(
        &self,
        proof: B::Proof,
        template: SearchState,
        digits: B,
        named_count: usize,
        row: B,
    ) -> SearchState {
        let order = row & LOW_HALF.load::<B>(proof) | NO_POSITION.load::<B>(proof);
        let mut names = self.names;
        if self.new_positions != 0 {
            let digits = digits.shuffle(order).to_array();
            let mut new_positions = self.new_positions;
            let mut name = named_count;
            while new_positions != 0 {
                let position = new_positions.ilog2();
                new_positions ^= 1 << position;
                name += 1;
                let digit = usize::from(digits[position as usize & 15] & 15);
                names =
                    names ^ BYTE_MASKS[digit].load::<B>(proof) & NAME_BITS[name].load::<B>(proof);
            }
        }
        let open = self.open.high_bits();
        SearchState {
            column_order: RowBytes(order.to_array()),
            names: RowBytes(names.to_array()),
            open_positions: RowBytes(self.open.to_array()),
            open_stacks: self.open_stacks,
            sorts: open & open >> 1 & NEIGHBOUR_BITS != 0,
            ..template
        }
    }
}

impl SearchState {
    /// The state after adding row `line` of the grid, with the vectors of the state before it.
    #[inline(always)]
    pub(super) fn state_after(&self, line: usize, empty: u16) -> SearchState {
        let used = self.used_rows | 1 << line;
        SearchState {
            weight: self.weight * self.exchangeable_count(line, empty),
            used_rows: used,
            next_rows: SearchState::rows_after(used, line),
            ..*self
        }
    }
}
