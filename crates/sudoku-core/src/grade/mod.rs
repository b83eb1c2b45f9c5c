//! Stage 5 of 7: the hardest technique a puzzle needs.
//!
//! Fix a ladder of techniques T1 < T2 < … < Tn. The grade of a puzzle is the smallest k such that
//! T1 … Tk solve it: a property of the puzzle, not of how it is written down. [`Ladder::grade`]
//! computes it by waves, [`techniques::LADDER`] is the ladder.

mod batch;
mod by_house;
mod case;
mod climb;
mod effect;
mod graded;
mod grades;
mod ladder;
mod lanes;
mod pattern;
mod position;
mod rank;
mod singles;
mod technique;
mod techniques;
mod watch;

pub use batch::{Beginning, Begun};
pub use case::{Case, Deduction, Ending, Follow};
pub use effect::{Effect, Step, Steps};
pub use graded::Graded;
pub use grades::{Grade, Needed};
pub use ladder::{Ladder, LadderNameError};
pub use pattern::{Link, NamedSet, Node, Pattern, SetName, StrongReason};
pub use position::Position;
pub use rank::{Rank, SEARCH};
pub use technique::{Example, Info, Level, Technique};
pub(crate) use techniques::forcing::fill_traces;
pub use techniques::{LADDER, LADDER_VERSION, UNIQUENESS};
pub use watch::Watch;
