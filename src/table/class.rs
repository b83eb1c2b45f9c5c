//! The class of a puzzle: what it has in common with those that count as the same.

use std::hash::{Hash, Hasher};

use sudoku_core::board::canonical;
use sudoku_core::solve::Status;

use crate::table::outcome::Outcome;

/// Which puzzles count as the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ClassBy {
    /// Those with the same cells, however they were written down
    Exact,
    /// Isomorphs: the digits renamed, rows, columns, bands and stacks permuted, transposed
    #[default]
    Isomorph,
    /// Those with the same solution
    Solution,
    /// None: each row by itself, by the name of its input and its number there
    #[value(skip)]
    Row,
}

impl ClassBy {
    /// The name, as the command line takes it.
    pub const fn id(self) -> &'static str {
        match self {
            ClassBy::Exact => "exact",
            ClassBy::Isomorph => "isomorph",
            ClassBy::Solution => "solution",
            ClassBy::Row => "row",
        }
    }
}

/// The class of a puzzle, as 128 bits of a hash: that two of ten billion classes share one has a
/// probability below 10⁻¹⁸.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClassKey(pub [u64; 2]);

/// It is a hash already.
impl Hash for ClassKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0[0]);
    }
}

impl ClassKey {
    /// The class that this text stands for. The same in all versions and on all machines.
    pub fn of(text: &[u8]) -> ClassKey {
        ClassKey(siphash128([0, 0], text))
    }

    /// Sixteen bytes, as 32 hexadecimal digits.
    pub fn to_hex(self) -> String {
        let [high, low] = self.0;
        format!("{high:016x}{low:016x}")
    }
}

/// The rows of a batch and their classes, in order.
#[derive(Clone, Debug, Default)]
pub struct Members {
    /// The number of each row in its source.
    pub rows: Vec<u64>,
    /// Their classes.
    pub keys: Vec<ClassKey>,
    /// How many are classed by their text, because there is nothing else to class them by: pencil marks and
    /// other sizes than 9 × 9 have no min-lex form here, and a puzzle without exactly one solution has no
    /// solution to share.
    pub by_text: u64,
}

impl Members {
    /// The classes of these rows of an input.
    pub fn of(by: ClassBy, source: &str, outcomes: &[Outcome]) -> Members {
        let mut members = Members::default();
        for outcome in outcomes {
            let key = match by {
                ClassBy::Exact => Some(ClassKey::of(outcome.text())),
                ClassBy::Isomorph => isomorph(outcome),
                ClassBy::Solution => solution(outcome),
                ClassBy::Row => Some(ClassKey::of(
                    format!("{}\0{source}", outcome.row).as_bytes(),
                )),
            };
            members.by_text += u64::from(key.is_none());
            members.rows.push(outcome.row);
            members
                .keys
                .push(key.unwrap_or_else(|| ClassKey::of(outcome.text())));
        }
        members
    }
}

/// The class of all isomorphs of a puzzle.
pub fn isomorph(outcome: &Outcome) -> Option<ClassKey> {
    let puzzle = outcome.nine().filter(|puzzle| puzzle.marks.is_none())?;
    Some(ClassKey::of(canonical(&puzzle.clues).form.as_bytes()))
}

fn solution(outcome: &Outcome) -> Option<ClassKey> {
    let is_unique = outcome.status() == Some(Status::Unique);
    let text = outcome.solution_text().filter(|_| is_unique)?;
    Some(ClassKey::of(text))
}

/// SipHash-2-4 with a result of 128 bits (Aumasson and Bernstein).
fn siphash128(key: [u64; 2], text: &[u8]) -> [u64; 2] {
    let mut v = [
        key[0] ^ 0x736f_6d65_7073_6575,
        key[1] ^ 0x646f_7261_6e64_6f6d ^ 0xee,
        key[0] ^ 0x6c79_6765_6e65_7261,
        key[1] ^ 0x7465_6462_7974_6573,
    ];
    let (words, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    last[7] = text.len() as u8;
    let last = u64::from_le_bytes(last);
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    for word in words.chain([last]) {
        v[3] ^= word;
        rounds(&mut v, 2);
        v[0] ^= word;
    }
    v[2] ^= 0xee;
    rounds(&mut v, 4);
    let first = v[0] ^ v[1] ^ v[2] ^ v[3];
    v[1] ^= 0xdd;
    rounds(&mut v, 4);
    [first, v[0] ^ v[1] ^ v[2] ^ v[3]]
}

fn rounds(v: &mut [u64; 4], count: usize) {
    for _ in 0..count {
        v[0] = v[0].wrapping_add(v[1]);
        v[1] = v[1].rotate_left(13) ^ v[0];
        v[0] = v[0].rotate_left(32);
        v[2] = v[2].wrapping_add(v[3]);
        v[3] = v[3].rotate_left(16) ^ v[2];
        v[0] = v[0].wrapping_add(v[3]);
        v[3] = v[3].rotate_left(21) ^ v[0];
        v[2] = v[2].wrapping_add(v[1]);
        v[1] = v[1].rotate_left(17) ^ v[2];
        v[2] = v[2].rotate_left(32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first of the reference implementation's test vectors: nothing, and the key 00 01 … 0f.
    #[test]
    fn the_hash_is_the_published_one() {
        let key = [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908];
        let bytes = siphash128(key, b"").map(u64::to_le_bytes);
        let hex: String = (bytes.as_flattened().iter())
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(hex, "a3817f04ba25a8e66df67214c7550293");
        // What tables and splits depend on.
        let puzzle = ".".repeat(81);
        assert_eq!(
            ClassKey::of(puzzle.as_bytes()).to_hex(),
            ClassKey::of(&[b'.'; 81]).to_hex()
        );
        assert_ne!(ClassKey::of(b"1"), ClassKey::of(b"1\0"));
    }
}
