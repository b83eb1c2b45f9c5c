//! What a technique is.

use std::fmt;

use super::position::Position;
use super::steps::Steps;
use crate::board::{Candidates, CellSet};
use crate::text::parse_triple;

/// A way to deduce something from a board.
pub trait Technique: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;

    /// Finds every instance of the definition that places or removes something.
    ///
    /// Pure and complete: it looks and never edits, and it leaves no instance out, so that the
    /// union of what it finds is the same however the puzzle is written down.
    fn find_all(&self, position: &Position, found: &mut Steps);
}

/// What a technique is: the one source for tables, manuals and metadata.
#[derive(Debug)]
pub struct Info {
    /// Stored in tables: once released it never changes.
    pub id: &'static str,
    /// The field's name for it.
    pub name: &'static str,
    /// How hard a person finds it.
    pub level: Level,
    /// What one wave of it adds to a puzzle's effort (HoDoKu's base scores).
    pub effort: u32,
    /// Its codes in HoDoKu's regression library.
    pub hodoku: &'static [&'static str],
    /// Where HoDoKu tries it: the techniques of the ladder `hodoku` are sorted by this number, and
    /// those without one stand behind. In steps of ten, so that another fits between two.
    pub hodoku_place: Option<u16>,
    /// Sudoku Explainer 1.2.1's rating of it; `~` by analogy.
    pub explainer: &'static str,
    /// What it finds, and why that is sound. Markdown.
    pub doc: &'static str,
    /// One worked example.
    pub example: Example,
}

/// A position, and one step of the technique in it.
#[derive(Debug)]
pub struct Example {
    /// The position: 81 characters, the digits placed so far included.
    pub grid: &'static str,
    /// Candidates removed earlier, as `drc` triples: digit, row, column, from 1.
    pub removed: &'static str,
    /// What one instance does here, as [`Effect`](super::Effect) prints it.
    pub effect: &'static str,
}

impl Example {
    /// The position; none of its digits counts as a clue.
    ///
    /// # Panics
    ///
    /// Where the grid or the removed candidates cannot be read: a test looks at every example.
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

/// How hard a technique is for a person. Levels never decrease along the ladder.
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

    /// As it is stored in tables.
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

/// Declares a technique: the doc comment becomes its manual. The file has a function
/// `find_all(&Position, &mut Steps)`, which is [`Technique::find_all`].
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
            /// What it is.
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
