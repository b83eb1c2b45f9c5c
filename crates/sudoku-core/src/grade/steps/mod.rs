//! Collects the steps that a technique finds on a board.

pub(crate) mod effect;
pub(crate) mod link;
pub(crate) mod named_set;
pub(crate) mod step;

use crate::board::{Candidates, Cell, CellSet, Digit};
use crate::grade::steps::effect::Effect;
use crate::grade::steps::step::{Pattern, Step};

/// Collects the steps that a technique finds on a board. Keeps the union of the steps' effects, and, if requested, a
/// list of the steps.
#[derive(Debug, Default)]
pub struct Steps {
    union: Effect,
    has_steps: bool,
    list: Option<Vec<Step>>,
}

impl Steps {
    /// Creates a collection that keeps only the union of the steps' effects, which is enough for a grade.
    pub fn union_only() -> Steps {
        Steps::default()
    }

    /// Creates a collection that keeps the list of steps, and the union of their effects.
    pub fn listing() -> Steps {
        Steps {
            list: Some(Vec::new()),
            ..Steps::default()
        }
    }

    /// Removes all steps, so that the collection can be used for another technique.
    pub fn clear(&mut self) {
        if self.has_steps {
            self.union = Effect::default();
            self.has_steps = false;
        }
        if let Some(list) = &mut self.list {
            list.clear();
        }
    }

    /// Whether no step has been found.
    pub fn is_empty(&self) -> bool {
        !self.has_steps
    }

    /// The union of the effects of all steps.
    pub fn union(&self) -> &Effect {
        &self.union
    }

    /// The list of steps; empty if only the union is kept.
    pub fn list(&self) -> &[Step] {
        self.list.as_deref().unwrap_or_default()
    }

    /// Whether the list of steps is kept.
    pub(crate) fn is_listing(&self) -> bool {
        self.list.is_some()
    }

    /// Adds placements: for each digit, the cells in which it is placed. Must not be called if steps are listed.
    pub(crate) fn place_sets(&mut self, sets: &[CellSet; 9]) {
        debug_assert!(!self.is_listing(), "a listing shows where each step is");
        self.has_steps = true;
        for (placed, cells) in self.union.placed.iter_mut().zip(sets) {
            *placed |= *cells;
        }
    }

    /// Adds removals: for each digit, the cells from which it is removed. All these cells must have the candidate. Must
    /// not be called if steps are listed.
    pub(crate) fn remove_sets(&mut self, sets: &[CellSet; 9]) {
        debug_assert!(!self.is_listing(), "a listing shows where each step is");
        self.has_steps = true;
        for (removed, cells) in self.union.removed.iter_mut().zip(sets) {
            *removed |= *cells;
        }
    }

    /// Adds a step that places a digit in a cell. `pattern` is called only if steps are listed.
    pub fn place(&mut self, cell: Cell, digit: Digit, pattern: impl FnOnce() -> Pattern) {
        self.has_steps = true;
        self.union.placed[digit.index()].insert(cell);
        if let Some(list) = &mut self.list {
            list.push(Step {
                effect: Effect::placing(digit, cell),
                pattern: pattern(),
            });
        }
    }

    /// Adds a step that removes digits from cells. Cells without the candidate are ignored, and a
    /// step that removes nothing is not added. `pattern` is called only if steps are listed.
    pub fn eliminate(
        &mut self,
        board: &Candidates,
        removals: impl IntoIterator<Item = (Digit, CellSet)>,
        pattern: impl FnOnce() -> Pattern,
    ) {
        let mut step = self.list.is_some().then(Effect::default);
        let mut has_effect = false;
        for (digit, cells) in removals {
            let cells = cells & board.open_places(digit);
            has_effect |= !cells.is_empty();
            self.union.removed[digit.index()] |= cells;
            if let Some(step) = &mut step {
                step.removed[digit.index()] |= cells;
            }
        }
        self.has_steps |= has_effect;
        if let (true, Some(effect), Some(list)) = (has_effect, step, &mut self.list) {
            list.push(Step {
                effect,
                pattern: pattern(),
            });
        }
    }

    /// Adds a step that combines two listed steps into a double pattern that has its own name, such as siamese fish.
    /// Does nothing if steps are not listed, or if both effects are the same. `shared_reason` describes what both steps
    /// share; each step keeps its own reason as a part.
    pub(crate) fn eliminate_both(
        &mut self,
        board: &Candidates,
        first_step: &Step,
        second_step: &Step,
        shared_reason: &str,
    ) {
        if first_step.effect == second_step.effect {
            return;
        }
        let removals = first_step
            .effect
            .removals()
            .chain(second_step.effect.removals());
        self.eliminate(board, removals, || {
            let (first, second) = (&first_step.pattern, &second_step.pattern);
            let cells = first.cells | second.cells;
            let mut joined_pattern = Pattern::new([], cells, first.digits.union(second.digits))
                .with_others(first.others | second.others)
                .because(shared_reason);
            joined_pattern.parts = [first_step, second_step]
                .into_iter()
                .flat_map(Step::parts)
                .cloned()
                .collect();
            joined_pattern
        });
    }

    /// Combines the listed steps with indexes from `first` on into one step, if there are at least two of them.
    pub(crate) fn eliminate_all_from(
        &mut self,
        board: &Candidates,
        first: usize,
        shared_reason: &str,
    ) {
        let steps = self.list().get(first..).unwrap_or_default().to_vec();
        if let [one, rest @ ..] = &steps[..] {
            let mut joined = one.clone();
            for step in rest {
                let listed_count = self.list().len();
                self.eliminate_both(board, &joined, step, shared_reason);
                if let Some(both) = self.list().get(listed_count) {
                    joined = both.clone();
                }
            }
        }
    }
}
