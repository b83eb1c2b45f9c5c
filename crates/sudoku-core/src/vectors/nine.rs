//! Vectors with one board in them: each lane has the word of one digit.
//!
//! ```text
//! lane        0  1  2  3  4  5  6  7  8  9 …
//! digit       1  2  3  4  5  6  7  8  9  spare
//! avx512     [0 …                          15]
//! avx2       [0 …                  7][8 …  15]
//! portable   [0 …      3][4 …      7][8 …  11]
//! ```
//!
//! The spare lanes of a board are 0.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::digits::{Counts, Digits, NineWords};
use super::lanes::Lanes;
use super::words::Words;

/// The words of a board's nine digits, in `K` vectors of `N` lanes each.
#[derive(Clone, Copy)]
pub(crate) struct Nine<V, const N: usize, const K: usize>([V; K]);

/// Implements an operator such as `&` for two vectors, and for a vector and one word for all lanes.
macro_rules! operators {
    ($($operator:ident::$function:ident),*) => {$(
        impl<V: Lanes<N>, const N: usize, const K: usize> $operator for Nine<V, N, K> {
            type Output = Nine<V, N, K>;
            #[inline(always)]
            fn $function(mut self, other: Nine<V, N, K>) -> Nine<V, N, K> {
                for i in 0..K {
                    self.0[i] = $operator::$function(self.0[i], other.0[i]);
                }
                self
            }
        }

        impl<V: Lanes<N>, const N: usize, const K: usize> $operator<u32> for Nine<V, N, K> {
            type Output = Nine<V, N, K>;
            #[inline(always)]
            fn $function(mut self, word: u32) -> Nine<V, N, K> {
                for i in 0..K {
                    self.0[i] = $operator::$function(self.0[i], word);
                }
                self
            }
        }
    )*};
}

operators!(
    BitAnd::bitand,
    BitOr::bitor,
    BitXor::bitxor,
    Add::add,
    Sub::sub
);

// The methods use loops instead of closures, because the compiler would not inline closures here.
impl<V: Lanes<N>, const N: usize, const K: usize> Words for Nine<V, N, K> {
    type Proof = V::Proof;

    #[inline(always)]
    fn splat(proof: V::Proof, word: u32) -> Self {
        Nine([V::splat(proof, word); K])
    }

    #[inline(always)]
    fn without(mut self, others: Self) -> Self {
        for i in 0..K {
            self.0[i] = self.0[i].without(others.0[i]);
        }
        self
    }

    #[inline(always)]
    fn shift_left<const BY: u32>(mut self) -> Self {
        for i in 0..K {
            self.0[i] = self.0[i].shift_left::<BY>();
        }
        self
    }

    #[inline(always)]
    fn shift_right<const BY: u32>(mut self) -> Self {
        for i in 0..K {
            self.0[i] = self.0[i].shift_right::<BY>();
        }
        self
    }

    /// Shifts instead of multiplying. The next step waits for this result, and a multiplication takes longer
    /// to deliver it.
    #[inline(always)]
    fn with_two_copies<const BY: u32>(self) -> Self {
        self | self.shift_left::<BY>() | self.shift_left::<BY>().shift_left::<BY>()
    }

    #[inline(always)]
    fn is_zero(mut self) -> Self {
        for i in 0..K {
            self.0[i] = self.0[i].is_zero();
        }
        self
    }

    #[inline(always)]
    fn blend(mut self, others: Self, mask: u32) -> Self {
        for i in 0..K {
            self.0[i] = self.0[i].blend(others.0[i], mask);
        }
        self
    }

    #[inline(always)]
    fn or_within(mut self, others: Self, mask: u32) -> Self {
        for i in 0..K {
            self.0[i] = self.0[i].or_within(others.0[i], mask);
        }
        self
    }

    #[inline(always)]
    fn or_differing(mut self, one: Self, other: Self) -> Self {
        for i in 0..K {
            self.0[i] = self.0[i].or_differing(one.0[i], other.0[i]);
        }
        self
    }

    #[inline(always)]
    fn zero_lanes(self) -> u32 {
        let mut lanes = 0;
        for i in 0..K {
            lanes |= self.0[i].zero_lanes() << (N * i);
        }
        lanes
    }
}

impl<V: Lanes<N>, const N: usize, const K: usize> Digits for Nine<V, N, K> {
    #[inline(always)]
    fn load(proof: V::Proof, words: &NineWords) -> Self {
        let mut nine = Nine([V::splat(proof, 0); K]);
        let (lanes, _) = words.as_chunks::<N>();
        for (vector, lanes) in nine.0.iter_mut().zip(lanes) {
            *vector = V::load(proof, lanes);
        }
        nine
    }

    #[inline(always)]
    fn store(self, words: &mut NineWords) {
        let (lanes, _) = words.as_chunks_mut::<N>();
        for (vector, lanes) in self.0.iter().zip(lanes) {
            vector.store(lanes);
        }
    }

