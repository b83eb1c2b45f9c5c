//! Ladders: ordered lists of techniques that are used for grading.

use super::rank::{Rank, SEARCH};
use super::technique::Technique;
use super::techniques::{LADDER, UNIQUENESS};

/// An ordered list of techniques, from the easiest to the hardest; each is a rung. The grade of a puzzle is the highest
/// rung that the puzzle needs.
#[derive(Clone)]
pub struct Ladder {
    pub(super) rungs: Vec<Rung>,
    /// The highest rank on the ladder; `SEARCH` if a search follows the techniques. A puzzle that needs a higher rank
    /// is called beyond the ladder.
    pub(super) highest: Rank,
    /// The number of techniques before the first uniqueness technique; the number of all techniques if there is none.
    pub(super) below_uniqueness: usize,
    name: String,
}

/// A technique of a ladder, with its rank in the default order [`LADDER`].
#[derive(Clone, Copy)]
pub(super) struct Rung {
    pub(super) rank: Rank,
    pub(super) technique: &'static dyn Technique,
}

impl Rung {
    fn new(technique: &'static dyn Technique) -> Rung {
        Rung {
            rank: Rank::from_id(technique.info().id).unwrap_or(Rank::UNIQUENESS),
            technique,
        }
    }

    fn is_on_ladder(&self) -> bool {
        self.rank.id() == self.technique.info().id
    }
}

/// An unknown ladder name or technique id.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum LadderNameError {
    /// The text is neither the id of a technique nor the name of a ladder.
    #[error(
        "no technique is called \"{id}\"; give full, basic, hodoku, or some of these, separated by \
         commas: {}",
        ids(LADDER.iter().copied())
    )]
    Unknown {
        /// The unknown id.
        id: String,
    },
}

const HODOKU: &str = "hodoku";

impl Default for Ladder {
    fn default() -> Ladder {
        Ladder {
            name: "full".to_owned(),
            ..Ladder::up_to(SEARCH)
        }
    }
}

