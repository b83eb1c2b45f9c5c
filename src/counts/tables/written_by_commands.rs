//! Finds the columns of a table that this program has written.

use arrow::datatypes::{DataType, Schema};

use crate::counts::values::TextColumn;

/// Records which groups of columns in a table this program has written. A group consists of the columns that certain
/// commands write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrittenByCommands {
    pub(crate) has_solve_columns: bool,
    pub(crate) has_grade_columns: bool,
    pub(crate) has_evaluate_columns: bool,
}

impl WrittenByCommands {
    /// Decides which columns this program has written, by the commands in the metadata of the tables. If there is no
    /// metadata, a group of columns counts as written by this program if all its columns exist and have the right
    /// types. This is unlikely for a table of another program.
    pub(crate) fn from_metadata(commands: &[Option<String>], schema: &Schema) -> WrittenByCommands {
        let has_all = |wanted: &[&str]| {
            let is_wanted =
                |of: &Option<String>| of.as_deref().is_some_and(|own| wanted.contains(&own));
            !commands.is_empty() && commands.iter().all(is_wanted)
        };
        let has_column = |name: &str, fits: &dyn Fn(&DataType) -> bool| {
            let field = schema.field_with_name(name);
            field.is_ok_and(|field| fits(field.data_type()))
        };
        let text_columns = |names: &[&str]| {
            names
                .iter()
                .all(|name| has_column(name, &TextColumn::is_text_type))
        };
        let integer_columns = |names: &[&str]| {
            names
                .iter()
                .all(|name| has_column(name, &DataType::is_integer))
        };
        let has_grade_columns = text_columns(&["technique", "level"])
            && integer_columns(&["rank", "effort", "waves", "first_rank"]);
        let has_solve_columns = text_columns(&["status"])
            && integer_columns(&["solutions"])
            && has_column("solutions_exact", &|of| *of == DataType::Boolean);
        WrittenByCommands {
            has_solve_columns: has_solve_columns || has_all(&["grade", "solve"]),
            has_grade_columns: has_grade_columns || has_all(&["grade"]),
            has_evaluate_columns: has_solve_columns
                && text_columns(&["verdict"])
                && integer_columns(&["blanks", "blanks_right"])
                && has_column("is_exact", &|of| *of == DataType::Boolean),
        }
    }
}
