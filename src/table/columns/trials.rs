//! The columns of `--with te`: the depth of trial and error.

use crate::table::columns::column_group::{ColumnGroup, OutcomeColumn, OutputColumn};
use sudoku_core::grade::TrialOutcome;

/// The columns of `--with te`, in the order in which tables have them.
pub(crate) fn trial_columns() -> [OutputColumn; 2] {
    let status = OutcomeColumn::text(
        "te_status",
        "Whether `te_depth` is known: `known`; `beyond` if depth 3 does not solve the puzzle; \
             `gave_up` if depth 3 takes too many assumptions. Null unless the puzzle is 9 × 9 and \
             has exactly one solution.",
        |row| Some(row.trial()?.id().as_bytes()),
    )
    .in_group(ColumnGroup::Trial);
    [
        OutcomeColumn::uint8(
            "te_depth",
            "The depth of trial and error (T&E) by Denis Berthier: 0 if naked and hidden singles \
             solve the puzzle; n if it is solved by assuming each candidate, following it by \
             T&E(n - 1) and removing those that end in a contradiction, until nothing is removed. \
             It is the same for all isomorphs. Null unless `te_status` is `known`.",
            |row| row.trial()?.depth(),
        )
        .in_group(ColumnGroup::Trial),
        status.with_values(TrialOutcome::IDS),
    ]
}
