//! Lists the techniques that can be explained.

use crate::grade::{Info, LADDER, Rank, SEARCH, Technique, UNIQUENESS};

/// All techniques that can be explained, with their ranks: first those of the ladder, which is the ordered list
/// of techniques, then the uniqueness techniques, all of which have the rank [`Rank::UNIQUENESS`].
pub(super) fn all_techniques() -> impl Iterator<Item = (Rank, &'static dyn Technique)> {
    let uniqueness = UNIQUENESS.iter().map(|own| (Rank::UNIQUENESS, *own));
    Rank::all().zip(LADDER.iter().copied()).chain(uniqueness)
}

/// The ids of techniques that [`Explanation::of_technique`](super::Explanation::of_technique) accepts.
pub fn technique_ids() -> impl Iterator<Item = &'static str> {
    let ids = all_techniques().map(|(_, technique)| technique.info().id);
    ids.chain([SEARCH.id()])
}

/// Whether a technique is on the ladder, which is the ordered list of techniques.
pub(super) fn is_on_ladder(info: &Info) -> bool {
    Rank::from_id(info.id).is_some()
}

/// The usual name of the technique with this rank.
pub(super) fn technique_name(rank: Rank) -> &'static str {
    let technique = rank.technique();
    technique.map_or("Search", |technique| technique.info().name)
}

/// A rank and the level that it belongs to, such as `rank 7, medium`.
pub(super) fn rank_and_level(rank: Rank) -> String {
    format!("rank {}, {}", rank.number(), rank.level())
}
