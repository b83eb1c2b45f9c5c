//! The registry of the columns that figures count. This program has written them.

use arrow::datatypes::Schema;

use super::written_by_commands::WrittenByCommands;
use crate::counts::values::TextColumn;

/// The commands that write a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WrittenBy {
    Solve,
    Grade,
    SolveOrGrade,
    Evaluate,
}

/// The type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueType {
    Text,
    Count,
    Rating,
}

/// A column that this program has written, and what counts it.
#[derive(Debug)]
pub(crate) struct CountedColumn {
    pub(crate) name: &'static str,
    pub(crate) values: ValueType,
    written_by: WrittenBy,
    /// Whether the data frame of a batch has the column as it is. The others are converted (see `RowColumns::frame`), or
    /// no aggregation uses them.
    pub(crate) is_in_frame: bool,
    /// Whether the statistics of a run need it.
    pub(crate) is_of_statistics: bool,
    /// Whether the evaluation of a run needs it.
    pub(crate) is_of_evaluation: bool,
    /// Whether it is only counted in tables with puzzles.
    needs_puzzles: bool,
    /// Whether it is also described like the columns of other programs.
    pub(crate) is_described: bool,
}

impl CountedColumn {
    const fn in_frame(mut self) -> CountedColumn {
        self.is_in_frame = true;
        self
    }

    const fn of_statistics(mut self) -> CountedColumn {
        self.is_of_statistics = true;
        self
    }

    const fn of_evaluation(mut self) -> CountedColumn {
        self.is_of_evaluation = true;
        self
    }

    const fn needing_puzzles(mut self) -> CountedColumn {
        self.needs_puzzles = true;
        self
    }

    const fn described(mut self) -> CountedColumn {
        self.is_described = true;
        self
    }

    /// The index of the column in a table; `None` if the table lacks it, or if another program wrote it.
    pub(super) fn index_in(
        &self,
        schema: &Schema,
        written: WrittenByCommands,
        has_puzzles: bool,
    ) -> Option<usize> {
        if self.needs_puzzles && !has_puzzles {
            return None;
        }
        let is_ours = match self.written_by {
            WrittenBy::Solve => written.has_solve_columns,
            WrittenBy::Grade => written.has_grade_columns,
            WrittenBy::SolveOrGrade => written.has_solve_columns || written.has_grade_columns,
            WrittenBy::Evaluate => written.has_evaluate_columns,
        };
        let index = schema.index_of(self.name).ok().filter(|_| is_ours)?;
        let data_type = schema.field(index).data_type();
        let fits = match self.values {
            ValueType::Text => TextColumn::is_text_type(data_type),
            ValueType::Count => data_type.is_integer(),
            ValueType::Rating => data_type.is_floating(),
        };
        fits.then_some(index)
    }
}

/// A column with nothing that counts it.
const fn column(name: &'static str, values: ValueType, written_by: WrittenBy) -> CountedColumn {
    CountedColumn {
        name,
        values,
        written_by,
        is_in_frame: false,
        is_of_statistics: false,
        is_of_evaluation: false,
        needs_puzzles: false,
        is_described: false,
    }
}

/// All columns that figures count, but for the waves of each technique.
pub(crate) static COUNTED_COLUMNS: &[CountedColumn] = {
    use ValueType::{Count, Rating, Text};
    use WrittenBy::{Evaluate, Grade, Solve, SolveOrGrade};
    &[
        column("status", Text, Solve).in_frame().of_statistics(),
        column("solution_given", Text, Solve)
            .in_frame()
            .of_statistics(),
        column("technique", Text, Grade)
            .in_frame()
            .of_statistics()
            .of_evaluation(),
        column("level", Text, Grade)
            .in_frame()
            .of_statistics()
            .of_evaluation(),
        // It says the same as the technique, so that it is neither counted nor described.
        column("rank", Count, Grade),
        // If the puzzles are known, their clues are counted.
        column("clues", Count, SolveOrGrade),
        column("effort", Count, Grade).in_frame().of_statistics(),
        column("waves", Count, Grade).in_frame().of_statistics(),
        column("nodes", Count, Solve).in_frame().of_statistics(),
        column("canonical", Text, Solve).needing_puzzles(),
        column("verdict", Text, Evaluate).in_frame().of_evaluation(),
        column("other_verdict", Text, Evaluate)
            .in_frame()
            .of_evaluation(),
        column("blanks", Count, Evaluate)
            .of_evaluation()
            .described(),
        column("blanks_right", Count, Evaluate)
            .of_evaluation()
            .described(),
        column("backbone_blanks", Count, Evaluate)
            .in_frame()
            .of_evaluation()
            .described(),
        column("backbone_right", Count, Evaluate)
            .in_frame()
            .of_evaluation()
            .described(),
        column("se", Rating, Evaluate).of_evaluation().described(),
        // The source and the row of examples.
        column("source", Text, Solve).of_statistics().described(),
        column("row", Count, Solve).of_statistics(),
    ]
};
