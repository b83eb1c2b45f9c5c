//! The key of an equivalence class of puzzles: the hash of a text that all puzzles of the class share.

use std::hash::{Hash, Hasher};

use siphasher::sip128::{Hasher128, SipHasher24};

/// The key of an equivalence class of puzzles, a 128-bit hash. Among ten billion classes, the probability that any two
/// have the same key is below 10⁻¹⁸.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClassKey(pub [u64; 2]);

// The key is a hash already, so a hash map uses a part of the key without hashing it again.
impl Hash for ClassKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0[0]);
    }
}

impl ClassKey {
    /// The key of the class with this text. It must be the same in all versions of the program and on all machines.
    pub fn from_text(text: &[u8]) -> ClassKey {
        let mut hasher = SipHasher24::new();
        hasher.write(text);
        let hash = hasher.finish128();
        ClassKey([hash.h1, hash.h2])
    }

    /// The key as 32 hexadecimal digits.
    pub fn to_hex(self) -> String {
        let [high, low] = self.0;
        format!("{high:016x}{low:016x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key that is made from a text must never change, because splits and the column `group` depend on it.
    #[test]
    fn the_key_is_the_same_in_all_versions() {
        assert_eq!(
            ClassKey::from_text(&[b'.'; 81]).to_hex(),
            "4895dd10848ed5ef5797f3a97f6fac53"
        );
        assert_ne!(ClassKey::from_text(b"1"), ClassKey::from_text(b"1\0"));
    }
}
