//! The ladder: a file a technique.

mod fish;
mod full_house;
mod hidden_single;
mod hidden_subset;
mod locked;
mod naked_single;
mod naked_subset;
mod subset;

use super::technique::Technique;

pub use fish::{Jellyfish, Swordfish, XWing};
pub use full_house::FullHouse;
pub use hidden_single::{HiddenSingleBox, HiddenSingleLine};
pub use hidden_subset::{HiddenPair, HiddenQuad, HiddenTriple};
pub use locked::{LockedClaiming, LockedPointing};
pub use naked_single::NakedSingle;
pub use naked_subset::{NakedPair, NakedQuad, NakedTriple};

/// The order of the techniques is the definition of the grade: the n-th has rank n.
pub const LADDER: &[&dyn Technique] = &[
    &FullHouse,
    &NakedSingle,
    &HiddenSingleBox,
    &HiddenSingleLine,
    &LockedPointing,
    &LockedClaiming,
    &NakedPair,
    &HiddenPair,
    &NakedTriple,
    &HiddenTriple,
    &XWing,
    &Swordfish,
    &NakedQuad,
    &HiddenQuad,
    &Jellyfish,
];

/// Changes when any grade may change.
pub const LADDER_VERSION: u32 = 1;
