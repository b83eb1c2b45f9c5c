//! stub
use super::Grid;
/// .
pub struct Canonical {
    /// .
    pub form: Grid,
    /// .
    pub automorphisms: u32,
}
/// .
pub fn canonical(grid: &Grid) -> Canonical {
    Canonical {
        form: *grid,
        automorphisms: 1,
    }
}
