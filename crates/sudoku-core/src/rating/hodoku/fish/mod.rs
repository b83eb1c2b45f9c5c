//! HoDoKu's fish: all places of a digit in n base houses, except fins, are in n cover houses.

pub(super) mod franken;
pub(super) mod line_fish;
