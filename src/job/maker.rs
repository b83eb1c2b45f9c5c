//! What puzzles a series has: the options of `generate`, checked.

use std::ops::Range;

use crate::error::MakerError;
use crate::job::generate::Maker;
use sudoku_core::generate::{Generator, Symmetry, Target};
use sudoku_core::grade::{Level, Rank};
use sudoku_core::sizes::{Size, SizedGenerator};

/// What puzzles a series has.
#[derive(Clone, Debug)]
pub struct MakerOptions {
    /// The seed of the series.
    pub seed: u64,
    /// The id of their hardest technique, where that is asked for.
    pub technique: Option<String>,
    /// Their level, where that is asked for.
    pub level: Option<Level>,
    /// How many clues they have, where that is not as few as possible.
    pub clues: Option<u16>,
    /// Rows of the grid.
    pub size: usize,
    /// Which clues go together.
    pub symmetry: Symmetry,
    /// How many solutions they have.
    pub solutions: u32,
    /// Full grids to start from before a puzzle is given up.
    pub max_attempts: u32,
}

impl MakerOptions {
    /// What makes the puzzles.
    ///
    /// # Errors
    /// There are no such puzzles.
    pub fn maker(&self) -> Result<Maker, MakerError> {
        let target = match (&self.technique, self.level) {
            (Some(_), Some(_)) => {
                return Err(MakerError::NotTogether(
                    "a technique has one level: leave --technique or --level out",
                ));
            }
            (Some(id), None) => Target::Technique(
                Rank::from_id(id).ok_or_else(|| MakerError::UnknownTechnique(id.clone()))?,
            ),
            (None, Some(level)) => Target::Level(level),
            (None, None) => Target::Any,
        };
        if self.solutions > 1 && target != Target::Any {
            return Err(MakerError::NotTogether(
                "only a puzzle with one solution has a grade: leave --technique and --level out, or \
                 --solutions",
            ));
        }
        let clues = self.clues.map(usize::from);
        if self.size == 9 {
            if clues.is_some_and(|clues| clues > 81 || clues < 17 && self.solutions == 1) {
                return Err(MakerError::NotTogether(
                    "a 9 × 9 puzzle with one solution has 17 to 81 clues",
                ));
            }
            return Ok(Maker::Nine(Generator {
                seed: self.seed,
                target,
                clues,
                symmetry: self.symmetry,
                solutions: self.solutions,
                max_attempts: self.max_attempts,
            }));
        }
        let size = Size::of_order(self.size).ok_or(MakerError::UnknownSize(self.size))?;
        if clues.is_some_and(|clues| clues > size.cells()) {
            return Err(MakerError::NotTogether(
                "the grid has fewer cells than --clues",
            ));
        }
        if target.highest().is_some_and(|rank| rank > Rank::UNIQUENESS) && self.level.is_none() {
            return Err(MakerError::NotTogether(
                "other sizes than 9 × 9 are graded up to jellyfish: no puzzle of this size needs the \
                 technique",
            ));
        }
        Ok(Maker::Sized(SizedGenerator {
            size,
            seed: self.seed,
            target,
            clues,
            symmetry: self.symmetry,
            solutions: self.solutions,
            max_attempts: self.max_attempts,
        }))
    }

    /// The numbers of so many puzzles of a series behind the first `skip`.
    ///
    /// # Errors
    /// A seed has fewer puzzles.
    pub fn numbers(skip: u64, count: u64) -> Result<Range<u64>, MakerError> {
        let end = skip.checked_add(count);
        let end = end.ok_or(MakerError::SeriesTooLong { skip, count })?;
        Ok(skip..end)
    }
}
