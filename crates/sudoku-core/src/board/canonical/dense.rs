//! A shortcut for grids with many clues in the search for the min-lex form. If row 1 of the form can be
//! arranged in many ways, the shortcut chooses rows 1 and 2 together.
//!
//! A full row has 1,296 arrangements. Looking at row 2 as well leaves few of them to search.
//!
//! All arrangements of row 1 look the same: in each stack first the empty cells, then the next new names of
//! digits in ascending order. So the first mini-row of row 2 decides. Each of its digits is either in the
//! middle stack of row 1, where names are small, or in the right stack, or new. In a full grid, this mini-row
//! also fixes the order of the columns.

use super::layout::{NINE_BITS, ORDERS, OrientedRows, RANKS, RowBytes, byte_of, counts};
use super::state::{SearchState, UNNAMED};

/// If the first row of the min-lex form has more arrangements than this, [`seeds`] chooses the first and the
/// second row together.
pub(super) const MAX_ARRANGEMENTS: u32 = 6;

/// The rank of a row without empty cells. If this is the lowest rank in a grid, the grid is full.
const FULL_RANK: u8 = RANKS[NINE_BITS as usize];

/// The number of orders of columns and stacks that make the same first row. It depends only on the row's
/// rank.
pub(super) fn arrangement_count(rank: u8) -> u32 {
    const FACTORIALS: [u32; 4] = [1, 1, 2, 6];
    let counts = [rank >> 4 & 3, rank >> 2 & 3, rank & 3];
    let orders_within_stacks = counts.iter().map(|count| FACTORIALS[usize::from(*count)]);
    let is_same_count = |a: usize, b: usize| usize::from(counts[a] == counts[b] && counts[a] > 0);
    orders_within_stacks.product::<u32>()
        * FACTORIALS[1 + is_same_count(0, 1) + is_same_count(1, 2)]
}

/// Starts the search after row 1. Adds a state for each arrangement of row 1 that may lead to the smallest
/// row 2; in each state, row 2 is the only possible next row. Returns the number of digits that have a name
/// after row 1.
pub(super) fn seeds(
    rows: &OrientedRows,
    rank: u8,
    seeds: &mut Vec<Seed>,
    states: &mut Vec<SearchState>,
) -> usize {
    let mini_rows = rows
        .digits
        .map(|lines| lines.map(|line| mini_row_digits(&line)));
    seeds.clear();
    let mut smallest_seeds = SmallestSeeds {
        key: u32::MAX,
        seeds,
    };
    for (orientation, mini_rows) in mini_rows.iter().enumerate() {
        let lines = rows.lines_of_rank(orientation, rank);
        for first in (0..9).filter(|line| lines >> line & 1 == 1) {
            for second in (first / 3 * 3..).take(3).filter(|line| *line != first) {
                let pair = FirstTwoRows {
                    orientation: orientation as u8,
                    first,
                    second,
                    digits: [first, second].map(|line| &rows.digits[orientation][line].0),
                    mini_rows: [first, second].map(|line| &mini_rows[line]),
                };
                if rank == FULL_RANK {
                    pair.add_full_row_seeds(&mut smallest_seeds);
                } else {
                    pair.add_partial_row_seeds(rows.clues[orientation][first], &mut smallest_seeds);
                }
            }
        }
    }
    states.extend(seeds.iter().map(|seed| seed.state(rows)));
    usize::from((rank >> 4 & 3) + (rank >> 2 & 3) + (rank & 3))
}

/// A possible start of the search: the row of the grid that becomes row 1, the order of its columns, and the
/// row of the grid that becomes row 2.
pub(super) struct Seed {
    orientation: u8,
    first: u8,
    second: u8,
    columns: [u8; 9],
}

/// The digits of the three mini-rows of a row, as bit masks: bit d is set for digit d.
fn mini_row_digits(row: &RowBytes) -> [u16; 3] {
    let [a, b, c, d, e, f, g, h, i, ..] = row.0.map(|digit| 1_u16 << (digit & 15));
    [a | b | c, d | e | f, g | h | i]
}

/// The possible starts of the search ([`Seed`]) that have the smallest key so far. A smaller key means a
/// smaller second row.
struct SmallestSeeds<'a> {
    key: u32,
    seeds: &'a mut Vec<Seed>,
}

