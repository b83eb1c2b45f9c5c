//! Removes members from nine sets by Hall's condition, if a different member must be chosen from each set. The sets are
//! the cells of a house, with their digits as members, or the rows of a digit, with its columns as members.
//!
//! A family is a set of members. A set lies within a family if it has no other members. A family of k members is
//! tight if exactly k of the nine sets lie within it; then all other sets lose these members. If more than k sets
//! lie within it, there is a contradiction. For the cells of a house, this covers all naked singles, pairs, triples
//! and quads, and by complement the hidden ones. For a digit, it covers all fish.
//!
//! All 512 families are examined at the same time, with a bit for each:
//!
//! ```text
//! word n, bit b        the family whose members are the bits of 16·n + b
//! ABOVE[set]           the families that contain the set
//! within               for each family, the number of sets within it: four words, one for each bit
//! tight                within == size
//! reducible            tight, and some set is neither within it nor disjoint from it
//! ```

use std::sync::LazyLock;

use crate::vectors::Shorts;

/// A set of families (sets of members), as bits: one for each of the 512 families.
type Families = [u16; 32];

/// Nine sets, each a row of nine bits for its members.
pub(super) type Square = [u16; 9];

/// Lookup tables with families (sets of members). Each has an entry for each of the 512 sets of members.
struct Tables {
    /// For each set of members, the families that contain all of them.
    above: Vec<Families>,
    /// For each set of members, the families that contain none of them.
    disjoint: Vec<Families>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let families = |is_one: &dyn Fn(u16, u16) -> bool| {
        let of_set = |set| {
            let mut families = [0; 32];
            for family in (0..512).filter(|family| is_one(set, *family)) {
                families[usize::from(family) / 16] |= 1 << (family % 16);
            }
            families
        };
        (0..512).map(of_set).collect()
    };
    Tables {
        above: families(&|set, family| set & !family == 0),
        disjoint: families(&|set, family| set & family == 0),
    }
});

/// The number of members of each of the 512 families, in binary: word n has bit n of each number.
static SIZES: [Families; 4] = {
    let mut sizes = [[0; 32]; 4];
    let mut family = 0_usize;
    while family < 512 {
        let mut bit = 0;
        while bit < 4 {
            if family.count_ones() >> bit & 1 == 1 {
                sizes[bit][family / 16] |= 1 << (family % 16);
            }
            bit += 1;
        }
        family += 1;
    }
    sizes
};

/// The error if more sets lie within a family than the family has members.
pub(super) struct TooMany;

/// If a different member must be chosen from each set, removes the members that cannot be chosen.
#[inline(always)]
pub(super) fn close<V: Shorts<N>, const N: usize>(
    proof: V::Proof,
    square: &mut Square,
) -> Result<(), TooMany> {
    let tables = &*TABLES;
    loop {
        let above = square.map(|set| &tables.above[usize::from(set % 512)]);
        let disjoint = square.map(|set| &tables.disjoint[usize::from(set % 512)]);
        let mut reducible = [0; 32];
        let mut violated = V::splat(proof, 0);
        let mut any = violated;
        for at in (0..32).step_by(N) {
            let [over, families] = count::<V, N>(proof, above, disjoint, at);
            violated = violated | over;
            any = any | families;
            store(families, &mut reducible, at);
        }
        let none = u32::MAX >> (32 - N);
        if violated.zero_lanes() != none {
            return Err(TooMany);
        }
        if any.zero_lanes() == none {
            return Ok(());
        }
        for (n, word) in reducible.into_iter().enumerate() {
            if word != 0 {
                let members = 16 * n as u16 + word.trailing_zeros() as u16;
                for set in square.iter_mut().filter(|set| **set & !members != 0) {
                    *set &= !members;
                }
                break;
            }
        }
    }
}

