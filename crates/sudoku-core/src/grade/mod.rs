//! Finds the hardest technique that a puzzle needs.
//!
//! A ladder is a fixed list of techniques T1, …, Tn, from the easiest to the hardest. The grade of a puzzle is the
//! smallest k such that T1 … Tk solve it; all isomorphs of a puzzle have the same grade. [`Ladder::grade`] computes the
//! grade in waves; [`techniques::LADDER`] is the default ladder.

mod batches;
mod climb;
mod columns;
mod grades;
mod grading;
mod ladder;
mod lanes;
mod order;
mod position;
mod quick_singles;
mod rank;
mod start;
mod steps;
mod technique;
mod techniques;
mod waves;

pub use batches::batch::GradeProgress;
pub use batches::graded::Graded;
pub use columns::{GradeColumn, GradeValue};
pub use grades::{Grade, GradeParts, HardestTechnique};
pub use ladder::{Ladder, LadderNameError};
pub use position::Position;
pub use rank::{Rank, SEARCH};
pub use start::Start;
pub use steps::Steps;
pub use steps::effect::Effect;
pub use steps::link::{Link, Node, StrongReason};
pub use steps::named_set::{NamedSet, SetName};
pub use steps::step::{Case, CaseEnding, Deduction, Pattern, Propagation, Step};
pub use technique::{Example, Info, Level, Technique};
pub(crate) use techniques::als::almost_locked_sets;
pub(crate) use techniques::forcing::fill_traces;
pub use techniques::forcing::{TrialOutcome, trial_depth};
pub use techniques::{LADDER, LADDER_VERSION, UNIQUENESS};
pub(crate) use waves::Waves;
