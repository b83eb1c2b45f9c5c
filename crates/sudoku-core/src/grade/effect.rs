use std::fmt;

use super::pattern::Pattern;
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, DigitSet};

/// What deductions change on a board: digits placed and candidates removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    placed: [CellSet; 9],
    removed: [CellSet; 9],
}

impl Effect {
    /// A digit goes into a cell.
    pub(super) fn placing(digit: Digit, cell: Cell) -> Effect {
        let mut effect = Effect::default();
        effect.placed[digit.index()].insert(cell);
        effect
    }

    /// These candidates go.
    pub(super) fn removing(candidates: &CandidateSet) -> Effect {
        Effect {
            removed: Digit::ALL.map(|digit| candidates.cells(digit)),
            ..Effect::default()
        }
    }

    /// The cells in which this digit is placed.
    pub fn placed(&self, digit: Digit) -> CellSet {
        self.placed[digit.index()]
    }

    /// The cells from which this digit is removed, beyond what placements imply.
    pub fn removed(&self, digit: Digit) -> CellSet {
        self.removed[digit.index()]
    }

    /// The removed candidates, digit by digit.
    pub fn removals(&self) -> impl Iterator<Item = (Digit, CellSet)> + '_ {
        let digits = Digit::ALL.into_iter().zip(self.removed);
        digits.filter(|(_, cells)| !cells.is_empty())
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Effect::default()
    }

    /// Whether some digit is placed.
    pub fn places_something(&self) -> bool {
        self.placed.iter().any(|cells| !cells.is_empty())
    }

    /// Makes the changes.
    pub fn apply(&self, board: &mut Candidates) {
        let any = |sets: &[CellSet; 9]| {
            let all = sets.iter().fold(CellSet::EMPTY, |all, &set| all | set);
            !all.is_empty()
        };
        if any(&self.placed) {
            board.place_all(&self.placed);
        }
        if any(&self.removed) {
            for (digit, cells) in Digit::ALL.into_iter().zip(self.removed) {
                board.eliminate(digit, cells);
            }
        }
    }
}

/// `r1c2=5, r3c4<>67`: placements, then removals cell by cell, in row order.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (sets, sign) in [(&self.placed, "="), (&self.removed, "<>")] {
            for cell in Cell::all() {
                let digits: DigitSet = Digit::ALL
                    .into_iter()
                    .filter(|digit| sets[digit.index()].contains(cell))
                    .collect();
                if !digits.is_empty() {
                    write!(f, "{separator}{cell}{sign}{digits}")?;
                    separator = ", ";
                }
            }
        }
        Ok(())
    }
}

/// One instance of a technique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it changes.
    pub effect: Effect,
    /// Where it is.
    pub pattern: Pattern,
}

impl Step {
    /// The instances that it is made of: itself, unless it is several at once.
    pub fn parts(&self) -> &[Step] {
        match &self.pattern.parts[..] {
            [] => std::slice::from_ref(self),
            parts => parts,
        }
    }
}

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
