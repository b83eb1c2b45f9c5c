//! The main loop of a HoDoKu rating: it tries the techniques of the table in order until the puzzle is solved.

use super::order::{ROWS, TableRow};
use super::path::step::Step;
use super::search::Search;
use super::version::HodokuVersion;
use crate::board::{Candidates, Cell, Digit, Grid};
use crate::grade::Level;

/// HoDoKu's rating of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HodokuRating {
    /// The level of difficulty that HoDoKu gives the puzzle.
    pub level: Level,
    /// HoDoKu's score: the sum of the points of all steps.
    pub score: u32,
    /// The technique (table row) of the hardest step: the step with the highest level, then with the most points.
    pub hardest: &'static str,
}

/// The result of rating a puzzle as HoDoKu does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HodokuOutcome {
    /// The exact level and score.
    Exact(HodokuRating),
    /// The solving path needs a forcing net with more table entries than HoDoKu has space for. The level is extreme,
    /// and the score is unknown. No such puzzle is known.
    ForcingNet,
}

impl HodokuOutcome {
    /// The ids of all outcomes, in the order of the variants.
    pub const IDS: [&'static str; 2] = ["exact", "forcing_net"];

    /// The id of the outcome in output tables, one of [`HodokuOutcome::IDS`].
    pub const fn id(self) -> &'static str {
        match self {
            HodokuOutcome::Exact(_) => "exact",
            HodokuOutcome::ForcingNet => "forcing_net",
        }
    }

    /// The level, which is known for every outcome: forcing nets are extreme.
    pub const fn level(self) -> Level {
        match self {
            HodokuOutcome::Exact(rating) => rating.level,
            HodokuOutcome::ForcingNet => Level::Extreme,
        }
    }

    /// The rating; `None` if the score is unknown.
    pub const fn rating(self) -> Option<HodokuRating> {
        match self {
            HodokuOutcome::Exact(rating) => Some(rating),
            HodokuOutcome::ForcingNet => None,
        }
    }
}

/// A step of HoDoKu's solving path, for explanations.
#[derive(Clone, Debug)]
pub struct HodokuStep {
    /// The board on which the step was found.
    pub board: Candidates,
    /// HoDoKu's name of the technique, for example "AIC".
    pub name: &'static str,
    /// The name of the row of HoDoKu's table that found the step.
    pub row: &'static str,
    /// The level of that table row.
    pub level: Level,
    /// The points of that table row.
    pub points: u32,
    /// The cell and the digit that the step places; `None` if it only removes candidates.
    pub placed: Option<(Cell, Digit)>,
    /// The candidates that the step removes, in HoDoKu's order.
    pub removed: Vec<(Cell, Digit)>,
}

/// The highest score of each level except the last one, extreme, which has no limit.
const HIGHEST: [u32; 4] = [800, 1000, 1600, 1800];

/// Rates a puzzle that has exactly one solution.
///
/// ```
/// use sudoku_core::{Grid, Level};
/// use sudoku_core::rating::hodoku::{HodokuVersion, rate};
///
/// let puzzle: Grid =
///     "9................5..34..7...7....5.4..53.2...8..7...2..59.....7..1...6..76..18.5.".parse()?;
/// let outcome = rate(&puzzle, HodokuVersion::default());
/// let rating = outcome.rating().expect("a score");
/// assert_eq!((rating.level, rating.score, rating.hardest), (Level::Hard, 928, "W-Wing"));
/// # Ok::<(), &str>(())
/// ```
pub fn rate(puzzle: &Grid, version: HodokuVersion) -> HodokuOutcome {
    rate_while(puzzle, version, |_| true).unwrap_or(HodokuOutcome::ForcingNet)
}

/// Rates a puzzle. Returns `None` as soon as `accepts` returns false for the rating of the steps so far.
pub(crate) fn rate_while(
    puzzle: &Grid,
    version: HodokuVersion,
    accepts: impl Fn(&HodokuRating) -> bool,
) -> Option<HodokuOutcome> {
    walk(puzzle, version, |_, _, _| {}, accepts)
}

/// Rates a puzzle, and also returns the steps of the path.
pub fn trace(puzzle: &Grid, version: HodokuVersion) -> (HodokuOutcome, Vec<HodokuStep>) {
    let mut steps = Vec::new();
    let visit = |search: &Search, row: &TableRow, step: &Step| {
        steps.push(HodokuStep {
            board: search.state.candidates().clone(),
            name: step.name,
            row: row.name,
            level: row.level,
            points: row.points,
            placed: step.placed,
            removed: step.removed.clone(),
        });
    };
    let outcome = walk(puzzle, version, visit, |_| true);
    (outcome.unwrap_or(HodokuOutcome::ForcingNet), steps)
}

fn walk(
    puzzle: &Grid,
    version: HodokuVersion,
    mut visit: impl FnMut(&Search, &TableRow, &Step),
    accepts: impl Fn(&HodokuRating) -> bool,
) -> Option<HodokuOutcome> {
    let mut search = Search::new(puzzle, version, ROWS.len());
    let mut rating = HodokuRating {
        level: Level::Easy,
        score: 0,
        hardest: ROWS[0].name,
    };
    let mut hardest = (Level::Easy, 0, 0);
    while !search.state.empty().is_empty() {
        let mut rows = ROWS.iter().enumerate();
        let found = rows.find_map(|(at, row)| {
            search.set_row(at, row.name);
            Some((at, row, (row.find)(&mut search)?))
        });
        let Some((at, row, step)) = found else {
            return Some(HodokuOutcome::ForcingNet);
        };
        visit(&search, row, &step);
        step.apply(&mut search.state);
        hardest = hardest.max((row.level, row.points, at));
        rating = HodokuRating {
            level: hardest.0,
            score: rating.score + row.points,
            hardest: ROWS[hardest.2].name,
        };
        if !accepts(&rating) {
            return None;
        }
    }
    for (level, highest) in Level::ALL.into_iter().zip(HIGHEST) {
        if rating.level <= level && rating.score > highest {
            rating.level = Level::ALL[level as usize + 1];
        }
    }
    Some(HodokuOutcome::Exact(rating))
}