    /// After `fold`, two words share each vector to save work: one is in the lower half of the lanes, the
    /// other in the upper half.
    #[inline(always)]
    fn count(proof: Self::Proof, words: [Self; 3], more: [Self; 3]) -> Counts<Self> {
        let [a, b, c] = [
            words[0].fold(proof),
            words[1].fold(proof),
            words[2].fold(proof),
        ];
        let [x, y, z] = [more[0].fold_any(), more[1].fold_any(), more[2].fold_any()];
        let zero = V::splat(proof, 0);
        let [one_ab, two_ab] = count_halves([a, b]);
        let [one_cx, two_cx] = count_halves([c, [x, zero]]);
        let [low, high] = V::halves(y, z);
        let mut any_yz = low | high;
        if N > 8 {
            any_yz = any_yz | any_yz.exchange::<4>();
        }
        if N > 4 {
            any_yz = any_yz | any_yz.exchange::<2>();
        }
        any_yz = any_yz | any_yz.exchange::<1>();
        let single_ab = one_ab.without(two_ab);
        let [single_a, single_b] = V::halves(single_ab, single_ab);
        let [one_c, any_x] = V::halves(one_cx, one_cx);
        let [two_c, _] = V::halves(two_cx, two_cx);
        let [any_y, any_z] = V::halves(any_yz, any_yz);
        Counts {
            single: [
                Nine([single_a; K]),
                Nine([single_b; K]),
                Nine([one_c.without(two_c); K]),
            ],
            more: [Nine([any_x; K]), Nine([any_y; K]), Nine([any_z; K])],
            each: Nine([one_ab & one_c; K]),
            several: Nine([two_ab | two_c; K]),
        }
    }

    #[inline(always)]
    fn any_three(self, proof: Self::Proof) -> [Self; 3] {
        let zero = V::splat(proof, 0);
        let mut counts = [self.0[0], zero, zero];
        for i in 1..K {
            counts = sum(counts, [self.0[i], zero, zero]);
        }
        if N > 8 {
            counts = sum(counts, exchanged::<V, N, 8>(counts));
        }
        if N > 4 {
            counts = sum(counts, exchanged::<V, N, 4>(counts));
        }
        counts = sum(counts, exchanged::<V, N, 2>(counts));
        counts = sum(counts, exchanged::<V, N, 1>(counts));
        let [one, two, three] = counts;
        [Nine([one; K]), Nine([two; K]), Nine([three; K])]
    }

    #[inline(always)]
    fn first(self) -> u32 {
        let mut words = [0; N];
        self.0[0].store(&mut words);
        words[0]
    }
}

impl<V: Lanes<N>, const N: usize, const K: usize> Nine<V, N, K> {
    /// Combines the `K` vectors lane by lane: the bits that at least one of them has, and the bits that at
    /// least two of them have.
    #[inline(always)]
    fn fold(self, proof: V::Proof) -> [V; 2] {
        let [mut one, mut two] = [self.0[0], V::splat(proof, 0)];
        for i in 1..K {
            two = two | (one & self.0[i]);
            one = one | self.0[i];
        }
        [one, two]
    }

    /// Combines the `K` vectors lane by lane: the bits that at least one of them has.
    #[inline(always)]
    fn fold_any(self) -> V {
        let mut in_any = self.0[0];
        for i in 1..K {
            in_any = in_any | self.0[i];
        }
        in_any
    }
}

/// Counts the bits over all lanes, for two inputs at once. Each input has two masks: the bits seen at least
/// once, and those seen at least twice. Folds the upper half of the lanes onto the lower half. The result for
/// the first input is in the lower half of the lanes, the result for the second input in the upper half.
#[inline(always)]
fn count_halves<V: Lanes<N>, const N: usize>(words: [[V; 2]; 2]) -> [V; 2] {
    let [[one_a, two_a], [one_b, two_b]] = words;
    let [one_low, one_high] = V::halves(one_a, one_b);
    let [two_low, two_high] = V::halves(two_a, two_b);
    let mut at_least_one = one_low | one_high;
    let mut at_least_two = two_low | two_high | (one_low & one_high);
    if N > 8 {
        [at_least_one, at_least_two] = with_exchanged::<V, N, 4>(at_least_one, at_least_two);
    }
    if N > 4 {
        [at_least_one, at_least_two] = with_exchanged::<V, N, 2>(at_least_one, at_least_two);
    }
    with_exchanged::<V, N, 1>(at_least_one, at_least_two)
}

/// Combines each lane with the lane whose number differs in the bit `BY`. `one` has the bits that occur at
/// least once, `two` those that occur at least twice.
#[inline(always)]
fn with_exchanged<V: Lanes<N>, const N: usize, const BY: usize>(one: V, two: V) -> [V; 2] {
    let exchanged_one = one.exchange::<BY>();
    [
        one | exchanged_one,
        two | two.exchange::<BY>() | (one & exchanged_one),
    ]
}

/// The three masks of a count after exchanging the words of all pairs of lanes whose numbers differ only in the
/// bit `BY`.
#[inline(always)]
fn exchanged<V: Lanes<N>, const N: usize, const BY: usize>([one, two, three]: [V; 3]) -> [V; 3] {
    [
        one.exchange::<BY>(),
        two.exchange::<BY>(),
        three.exchange::<BY>(),
    ]
}

/// Adds two counts. A count is three masks: bits that occur at least once, at least twice and at least
/// three times.
#[inline(always)]
fn sum<V: Words>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [
        a[0] | b[0],
        a[1] | b[1] | (a[0] & b[0]),
        a[2] | b[2] | (a[1] & b[0]) | (a[0] & b[1]),
    ]
}
