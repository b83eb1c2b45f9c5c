//! A sweep applies singles and locked candidates once to the boards in all lanes.
//!
//! A mini-row is three cells of a row within a box, and a mini-column three cells of a column. The mini-rows
//! of a digit in a band are a 3 × 3 square: three rows by three boxes. Its mini-columns in a stack of boxes
//! are one too: three columns by three bands. In a solution, a digit has one place in each row and in each
//! box, so that its places in a square are a permutation. A sweep removes every place that is in no
//! permutation of the places left. That is pointing, claiming and the hidden single of a box at once.
//!
//! In pseudo-code, for one board:
//!
//! ```text
//! for each digit:
//!     remove it from the cells that other digits were placed in during this sweep
//!     for each row with a naked single of the digit: remove its other places in the row
//!     for each square of mini-rows and of mini-columns: remove the places in no permutation
//!     a row or a column without a place is a contradiction
//!     for each row with one place left: place the digit there
//! for each cell:
//!     if a digit was placed: remove its other digits
//!     count its candidates: none is a contradiction, and so are two placed digits; one is a naked single of
//!     the next sweep
//! if every cell was filled without a contradiction, the board is a solution
//! ```
//!
//! How it is made fast:
//!
//! 1. A lane holds a board, and a vector the same word of eight or sixteen boards. No step branches on the
//!    content of a board.
//! 2. A square has nine bits, and the filter of a square is a few shifts and ands. Three squares fill a word:
//!    those of the three bands for rows, those of three digits for columns. This is why pass 1 takes three
//!    digits at a time.
//! 3. The spare bit behind each row (`GUARDS` in `board/vector_boards/bands.rs`) takes carries and
//!    borrows: one addition finds the rows that have a place, and one subtraction the rows that have only one.
//! 4. Two vectors are swept at the same time (`SweepTwo`): while the processor waits for a result of one, it
//!    works on the other.
//! 5. The result is three bits for each lane. A vector would be returned through memory.
//!
//! The words of the two passes:
//!
//! ```text
//! pass 1, three digits at a time:
//!   cells placed by earlier digits go; a naked single clears its row
//!   rows      words of mini-rows, a digit in each     bit 10·row + 3·box + 2 − band
//!             filter, back to cells
//!   columns   words of mini-columns, a band in each   bit 10·(digit of the three) + column
//!             filter, back to cells
//!   the only cell of its row is placed
//! pass 2, all digits:
//!   placed cells lose their other digits; cells with none, one, two candidates are counted
//! ```
//!
//! What did not pay:
//!
//! - To unroll the loops of the two passes by hand: a tenth slower, and a quarter on portable lanes.
//! - To store the squares of rows like those of columns, in three words, in which two rows of a square meet
//!   without a shift: packing them takes as long as the shifts that it saves.
//! - To write `three_digits` as a loop over bands: its vectors would pass through memory.

use super::board::LaneBoards;
use crate::board::bands::{
    CELLS, FIRSTS, GUARDS, WORDS, cells_of_columns, cells_of_rows, free_rows, mini_columns,
    packed_mini_rows, to_next_box, to_next_column, to_next_row,
};
use crate::vectors::{LaneStep, Lanes, Words};

/// The result of a sweep, which applies the rules once to the boards in all lanes. Each field has one bit for
/// each lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swept {
    /// The board has no solution.
    pub(super) dead: u32,
    /// The board is a solution: the sweep has placed a digit in every cell.
    pub(super) solved: u32,
    /// The board is neither dead nor solved, and the sweep has not changed it.
    pub(super) stalled: u32,
}

/// A step that sweeps the boards in all lanes of a vector: it applies singles and locked candidates once.
pub(super) struct Sweep<'a, const N: usize>(pub(super) &'a mut LaneBoards<N>);

impl<V: Lanes<N>, const N: usize> LaneStep<V, N> for Sweep<'_, N> {
    type Output = Swept;

    #[inline(always)]
    fn run(self, proof: V::Proof) -> Swept {
        let Sweep(boards) = self;
        let mut pass = Pass::<V>::new(proof, boards);
        for first in [0, 9, 18] {
            pass.three_digits(proof, boards, first);
        }
        let mut flags = LaneFlags::new(proof, &pass);
        for band in 0..3 {
            flags.finish(proof, boards, band, &pass);
        }
        flags.swept()
    }
}

/// A step that sweeps two vectors at the same time: while the processor waits for a result of one vector, it
/// works on the other.
pub(super) struct SweepTwo<'a, const N: usize>(pub(super) [&'a mut LaneBoards<N>; 2]);

impl<V: Lanes<N>, const N: usize> LaneStep<V, N> for SweepTwo<'_, N> {
    type Output = [Swept; 2];

    #[inline(always)]
    fn run(self, proof: V::Proof) -> [Swept; 2] {
        let SweepTwo([a, b]) = self;
        let [mut pass_a, mut pass_b] = [Pass::<V>::new(proof, a), Pass::<V>::new(proof, b)];
        for first in [0, 9, 18] {
            pass_a.three_digits(proof, a, first);
            pass_b.three_digits(proof, b, first);
        }
        let [mut flags_a, mut flags_b] = [
            LaneFlags::new(proof, &pass_a),
            LaneFlags::new(proof, &pass_b),
        ];
        for band in 0..3 {
            flags_a.finish(proof, a, band, &pass_a);
            flags_b.finish(proof, b, band, &pass_b);
        }
        [flags_a.swept(), flags_b.swept()]
    }
}

