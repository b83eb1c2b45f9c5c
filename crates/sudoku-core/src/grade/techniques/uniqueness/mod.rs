//! Techniques that argue with the puzzle having exactly one solution: a file a family.
//!
//! They are not on the ladder, because what they say of a puzzle with several solutions is wrong,
//! and because an elimination can take their instances away. `--uniqueness` asks for them.

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

/// The techniques in the order in which they are tried, all of them between jellyfish and the next
/// technique of the ladder.
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
