//! HoDoKu's techniques with almost locked sets: n cells of a house that have n + 1 candidates together.

pub(super) mod linked_sets;
pub(super) mod sue_de_coq;
