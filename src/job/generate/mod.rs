//! Generated puzzles as an input of a job. The source of such an input makes its batches instead of reading
//! them.
//!
//! ```text
//! reader thread   takes the next numbers of the series; the source's own threads make their puzzles
//!   │ batch n     puzzle and solution, and the columns of what they were made from
//! worker          parses, normalises and validates them as those of any other input
//! ```

mod chunks;
pub(crate) mod maker;
mod mix;
mod near;
mod origin;
mod pairs;
mod series;
mod starts;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arrow::datatypes::FieldRef;
use sudoku_core::generate::{Generator, GradeTarget};
use sudoku_core::grade::Ladder;
use sudoku_core::sizes::Size;
use sudoku_core::solve::Limits;

use crate::error::Error;
use crate::job::inputs::JobInput;
use crate::job::threads::stages::Stages;
use crate::read::{BatchSource, Detection, Input, InputFormat, InputInfo, Parse};
use crate::store::FileMetadata;
use crate::table::columns::ratings::CANONICAL_COLUMN_NAMES;
use crate::table::columns::{ColumnGroup, HODOKU, RATING};
use crate::table::layout::Layout;
use crate::table::view::View;

pub use mix::{Mix, MixError};
pub use near::NearSeries;
pub use origin::origin_columns;
pub use series::{Missing, Series};
pub use starts::{Starts, StartsOptions};

/// The generator for a series of puzzles.
#[derive(Clone)]
pub enum Maker {
    /// 9 × 9 puzzles.
    Nine(Generator),
    /// 9 × 9 puzzles with shares of levels or ratings.
    Mix(Mix),
    /// Puzzles of another size.
    Sized(Size, Generator),
}

impl Maker {
    /// The number of cells in a grid.
    fn cell_count(&self) -> usize {
        match self {
            Maker::Nine(_) | Maker::Mix(_) => 81,
            Maker::Sized(size, _) => size.cells(),
        }
    }

    /// The grade or rating that the puzzles must have. For a mix, the target in the first part of the option's value.
    fn target(&self) -> GradeTarget {
        match self {
            Maker::Nine(generator) => generator.target,
            Maker::Mix(mix) => mix.target(),
            Maker::Sized(_, generator) => generator.target,
        }
    }

    /// The processing stages that compute the columns of [`Maker::layout`].
    pub fn stages(&self) -> Stages {
        match self {
            // The targets of a mix have different ranges, so ratings are computed for all puzzles.
            Maker::Mix(mix) => stages(mix.widest_target(), false),
            _ => stages(self.target(), false),
        }
    }

    /// The columns of the table: the carried columns, the puzzle, its solution, and the grade or rating if the puzzles
    /// must have one.
    ///
    /// # Errors
    ///
    /// A column has been removed from the list of columns. This would be a bug.
    pub fn layout(&self, carried: &[FieldRef]) -> Result<Layout, Error> {
        layout(self.target(), false, carried, View::default())
    }

    /// Whether the generator may take seconds to find a puzzle.
    fn is_rare(&self) -> bool {
        match self {
            Maker::Nine(generator) => {
                generator.target != GradeTarget::Any
                    || generator.clues.is_some()
                    || generator.minimal
                    || generator.solutions > 1
            }
            Maker::Mix(_) | Maker::Sized(..) => true,
        }
    }
}

/// The processing stages that compute the columns of the function [`layout`].
fn stages(target: GradeTarget, is_graded: bool) -> Stages {
    let mut stages = Stages {
        solve: Some(Limits::default()),
        grade: Some(Ladder::default()),
        ..Stages::default()
    };
    match target {
        GradeTarget::Any if !is_graded => return Stages::default(),
        GradeTarget::Any | GradeTarget::Level(_) | GradeTarget::Technique(_) => {}
        GradeTarget::Rating(range) => stages.rating.highest = range.highest,
        GradeTarget::Hodoku(target) => stages.hodoku = target.version,
    }
    stages
}

/// The columns of a table of puzzles with this target. `conditions` selects rows.
/// Without a target, puzzles are graded if `is_graded` is set.
fn layout(
    target: GradeTarget,
    is_graded: bool,
    carried_fields: &[FieldRef],
    conditions: View,
) -> Result<Layout, Error> {
    let mut groups = vec![ColumnGroup::Puzzle, ColumnGroup::Generated];
    let mut requested = Vec::new();
    if target != GradeTarget::Any || is_graded {
        groups.push(ColumnGroup::Grade);
    }
    match target {
        GradeTarget::Rating(_) => requested.push(RATING.to_owned()),
        GradeTarget::Hodoku(_) => requested.push(HODOKU.to_owned()),
        GradeTarget::Any | GradeTarget::Level(_) | GradeTarget::Technique(_) => {}
    }
    let layout = Layout::new(&groups, &requested, carried_fields);
    let names = layout.schema().fields().iter().map(|field| field.name());
    // Only the puzzle itself is rated: rating its min-lex form as well would take twice as long.
    let names = names.filter(|name| !CANONICAL_COLUMN_NAMES.contains(&name.as_str()));
    let select = Some(names.cloned().collect());
    let view = View {
        select,
        ..conditions
    };
    Ok(layout.with_view(&view)?)
}

/// Makes an input from a source of generated puzzles. `puzzles_made` counts the puzzles for the progress.
fn series_input(
    source: Box<dyn BatchSource>,
    parser: Arc<dyn Parse>,
    carried_fields: Vec<FieldRef>,
    puzzles_made: Arc<AtomicU64>,
) -> JobInput {
    let info = InputInfo {
        source: "generate".to_owned(),
        bytes: None,
        compression: "none",
        format: InputFormat::GENERATED,
        has_solutions: true,
        row_groups: None,
    };
    let input = Input::new(
        info,
        Detection::default(),
        carried_fields,
        source,
        parser,
        puzzles_made,
    );
    JobInput {
        path: "generate".to_owned(),
        row_groups: None,
        metadata: FileMetadata::default(),
        opened: Some(input),
        fetched: None,
    }
}
