//! Runs several attempts to fill the same pattern with digits at the same time.
//!
//! A pattern with few clues takes thousands of attempts, each in one lane. If fewer patterns are left than
//! there are lanes, the free lanes start the next attempts at these patterns. The puzzle of a pattern comes
//! from the attempt with the lowest number that finds one, no matter which attempt ends first. So the result
//! does not depend on the number of lanes.
//!
//! ```text
//! attempt   0        1        2        3        4
//!           nothing  running  found    needless needless      the puzzle is that of 1, or else of 2
//! ```

use std::cell::Cell;
use std::rc::Rc;

use super::generated::Generated;
use super::series_item::{PuzzleStart, SeriesItem};
use crate::random::Rng;
use crate::solve::SLOTS;

/// One attempt to find the puzzle of an item. Only patterns have several attempts; for full grids, a single
/// attempt makes all tries itself.
#[derive(Clone)]
pub(super) struct Attempt {
    pub(super) start: PuzzleStart,
    pub(super) number: u32,
    /// The lowest number of all attempts at the same item that have found a puzzle.
    lowest_successful_attempt: Rc<Cell<u32>>,
}

impl Attempt {
    /// Whether the result of this attempt does not matter, because one with a lower number has found the
    /// puzzle.
    pub(super) fn is_needless(&self) -> bool {
        self.number > self.lowest_successful_attempt.get()
    }

    /// The random numbers for an attempt at item `n`. Attempt 0 has the random numbers of the item itself.
    pub(super) fn rng(seed: u64, n: u64, number: u32) -> Rng {
        // Attempts do not overlap: none uses as many as 2³² random numbers.
        Rng::for_item(seed, n).starting_at(u64::from(number) << 32)
    }
}

/// Patterns with more clues than this are tried one attempt at a time, because the first one nearly always
/// succeeds.
const MOST_CLUES: usize = 21;

/// The most attempts at one item that run at the same time: the number of lanes of a vector.
const MOST_RUNNING: usize = 16;

/// An item of the series whose puzzle has not been found yet.
struct OpenItem {
    item: SeriesItem,
    /// The number of the attempt that will start next.
    next_attempt: u32,
    running: Vec<u32>,
    found_puzzle: Option<Generated>,
    lowest_successful_attempt: Rc<Cell<u32>>,
}

impl OpenItem {
    /// Whether to start another attempt at the item while earlier attempts are running.
    fn is_hard(&self) -> bool {
        let PuzzleStart::Pattern(cells) = self.item.start else {
            return false;
        };
        let has_failed = self.next_attempt as usize > self.running.len();
        (cells.len() <= MOST_CLUES || has_failed) && self.running.len() < MOST_RUNNING
    }

    fn begin(&mut self) -> Attempt {
        let number = self.next_attempt;
        self.next_attempt += 1;
        self.running.push(number);
        Attempt {
            start: self.item.start,
            number,
            lowest_successful_attempt: self.lowest_successful_attempt.clone(),
        }
    }
}

/// The attempts at all items of a series, and the choice of the next one to start.
pub(super) struct Race<'a> {
    items: &'a mut dyn Iterator<Item = SeriesItem>,
    open_items: Vec<OpenItem>,
    max_attempts: u32,
    /// The number of attempts that were handed out but that no lane has begun yet.
    waiting_attempts: usize,
}

