//! Explains the rating of a puzzle, step by step.

use super::chained;
use super::technique;
use super::walk::ColumnValue;
use crate::board::{Candidates, CellSet, Grid};
use crate::grade::{Effect, Pattern, Position, Step, Steps};
use crate::rating::{ChainNode, Rater, Rating, RatingLimits, RatingOutcome, RatingStep};
use crate::text::Puzzle;

/// The steps by which Sudoku Explainer rates a puzzle.
#[derive(Clone, Debug)]
pub struct RatedWalk {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its only solution.
    pub solution: Grid,
    /// The ratings, or the reason why there are none.
    pub outcome: RatingOutcome,
    /// The steps, first to last.
    pub steps: Vec<RatedStep>,
}

/// One step of a rating.
#[derive(Clone, Debug)]
pub struct RatedStep {
    /// The technique's name.
    pub technique: &'static str,
    /// Its rating.
    pub rating: Rating,
    /// The number of nodes in its chains, including nested chains; 0 if it has none.
    pub nodes: u32,
    /// The board before the step.
    pub board: Candidates,
    /// Its chains, one for each assumption. Nested chains are not included.
    pub chains: Vec<Vec<ChainNode>>,
    /// Its effect and its pattern. The pattern is known for chains, and for steps that a technique of the
    /// ladder finds too.
    pub step: Step,
}

/// Names of Sudoku Explainer's techniques, each with the id of the ladder's technique that finds the same
/// steps.
const SAME: &[(&str, &str)] = &[
    ("Last cell of a house", "full_house"),
    ("Hidden single in a box", "hidden_single_box"),
    ("Hidden single in a line", "hidden_single_line"),
    ("Naked single", "naked_single"),
    ("Pointing", "locked_pointing"),
    ("Claiming", "locked_claiming"),
    ("Naked pair", "naked_pair"),
    ("Naked triplet", "naked_triple"),
    ("Naked quad", "naked_quad"),
    ("Hidden pair", "hidden_pair"),
    ("Hidden triplet", "hidden_triple"),
    ("Hidden quad", "hidden_quad"),
    ("X-wing", "x_wing"),
    ("Swordfish", "swordfish"),
    ("Jellyfish", "jellyfish"),
    ("XY-wing", "xy_wing"),
    ("XYZ-wing", "xyz_wing"),
    ("Unique rectangle type 1", "unique_rectangle_1"),
    ("Unique rectangle type 2", "unique_rectangle_2"),
    ("Unique rectangle type 3", "unique_rectangle_3"),
    ("Unique rectangle type 4", "unique_rectangle_4"),
    ("BUG type 1", "bug_plus_1"),
];

/// The reasons of steps by techniques that the ladder does not have, by the first words of their names.
const ABOUT: &[(&str, &str)] = &[
    (
        "Direct pointing",
        "the places of the digit in another box lie in one line; that line has no other, and one place is left here",
    ),
    (
        "Direct claiming",
        "the places of the digit in a line lie in one box; that box has no other, and one place is left here",
    ),
    (
        "Direct hidden pair",
        "two other digits have the same two places in a house, and one place is left for this one",
    ),
    (
        "Direct hidden triplet",
        "three other digits have the same three places in a house, and one place is left for this one",
    ),
    (
        "Unique",
        "a loop of cells in pairs of houses with the same two digits alone would have two solutions",
    ),
    (
        "BUG",
        "with two candidates in every open cell, and two places for every digit in every house, there \
         would not be one solution: one of the candidates beyond these is true",
    ),
    (
        "Aligned",
        "every combination of candidates of the aligned cells with this one would leave a cell that \
         they see without a candidate",
    ),
];

impl RatedWalk {
    /// Rates a puzzle of clues that has exactly one solution.
    pub(super) fn new(puzzle: Puzzle, solution: Grid, limits: RatingLimits) -> RatedWalk {
        let trace = Rater::new().trace(&puzzle.board(), limits);
        let clues: CellSet = puzzle.clues.clues().map(|(cell, _)| cell).collect();
        let steps = trace.steps.into_iter();
        RatedWalk {
            outcome: trace.outcome,
            steps: steps.map(|step| RatedStep::new(step, clues)).collect(),
            puzzle,
            solution,
        }
    }

