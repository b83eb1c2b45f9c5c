use super::walk::Wave;
use crate::grade::{Info, Rank, Steps, Technique};

/// What search is: it has no technique, so no manual of its own.
pub(super) const ABOUT_SEARCH: &str = "No technique of the ladder finds anything any more: only a \
    search is left, which assumes a digit, follows it to the solution or to a contradiction, and \
    takes it back.";

/// A technique's manual page.
#[derive(Clone, Debug)]
pub struct Manual {
    /// Its rank.
    pub rank: Rank,
    /// What it is; search has none.
    pub info: Option<&'static Info>,
    /// The worked example: the step that it shows.
    pub example: Option<Wave>,
}

impl Manual {
    /// The page of the technique with this rank.
    pub fn new(rank: Rank) -> Manual {
        let example = rank.technique().map(|technique| {
            let example = &technique.info().example;
            let position = example.position();
            let mut steps = Steps::listing();
            technique.find_all(&position, &mut steps);
            let shown = steps
                .list()
                .iter()
                .find(|step| step.effect.to_string() == example.effect);
            Wave {
                rank,
                board: position.board().clone(),
                clues: position.clues(),
                instances: steps.list().len(),
                steps: shown.cloned().into_iter().collect(),
            }
        });
        Manual {
            rank,
            info: rank.technique().map(Technique::info),
            example,
        }
    }
    /// What stands at the head of the page: names and values.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let rank = self.rank;
        let mut facts = vec![
            ("id", rank.id().to_owned()),
            ("rank", rank.number().to_string()),
            ("level", rank.level().to_string()),
            ("effort of a wave", rank.effort().to_string()),
        ];
        if let Some(info) = self.info {
            facts.push(("HoDoKu", info.hodoku.join(", ")));
            facts.push(("Sudoku Explainer", info.explainer.to_owned()));
        }
        facts
    }
}
