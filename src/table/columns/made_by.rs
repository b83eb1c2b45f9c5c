//! Says which command and option write a column that a table does not have.

use super::{COLUMNS, ColumnGroup, HODOKU, RATING, TRIAL, WAVES};
use crate::options::{UNIQUENESS, WITH};

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
