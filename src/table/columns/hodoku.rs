//! Defines the columns of `--with hodoku`, which have HoDoKu's ratings.

use sudoku_core::grade::Level;
use sudoku_core::rating::hodoku::HodokuOutcome;

use crate::table::columns::column_group::{ColumnGroup, OutcomeColumn, OutputColumn};

/// The names of the columns for which HoDoKu's rating is computed.
pub(crate) const RATED_COLUMN_NAMES: [&str; 4] = [
    "hodoku_level",
    "hodoku_score",
    "hodoku_status",
    "hodoku_hardest",
];

/// The columns of `--with hodoku`, in the order in which tables have them.
pub(crate) fn hodoku_columns() -> [OutputColumn; 4] {
    let [level, score, status, hardest] = RATED_COLUMN_NAMES;
    let group = ColumnGroup::Hodoku;
    let level = OutcomeColumn::text(
        level,
        "HoDoKu's level of the puzzle, exactly the one of its batch mode with default \
             options: the highest level of its path's techniques, or a higher one for a high \
             score. Null unless the puzzle is 9 × 9, has clues only, and has exactly one solution.",
        |row| {
            let level = row.ratings.hodoku?.level();
            Some(level.id().as_bytes())
        },
    )
    .in_group(group);
    let status = OutcomeColumn::text(
        status,
        "Whether `hodoku_score` is known: `exact`; `forcing_net` if the path needs a forcing \
             net that is larger than the program's tables, for which no puzzle is known. Null \
             where `hodoku_level` is.",
        |row| row.ratings.hodoku.map(|outcome| outcome.id().as_bytes()),
    )
    .in_group(group);
    [
        level.with_values(Level::ALL.map(Level::id)),
        OutcomeColumn::uint32(
            score,
            "HoDoKu's score: the sum of the points of the steps of its path. It is a property of \
             the path, and depends on how the puzzle is written: isomorphs often have other \
             scores. Null unless `hodoku_status` is `exact`.",
            |row| Some(row.ratings.hodoku?.rating()?.score),
        )
        .in_group(group),
        status.with_values(HodokuOutcome::IDS),
        OutcomeColumn::text(
            hardest,
            "The hardest technique of HoDoKu's path, by its name there: of the highest level, \
             then with the most points. Null unless `hodoku_status` is `exact`.",
            |row| Some(row.ratings.hodoku?.rating()?.hardest.as_bytes()),
        )
        .in_group(group),
    ]
}
