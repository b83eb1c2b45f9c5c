//! Defines the columns of `--with hodoku`, which have HoDoKu's ratings.

use sudoku_core::grade::Level;
use sudoku_core::rating::hodoku::HodokuOutcome;

use crate::table::columns::column::{Column, ColumnGroup, text_column, uint32, with_values};

/// The names of the columns for which HoDoKu's rating is computed.
pub(crate) const RATED_COLUMN_NAMES: [&str; 4] = [
    "hodoku_level",
    "hodoku_score",
    "hodoku_status",
    "hodoku_hardest",
];

/// The columns of `--with hodoku`, in the order in which tables have them.
pub(crate) fn hodoku_columns() -> [Column; 4] {
    let [level, score, status, hardest] = RATED_COLUMN_NAMES;
    let group = ColumnGroup::Hodoku;
    let level = text_column(
        level,
        group,
        "HoDoKu's level of the puzzle, exactly the one of its batch mode with default options: the \
         highest level of its path's techniques, or a higher one for a high score. Null unless the \
         puzzle is 9 × 9, has clues only, and has exactly one solution.",
        |_, row| {
            let level = row.ratings.hodoku?.level();
            Some(level.id().as_bytes())
        },
    );
    let status = text_column(
        status,
        group,
        "Whether `hodoku_score` is known: `exact`; `forcing_net` if the path needs a forcing net that \
         is larger than the program's tables, for which no puzzle is known. Null where `hodoku_level` is.",
        |_, row| row.ratings.hodoku.map(|outcome| outcome.id().as_bytes()),
    );
    [
        with_values(Level::ALL.map(Level::id), level),
        uint32(
            score,
            group,
            "HoDoKu's score: the sum of the points of the steps of its path. It is a property of the \
             path, and depends on how the puzzle is written: isomorphs often have other scores. Null \
             unless `hodoku_status` is `exact`.",
            |row| Some(row.ratings.hodoku?.rating()?.score),
        ),
        with_values(HodokuOutcome::IDS, status),
        text_column(
            hardest,
            group,
            "The hardest technique of HoDoKu's path, by its name there: of the highest level, then with \
             the most points. Null unless `hodoku_status` is `exact`.",
            |_, row| Some(row.ratings.hodoku?.rating()?.hardest.as_bytes()),
        ),
    ]
}
