//! What a technique finds on a board.

use super::effect::Effect;
use super::step::{Pattern, Step};
use crate::board::{Candidates, Cell, CellSet, Digit};

/// Takes what a technique finds on a board: always the union of the effects, and the single
/// steps where they are asked for.
#[derive(Debug, Default)]
pub struct Steps {
    union: Effect,
    any: bool,
    list: Option<Vec<Step>>,
}

impl Steps {
    /// Keeps the union only: all that a grade needs.
    pub fn union_only() -> Steps {
        Steps::default()
    }

    /// Keeps every step too.
    pub fn listing() -> Steps {
        Steps {
            list: Some(Vec::new()),
            ..Steps::default()
        }
    }

    /// Forgets what was found.
    pub fn clear(&mut self) {
        if self.any {
            self.union = Effect::default();
            self.any = false;
        }
        if let Some(list) = &mut self.list {
            list.clear();
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        !self.any
    }

    /// All effects together.
    pub fn union(&self) -> &Effect {
        &self.union
    }

    /// The single steps; empty unless made by [`Steps::listing`].
    pub fn list(&self) -> &[Step] {
        self.list.as_deref().unwrap_or_default()
    }

    /// Whether the single steps are kept.
    pub fn is_listing(&self) -> bool {
        self.list.is_some()
    }

    /// Many placements at once, per digit the cells; for finders whose steps nobody asked for.
    pub(super) fn place_sets(&mut self, sets: &[CellSet; 9]) {
        debug_assert!(!self.is_listing(), "a listing shows where each step is");
        self.any = true;
        for (placed, cells) in self.union.placed.iter_mut().zip(sets) {
            *placed |= *cells;
        }
    }

    /// Many removals at once, per digit the cells, each of which has the digit; for finders whose
    /// steps nobody asked for.
    pub(super) fn remove_sets(&mut self, sets: &[CellSet; 9]) {
        debug_assert!(!self.is_listing(), "a listing shows where each step is");
        self.any = true;
        for (removed, cells) in self.union.removed.iter_mut().zip(sets) {
            *removed |= *cells;
        }
    }

    /// A digit goes into a cell.
    pub fn place(&mut self, cell: Cell, digit: Digit, pattern: impl FnOnce() -> Pattern) {
        self.any = true;
        self.union.placed[digit.index()].insert(cell);
        if let Some(list) = &mut self.list {
            list.push(Step {
                effect: Effect::placing(digit, cell),
                pattern: pattern(),
            });
        }
    }

    /// Digits go out of cells, as one step. Cells that do not have the digit any more do not
    /// count; a step that removes nothing is none.
    pub fn eliminate(
        &mut self,
        board: &Candidates,
        removals: impl IntoIterator<Item = (Digit, CellSet)>,
        pattern: impl FnOnce() -> Pattern,
    ) {
        let mut step = self.list.is_some().then(Effect::default);
        let mut any = false;
        for (digit, cells) in removals {
            let cells = cells & board.open_places(digit);
            any |= !cells.is_empty();
            self.union.removed[digit.index()] |= cells;
            if let Some(step) = &mut step {
                step.removed[digit.index()] |= cells;
            }
        }
        self.any |= any;
        if let (true, Some(effect), Some(list)) = (any, step, &mut self.list) {
            list.push(Step {
                effect,
                pattern: pattern(),
            });
        }
    }

    /// Two steps that remove candidates, as one: some names stand for a pattern found twice. Only
    /// where steps are listed, and of use where it is more than each of the two. What both have in
    /// common is said in words; each of the two keeps its own reason, as a part.
    pub(super) fn eliminate_both(
        &mut self,
        board: &Candidates,
        one: &Step,
        two: &Step,
        common: &str,
    ) {
        if one.effect == two.effect {
            return;
        }
        let removals = one.effect.removals().chain(two.effect.removals());
        self.eliminate(board, removals, || {
            let (first, second) = (&one.pattern, &two.pattern);
            let cells = first.cells | second.cells;
            let mut both = Pattern::new([], cells, first.digits.union(second.digits))
                .with_others(first.others | second.others)
                .because(common);
            both.parts = [one, two]
                .into_iter()
                .flat_map(Step::parts)
                .cloned()
                .collect();
            both
        });
    }

    /// The steps listed from this place on, as one, where they are several.
    pub(super) fn eliminate_all_from(&mut self, board: &Candidates, first: usize, common: &str) {
        let steps = self.list().get(first..).unwrap_or_default().to_vec();
        if let [one, rest @ ..] = &steps[..] {
            let mut whole = one.clone();
            for step in rest {
                let listed = self.list().len();
                self.eliminate_both(board, &whole, step, common);
                if let Some(both) = self.list().get(listed) {
                    whole = both.clone();
                }
            }
        }
    }
}
