//! Explains a line of HoDoKu's library of test cases: runs the technique that the line names, and compares its
//! steps with the effect that the line lists.

use super::ExplainError;
use super::choose::{Changes, simplest_cover, simplest_first};
use super::technique::all_techniques;
use super::walk::Wave;
use super::words;
use crate::board::Candidates;
use crate::grade::{Position, Rank, Step, Steps, Technique};
use crate::text::LibraryLine;

/// The largest number of steps that are shown for one technique, even if more of its steps have the effect that
/// the line lists.
const MOST_SHOWN_STEPS: usize = 6;

/// A test case of HoDoKu's library, with the steps that the techniques with its code find.
#[derive(Clone, Debug)]
pub struct LibraryPosition {
    /// The parsed line of the library.
    pub line: LibraryLine,
    /// How well the steps that were found agree with the effect that the line lists.
    pub fit: EffectMatch,
    /// For each technique with the line's code, the steps that match the listed effect best.
    pub found: Vec<Wave>,
}

crate::enum_with_ids! {
    /// How well steps agree with the effect that a line of HoDoKu's library lists, from the best to the
    /// worst.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum EffectMatch {
        /// A step has exactly the listed effect.
        Exact = "exact",
        /// A step has the listed effect and changes more.
        Containing = "containing",
        /// Several steps together have the listed effect.
        Together = "together",
        /// No steps have the listed effect.
        Missing = "missing",
    }
}

impl LibraryPosition {
    /// Runs all techniques that have the line's code on the line's board.
    ///
    /// # Errors
    /// [`ExplainError`] if no technique has the code, or if the board has a digit twice in a house.
    pub fn new(line: LibraryLine) -> Result<LibraryPosition, ExplainError> {
        let position = Position::with_clues(line.board.clone(), line.clues);
        let board = position.board();
        if let Some(conflict) = board.solved_grid().conflict() {
            return Err(ExplainError::Conflict(conflict));
        }
        let listed_changes = Changes::new(&line.placed, &line.removed);
        let mut matches: Vec<(EffectMatch, Wave)> = techniques_of_code(&line)
            .into_iter()
            .map(|(rank, technique)| {
                let mut steps = Steps::listing();
                technique.find_all(&position, &mut steps);
                let (fit, shown) = best_fit(board, &steps, &listed_changes);
                (fit, Wave::new(rank, technique, &position, &steps, shown))
            })
            .collect();
        let Some(fit) = matches.iter().map(|(fit, _)| *fit).min() else {
            return Err(ExplainError::UnknownCode(library_code(&line)));
        };
        matches.retain(|(own, _)| *own == fit);
        Ok(LibraryPosition {
            line,
            fit,
            found: matches.into_iter().map(|(_, wave)| wave).collect(),
        })
    }

    /// The technique's code as the line has it: `0300`, or `0300-2` with a variant.
    pub fn code(&self) -> String {
        library_code(&self.line)
    }

    /// A sentence that compares the effect that the line lists with the steps that were found.
    pub(super) fn verdict_sentence(&self) -> String {
        let names = words::joined_list(self.found.iter().map(|wave| wave.technique.name));
        let listed_text = Changes::new(&self.line.placed, &self.line.removed).to_string();
        if listed_text.is_empty() {
            let instances = self.found.iter().map(|wave| wave.instances).sum();
            let instance_text = words::count_with_noun(instances, "instance");
            return format!("The line lists nothing. {names}: {instance_text} found.");
        }
        let fit = match self.fit {
            EffectMatch::Exact => "a step does that and nothing else",
            EffectMatch::Containing => "no step does that alone; those shown do that and more",
            EffectMatch::Together => "no single step does that; those shown do it together",
            EffectMatch::Missing => "not found: no step does that, nor do all of them together",
        };
        format!("The line lists {listed_text}. {names}: {fit}.")
    }
}

fn library_code(line: &LibraryLine) -> String {
    match &line.variant {
        Some(variant) => format!("{}-{variant}", line.code),
        None => line.code.clone(),
    }
}

/// The techniques with the code of the line. If the line has a variant, techniques for just this variant are
/// preferred to those for all variants of the code. A line without a variant matches every variant.
fn techniques_of_code(line: &LibraryLine) -> Vec<(Rank, &'static dyn Technique)> {
    // Ignore a fifth digit of the code. It marks a siamese fish: two fish with the same base lines.
    let code = line.code.get(..4).unwrap_or(&line.code);
    let techniques_with_code = |fits: &dyn Fn(&str) -> bool| -> Vec<_> {
        all_techniques()
            .filter(|(_, technique)| technique.info().hodoku_codes.iter().any(|own| fits(own)))
            .collect()
    };
    let Some(variant) = &line.variant else {
        return techniques_with_code(&|own| own.split('-').next() == Some(code));
    };
    let code_with_variant = format!("{code}-{variant}");
    let techniques_with_variant = techniques_with_code(&|own| own == code_with_variant);
    if techniques_with_variant.is_empty() {
        techniques_with_code(&|own| own == code)
    } else {
        techniques_with_variant
    }
}

fn best_fit(board: &Candidates, steps: &Steps, listed: &Changes) -> (EffectMatch, Vec<Step>) {
    if listed.is_empty() {
        return (EffectMatch::Missing, Vec::new());
    }
    let sorted = simplest_first(steps.list());
    let steps_that_fit = |fits: &dyn Fn(&Changes) -> bool| -> Vec<Step> {
        let fitting_changes = sorted.iter().filter(|(_, changes)| fits(changes));
        fitting_changes
            .take(MOST_SHOWN_STEPS)
            .map(|(step, _)| (*step).clone())
            .collect()
    };
    // In a cell with two candidates, placing one is the same as removing the other, so compare removals too.
    let removals = listed.as_removals(board);
    let has_listed_effect = |changes: &Changes| {
        changes == listed || !removals.is_empty() && changes.as_removals(board) == removals
    };
    let has_more_than_listed_effect = |changes: &Changes| {
        let own_removals = changes.as_removals(board);
        changes.contains(listed) || !removals.is_empty() && own_removals.contains(&removals)
    };
    let exact_matches = steps_that_fit(&has_listed_effect);
    if !exact_matches.is_empty() {
        return (EffectMatch::Exact, exact_matches);
    }
    let containing_matches = steps_that_fit(&has_more_than_listed_effect);
    if !containing_matches.is_empty() {
        return (EffectMatch::Containing, containing_matches);
    }
    if Changes::from_effect(steps.union()).contains(listed) {
        return (EffectMatch::Together, simplest_cover(steps.list(), *listed));
    }
    (EffectMatch::Missing, Vec::new())
}