impl SmallestSeeds<'_> {
    /// Whether a seed (a possible start of the search) with this key is added. If the key is the smallest so
    /// far, drops all earlier seeds.
    fn accepts(&mut self, key: u32) -> bool {
        if key < self.key {
            self.key = key;
            self.seeds.clear();
        }
        key == self.key
    }
}

/// A pair of rows of the grid that may become rows 1 and 2 of the min-lex form.
struct FirstTwoRows<'a> {
    orientation: u8,
    first: usize,
    second: usize,
    digits: [&'a [u8; 16]; 2],
    mini_rows: [&'a [u16; 3]; 2],
}

impl FirstTwoRows<'_> {
    /// Adds the seeds (possible starts of the search) for a row 1 without empty cells, which becomes
    /// `123456789`. The first mini-row of row 2 has three or two of the digits 4, 5 and 6, so it becomes `456`
    /// or `457`. This fixes the order of the middle stack. The other digits of row 2 fix the order of the right
    /// stack.
    fn add_full_row_seeds(&self, smallest_seeds: &mut SmallestSeeds<'_>) {
        let [first, second] = self.digits;
        // For each digit, its column in row 1.
        let mut column_of_digit = [0; 16];
        for (column, digit) in (0..9).zip(first) {
            column_of_digit[usize::from(digit & 15)] = column;
        }
        // For each column of row 2, the column of row 1 that has the same digit.
        let mut column_of_same_digit = [0; 9];
        for (to, digit) in column_of_same_digit.iter_mut().zip(second) {
            *to = column_of_digit[usize::from(digit & 15)];
        }
        for left in 0..3 {
            let (next, last) = ((left + 1) % 3, (left + 2) % 3);
            let shared_count = (self.mini_rows[1][left] & self.mini_rows[0][next]).count_ones();
            match shared_count {
                0 | 3 => self.add_seeds_with_456(&column_of_same_digit, left, smallest_seeds),
                2 => self.add_seeds_with_457(
                    &column_of_same_digit,
                    [left, next, last],
                    smallest_seeds,
                ),
                _ => self.add_seeds_with_457(
                    &column_of_same_digit,
                    [left, last, next],
                    smallest_seeds,
                ),
            }
        }
    }

    /// Adds the seeds (possible starts of the search) whose row 2 is `456 789` and then a permutation of 123.
    /// The order of the columns in the left stack decides which permutation.
    fn add_seeds_with_456(
        &self,
        column_of_same_digit: &[usize; 9],
        left: usize,
        smallest_seeds: &mut SmallestSeeds<'_>,
    ) {
        for order in ORDERS {
            let left = order.map(|place| 3 * left + place);
            let middle = left.map(|column| column_of_same_digit[column]);
            let right = middle.map(|column| column_of_same_digit[column]);
            let names = right.map(|column| {
                left.iter()
                    .position(|at| *at == column_of_same_digit[column])
            });
            let key = names
                .iter()
                .fold(0, |key, name| key << 2 | name.unwrap_or(3) as u32);
            if smallest_seeds.accepts(key) {
                self.add_seed([left, middle, right], smallest_seeds);
            }
        }
    }

    /// Adds the seeds (possible starts of the search) whose row 2 begins with `457`. The fourth digit of row 2
    /// can be 1, 2, 3 or 8.
    fn add_seeds_with_457(
        &self,
        column_of_same_digit: &[usize; 9],
        stacks: [usize; 3],
        smallest_seeds: &mut SmallestSeeds<'_>,
    ) {
        const AFTER_456: u32 = 1 << 8;
        if smallest_seeds.key < AFTER_456 {
            return;
        }
        let [left, middle, right] = stacks;
        let Some(last) =
            (3 * left..3 * left + 3).find(|column| column_of_same_digit[*column] / 3 == right)
        else {
            return;
        };
        let (a, b) = (3 * left + (last + 1) % 3, 3 * left + (last + 2) % 3);
        for [a, b] in [[a, b], [b, a]] {
            let name = [a, b, last]
                .iter()
                .position(|at| *at == column_of_same_digit[column_of_same_digit[a]]);
            if smallest_seeds.accepts(AFTER_456 + name.unwrap_or(7) as u32) {
                let columns = 9 * middle + 3 - column_of_same_digit[a] - column_of_same_digit[b];
                let middle = [column_of_same_digit[a], column_of_same_digit[b], columns];
                let mut right_columns = middle
                    .iter()
                    .map(|column| column_of_same_digit[*column])
                    .filter(|column| column / 3 == right);
                let next = [right_columns.next(), right_columns.next()]
                    .map(|column| column.unwrap_or(column_of_same_digit[last]));
                let order = [
                    [a, b, last],
                    middle,
                    [column_of_same_digit[last], next[0], next[1]],
                ];
                self.add_seed(order, smallest_seeds);
            }
        }
    }

    /// Adds the seeds (possible starts of the search) for a row 1 with empty cells. Only the first mini-row of
    /// row 2 is compared. Each of its cells has one of four classes: empty, a digit of the middle mini-row of
    /// row 1, a digit of the right mini-row of row 1, or a new digit. Columns that are empty in row 1 are
    /// compared first, then the others.
    fn add_partial_row_seeds(&self, clues: u16, smallest_seeds: &mut SmallestSeeds<'_>) {
        let counts = counts(clues);
        for stacks in ORDERS {
            if !stacks.map(|stack| counts[stack]).is_sorted() {
                continue;
            }
            let [left, middle, right] = stacks;
            let class = |column: usize| {
                let digit = self.digits[1][column] & 15;
                let is_in_stack = |stack: usize| self.mini_rows[0][stack] >> digit & 1 == 1;
                let class = match digit {
                    0 => 0,
                    _ if is_in_stack(middle) => 1,
                    _ if is_in_stack(right) => 2,
                    _ => 3,
                };
                class | u32::from(clues >> column & 1) << 2
            };
            let mut classes = [0, 1, 2].map(|place| class(3 * left + place));
            classes.sort_unstable();
            let key = classes.iter().fold(0, |key, class| key << 2 | class & 3);
            if !smallest_seeds.accepts(key) {
                continue;
            }
            for a in first_row_orders(clues, left) {
                // The columns that row 1 fills must be in the order of their classes in row 2. The columns
                // that it leaves empty are sorted later, by the digits of row 2.
                let filled_columns = a.into_iter().filter(|column| clues >> column & 1 == 1);
                if !filled_columns.map(class).is_sorted() {
                    continue;
                }
                for b in first_row_orders(clues, middle) {
                    for c in first_row_orders(clues, right) {
                        self.add_seed([a, b, c], smallest_seeds);
                    }
                }
            }
        }
    }

    fn add_seed(&self, columns: [[usize; 3]; 3], smallest_seeds: &mut SmallestSeeds<'_>) {
        let [[a, b, c], [d, e, f], [g, h, i]] = columns;
        smallest_seeds.seeds.push(Seed {
            orientation: self.orientation,
            first: self.first as u8,
            second: self.second as u8,
            columns: [a, b, c, d, e, f, g, h, i].map(|column| column as u8),
        });
    }
}

