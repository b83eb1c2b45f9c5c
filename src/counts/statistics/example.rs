//! The row that reports show as the example of a level, and the way in which it is chosen.

use serde::{Deserialize, Serialize};

/// The row that reports show as the example of a level: the one whose puzzle has the smallest hash. The choice is
/// pseudo-random. It does not depend on the order in which parts of the statistics are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelExample {
    /// The puzzle of the example row.
    pub puzzle: String,
    /// The hardest technique of the puzzle.
    pub technique: String,
    /// The input that the row came from; `None` if the table does not name it.
    pub source: Option<String>,
    /// The number of the row in its input, from 0; `None` if the table does not have it.
    pub row: Option<u64>,
}

impl LevelExample {
    /// Whether the given row should replace this example.
    pub(super) fn is_replaced_by(
        &self,
        puzzle: &str,
        source: Option<&str>,
        row: Option<u64>,
    ) -> bool {
        let order_key = (
            example_hash(&self.puzzle),
            &*self.puzzle,
            self.source.as_deref(),
            self.row,
        );
        (example_hash(puzzle), puzzle, source, row) < order_key
    }
}

/// The hash of a puzzle. The row whose puzzle has the smallest hash is the example.
fn example_hash(puzzle: &str) -> u64 {
    let chunk_words = puzzle.as_bytes().chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    let mix_word = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    };
    chunk_words.fold(0, mix_word)
}

#[cfg(test)]
mod tests {
    use super::LevelExample;

    #[test]
    fn the_example_does_not_depend_on_the_order_of_rows() {
        let puzzles: Vec<String> = (0..50).map(|n| format!("{n:081}")).collect();
        let chosen_examples = |order: &mut dyn Iterator<Item = usize>| {
            let mut example: Option<LevelExample> = None;
            for at in order {
                let (puzzle, row) = (&puzzles[at], Some(at as u64));
                if example
                    .as_ref()
                    .is_none_or(|own| own.is_replaced_by(puzzle, None, row))
                {
                    example = Some(LevelExample {
                        puzzle: puzzle.clone(),
                        row,
                        ..LevelExample::default()
                    });
                }
            }
            example.and_then(|example| example.row)
        };
        let forward = chosen_examples(&mut (0..50));
        assert_eq!(forward, chosen_examples(&mut (0..50).rev()));
        assert_ne!(forward, Some(0), "it is not simply the first");
    }
}
