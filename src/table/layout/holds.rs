//! The columns of a layout that an output can hold.

/// The columns that a format can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// The files hold every column.
    Table,
    /// The files hold only puzzles, and solutions if there are any.
    Grids,
    /// The files hold only puzzles.
    Puzzles,
}
