//! The ladder: a file a technique.
//!
//! A new technique is a file with its [`technique!`](super::technique::technique) declaration, its
//! finder and its tests, a `mod` line beside it, and a line in the ladder below.

pub(crate) mod als;
pub(crate) mod chains;
pub(crate) mod fish;
pub(crate) mod forcing;
pub(crate) mod locked;
pub(crate) mod single_digit;
pub(crate) mod singles;
mod subset;
mod subsets;
mod uniqueness;
mod wings;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod tests;

use super::technique::{Info, Technique};

pub use uniqueness::UNIQUENESS;

/// Makes [`LADDER`] of its lines, and [`INFOS`] of the same.
macro_rules! ladder {
    ($($($part:ident)::+,)+) => {
        /// The order of the techniques is the definition of the grade: the n-th has rank n.
        pub const LADDER: &[&dyn Technique] = &[$(&$($part)::+),+];

        /// What stands on the ladder, for constants: a trait object's methods cannot be called there.
        pub(super) const INFOS: &[&Info] = &[$(&$($part)::+::INFO),+];
    };
}

ladder! {
    singles::full_house::FullHouse,
    singles::naked_single::NakedSingle,
    singles::hidden_single_box::HiddenSingleBox,
    singles::hidden_single_line::HiddenSingleLine,
    locked::locked_pointing::LockedPointing,
    locked::locked_claiming::LockedClaiming,
    subsets::naked_pair::NakedPair,
    subsets::hidden_pair::HiddenPair,
    subsets::naked_triple::NakedTriple,
    subsets::hidden_triple::HiddenTriple,
    fish::x_wing::XWing,
    fish::swordfish::Swordfish,
    subsets::naked_quad::NakedQuad,
    subsets::hidden_quad::HiddenQuad,
    fish::jellyfish::Jellyfish,
    single_digit::skyscraper::Skyscraper,
    single_digit::two_string_kite::TwoStringKite,
    single_digit::turbot_fish::TurbotFish,
    single_digit::empty_rectangle::EmptyRectangle,
    wings::xy_wing::XyWing,
    wings::xyz_wing::XyzWing,
    wings::w_wing::WWing,
    chains::remote_pair::RemotePair,
    single_digit::simple_coloring::SimpleColoring,
    single_digit::multi_coloring::MultiColoring,
    fish::finned_x_wing::FinnedXWing,
    fish::finned_swordfish::FinnedSwordfish,
    fish::finned_jellyfish::FinnedJellyfish,
    als::sue_de_coq::SueDeCoq,
    chains::x_chain::XChain,
    chains::xy_chain::XyChain,
    chains::aic::Aic,
    chains::grouped_aic::GroupedAic,
    als::als_xz::AlsXz,
    als::als_xy_wing::AlsXyWing,
    chains::als_chain::AlsChain,
    als::death_blossom::DeathBlossom,
    forcing::nishio::Nishio,
    forcing::cell_region_forcing::CellRegionForcing,
    forcing::dynamic_forcing::DynamicForcing,
    forcing::nested_forcing::NestedForcing,
}

/// Changes when any grade may change.
pub const LADDER_VERSION: u32 = 2;