/// The results of a sweep so far. In each field, the word of a lane is 0 if its board does not have the property.
struct LaneFlags<V> {
    /// Not 0 if the board has no solution.
    dead: V,
    /// Not 0 if the board has changed.
    has_changed: V,
    /// Not 0 if the sweep has left a cell without a placed digit.
    unfilled: V,
    /// Not 0 if a naked single has not been placed.
    contested: V,
}

impl<V: Words> LaneFlags<V> {
    #[inline(always)]
    fn new(proof: V::Proof, pass: &Pass<V>) -> LaneFlags<V> {
        let zero = V::splat(proof, 0);
        LaneFlags {
            dead: (pass.alive & GUARDS) ^ GUARDS,
            has_changed: zero,
            unfilled: (pass.placed_cells[0] & pass.placed_cells[1] & pass.placed_cells[2]) ^ CELLS,
            contested: zero,
        }
    }

    #[inline(always)]
    fn swept(&self) -> Swept {
        let stalled = self.has_changed.zero_lanes();
        // If nothing has changed and a naked single is not placed, its row has another naked single of the same
        // digit, so the board has no solution.
        let dead = !(self.dead.zero_lanes() & (self.contested.zero_lanes() | !stalled));
        // A digit is placed only where its row has no other place for it, so at most once in each row. If all 81
        // cells are filled and none has two digits, each row has each digit exactly once, and no digit has another
        // place. Each digit has a place in every column, so it has exactly one there. It also has one in each box:
        // a square in which every column has a place is not empty, and so has a place in every box.
        let solved = self.unfilled.zero_lanes() & !dead;
        Swept {
            dead,
            solved,
            stalled: stalled & !(dead | solved),
        }
    }

    #[inline(always)]
    fn finish<const N: usize>(
        &mut self,
        proof: V::Proof,
        boards: &mut LaneBoards<N>,
        band: usize,
        pass: &Pass<V>,
    ) where
        V: Lanes<N>,
    {
        let placed = pass.placed_cells[band];
        let [mut one, mut two, mut three] = [V::splat(proof, 0); 3];
        for digit in 0..9 {
            let word_index = 3 * digit + band;
            let old_word = V::load(proof, &boards.words[word_index]);
            let left_word = V::load(proof, &boards.remaining[word_index]);
            let new_word =
                left_word.without(placed) | V::load(proof, &boards.placed_cells[word_index]);
            self.has_changed = self.has_changed.or_differing(new_word, old_word);
            new_word.store(&mut boards.words[word_index]);
            three = three | (two & new_word);
            two = two | (one & new_word);
            one = one | new_word;
        }
        // A contradiction: a cell has no candidate, or two digits are placed in it.
        self.dead = self.dead | (one ^ CELLS) | (two & placed);
        let naked_singles = one.without(two);
        self.has_changed = self
            .has_changed
            .or_differing(naked_singles, pass.singles[band]);
        self.contested = self.contested | naked_singles.without(placed);
        naked_singles.store(&mut boards.words[WORDS + band]);
        two.without(three).store(&mut boards.pairs[band]);
        two.store(&mut boards.open_cells[band]);
    }
}

/// The state of the first pass of a sweep, which filters the places of three digits at a time.
struct Pass<V: Words> {
    /// For each band, the cells that had one candidate when the sweep began.
    singles: [V; 3],
    /// For each band, the cells in which the sweep has placed a digit so far.
    placed_cells: [V; 3],
    /// All guard bits as long as every digit has a place in every row and in every column; otherwise, some
    /// guard bits are 0.
    alive: V,
}

impl<V: Words> Pass<V> {
    #[inline(always)]
    fn new<const N: usize>(proof: V::Proof, boards: &LaneBoards<N>) -> Pass<V>
    where
        V: Lanes<N>,
    {
        Pass {
            singles: [
                V::load(proof, &boards.words[WORDS]),
                V::load(proof, &boards.words[WORDS + 1]),
                V::load(proof, &boards.words[WORDS + 2]),
            ],
            placed_cells: [V::splat(proof, 0); 3],
            alive: V::splat(proof, !0),
        }
    }

