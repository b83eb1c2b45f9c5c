//! The trait of the techniques, and their descriptions.

use std::fmt;

use super::position::Position;
use super::steps::Steps;
use crate::board::{Candidates, CellSet};
use crate::text::parse_triple;

/// A method of deducing placements or removals from a board.
pub trait Technique: Sync {
    /// The description of the technique.
    fn info(&self) -> &'static Info;

    /// Finds every instance of the technique that places or removes something.
    ///
    /// It must be pure and complete: it does not change the board and leaves no instance out, so
    /// that the union of the instances is the same for all isomorphs of a puzzle.
    fn find_all(&self, position: &Position, found: &mut Steps);
}

/// The description of a technique: the single source for tables, manuals and metadata.
#[derive(Debug)]
pub struct Info {
    /// The id in tables. It never changes after a release.
    pub id: &'static str,
    /// The usual name of the technique.
    pub name: &'static str,
    /// The difficulty for a person.
    pub level: Level,
    /// The effort of one wave of it (HoDoKu's base scores).
    pub effort: u32,
    /// Its codes in HoDoKu's regression library.
    pub hodoku: &'static [&'static str],
    /// Its place in HoDoKu's order, by which the ladder `hodoku` is sorted. Techniques without a
    /// place come last. Places are in steps of ten, so that another fits between two.
    pub hodoku_place: Option<u16>,
    /// Its rating by Sudoku Explainer 1.2.1; `~` marks a rating by analogy.
    pub explainer: &'static str,
    /// HoDoKu's names of the steps that it finds.
    pub steps_of_hodoku: &'static [&'static str],
    /// Sudoku Explainer's names of the steps that it finds.
    pub steps_of_explainer: &'static [&'static str],
    /// The manual: what the technique finds, and why it is sound. Markdown.
    pub doc: &'static str,
    /// One worked example.
    pub example: Example,
}

/// A position, and one step of the technique in it.
#[derive(Debug)]
pub struct Example {
    /// The position: 81 characters, including the digits placed so far.
    pub grid: &'static str,
    /// Candidates removed earlier, as `drc` triples: digit, row, column, from 1.
    pub removed: &'static str,
    /// The effect of one instance here, in the format of [`Effect`](super::Effect).
    pub effect: &'static str,
}

impl Example {
    /// The position. None of its digits counts as a clue.
    ///
    /// # Panics
    ///
    /// Panics if the grid or the removed candidates are invalid. A test checks every example.
    pub fn position(&self) -> Position {
        let grid = self.grid.parse().expect("81 characters");
        let mut board = Candidates::new(&grid);
        for triple in self.removed.split_whitespace() {
            let (digit, cell) = parse_triple(triple.as_bytes()).expect("digit, row, column");
            board.eliminate(digit, CellSet::of(cell));
        }
        Position::with_clues(board, CellSet::EMPTY)
    }
}

/// The difficulty of a technique for a person. Levels never decrease along the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Singles.
    Easy,
    /// Locked candidates, pairs and triples.
    Medium,
    /// Fish, quads, wings, single-digit patterns.
    Hard,
    /// Chains and almost locked sets.
    Unfair,
    /// Forcing chains and search.
    Extreme,
}

impl Level {
    /// From easy to extreme.
    pub const ALL: [Level; 5] = [
        Level::Easy,
        Level::Medium,
        Level::Hard,
        Level::Unfair,
        Level::Extreme,
    ];

    /// The id in tables.
    pub const fn id(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Unfair => "unfair",
            Level::Extreme => "extreme",
        }
    }

    /// The techniques of the level, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Level::Easy => "Singles",
            Level::Medium => "Locked candidates, pairs and triples",
            Level::Hard => "Fish, quads, wings, single-digit patterns",
            Level::Unfair => "Chains and almost locked sets",
            Level::Extreme => "Forcing chains and search",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// Declares a technique. Its doc comment becomes the manual. The file must have a function
/// `find_all(&Position, &mut Steps)`, which implements [`Technique::find_all`].
macro_rules! technique {
    (
        $(#[doc = $doc:literal])+
        $technique:ident {
            $($field:ident: $value:expr,)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub(crate) struct $technique;

        impl $technique {
            /// The description of the technique.
            pub(crate) const INFO: $crate::grade::Info = $crate::grade::Info {
                $($field: $value,)+
                doc: concat!($($doc, "\n"),+),
            };
        }

        impl $crate::grade::Technique for $technique {
            fn info(&self) -> &'static $crate::grade::Info {
                &Self::INFO
            }

            fn find_all(
                &self,
                position: &$crate::grade::Position,
                found: &mut $crate::grade::Steps,
            ) {
                find_all(position, found);
            }
        }
    };
}
pub(crate) use technique;