impl Ladder {
    /// The names of the predefined ladders.
    pub const NAMES: [&'static str; 3] = ["full", "basic", HODOKU];

    /// A ladder with all techniques of [`LADDER`] up to this rank.
    pub fn up_to(highest: Rank) -> Ladder {
        let ladder = Rank::all().zip(LADDER.iter().copied());
        Ladder::from_techniques(
            ladder
                .filter(|(rank, _)| *rank <= highest)
                .map(|(_, technique)| technique),
        )
    }

    /// A ladder with these techniques, in this order. Techniques that are not on [`LADDER`] get the rank
    /// [`Rank::UNIQUENESS`].
    pub fn from_techniques(techniques: impl IntoIterator<Item = &'static dyn Technique>) -> Ladder {
        let rungs: Vec<Rung> = techniques.into_iter().map(Rung::new).collect();
        Ladder {
            name: ids(rungs.iter().map(|rung| rung.technique)),
            below_uniqueness: rungs_below_uniqueness(&rungs),
            rungs,
            highest: SEARCH,
        }
    }

    /// The ladder with this name: `full` has all techniques; `basic` has those up to jellyfish; `hodoku` has all
    /// techniques in HoDoKu's order. `name` may also be a list of technique ids separated by commas. The ladder then
    /// has these techniques in the order of their ranks.
    pub fn named(name: &str) -> Result<Ladder, LadderNameError> {
        let ladder = match name {
            "full" => Ladder::default(),
            "basic" => Ladder::up_to(Rank::UNIQUENESS),
            HODOKU => {
                let mut ladder = Ladder::default();
                ladder.rungs.sort_by_key(hodoku_order);
                ladder
            }
            list => return Ladder::listed(list),
        };
        Ok(Ladder {
            name: name.to_owned(),
            ..ladder
        })
    }

    fn listed(list: &str) -> Result<Ladder, LadderNameError> {
        let wanted_ids: Vec<&str> = list.split(',').map(str::trim).collect();
        let is_known = |id: &str| LADDER.iter().any(|technique| technique.info().id == id);
        if let Some(id) = wanted_ids.iter().find(|id| !is_known(id)) {
            return Err(LadderNameError::Unknown {
                id: (*id).to_owned(),
            });
        }
        let all_techniques = LADDER.iter().copied();
        Ok(Ladder::from_techniques(all_techniques.filter(
            |technique| wanted_ids.contains(&technique.info().id),
        )))
    }

    /// Removes the techniques above this rank. Puzzles that the remaining techniques do not solve are beyond the
    /// ladder, unless `highest` is the rank of search.
    #[must_use]
    pub fn ending_at(mut self, highest: Rank) -> Ladder {
        self.rungs.retain(|rung| rung.rank <= highest);
        self.below_uniqueness = rungs_below_uniqueness(&self.rungs);
        self.highest = highest;
        self
    }

    /// Adds the uniqueness techniques after jellyfish, or, on the ladder `hodoku`, where HoDoKu has them in its order.
    /// Adds none if the ladder ends below jellyfish.
    #[must_use]
    pub fn with_uniqueness(mut self) -> Ladder {
        if self.highest >= Rank::UNIQUENESS {
            let rungs = &mut self.rungs;
            let above = |rung: &Rung| rung.rank > Rank::UNIQUENESS;
            let insert_index = rungs.iter().position(above).unwrap_or(rungs.len());
            rungs.splice(
                insert_index..insert_index,
                UNIQUENESS.iter().copied().map(Rung::new),
            );
            if self.name == HODOKU {
                rungs.sort_by_key(hodoku_order);
            }
            self.below_uniqueness = rungs_below_uniqueness(rungs);
        }
        self
    }

    /// The name of the ladder: one of [`Ladder::NAMES`], or the ids of its techniques separated by commas.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The ids of the techniques in the order of the ladder, separated by commas.
    pub fn ids(&self) -> String {
        ids(self.rungs.iter().map(|rung| rung.technique))
    }

    /// The rank at which the ladder ends; `None` if a search follows the techniques.
    pub fn end(&self) -> Option<Rank> {
        (self.highest < SEARCH).then_some(self.highest)
    }

    /// How many techniques at the start of the ladder have the ranks 1, 2, 3, … without a gap.
    pub(crate) fn lowest_rungs(&self) -> usize {
        let ranks = self.rungs.iter().map(|rung| rung.rank);
        ranks.zip(Rank::all()).take_while(|(a, b)| a == b).count()
    }

    /// The techniques of the ladder in the order in which they are tried, each with its rank.
    pub fn rungs(&self) -> impl Iterator<Item = (Rank, &'static dyn Technique)> + '_ {
        self.rungs.iter().map(|rung| (rung.rank, rung.technique))
    }
}

fn rungs_below_uniqueness(rungs: &[Rung]) -> usize {
    rungs.iter().take_while(|rung| rung.is_on_ladder()).count()
}

/// The position of the technique in HoDoKu's default order. Techniques without a position come last. HoDoKu tries locked
/// pairs and triples before locked candidates; here they count as naked subsets.
fn hodoku_order(rung: &Rung) -> u16 {
    rung.technique.info().hodoku_order.unwrap_or(u16::MAX)
}

fn ids(techniques: impl IntoIterator<Item = &'static dyn Technique>) -> String {
    let ids: Vec<_> = techniques.into_iter().map(|t| t.info().id).collect();
    ids.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids_of(name: &str) -> Vec<&'static str> {
        let ladder = Ladder::named(name).unwrap();
        ladder.rungs().map(|(_, t)| t.info().id).collect()
    }

    #[test]
    fn every_name_is_a_ladder() {
        for name in Ladder::NAMES {
            assert_eq!(Ladder::named(name).unwrap().name(), name);
        }
        assert_eq!(ids_of("full").len(), LADDER.len());
        assert_eq!(ids_of("basic").last(), Some(&"jellyfish"));
        let hodoku = ids_of("hodoku");
        assert_eq!(hodoku.len(), LADDER.len());
        let position_of = |id| hodoku.iter().position(|known| *known == id);
        assert!(position_of("naked_triple") < position_of("hidden_pair"));
        assert!(position_of("naked_quad") < position_of("x_wing"));
    }

    #[test]
    fn uniqueness_techniques_have_their_place() {
        let ids = |name: &str| {
            let ladder = Ladder::named(name).unwrap().with_uniqueness();
            let ids = ladder.rungs().map(|(_, technique)| technique.info().id);
            (ids.collect::<Vec<_>>(), ladder.below_uniqueness)
        };
        let (full, plain) = ids("full");
        assert_eq!((plain, full[plain - 1]), (15, "jellyfish"));
        assert_eq!(full.len(), LADDER.len() + UNIQUENESS.len());
        let (list, plain) = ids("full_house,x_wing");
        assert_eq!((plain, list[2], list.len()), (2, "unique_rectangle_1", 12));
        let (hodoku, plain) = ids("hodoku");
        assert_eq!(hodoku[plain], "bug_plus_1");
        let up_to_claiming = Ladder::default().ending_at(Rank::LOCKED_CLAIMING);
        assert_eq!(up_to_claiming.with_uniqueness().rungs().count(), 6);
    }

    #[test]
    fn a_list_is_tried_by_rank_in_whatever_order_it_is_given() {
        let ladder = Ladder::named("x_wing, full_house,naked_single,x_wing").unwrap();
        assert_eq!(ladder.name(), "full_house,naked_single,x_wing");
        let ranks: Vec<_> = ladder.rungs().map(|(rank, _)| rank.number()).collect();
        assert_eq!(ranks, [1, 2, 11]);
        for (name, id) in [
            ("naked_single,x-wing", "x-wing"),
            ("", ""),
            ("search", "search"),
        ] {
            let error = Ladder::named(name).err();
            assert_eq!(error, Some(LadderNameError::Unknown { id: id.into() }));
        }
    }
}
