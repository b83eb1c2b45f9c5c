//! The example row of a level, and how it is chosen.

use serde::{Deserialize, Serialize};

/// A row as an example of its level. It is the row whose puzzle has the smallest hash: examples then come from
/// anywhere in the inputs, and do not depend on the order in which parts are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelExample {
    /// The puzzle.
    pub puzzle: String,
    /// The hardest technique that it needs.
    pub technique: String,
    /// The input that it came from.
    pub source: Option<String>,
    /// Its number there, from 0.
    pub row: Option<u64>,
}

impl LevelExample {
    /// Whether a row of a level is to be its example instead of this one.
    pub(super) fn yields_to(&self, puzzle: &str, source: Option<&str>, row: Option<u64>) -> bool {
        let own = (
            place(&self.puzzle),
            &*self.puzzle,
            self.source.as_deref(),
            self.row,
        );
        (place(puzzle), puzzle, source, row) < own
    }
}

/// The rank of a puzzle among the candidates for an example: the lowest is chosen.
fn place(puzzle: &str) -> u64 {
    let words = puzzle.as_bytes().chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    let mix = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    };
    words.fold(0, mix)
}

#[cfg(test)]
mod tests {
    use super::LevelExample;

    #[test]
    fn the_example_does_not_depend_on_the_order_of_rows() {
        let puzzles: Vec<String> = (0..50).map(|n| format!("{n:081}")).collect();
        let chosen = |order: &mut dyn Iterator<Item = usize>| {
            let mut example: Option<LevelExample> = None;
            for at in order {
                let (puzzle, row) = (&puzzles[at], Some(at as u64));
                if example
                    .as_ref()
                    .is_none_or(|own| own.yields_to(puzzle, None, row))
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
        let forward = chosen(&mut (0..50));
        assert_eq!(forward, chosen(&mut (0..50).rev()));
        assert_ne!(forward, Some(0), "it is not simply the first");
    }
}