/// For a vector of families, counts the sets that lie within each family. Returns the families with too many such sets,
/// and the tight families that take members from other sets.
#[inline(always)]
fn count<V: Shorts<N>, const N: usize>(
    proof: V::Proof,
    above: [&Families; 9],
    disjoint: [&Families; 9],
    at: usize,
) -> [V; 2] {
    let sets: [V; 9] = [
        load(proof, above[0], at),
        load(proof, above[1], at),
        load(proof, above[2], at),
        load(proof, above[3], at),
        load(proof, above[4], at),
        load(proof, above[5], at),
        load(proof, above[6], at),
        load(proof, above[7], at),
        load(proof, above[8], at),
    ];
    let [one_a, two_a] = add(sets[0], sets[1], sets[2]);
    let [one_b, two_b] = add(sets[3], sets[4], sets[5]);
    let [one_c, two_c] = add(sets[6], sets[7], sets[8]);
    let [one, two_d] = add(one_a, one_b, one_c);
    let [two_e, four_a] = add(two_a, two_b, two_c);
    let [two, four_b] = [two_d ^ two_e, two_d & two_e];
    let [four, eight] = [four_a ^ four_b, four_a & four_b];

    // Compare two binary numbers: the number of sets exceeds the number of members if the highest bit that differs is
    // set in the number of sets.
    let [mut over, mut differs] = [V::splat(proof, 0); 2];
    for (count, size) in [one, two, four, eight].into_iter().zip(&SIZES) {
        let size: V = load(proof, size, at);
        let other = count ^ size;
        over = count & other | over.without(other);
        differs = differs | other;
    }
    let mut harmed = V::splat(proof, 0);
    for n in 0..9 {
        let fits = sets[n] | load(proof, disjoint[n], at);
        harmed = harmed | V::splat(proof, u16::MAX).without(fits);
    }
    [over, harmed.without(differs)]
}

/// Adds three bits at each bit position. Returns the bits of the sums, and the bits of the carries.
#[inline(always)]
fn add<V: Shorts<N>, const N: usize>(a: V, b: V, c: V) -> [V; 2] {
    [a ^ b ^ c, a & b | (a | b) & c]
}

#[inline(always)]
fn load<V: Shorts<N>, const N: usize>(proof: V::Proof, families: &Families, at: usize) -> V {
    let words = families[at..].first_chunk();
    V::load(proof, words.expect("32 words are whole vectors"))
}

#[inline(always)]
fn store<V: Shorts<N>, const N: usize>(words: V, families: &mut Families, at: usize) {
    let to = families[at..].first_chunk_mut();
    words.store(to.expect("32 words are whole vectors"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::vectors::{ShortWork, Vectors};

    struct Close(Square);

    impl ShortWork for Close {
        type Output = Option<Square>;

        #[inline(always)]
        fn run<V: Shorts<N>, const N: usize>(self, proof: V::Proof) -> Option<Square> {
            let Close(mut square) = self;
            close::<V, N>(proof, &mut square).ok().map(|()| square)
        }
    }

    /// Tries every choice of different members: one from each set from index `n` on. `taken` has the members chosen
    /// from the sets before. Adds the members of each possible choice to `all`, and returns whether there is one.
    fn chosen(square: &Square, n: usize, taken: u16, all: &mut Square) -> bool {
        let Some(set) = square.get(n) else {
            return true;
        };
        let mut is_possible = false;
        for member in (0..9).map(|bit| 1 << bit) {
            if set & !taken & member != 0 && chosen(square, n + 1, taken | member, all) {
                all[n] |= member;
                is_possible = true;
            }
        }
        is_possible
    }

    #[test]
    fn only_candidates_of_possible_choices_are_left() {
        let seed = 36;
        let mut rng = Rng::new(seed);
        let (mut less, mut none) = (0, 0);
        for n in 0..400 {
            let max_members = 1 + rng.below(4);
            let square: Square =
                [(); 9].map(|()| (0..=max_members).fold(0, |set, _| set | 1 << rng.below(9)));
            let mut possible_members = [0; 9];
            let expected_square =
                chosen(&square, 0, 0, &mut possible_members).then_some(possible_members);
            less += usize::from(expected_square.is_some_and(|all| all != square));
            none += usize::from(expected_square.is_none());
            for (name, vectors) in Vectors::available() {
                let closed_square = vectors.run_shorts(Close(square));
                assert_eq!(
                    closed_square, expected_square,
                    "seed {seed}, {n}, {name}: {square:?}"
                );
            }
        }
        assert!(less > 50 && none > 50, "{less}, {none}");
    }
}