    /// Filters the places of three digits, whose words start at `first_word`, and places a digit in each row in
    /// which it has one place left.
    #[inline(always)]
    fn three_digits<const N: usize>(
        &mut self,
        proof: V::Proof,
        boards: &mut LaneBoards<N>,
        first_word: usize,
    ) where
        V: Lanes<N>,
    {
        let digits_1_to_3 = self.rows(proof, &boards.words, first_word);
        let digits_4_to_6 = self.rows(proof, &boards.words, first_word + 3);
        let digits_7_to_9 = self.rows(proof, &boards.words, first_word + 6);
        let bands = columns([
            mini_columns(digits_1_to_3[0], digits_4_to_6[0], digits_7_to_9[0]),
            mini_columns(digits_1_to_3[1], digits_4_to_6[1], digits_7_to_9[1]),
            mini_columns(digits_1_to_3[2], digits_4_to_6[2], digits_7_to_9[2]),
        ]);
        // The addition carries into the guard bits of digits that have a place in all nine columns.
        self.alive = self.alive & ((bands[0] | bands[1] | bands[2]) + FIRSTS);
        // This is not a loop, because a loop would pass its vectors through memory.
        self.three_in_band(
            boards,
            first_word,
            0,
            [digits_1_to_3[0], digits_4_to_6[0], digits_7_to_9[0]],
            bands[0],
        );
        self.three_in_band(
            boards,
            first_word,
            1,
            [digits_1_to_3[1], digits_4_to_6[1], digits_7_to_9[1]],
            bands[1],
        );
        self.three_in_band(
            boards,
            first_word,
            2,
            [digits_1_to_3[2], digits_4_to_6[2], digits_7_to_9[2]],
            bands[2],
        );
    }

    /// Filters the places of three digits in a band by their squares of mini-columns (three columns by three
    /// bands), and places the digits that have one place left in a row.
    #[inline(always)]
    fn three_in_band<const N: usize>(
        &mut self,
        boards: &mut LaneBoards<N>,
        first_word: usize,
        band: usize,
        places: [V; 3],
        columns: V,
    ) where
        V: Lanes<N>,
    {
        let [in_a, in_b, in_c] = cells_of_columns(columns);
        let word_index = first_word + band;
        let first_placed = self.place(places[0] & in_a, boards, word_index);
        let second_placed = self.place(places[1] & in_b, boards, word_index + 3);
        let third_placed = self.place(places[2] & in_c, boards, word_index + 6);
        self.placed_cells[band] =
            self.placed_cells[band] | first_placed | second_placed | third_placed;
    }

    /// The places of a digit that remain after removing what naked singles exclude, and what the squares of
    /// mini-rows (three rows by three boxes) exclude.
    #[inline(always)]
    fn rows<const N: usize>(&self, proof: V::Proof, words: &[[u32; N]], at: usize) -> [V; 3]
    where
        V: Lanes<N>,
    {
        rows([
            self.clear_rows(0, V::load(proof, &words[at])),
            self.clear_rows(1, V::load(proof, &words[at + 1])),
            self.clear_rows(2, V::load(proof, &words[at + 2])),
        ])
    }

    /// Removes a digit from the cells of a band that are placed, and from the other places of the rows that
    /// have a naked single of it. The filter of the squares later removes it from the boxes and columns of
    /// naked singles.
    #[inline(always)]
    fn clear_rows(&self, band: usize, places: V) -> V {
        let places = places.without(self.placed_cells[band]);
        let naked_single = places & self.singles[band];
        places & free_rows(naked_single) | naked_single
    }

    /// Stores the places of a digit in a band, and places it in the rows that have only one. Returns the
    /// placed cells.
    #[inline(always)]
    fn place<const N: usize>(&mut self, left: V, boards: &mut LaneBoards<N>, at: usize) -> V
    where
        V: Lanes<N>,
    {
        // The subtraction borrows from the guard bit of an empty row. In all other rows it removes the lowest
        // place.
        let without_lowest = (left | GUARDS) - FIRSTS;
        self.alive = self.alive & without_lowest;
        let placed = left & free_rows(without_lowest & left);
        left.store(&mut boards.remaining[at]);
        placed.store(&mut boards.placed_cells[at]);
        placed
    }
}

/// The places of a digit in mini-rows that are part of a permutation: one mini-row in each row and in each box
/// of a band, three in all.
#[inline(always)]
pub(super) fn rows<V: Words>(bands: [V; 3]) -> [V; 3] {
    let taken_mini_rows = packed_mini_rows(bands);
    // A mini-row is in a permutation if the other two rows and boxes can be filled in at least one of two ways.
    let next_box = to_next_box(taken_mini_rows);
    let either = taken_mini_rows & to_next_row(next_box) | next_box & to_next_row(taken_mini_rows);
    let possible_mini_rows = taken_mini_rows & to_next_box(to_next_row(either));
    let [a, b, c] = cells_of_rows(possible_mini_rows);
    [bands[0] & a, bands[1] & b, bands[2] & c]
}

/// The mini-columns of a digit that are part of a permutation: one in each band and in each column of a stack,
/// three in all.
#[inline(always)]
fn columns<V: Words>(bands: [V; 3]) -> [V; 3] {
    let [a, b, c] = bands;
    let shifted_columns = [to_next_column(a), to_next_column(b), to_next_column(c)];
    let [next_a, next_b, next_c] = shifted_columns;
    [
        a & to_next_column(b & next_c | next_b & c),
        b & to_next_column(c & next_a | next_c & a),
        c & to_next_column(a & next_b | next_a & b),
    ]
}
