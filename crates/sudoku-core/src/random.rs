//! Random numbers whose sequences do not change between versions: the same seed always gives the same
//! bytes.
//!
//! The generator is ChaCha with 8 rounds, a published cipher. Its key is made from the seed and the
//! purpose, and its stream is the number of an item, so each pair of seed and item has its own sequence.
//! How a random number becomes a choice or an order is defined here, because a general-purpose crate may
//! change that.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};

/// A sequence of random numbers, fully determined by its seed.
#[derive(Clone, Debug)]
pub struct Rng(ChaCha8Rng);

/// What a sequence is used for. The purpose is part of the key, so that sequences with different purposes are
/// independent.
#[derive(Clone, Copy)]
enum Purpose {
    Alone = 0,
    Series = 1,
}

impl Rng {
    /// Starts the sequence of random numbers for this seed.
    pub fn new(seed: u64) -> Rng {
        Rng::keyed(seed, Purpose::Alone, 0)
    }

    /// Starts the sequence for one item of a series. Each pair of seed and item number has its own sequence.
    pub fn for_item(seed: u64, item: u64) -> Rng {
        Rng::keyed(seed, Purpose::Series, item)
    }

    /// Makes the generator from its key and stream:
    ///
    /// ```text
    /// key, 32 bytes:     seed, least byte first │ purpose │ zeros
    /// stream, 8 bytes:   the item
    /// ```
    fn keyed(seed: u64, purpose: Purpose, item: u64) -> Rng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = purpose as u8;
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(item);
        Rng(generator)
    }

    /// The same sequence, positioned at the n-th call of [`Rng::next_u64`], counted from 0.
    #[must_use]
    pub fn starting_at(mut self, n: u64) -> Rng {
        self.0.set_word_pos(2 * u128::from(n));
        self
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A random number from 0 to `bound - 1`. `bound` must not be 0. Each number's probability deviates from
    /// the uniform one by less than `bound / 2⁶⁴`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A random number that is at least 0 and less than 1.
    pub fn fraction(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Shuffles the items uniformly (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Compares with fixed numbers, so that an update of the crate `rand_chacha` cannot change the sequences
    /// unnoticed.
    #[test]
    fn random_sequences_do_not_change_between_versions() {
        let first = |mut rng: Rng| [rng.next_u64(), rng.next_u64()];
        assert_eq!(
            first(Rng::new(0)),
            [15_438_444_565_445_410_878, 11_647_726_043_916_688_255]
        );
        assert_eq!(
            first(Rng::for_item(1, 2)),
            [7_534_945_636_092_859_176, 14_299_988_987_157_314_836]
        );
        // With a key of zeros, the first bytes are those of the published test vector for ChaCha8.
        assert_eq!(
            Rng::new(0).next_u64().to_le_bytes(),
            [0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6]
        );
        let mut items: Vec<u8> = (0..9).collect();
        Rng::for_item(7, 7).shuffle(&mut items);
        assert_eq!(items, [7, 5, 3, 2, 0, 6, 1, 8, 4]);
    }

    #[test]
    fn no_two_pairs_of_seed_and_item_share_a_sequence() {
        let mut seen = HashSet::new();
        for seed in 0..200 {
            assert!(seen.insert(Rng::new(seed).next_u64()), "seed {seed}");
            for item in 0..200 {
                let first = Rng::for_item(seed, item).next_u64();
                assert!(seen.insert(first), "seed {seed}, item {item}");
            }
        }
    }

    #[test]
    fn a_sequence_can_start_anywhere() {
        let mut whole = Rng::for_item(5, 6);
        for n in 0..100 {
            let number = whole.next_u64();
            assert_eq!(Rng::for_item(5, 6).starting_at(n).next_u64(), number, "{n}");
        }
        // This is fast, because numbers that are skipped are not computed.
        let _ = Rng::new(1).starting_at(u64::MAX).next_u64();
    }
}
