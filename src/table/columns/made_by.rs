//! Says which command and option write a column that a table does not have.

use crate::nearest::did_you_mean;
use crate::options::{OptionError, OptionName, UNIQUENESS, WITH};

use super::{COLUMNS, ColumnGroup, HODOKU, RATING, TRIAL, WAVES};

/// The error for an option that names a column, if the table does not have this column.
pub(crate) fn unknown_column(option: OptionName, column: &str, columns: &[String]) -> OptionError {
    let known = columns.iter().map(String::as_str);
    let end = made_by(column).unwrap_or_else(|| did_you_mean(column, known));
    let columns = columns.join(", ");
    let problem = format!("there is no column {column}; the columns are {columns}{end}");
    OptionError::new(option, problem)
}

/// The end of a message about a missing column: what writes the column. `None` for a column that this program does not have.
pub(crate) fn made_by(name: &str) -> Option<String> {
    let column = COLUMNS.iter().find(|column| column.name == name);
    let group = match column {
        Some(column) => column.group,
        None if name.starts_with("waves_") => ColumnGroup::Waves,
        None => return None,
    };
    let with = |value: &str| format!("; grade writes it with {}", WITH.set_to(value));
    Some(match group {
        ColumnGroup::Rating => with(RATING),
        ColumnGroup::Hodoku => with(HODOKU),
        ColumnGroup::Trial => with(TRIAL),
        ColumnGroup::Waves => with(WAVES),
        ColumnGroup::Request | ColumnGroup::GradeRequest => with(name),
        ColumnGroup::Uniqueness => format!("; grade writes it with {UNIQUENESS}"),
        ColumnGroup::Solution => "; solve and grade write it".to_owned(),
        ColumnGroup::Grade => "; grade writes it".to_owned(),
        ColumnGroup::Judged
        | ColumnGroup::JudgedAnswer
        | ColumnGroup::JudgedSteps
        | ColumnGroup::JudgedMoves
        | ColumnGroup::JudgedAgainst => "; evaluate writes it".to_owned(),
        _ => return None,
    })
}
