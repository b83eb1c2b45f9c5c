//! Techniques that argue with the puzzle having exactly one solution: a file a family.
//!
//! They are not on the ladder, because what they say of a puzzle with several solutions is wrong,
//! and because an elimination can take their instances away. `--uniqueness` asks for them.

mod avoidable_rectangle;
mod bug;
mod rectangle;
mod shared_digit;
mod strong_link;
mod virtual_cell;

pub use avoidable_rectangle::{AvoidableRectangle1, AvoidableRectangle2};
pub use bug::BugPlus1;
pub use shared_digit::{UniqueRectangle1, UniqueRectangle2, UniqueRectangle5};
pub use strong_link::{HiddenRectangle, UniqueRectangle4, UniqueRectangle6};
pub use virtual_cell::UniqueRectangle3;

use crate::grade::Technique;

/// The techniques in the order in which they are tried, all of them between jellyfish and the next
/// technique of the ladder.
pub const UNIQUENESS: &[&dyn Technique] = &[
    &UniqueRectangle1,
    &UniqueRectangle2,
    &UniqueRectangle3,
    &UniqueRectangle4,
    &UniqueRectangle5,
    &UniqueRectangle6,
    &HiddenRectangle,
    &AvoidableRectangle1,
    &AvoidableRectangle2,
    &BugPlus1,
];
