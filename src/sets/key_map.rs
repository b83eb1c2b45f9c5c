//! A map from classes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::table::class_key::ClassKey;

/// A map from classes, which does not hash their keys again.
pub(super) type KeyMap<T> = HashMap<ClassKey, T, BuildHasherDefault<TakeFirst>>;

/// A hasher that takes the first word of a class key, because a class key is a hash already.
#[derive(Default)]
pub(super) struct TakeFirst(u64);

impl Hasher for TakeFirst {
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