impl<'a> Race<'a> {
    pub(super) fn new(
        items: &'a mut dyn Iterator<Item = SeriesItem>,
        max_attempts: u32,
    ) -> Race<'a> {
        Race {
            items,
            open_items: Vec::new(),
            max_attempts,
            waiting_attempts: 0,
        }
    }

    /// Counts an attempt as begun. Must be called when a lane begins it.
    pub(super) fn begin(&mut self) {
        self.waiting_attempts -= 1;
    }

    /// Whether there are more lanes than attempts to fill them.
    fn has_free_lanes(&self) -> bool {
        let running = self.open_items.iter().map(|open| open.running.len());
        self.waiting_attempts == 0 || running.sum::<usize>() < SLOTS
    }

    /// The next attempt to start: the number of its item, the number of the attempt, and the attempt; `None` if
    /// there is nothing left to start.
    pub(super) fn next(&mut self) -> Option<(u64, u32, Attempt)> {
        let max_attempts = self.max_attempts;
        let may_start_attempt =
            |open: &OpenItem| open.found_puzzle.is_none() && open.next_attempt < max_attempts;
        let open_index = match { self.open_items.iter() }
            .position(|open| open.running.is_empty() && may_start_attempt(open))
        {
            Some(open_index) => open_index,
            None => match self.items.next() {
                Some(item) => {
                    self.open_items.push(OpenItem {
                        item,
                        next_attempt: 0,
                        running: Vec::new(),
                        found_puzzle: None,
                        lowest_successful_attempt: Rc::new(Cell::new(u32::MAX)),
                    });
                    self.open_items.len() - 1
                }
                None if !self.has_free_lanes() => return None,
                None => {
                    let hard_items = { self.open_items.iter().enumerate() }
                        .filter(|(_, open)| open.is_hard() && may_start_attempt(open));
                    hard_items.min_by_key(|(_, open)| open.running.len())?.0
                }
            },
        };
        self.waiting_attempts += 1;
        let open_item = &mut self.open_items[open_index];
        let number = open_item.next_attempt;
        Some((open_item.item.n, number, open_item.begin()))
    }

    /// Receives the result of an attempt. Returns the result of the attempt's item as soon as this result is
    /// certain.
    pub(super) fn end(
        &mut self,
        n: u64,
        attempt: &Attempt,
        result: Option<Generated>,
    ) -> Option<Option<Generated>> {
        let open_index = { self.open_items.iter() }.position(|open| {
            open.item.n == n
                && Rc::ptr_eq(
                    &open.lowest_successful_attempt,
                    &attempt.lowest_successful_attempt,
                )
        })?;
        let open_item = &mut self.open_items[open_index];
        open_item.running.retain(|&number| number != attempt.number);
        if result.is_some() && !attempt.is_needless() {
            open_item.found_puzzle = result;
            open_item.lowest_successful_attempt.set(attempt.number);
        }
        let lowest_successful_attempt = open_item.lowest_successful_attempt.get();
        let is_pattern = matches!(open_item.item.start, PuzzleStart::Pattern(_));
        let is_over = match open_item.found_puzzle {
            Some(_) => open_item
                .running
                .iter()
                .all(|&number| number > lowest_successful_attempt),
            None => {
                !is_pattern
                    || open_item.running.is_empty() && open_item.next_attempt >= self.max_attempts
            }
        };
        is_over.then(|| self.open_items.swap_remove(open_index).found_puzzle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{CellSet, Digit, Grid};

    /// Checks that the puzzle of a pattern comes from its first successful attempt, in whatever order the
    /// attempts end.
    #[test]
    fn the_first_successful_attempt_gives_the_puzzle() {
        let start = PuzzleStart::Pattern(CellSet::EMPTY);
        let mut items = [SeriesItem { n: 7, start }].into_iter();
        let mut race = Race::new(&mut items, 1000);
        let mut attempts = Vec::new();
        while let Some((n, number, attempt)) = race.next() {
            assert_eq!((n, number as usize), (7, attempts.len()));
            race.begin();
            attempts.push(attempt);
        }
        assert_eq!(attempts.len(), MOST_RUNNING);
        let puzzle_with_clue = |clue| {
            let mut puzzle = Grid::EMPTY;
            puzzle.set(crate::board::Cell::new(clue), Some(Digit::ALL[0]));
            Some(Generated::new(puzzle, Grid::EMPTY))
        };
        assert_eq!(race.end(7, &attempts[5], puzzle_with_clue(5)), None);
        assert!(attempts[6].is_needless() && !attempts[4].is_needless());
        assert_eq!(race.end(7, &attempts[9], puzzle_with_clue(9)), None);
        // A puzzle has been found, so no attempt with a higher number starts.
        assert!(race.next().is_none());
        for at in [1, 0, 4, 3] {
            let result = (at == 3).then(|| puzzle_with_clue(3)).flatten();
            assert_eq!(race.end(7, &attempts[at], result), None);
        }
        assert_eq!(race.end(7, &attempts[2], None), Some(puzzle_with_clue(3)));
        assert_eq!(race.end(7, &attempts[6], puzzle_with_clue(6)), None);
    }

    #[test]
    fn a_pattern_is_given_up_after_its_attempts() {
        let start = PuzzleStart::Pattern(CellSet::EMPTY);
        let mut items = [SeriesItem { n: 0, start }].into_iter();
        let mut race = Race::new(&mut items, 2);
        let [first, second] = [(); 2].map(|()| race.next().unwrap().2);
        assert!(race.next().is_none());
        assert_eq!(race.end(0, &first, None), None);
        assert_eq!(race.end(0, &second, None), Some(None));
    }
}
