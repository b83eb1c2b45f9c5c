//! The trait [`Technique`], and the macro that declares a technique.

use std::fmt;

use super::position::Position;
use super::steps::Steps;
use crate::board::{Candidates, CellSet};
use crate::text::parse_triple;

/// A solving technique: a method for deducing placements or removals from a board.
pub trait Technique: Sync {
    /// The static description of the technique: its names, manual and difficulty.
    fn info(&self) -> &'static Info;

    /// Finds the union of the effects of all instances of the technique, which is enough for a grade.
    ///
    /// The union must be complete: then isomorphs of a puzzle have the same one. The search need not visit each
    /// instance, may leave out places that have not changed since it last found nothing there, and stores such
    /// findings in `position`. `found` must not list steps.
    fn find_union(&self, position: &Position, found: &mut Steps);

    /// Lists every instance of the technique that changes the board, as a step with its pattern.
    ///
    /// The union of the steps is that of [`Technique::find_union`]. `found` must list steps.
    fn list_steps(&self, position: &Position, found: &mut Steps);

    /// Finds every instance of the technique that changes the board, as `found` keeps them: as a union or as a list.
    fn find_all(&self, position: &Position, found: &mut Steps) {
        if found.is_listing() {
            self.list_steps(position, found);
        } else {
            self.find_union(position, found);
        }
    }
}

/// The static description of a technique, from which tables, manuals and metadata are generated.
#[derive(Debug)]
pub struct Info {
    /// The id of the technique in output tables. It never changes after a release.
    pub id: &'static str,
    /// The usual English name of the technique, such as "X-wing".
    pub name: &'static str,
    /// How difficult the technique is for a person.
    pub level: Level,
    /// The effort that each use (wave) of the technique adds to a grade: HoDoKu's base score.
    pub effort: u32,
    /// The codes of the technique in HoDoKu's regression library, a file of example positions.
    pub hodoku_codes: &'static [&'static str],
    /// The position of the technique in HoDoKu's order, by which the ladder `hodoku` is sorted; `None` for techniques
    /// that come last there. Positions are multiples of ten, so that others fit in between.
    pub hodoku_order: Option<u16>,
    /// The rating that Sudoku Explainer 1.2.1 gives the technique. A `~` marks an estimate from similar techniques.
    pub explainer: &'static str,
    /// The names that HoDoKu gives to steps of this technique.
    pub hodoku_names: &'static [&'static str],
    /// The names that Sudoku Explainer gives to steps of this technique.
    pub explainer_names: &'static [&'static str],
    /// The manual as Markdown: what the technique finds, and why it is sound.
    pub doc: &'static str,
    /// An example board for the manual, on which the technique has a step.
    pub example: Example,
}

/// An example board for a technique, with the effect of one of the technique's steps.
#[derive(Debug)]
pub struct Example {
    /// The board as 81 characters, including the digits that earlier steps have placed.
    pub grid: &'static str,
    /// The candidates that earlier steps have removed, as triples of digit, row and column, each from 1.
    pub removed: &'static str,
    /// The effect of one step of the technique on this board, in the format of [`Effect`](super::Effect).
    pub effect: &'static str,
}

impl Example {
    /// Converts the example to the input of a technique. None of its digits counts as a clue.
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

crate::enum_with_ids! {
    /// How difficult a technique is for a person. On the default ladder, a later technique never has a lower level.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Level {
        /// Full houses, naked singles and hidden singles.
        Easy = "easy",
        /// Locked candidates, pairs and triples.
        Medium = "medium",
        /// Fish, quads, wings, single-digit patterns.
        Hard = "hard",
        /// Chains and almost locked sets.
        Unfair = "unfair",
        /// Forcing chains and search.
        Extreme = "extreme",
    }
}

impl Level {
    /// The techniques of the level in a few words, for reports.
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

/// Declares a technique. The doc comment becomes its manual. After the fields, `union` and `list` name the functions
/// that implement [`Technique::find_union`] and [`Technique::list_steps`]. Without them, one search does both: the
/// function `find_all(&Position, &mut Steps)` of the file. The id of a technique on the ladder is in the list of
/// `order`; other techniques have the field `id`.
macro_rules! technique {
    (
        $(#[doc = $doc:literal])+
        $technique:ident {
            name: $($fields:tt)+
        }
        $($searches:tt)*
    ) => {
        technique! {
            $(#[doc = $doc])+
            $technique {
                id: $crate::grade::order::TechniqueName::$technique.id(),
                name: $($fields)+
            }
            $($searches)*
        }
    };
    (
        $(#[doc = $doc:literal])+
        $technique:ident {
            $($field:ident: $value:expr,)+
        }
    ) => {
        technique! {
            $(#[doc = $doc])+
            $technique {
                $($field: $value,)+
            }
            union: find_all,
            list: find_all,
        }
    };
    (
        $(#[doc = $doc:literal])+
        $technique:ident {
            $($field:ident: $value:expr,)+
        }
        union: $find_union:path,
        list: $list_steps:path,
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

            fn find_union(
                &self,
                position: &$crate::grade::Position,
                found: &mut $crate::grade::Steps,
            ) {
                $find_union(position, found);
            }

            fn list_steps(
                &self,
                position: &$crate::grade::Position,
                found: &mut $crate::grade::Steps,
            ) {
                $list_steps(position, found);
            }
        }
    };
}
pub(crate) use technique;
