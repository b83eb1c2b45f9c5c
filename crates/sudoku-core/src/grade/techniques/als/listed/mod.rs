//! The searches that list the steps with almost locked sets: complete and readable. The searches in `quick` find the
//! same candidates, and a test compares both on every board.

pub(super) mod als_xy_wing;
pub(super) mod als_xz;
pub(super) mod death_blossom;
pub(super) mod links;
mod reach;
pub(super) mod sets;
pub(super) mod sue_de_coq;
