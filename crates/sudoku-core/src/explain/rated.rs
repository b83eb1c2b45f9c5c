//! Explains the rating of a puzzle by Sudoku Explainer or HoDoKu, step by step.

use std::fmt;

use super::chained;
use super::technique;
use super::walk::ColumnValue;
use crate::board::{CandidateSet, Candidates, CellSet, Grid};
use crate::grade::{Effect, Info, Pattern, Position, Step, Steps};
use crate::rating::hodoku::{self, HodokuOutcome, HodokuStep, HodokuVersion};
use crate::rating::{ChainNode, Rater, Rating, RatingLimits, RatingOutcome, RatingStep, reason};
use crate::text::Puzzle;

/// The steps by which Sudoku Explainer or HoDoKu rates a puzzle, and the rating.
#[derive(Clone, Debug)]
pub struct RatedWalk {
    /// The puzzle whose rating is explained.
    pub puzzle: Puzzle,
    /// The only solution of the puzzle.
    pub solution: Grid,
    /// The ratings, or the reason why there are none.
    pub outcome: RatedOutcome,
    /// The steps of the rating, in the order in which they are made.
    pub steps: Vec<RatedStep>,
}

/// The rating of a puzzle by Sudoku Explainer or by HoDoKu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatedOutcome {
    /// The result of rating as Sudoku Explainer does.
    Explainer(RatingOutcome),
    /// The result of rating as this version of HoDoKu does.
    Hodoku(HodokuOutcome, HodokuVersion),
}

/// What one step contributes to the rating of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepRating {
    /// Sudoku Explainer's rating of the step.
    Rating(Rating),
    /// The points that HoDoKu adds for the step.
    Points(u32),
}

impl fmt::Display for StepRating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepRating::Rating(rating) => rating.fmt(f),
            StepRating::Points(points) => points.fmt(f),
        }
    }
}

/// One step of a puzzle's rating.
#[derive(Clone, Debug)]
pub struct RatedStep {
    /// The technique's name in the program that rates: Sudoku Explainer or HoDoKu.
    pub technique: &'static str,
    /// The rating of the step, or its points.
    pub rating: StepRating,
    /// The number of nodes in the chains of the step, including nested chains; 0 if it has no chains.
    pub nodes: u32,
    /// The board before this step of the rating.
    pub board: Candidates,
    /// The chains that prove the step, one for each assumption. Nested chains are not included.
    pub chains: Vec<Vec<ChainNode>>,
    /// The effect and the pattern of the step. The pattern is made from the chains of the step, or taken from a
    /// technique of the ladder that finds the same step. If neither is possible, the pattern has only a reason.
    pub step: Step,
}

impl RatedWalk {
    /// Rates a puzzle as Sudoku Explainer does. The puzzle must have exactly one solution and no pencil
    /// marks.
    pub(super) fn new(puzzle: Puzzle, solution: Grid, limits: RatingLimits) -> RatedWalk {
        let trace = Rater::new().trace(&puzzle.board(), limits);
        let clues: CellSet = puzzle.clues.clues().map(|(cell, _)| cell).collect();
        let steps = trace.steps.into_iter();
        RatedWalk {
            outcome: RatedOutcome::Explainer(trace.outcome),
            steps: steps.map(|step| RatedStep::new(step, clues)).collect(),
            puzzle,
            solution,
        }
    }

    /// Rates a puzzle as HoDoKu does. The puzzle must have exactly one solution and no pencil marks.
    pub(super) fn hodoku(puzzle: Puzzle, solution: Grid, version: HodokuVersion) -> RatedWalk {
        let (outcome, steps) = hodoku::trace(&puzzle.clues, version);
        let clues: CellSet = puzzle.clues.clues().map(|(cell, _)| cell).collect();
        let steps = steps.into_iter();
        RatedWalk {
            outcome: RatedOutcome::Hodoku(outcome, version),
            steps: steps.map(|step| RatedStep::hodoku(step, clues)).collect(),
            puzzle,
            solution,
        }
    }

