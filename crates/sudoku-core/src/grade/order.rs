//! The order of the techniques by difficulty, which defines the grade of a puzzle: the n-th technique has rank n.
//!
//! To add a technique, add a file in [`techniques`](super::techniques), a `mod` line in its folder, and a line here.
//! The enum [`TechniqueName`], the ranks and the list of implementations are generated from this list. So code that
//! only needs the rank of a technique does not depend on its implementation.

/// Calls a macro with all techniques from the easiest to the hardest, each as `folder::file::Type`. The techniques of
/// the ladder `basic` come first, in their own group. The file name is the id of the technique.
macro_rules! for_techniques {
    ($make:ident) => {
        $make! {
            basic {
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
            }
            advanced {
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
        }
    };
}
pub(super) use for_techniques;

macro_rules! names {
    (
        basic { $($room:ident::$id:ident::$name:ident,)+ }
        advanced { $($room2:ident::$id2:ident::$name2:ident,)+ }
    ) => {
        /// The name of a technique on the default ladder, without its implementation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum TechniqueName {
            $($name,)+
            $($name2,)+
        }

        impl TechniqueName {
            /// The ids of the techniques, in the order of the ladder.
            pub(super) const IDS: [&str; Self::COUNT] = [$(stringify!($id),)+ $(stringify!($id2),)+];

            /// The id of the technique, which is the name of its file.
            pub(super) const fn id(self) -> &'static str {
                Self::IDS[self as usize]
            }

            /// The number of techniques on the ladder `basic`.
            pub(super) const BASIC: usize = [$(TechniqueName::$name),+].len();

            /// The number of techniques on the default ladder.
            pub(super) const COUNT: usize = Self::BASIC + [$(TechniqueName::$name2),+].len();
        }
    };
}
for_techniques!(names);
