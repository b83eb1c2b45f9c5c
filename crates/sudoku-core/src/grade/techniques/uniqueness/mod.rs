//! Uniqueness techniques, which assume that the puzzle has exactly one solution. Each technique has its own file.
//!
//! They are not on the default ladder, because their conclusions are wrong for puzzles with several solutions, and
//! because removing a candidate can destroy their patterns. The option `--uniqueness` enables them.

mod avoidable;
mod avoidable_rectangle_1;
mod avoidable_rectangle_2;
mod bug_plus_1;
mod hidden_rectangle;
mod rectangle;
mod unique_rectangle_1;
mod unique_rectangle_2;
mod unique_rectangle_3;
mod unique_rectangle_4;
mod unique_rectangle_5;
mod unique_rectangle_6;

use crate::grade::Technique;

/// All uniqueness techniques, in the order in which they are tried: after jellyfish, and before the
/// next technique of the ladder.
pub const UNIQUENESS: &[&dyn Technique] = &[
    &unique_rectangle_1::UniqueRectangle1,
    &unique_rectangle_2::UniqueRectangle2,
    &unique_rectangle_3::UniqueRectangle3,
    &unique_rectangle_4::UniqueRectangle4,
    &unique_rectangle_5::UniqueRectangle5,
    &unique_rectangle_6::UniqueRectangle6,
    &hidden_rectangle::HiddenRectangle,
    &avoidable_rectangle_1::AvoidableRectangle1,
    &avoidable_rectangle_2::AvoidableRectangle2,
    &bug_plus_1::BugPlus1,
];
