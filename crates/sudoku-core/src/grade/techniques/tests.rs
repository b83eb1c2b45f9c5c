//! Checks of all techniques, on the ladder and beside it.

use super::chains::aic::Aic;
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
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), Rank::COUNT + UNIQUENESS.len());
}

#[test]
fn hodoku_has_each_technique_in_one_place() {
    let mut places: Vec<u16> = infos().filter_map(|info| info.hodoku_place).collect();
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), count);
    let ladder = Ladder::named("hodoku").unwrap().with_uniqueness();
    let mut ids: Vec<_> = ladder.rungs().map(|(_, own)| own.info().id).collect();
    let mut all: Vec<_> = infos().map(|info| info.id).collect();
    ids.sort_unstable();
    all.sort_unstable();
    assert_eq!(ids, all);
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

/// Chains and what is above them take long to list.
fn is_quick(technique: &dyn Technique) -> bool {
    let rank = Rank::from_id(technique.info().id);
    rank.is_none_or(|rank| rank < Rank::of(&Aic::INFO))
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
