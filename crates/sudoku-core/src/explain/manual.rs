//! The content of the manual page of a technique.

use super::technique::{all_techniques, is_on_ladder};
use super::walk::Wave;
use crate::grade::{Info, Level, Rank, SEARCH, Steps, Technique};

/// The description of the final search, which is not a technique and therefore has no manual.
pub const ABOUT_SEARCH: &str = "No technique of the ladder finds anything any more: only a \
    search is left, which assumes a digit, follows it to the solution or to a contradiction, and \
    takes it back.";

/// The content of the manual page of a technique, or of the final search.
#[derive(Clone, Debug)]
pub struct Manual {
    /// The rank of the technique on the ladder, which is the ordered list of techniques. A technique that is
    /// not on the ladder has the rank of jellyfish.
    pub rank: Rank,
    /// The description of the technique; `None` for the final search, which is not a technique.
    pub info: Option<&'static Info>,
    /// The board of the manual's example, with the step that the example shows; `None` for the final search.
    pub example: Option<Wave>,
}

impl Manual {
    /// The manual of the technique with this id, or of the final search; `None` for other ids.
    pub fn new(id: &str) -> Option<Manual> {
        let search = Manual {
            rank: SEARCH,
            info: None,
            example: None,
        };
        if id == SEARCH.id() {
            return Some(search);
        }
        let (rank, technique) =
            all_techniques().find(|(_, technique)| technique.info().id == id)?;
        Some(Manual {
            rank,
            info: Some(technique.info()),
            example: Some(example_wave(rank, technique)),
        })
    }

    /// The usual name of the technique.
    pub fn name(&self) -> &'static str {
        self.info.map_or("Search", |info| info.name)
    }

    /// The stable id of the technique, as in tables.
    pub fn id(&self) -> &'static str {
        self.info.map_or(SEARCH.id(), |info| info.id)
    }

    /// The level of difficulty of the technique.
    pub fn level(&self) -> Level {
        self.info.map_or(SEARCH.level(), |info| info.level)
    }

    /// The effort that the technique adds to a puzzle's grade each time that it is applied. All steps that it
    /// finds on a board are applied together.
    pub fn effort(&self) -> u32 {
        self.info.map_or(SEARCH.effort(), |info| info.effort)
    }

    /// The names and values for the table at the head of the page.
    pub(super) fn fact_rows(&self) -> Vec<(&'static str, String)> {
        let rank = match self.info {
            Some(info) if !is_on_ladder(info) => format!(
                "none; counts as {} where --uniqueness asks for it",
                self.rank.number()
            ),
            _ => self.rank.number().to_string(),
        };
        let mut fact_rows = vec![
            ("id", self.id().to_owned()),
            ("rank", rank),
            ("level", self.level().to_string()),
            ("effort of a wave", self.effort().to_string()),
        ];
        if let Some(info) = self.info {
            fact_rows.push(("HoDoKu", info.hodoku_codes.join(", ")));
            fact_rows.push(("Sudoku Explainer", info.explainer.to_owned()));
        }
        fact_rows
    }
}

/// The board of a technique's example, with the step that the example shows.
fn example_wave(rank: Rank, technique: &dyn Technique) -> Wave {
    let example = &technique.info().example;
    let position = example.position();
    let mut found_steps = Steps::listing();
    technique.find_all(&position, &mut found_steps);
    let mut steps = found_steps.list().iter();
    let shown_step = steps.find(|step| step.effect.to_string() == example.effect);
    let shown_steps = shown_step.cloned().into_iter().collect();
    Wave::new(rank, technique, &position, &found_steps, shown_steps)
}
