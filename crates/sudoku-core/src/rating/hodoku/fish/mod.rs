//! HoDoKu's fish: n base houses whose places of a digit lie in n cover houses, possibly with fins.

pub(super) mod franken;
pub(super) mod line_fish;