    /// The names and values of the columns that this rating fills in tables, in the order of the table.
    pub fn columns(&self) -> Vec<(&'static str, ColumnValue)> {
        match self.outcome {
            RatedOutcome::Explainer(outcome) => {
                let ratings = outcome.ratings();
                let value =
                    |rating: Option<Rating>| rating.map_or(ColumnValue::Null, ColumnValue::Rating);
                vec![
                    ("se", value(ratings.map(|ratings| ratings.puzzle))),
                    ("se_pearl", value(ratings.map(|ratings| ratings.pearl))),
                    ("se_diamond", value(ratings.map(|ratings| ratings.diamond))),
                    ("se_status", ColumnValue::Text(outcome.id())),
                ]
            }
            RatedOutcome::Hodoku(outcome, _) => {
                let rating = outcome.rating();
                let hardest = rating.map(|rating| rating.hardest);
                vec![
                    ("hodoku_level", ColumnValue::Text(outcome.level().id())),
                    (
                        "hodoku_score",
                        ColumnValue::from_number(rating.map(|rating| rating.score)),
                    ),
                    ("hodoku_status", ColumnValue::Text(outcome.id())),
                    (
                        "hodoku_hardest",
                        hardest.map_or(ColumnValue::Null, ColumnValue::Text),
                    ),
                ]
            }
        }
    }

    /// Sentences about the result: for each rating, which step decides it.
    pub(super) fn sentences_about_ratings(&self) -> Vec<String> {
        let ratings = match self.outcome {
            RatedOutcome::Explainer(outcome) => outcome.ratings(),
            RatedOutcome::Hodoku(outcome, version) => {
                return self.sentences_about_hodoku(outcome, version);
            }
        };
        let Some(ratings) = ratings else {
            return Vec::new();
        };
        let first_step = |rating: Rating| {
            let rating = StepRating::Rating(rating);
            let step_index = self.steps.iter().position(|step| step.rating == rating);
            step_index.map_or_else(String::new, |at| {
                let RatedStep { technique, .. } = &self.steps[at];
                format!("step {}, {technique}", at + 1)
            })
        };
        vec![
            format!(
                "ER {}, the highest rating of any step: {}.",
                ratings.puzzle,
                first_step(ratings.puzzle)
            ),
            format!(
                "EP {}, the highest up to the first digit that is placed: {}.",
                ratings.pearl,
                first_step(ratings.pearl)
            ),
            format!(
                "ED {}, the rating of the first step: {}.",
                ratings.diamond,
                first_step(ratings.diamond)
            ),
        ]
    }

    /// Two sentences about the result of HoDoKu's rating: one about the score, one about the level.
    fn sentences_about_hodoku(
        &self,
        outcome: HodokuOutcome,
        version: HodokuVersion,
    ) -> Vec<String> {
        let Some(rating) = outcome.rating() else {
            return Vec::new();
        };
        let steps = self.steps.len();
        let hardest = rating.hardest;
        vec![
            format!(
                "Score {} by HoDoKu {version}, the sum of the points of {steps} steps.",
                rating.score
            ),
            format!(
                "Level {}: the highest of the steps is {hardest}, and the score counts too.",
                rating.level.id()
            ),
        ]
    }

    /// The title of the page that explains the rating.
    pub(super) fn title(&self) -> String {
        match self.outcome {
            RatedOutcome::Explainer(outcome) => match outcome.ratings() {
                Some(ratings) => format!(
                    "Sudoku rated: ER {}, EP {}, ED {}",
                    ratings.puzzle, ratings.pearl, ratings.diamond
                ),
                None => format!("Sudoku rated: {}", outcome.id()),
            },
            RatedOutcome::Hodoku(outcome, _) => match outcome.rating() {
                Some(rating) => {
                    format!(
                        "Sudoku rated: {}, score {}",
                        rating.level.id(),
                        rating.score
                    )
                }
                None => format!("Sudoku rated: {}", outcome.level().id()),
            },
        }
    }