    /// The columns of a table that a rating fills, in the order of the table.
    pub fn columns(&self) -> Vec<(&'static str, Option<String>)> {
        let ratings = self.outcome.ratings();
        let text = |value: Option<Rating>| value.map(|value| value.to_string());
        vec![
            ("se", text(ratings.map(|ratings| ratings.puzzle))),
            ("se_pearl", text(ratings.map(|ratings| ratings.pearl))),
            ("se_diamond", text(ratings.map(|ratings| ratings.diamond))),
            ("se_status", Some(self.outcome.id().to_owned())),
        ]
    }

    /// A sentence for each rating, which names the step that decides it.
    pub(super) fn decided(&self) -> Vec<String> {
        let Some(ratings) = self.outcome.ratings() else {
            return Vec::new();
        };
        let first = |rating: Rating| {
            let at = self.steps.iter().position(|step| step.rating == rating);
            at.map_or_else(String::new, |at| {
                let RatedStep { technique, .. } = &self.steps[at];
                format!("step {}, {technique}", at + 1)
            })
        };
        vec![
            format!(
                "ER {}, the highest rating of any step: {}.",
                ratings.puzzle,
                first(ratings.puzzle)
            ),
            format!(
                "EP {}, the highest up to the first digit that is placed: {}.",
                ratings.pearl,
                first(ratings.pearl)
            ),
            format!(
                "ED {}, the rating of the first step: {}.",
                ratings.diamond,
                first(ratings.diamond)
            ),
        ]
    }

    /// The reason why the steps end before the solution; `None` if they reach it.
    pub(super) fn ended(&self) -> Option<&'static str> {
        match self.outcome {
            RatingOutcome::Rated(_) => None,
            RatingOutcome::Above => Some("The next step is rated above the limit that was given."),
            RatingOutcome::GaveUp => {
                Some("The next step was given up: the budget of work is spent.")
            }
            RatingOutcome::Beyond => Some("No technique finds anything on this board."),
        }
    }
}

impl RatedStep {
    fn new(step: RatingStep, clues: CellSet) -> RatedStep {
        let effect = match step.placed {
            Some((cell, digit)) => Effect::placing(digit, cell),
            None => Effect::removing(&step.removed),
        };
        let same = SAME.iter().find(|(name, _)| *name == step.technique);
        let found = same.and_then(|(_, id)| found_by(id, &step.board, clues, &effect));
        let own = || Step {
            pattern: chained::pattern(&step.chains, &effect),
            effect: effect.clone(),
        };
        let mut shown = found.unwrap_or_else(own);
        let about = ABOUT
            .iter()
            .find(|(name, _)| step.technique.starts_with(name));
        if let (Some((_, why)), true) = (about, shown.pattern == Pattern::default()) {
            shown.pattern = Pattern::default().because(*why);
        }
        RatedStep {
            technique: step.technique,
            rating: step.rating,
            nodes: step.length,
            board: step.board,
            chains: step.chains,
            step: shown,
        }
    }

    /// Whether the step places a digit without chains. Such a step is shown without a board.
    pub(super) fn is_single(&self) -> bool {
        self.step.effect.places_something() && self.nodes == 0
    }

    /// The rating and the number of nodes, as in `rated 6.6, 9 nodes`.
    pub(super) fn place(&self) -> String {
        match self.nodes {
            0 => format!("rated {}", self.rating),
            nodes => format!("rated {}, {nodes} nodes", self.rating),
        }
    }
}

/// The step of the ladder's technique with this id that has this effect.
fn found_by(id: &str, board: &Candidates, clues: CellSet, effect: &Effect) -> Option<Step> {
    let (_, technique) = technique::all().find(|(_, technique)| technique.info().id == id)?;
    let position = Position::with_clues(board.clone(), clues);
    let mut found = Steps::listing();
    technique.find_all(&position, &mut found);
    let same = found.list().iter().find(|step| step.effect == *effect);
    same.cloned()
}

/// The names and values of the table at the head of the page.
pub(super) fn facts(walk: &RatedWalk) -> Vec<(&'static str, String)> {
    let clues = ColumnValue::Number(walk.puzzle.clues.clue_count()).to_string();
    let columns = walk.columns().into_iter();
    let columns =
        columns.map(|(name, value)| (name, value.unwrap_or_else(|| ColumnValue::Null.to_string())));
    [("clues", clues)].into_iter().chain(columns).collect()
}