impl Seed {
    fn state(&self, rows: &OrientedRows) -> SearchState {
        let digits = &rows.digits[usize::from(self.orientation)][usize::from(self.first)].0;
        let mut column_order = [0x80; 16];
        let mut names = UNNAMED.0;
        let mut open_mask = [0; 16];
        let mut sorts = false;
        let mut name = 0;
        for (position, column) in self.columns.into_iter().enumerate() {
            let byte = byte_of(position);
            column_order[byte] = column;
            let digit = usize::from(digits[usize::from(column & 15)] & 15);
            if digit == 0 {
                open_mask[byte] = 0xff;
                // Empty columns are at the left of their stack: if this column is not the first, the stack has
                // at least two of them.
                sorts |= position % 3 > 0;
            } else {
                name += 1;
                names[digit] = name << 4;
            }
        }
        SearchState {
            column_order: RowBytes(column_order),
            names: RowBytes(names),
            open_positions: RowBytes(open_mask),
            weight: 1,
            used_rows: 1 << self.first,
            next_rows: 1 << self.second,
            orientation: self.orientation,
            open_stacks: 0,
            sorts,
        }
    }
}

/// The orders of a stack's columns that make the same mini-row of row 1: empty cells first, then the clues in
/// any order.
fn first_row_orders(clues: u16, stack: usize) -> impl Iterator<Item = [usize; 3]> {
    let orders = ORDERS.map(|order| order.map(|place| 3 * stack + place));
    orders.into_iter().filter(move |columns| {
        // Exchanging empty columns does not change the row, so only one of their orders is kept.
        columns.is_sorted_by(|a, b| match [a, b].map(|column| clues >> *column & 1) {
            [0, 0] => a < b,
            [a, b] => a <= b,
        })
    })
}