    /// The reason why the steps end before the puzzle is solved; `None` if they solve the puzzle.
    pub(super) fn reason_for_end(&self) -> Option<&'static str> {
        let outcome = match self.outcome {
            RatedOutcome::Explainer(outcome) => outcome,
            RatedOutcome::Hodoku(HodokuOutcome::Exact(_), _) => return None,
            RatedOutcome::Hodoku(HodokuOutcome::ForcingNet, _) => {
                return Some(
                    "The next step needs a forcing net that is larger than the program's tables.",
                );
            }
        };
        match outcome {
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
        let is_same = |info: &Info| info.explainer_names.contains(&step.technique);
        let ladder_step = first_step_with_effect(is_same, &step.board, clues, &effect);
        let rated_step = || Step {
            pattern: chained::pattern_of_chains(&step.chains, &effect),
            effect: effect.clone(),
        };
        let mut shown_step = ladder_step.unwrap_or_else(rated_step);
        if shown_step.pattern == Pattern::default()
            && let Some(why) = reason(step.technique)
        {
            shown_step.pattern = Pattern::default().because(why);
        }
        RatedStep {
            technique: step.technique,
            rating: StepRating::Rating(step.rating),
            nodes: step.length,
            board: step.board,
            chains: step.chains,
            step: shown_step,
        }
    }

    fn hodoku(step: HodokuStep, clues: CellSet) -> RatedStep {
        let mut removals = CandidateSet::EMPTY;
        for (cell, digit) in step.removed {
            removals.insert(digit, CellSet::of(cell));
        }
        let effect = match step.placed {
            Some((cell, digit)) => Effect::placing(digit, cell),
            None => Effect::removing(&removals),
        };
        let is_same = |info: &Info| info.hodoku_names.contains(&step.name);
        let ladder_step = first_step_with_effect(is_same, &step.board, clues, &effect);
        let rated_step = || {
            Step {
            pattern: Pattern::default().because(if step.placed.is_some() || step.points < 500 {
                "found in HoDoKu's order of search; the candidates show why"
            } else {
                "all cases of a candidate, of a cell or of a house lead to it, or its opposite leads to a \
                 contradiction"
            }),
            effect: effect.clone(),
        }
        };
        RatedStep {
            technique: step.name,
            rating: StepRating::Points(step.points),
            nodes: 0,
            chains: Vec::new(),
            step: ladder_step.unwrap_or_else(rated_step),
            board: step.board,
        }
    }

    /// Whether the step places a digit without chains. Explanations show such a step in one line, without its
    /// board.
    pub(super) fn is_single(&self) -> bool {
        self.step.effect.places_something() && self.nodes == 0
    }

    /// The rating and the number of nodes, such as `rated 6.6, 9 nodes`; for HoDoKu, the points.
    pub(super) fn rating_and_level(&self) -> String {
        if let StepRating::Points(points) = self.rating {
            return format!("{points} points");
        }
        match self.nodes {
            0 => format!("rated {}", self.rating),
            nodes => format!("rated {}, {nodes} nodes", self.rating),
        }
    }
}

/// The first step with exactly this effect, found by a technique for which `is_same` returns true; `None` if
/// there is none.
fn first_step_with_effect(
    is_same: impl Fn(&Info) -> bool,
    board: &Candidates,
    clues: CellSet,
    effect: &Effect,
) -> Option<Step> {
    let position = Position::with_clues(board.clone(), clues);
    let mut matching_techniques =
        technique::all_techniques().filter(|(_, technique)| is_same(technique.info()));
    matching_techniques.find_map(|(_, technique)| {
        let mut steps = Steps::listing();
        technique.find_all(&position, &mut steps);
        let matching_step = steps.list().iter().find(|step| step.effect == *effect);
        matching_step.cloned()
    })
}

/// The names and values for the table at the head of a page about a rating.
pub(super) fn fact_rows(walk: &RatedWalk) -> Vec<(&'static str, String)> {
    let clues = ColumnValue::Number(walk.puzzle.clues.clue_count());
    let columns = [("clues", clues)].into_iter().chain(walk.columns());
    columns
        .map(|(name, value)| (name, value.to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::technique_names;

    /// Checks that the steps of every technique of Sudoku Explainer can be explained: the ladder has the
    /// technique, or it has a fixed reason, or its steps have chains. Also checks that every name that the
    /// ladder declares for Sudoku Explainer exists there.
    #[test]
    fn steps_of_every_technique_are_explained() {
        let ladder_names: Vec<&str> = technique::all_techniques()
            .flat_map(|(_, technique)| technique.info().explainer_names)
            .copied()
            .collect();
        for name in technique_names() {
            let has_chains = name.to_lowercase().contains("forcing");
            let is_explained = ladder_names.contains(&name) || reason(name).is_some();
            assert!(is_explained || has_chains, "{name}");
        }
        for name in ladder_names {
            assert!(technique_names().any(|own| own == name), "{name}");
        }
    }
}
