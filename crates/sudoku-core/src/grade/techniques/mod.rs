//! The ladder: a file a technique.

mod als;
mod chains;
mod coloring;
mod conjugate;
mod empty_rectangle;
mod finned_fish;
mod fish;
mod forcing;
mod full_house;
mod hidden_single;
mod hidden_subset;
mod locked;
mod naked_single;
mod naked_subset;
mod remote_pair;
mod subset;
mod sue_de_coq;
mod turbot_fish;
pub mod uniqueness;
mod w_wing;
mod xy_wing;

use super::technique::Technique;

pub(super) use als::AlsLinks;
pub use als::{AlsXyWing, AlsXz, DeathBlossom};
pub(super) use chains::x_chains;
pub use chains::{Aic, AlsChain, GroupedAic, XChain, XyChain};
pub use coloring::{MultiColoring, SimpleColoring};
pub use empty_rectangle::EmptyRectangle;
pub use finned_fish::{FinnedJellyfish, FinnedSwordfish, FinnedXWing};
pub use fish::{Jellyfish, Swordfish, XWing};
pub(super) use forcing::Branches;
pub use forcing::{CellRegionForcing, DynamicForcing, NestedForcing, Nishio};
pub use full_house::FullHouse;
pub use hidden_single::{HiddenSingleBox, HiddenSingleLine};
pub use hidden_subset::{HiddenPair, HiddenQuad, HiddenTriple};
pub use locked::{LockedClaiming, LockedPointing};
pub use naked_single::NakedSingle;
pub use naked_subset::{NakedPair, NakedQuad, NakedTriple};
pub use remote_pair::RemotePair;
pub use sue_de_coq::SueDeCoq;
pub use turbot_fish::{Skyscraper, TurbotFish, TwoStringKite};
pub use uniqueness::UNIQUENESS;
pub use w_wing::WWing;
pub use xy_wing::{XyWing, XyzWing};

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
    &Skyscraper,
    &TwoStringKite,
    &TurbotFish,
    &EmptyRectangle,
    &XyWing,
    &XyzWing,
    &WWing,
    &RemotePair,
    &SimpleColoring,
    &MultiColoring,
    &FinnedXWing,
    &FinnedSwordfish,
    &FinnedJellyfish,
    &SueDeCoq,
    &XChain,
    &XyChain,
    &Aic,
    &GroupedAic,
    &AlsXz,
    &AlsXyWing,
    &AlsChain,
    &DeathBlossom,
    &Nishio,
    &CellRegionForcing,
    &DynamicForcing,
    &NestedForcing,
];

/// Changes when any grade may change.
pub const LADDER_VERSION: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Generator, Target};
    use crate::grade::{Info, Ladder, Position, Rank, Steps};
    use crate::random::Rng;

    /// Those of the ladder, and those beside it.
    fn all() -> impl Iterator<Item = &'static dyn Technique> {
        LADDER.iter().chain(UNIQUENESS).copied()
    }

    fn infos() -> impl Iterator<Item = &'static Info> {
        all().map(Technique::info)
    }

    #[test]
    fn ids_are_unique_and_levels_never_decrease() {
        let mut ids: Vec<_> = Rank::all().map(Rank::id).collect();
        ids.extend(UNIQUENESS.iter().map(|technique| technique.info().id));
        let levels = LADDER.iter().map(|technique| technique.info().level);
        assert!(levels.is_sorted());
        assert_eq!(Rank::LOCKED_CLAIMING.id(), "locked_claiming");
        assert_eq!(Rank::UNIQUENESS.id(), "jellyfish");
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), Rank::COUNT + UNIQUENESS.len());
    }

    #[test]
    fn every_technique_says_what_it_finds_and_why_it_is_sound() {
        for info in infos() {
            assert!(info.doc.contains("# Why it is sound"), "{}", info.id);
            assert!(!info.name.is_empty(), "{}", info.id);
            assert!(!info.explainer.is_empty() && info.effort > 0, "{}", info.id);
        }
    }

    #[test]
    fn every_example_has_the_step_it_shows() {
        for technique in all() {
            let Info { id, example, .. } = technique.info();
            let mut found = Steps::listing();
            technique.find_all(&example.position(), &mut found);
            let steps: Vec<_> = found.list().iter().map(|s| s.effect.to_string()).collect();
            assert!(
                steps.iter().any(|step| step == example.effect),
                "{id}: {steps:?}"
            );
        }
    }

    fn is_quick(technique: &dyn Technique) -> bool {
        let id = technique.info().id;
        !LADDER[31..].iter().any(|slow| slow.info().id == id)
    }

    /// Without a listing the finders take short cuts; what they find must be the same.
    #[test]
    fn listed_steps_together_are_the_union() {
        let seed = 2024;
        let generator = Generator {
            seed,
            target: Target::Any,
            clues: None,
            max_attempts: 1,
        };
        let mut rng = Rng::new(seed);
        let ladder = Ladder::default();
        let (mut union, mut listing) = (Steps::union_only(), Steps::listing());
        for n in 0..60 {
            let mut board = Position::new(&generator.puzzle(n).unwrap().puzzle);
            // Thousands of chains and long forcing are listed for a few boards only.
            while !board.is_solved() {
                for technique in all().filter(|technique| n % 20 == 0 || is_quick(*technique)) {
                    union.clear();
                    listing.clear();
                    technique.find_all(&board, &mut union);
                    technique.find_all(&board, &mut listing);
                    let id = technique.info().id;
                    assert_eq!(
                        union.union(),
                        listing.union(),
                        "seed {seed}, puzzle {n}, {id}"
                    );
                    assert_eq!(union.is_empty(), listing.list().is_empty(), "{id}");
                }
                if ladder.wave(&board, &mut listing).is_none() {
                    break;
                }
                // One step only, so that the boards differ from those of the waves.
                let at = rng.below(listing.list().len());
                board.apply(&listing.list()[at].effect);
            }
        }
    }
}
