//! A hash map whose keys are the keys of classes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::table::class_key::ClassKey;

/// A hash map from class keys to values. The keys are hashes already, so they are not hashed again.
pub(super) type KeyMap<T> = HashMap<ClassKey, T, BuildHasherDefault<FirstWordHasher>>;

/// A hasher that returns the first word of a class key, which is already a hash.
#[derive(Default)]
pub(super) struct FirstWordHasher(u64);

impl Hasher for FirstWordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}
