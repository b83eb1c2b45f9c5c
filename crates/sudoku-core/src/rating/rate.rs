//! The main loop of a Sudoku Explainer rating: applies the hints of the producers until the puzzle is solved.

use super::apply_easy;
use super::board::Board;
use super::bulk;
use super::chains;
use super::hint::Hint;
use super::order::{PRODUCERS, Producer};
use super::values::{Rating, RatingLimits, RatingOutcome, RunningRatings};
use super::workspace::Workspace;
use crate::board::Candidates;

/// The lowest rating of a forcing chain. All searches (producers) before it only find hints with lower ratings.
const LOWEST_CHAIN: f64 = 6.6;

/// Rates puzzles one after another, and reuses its memory between them.
pub struct Rater {
    work: Workspace,
}

impl Default for Rater {
    fn default() -> Rater {
        Rater::new()
    }
}

impl Rater {
    /// Creates a rater with empty memory.
    pub fn new() -> Rater {
        Rater {
            work: Workspace::new(),
        }
    }

    /// Rates the puzzle that starts with these candidates. It must have exactly one solution. This is not checked; for
    /// other puzzles, the result has no meaning.
    pub fn rate(&mut self, start: &Candidates, limits: RatingLimits) -> RatingOutcome {
        self.work.begin(limits.work);
        let mut candidates = start.clone();
        let mut highest = RunningRatings::default();
        // The last test with `chains::finish`: the board that it left, and the rating up to which it applied forcing
        // chains.
        let mut rest = (Candidates::FULL, 0.0);
        // Whether the last step was not a static chain.
        let mut was_other = false;
        loop {
            let board = match bulk::apply(&mut candidates, &mut highest, limits) {
                Ok(Some(board)) => board,
                Ok(None) => return RatingOutcome::Rated(highest.ratings()),
                Err(end) => return end,
            };
            let hint = match self.first_hint(&board, bulk::first_producer_after_bulk(), limits) {
                Ok(hint) => hint,
                Err(end) => return end,
            };
            highest.add(hint.rating, hint.placed.is_some());
            hint.apply(&mut candidates);
            // If static chains did not solve the rest of the puzzle, another test is only useful after a step of
            // another kind. Dynamic chains usually follow one another, so after them the test waits until the first
            // static chain.
            let is_static = chains::is_static(&hint);
            let is_first_static = is_static && was_other;
            was_other = !is_static;
            let is_new = highest.puzzle() > rest.1 || hint.length == 0 || is_first_static;
            if is_new && highest.is_settled_up_to(LOWEST_CHAIN) {
                rest.0.keep_both(&candidates);
                rest.1 = highest.puzzle();
                let Workspace { chains, budget, .. } = &mut self.work;
                if chains::finish(&mut rest.0, rest.1, chains, budget) {
                    return RatingOutcome::Rated(highest.ratings());
                }
            }
        }
    }

    /// Whether a fast test shows that the rating is at most `highest`, which must be 4.4 or at least 6.6. The test does
    /// not follow the steps of Sudoku Explainer, and takes a fraction of the time of a full rating.
    pub(crate) fn is_surely_at_most(&mut self, start: &Candidates, highest: Rating) -> bool {
        self.work.begin(RatingLimits::default().work);
        // Add a little, because sums of doubles can be slightly larger than the exact rating.
        let highest = f64::from(highest.tenths()) / 10.0 + 0.01;
        let Workspace { chains, budget, .. } = &mut self.work;
        highest >= apply_easy::HIGHEST_RATING
            && chains::finish(&mut start.clone(), highest, chains, budget)
    }

    /// A slower version of [`Rater::rate`] that is easier to read: it applies one hint at a time, as Sudoku Explainer
    /// does.
    pub(super) fn walk(
        &mut self,
        start: &Candidates,
        limits: RatingLimits,
        mut visit: impl FnMut(&Candidates, &Hint),
    ) -> RatingOutcome {
        self.work.begin(limits.work);
        let mut candidates = start.clone();
        let mut highest = RunningRatings::default();
        while !candidates.is_solved() {
            let board = Board::new(&candidates);
            let hint = match self.first_hint(&board, 0, limits) {
                Ok(hint) => hint,
                Err(end) => return end,
            };
            highest.add(hint.rating, hint.placed.is_some());
            visit(&candidates, &hint);
            hint.apply(&mut candidates);
        }
        RatingOutcome::Rated(highest.ratings())
    }

    /// The first hint of the first producer that finds one. The search starts at producer number `first_producer`.
    /// Fails if no hint within the limits is found.
    fn first_hint(
        &mut self,
        board: &Board,
        first_producer: usize,
        limits: RatingLimits,
    ) -> Result<Hint, RatingOutcome> {
        for (at, producer) in PRODUCERS.iter().enumerate().skip(first_producer) {
            let is_above = |producer: &Producer| Rating::rounded(producer.lowest) > limits.highest;
            if is_above(producer) {
                return Err(RatingOutcome::Above);
            }
            // If all later producers are above the limit, this one need not find hints above the limit either.
            let is_last = PRODUCERS.get(at + 1).is_some_and(is_above);
            self.work.highest = is_last.then_some(limits.highest);
            let found = producer.find(board, &mut self.work);
            if self.work.budget.is_spent() {
                return Err(RatingOutcome::GaveUp);
            }
            if let Some(hint) = found {
                let is_above = Rating::rounded(hint.rating) > limits.highest;
                return if is_above {
                    Err(RatingOutcome::Above)
                } else {
                    Ok(hint)
                };
            }
        }
        Err(RatingOutcome::Beyond)
    }
}
