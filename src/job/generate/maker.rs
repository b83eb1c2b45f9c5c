//! The options of `generate`: checks them, and makes a generator.

use crate::error::MakerError;
use crate::job::generate::{Maker, Mix};
use crate::options::{
    HODOKU_LEVEL, HODOKU_SCORE, LEVEL, MINIMAL, MIX, SE, SIZE, SOLUTIONS, TECHNIQUE,
};
use sudoku_core::generate::HodokuTarget;
use sudoku_core::generate::{Generator, GradeTarget, Symmetry};
use sudoku_core::grade::{Level, Rank};
use sudoku_core::rating::RatingRange;
use sudoku_core::sizes::Size;

/// The options of a series of generated puzzles: its seed, and the properties that the puzzles must have.
#[derive(Clone, Debug)]
pub struct MakerOptions {
    /// The seed of the series.
    pub seed: u64,
    /// The id of the hardest technique of the puzzles; `None` if any is allowed.
    pub technique: Option<String>,
    /// The level of the puzzles; `None` if any is allowed.
    pub level: Option<Level>,
    /// The range of the Sudoku Explainer ratings; `None` if any is allowed.
    pub se: Option<RatingRange>,
    /// The level or the range of scores of HoDoKu; `None` if any is allowed.
    pub hodoku: Option<HodokuTarget>,
    /// The shares of levels or of rating ranges in the series; `None` if all puzzles have the same target.
    pub mix: Option<Mix>,
    /// The number of clues; `None` for as few clues as possible.
    pub clues: Option<u16>,
    /// The number of rows of a grid, such as 9.
    pub size: usize,
    /// The symmetry of the clues.
    pub symmetry: Symmetry,
    /// Whether all puzzles have to be minimal.
    pub minimal: bool,
    /// The number of solutions that each puzzle has.
    pub solutions: u32,
    /// The number of full grids that are tried for a puzzle before it is given up.
    pub max_attempts: u32,
}

impl MakerOptions {
    /// Makes the generator that the options describe.
    pub fn maker(&self) -> Result<Maker, MakerError> {
        let target = self.target()?;
        let has_target = target != GradeTarget::Any || self.mix.is_some();
        if self.solutions > 1 && has_target {
            return Err(MakerError::NotTogether {
                reason: "only a puzzle with one solution has a grade or a rating",
                options: &[TECHNIQUE, LEVEL, SE, HODOKU_LEVEL, HODOKU_SCORE, MIX],
                other: SOLUTIONS,
            });
        }
        if self.solutions > 1 && self.minimal {
            return Err(MakerError::NotTogether {
                reason: "only a puzzle with one solution is minimal",
                options: &[MINIMAL],
                other: SOLUTIONS,
            });
        }
        let clues = self.clues.map(usize::from);
        let generator = Generator {
            seed: self.seed,
            target,
            clues,
            symmetry: self.symmetry,
            minimal: self.minimal,
            solutions: self.solutions,
            max_attempts: self.max_attempts,
        };
        if self.size == 9 {
            if clues.is_some_and(|clues| clues > 81 || clues < 17 && self.solutions == 1) {
                return Err(MakerError::ClueCount);
            }
            return Ok(match &self.mix {
                Some(mix) => Maker::Mix(mix.clone().with_generator(generator)),
                None => Maker::Nine(generator),
            });
        }
        if self.mix.is_some() {
            return Err(MakerError::NotTogether {
                reason: "only 9 × 9 puzzles are made with shares",
                options: &[MIX],
                other: SIZE,
            });
        }
        if self.se.is_some() || self.hodoku.is_some() {
            return Err(MakerError::NotTogether {
                reason: "only 9 × 9 puzzles are rated",
                options: &[SE, HODOKU_LEVEL, HODOKU_SCORE],
                other: SIZE,
            });
        }
        let size = Size::from_order(self.size).ok_or(MakerError::UnknownSize(self.size))?;
        if clues.is_some_and(|clues| clues > size.cells()) {
            return Err(MakerError::MoreCluesThanCells);
        }
        if target.highest().is_some_and(|rank| rank > Rank::UNIQUENESS) && self.level.is_none() {
            return Err(MakerError::NotOfThisSize);
        }
        Ok(Maker::Sized(size, generator))
    }

    /// The grade or rating that every puzzle must have, as the options name it.
    ///
    /// # Errors
    ///
    /// The options name more than one, or an unknown technique.
    pub fn target(&self) -> Result<GradeTarget, MakerError> {
        let technique =
            |id: &String| Rank::from_id(id).ok_or_else(|| MakerError::UnknownTechnique(id.clone()));
        let technique = self.technique.as_ref().map(technique).transpose()?;
        let targets = [
            technique.map(GradeTarget::Technique),
            self.level.map(GradeTarget::Level),
            self.se.map(GradeTarget::Rating),
            self.hodoku.map(GradeTarget::Hodoku),
        ];
        let mut targets = targets.into_iter().flatten();
        match (targets.next(), targets.next(), &self.mix) {
            (None, _, _) => Ok(GradeTarget::Any),
            (Some(target), None, None) => Ok(target),
            _ => Err(MakerError::SeveralTargets),
        }
    }

    /// The range of the puzzles in the series: the `count` puzzles after the first `skip` puzzles.
    ///
    /// # Errors
    ///
    /// The series of a seed has fewer puzzles.
    pub fn numbers(skip: u64, count: u64) -> Result<std::ops::Range<u64>, MakerError> {
        let end_number = skip.checked_add(count);
        let end_number = end_number.ok_or(MakerError::SeriesTooLong { skip, count })?;
        Ok(skip..end_number)
    }
}
