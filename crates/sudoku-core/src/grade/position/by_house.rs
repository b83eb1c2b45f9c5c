//! Caches where each digit is still possible in each house of a board, and in how many cells.

use wide::u16x8;

use crate::board::{Candidates, CellSet, Digit, House, count_nine};

/// For each digit and house, the unsolved cells that have the digit as a candidate (its open places), and their number.
#[derive(Clone, Debug)]
pub(crate) struct PlacesByHouse {
    /// For each digit, its open places on the board for which the other fields were computed.
    open_places: [CellSet; 9],
    places_by_house: [[u16; 9]; 27],
    houses_by_count: [HousesByCount; 9],
    unsolved: [u8; 27],
}

/// For each n from 1 to 5, the houses in which a digit has at least n open places. The houses are bits, numbered by
/// [`House::index`].
#[derive(Clone, Copy, Debug)]
struct HousesByCount([u32; 5]);

impl HousesByCount {
    fn from_places(places: &[u16; 27]) -> HousesByCount {
        let mut padded_places = [0; 32];
        padded_places[..27].copy_from_slice(places);
        let (eights, _) = padded_places.as_chunks();
        let mut eights = [eights[0], eights[1], eights[2], eights[3]].map(u16x8::new);
        HousesByCount([(); 5].map(|()| {
            let mut houses = 0;
            for (at, eight) in eights.iter_mut().enumerate() {
                houses |= (!eight.simd_eq(u16x8::ZERO).to_bitmask() & 0xff) << (8 * at);
                // Clear the lowest bit of each set of places. An empty set stays empty.
                *eight &= *eight - u16x8::ONE;
            }
            houses
        }))
    }
}

impl PlacesByHouse {
    /// Computes the open places and their counts for a board. If a digit has the same open places as in `before`, its
    /// values are copied from there.
    pub(crate) fn from_board(board: &Candidates, before: Option<PlacesByHouse>) -> PlacesByHouse {
        let mut by_house = before.unwrap_or(PlacesByHouse {
            open_places: [CellSet::EMPTY; 9],
            places_by_house: [[0; 9]; 27],
            houses_by_count: [HousesByCount([0; 5]); 9],
            unsolved: [0; 27],
        });
        let open_places = board.all_open_places();
        for (digit, &open) in open_places.iter().enumerate() {
            if open != by_house.open_places[digit] {
                let places = House::project_all(open);
                for (house_places, places) in by_house.places_by_house.iter_mut().zip(places) {
                    house_places[digit] = places;
                }
                by_house.houses_by_count[digit] = HousesByCount::from_places(&places);
            }
        }
        let cells = House::project_all(board.unsolved());
        for (unsolved, cells) in by_house.unsolved.iter_mut().zip(cells) {
            *unsolved = count_nine(cells) as u8;
        }
        by_house.open_places = open_places;
        by_house
    }

    /// For each house and digit, the open places of the digit as bits: bit n for [`House::cell`] n.
    pub(crate) fn places(&self) -> &[[u16; 9]; 27] {
        &self.places_by_house
    }

    /// The houses in which the digit has at least one open place, as a bit mask with bit [`House::index`] for each
    /// house.
    pub(crate) fn with_any(&self, digit: Digit) -> u32 {
        self.houses_by_count[digit.index()].0[0]
    }

    /// The houses in which the digit has more than `places` open places, as a bit mask with bit [`House::index`] for
    /// each house. `places` is at most 4.
    pub(crate) fn with_more_than(&self, places: usize, digit: Digit) -> u32 {
        self.houses_by_count[digit.index()].0[places]
    }

    /// The houses in which the digit has from 1 to `places` open places, as a bit mask with bit [`House::index`] for
    /// each house. `places` is at most 4.
    pub(crate) fn with_at_most(&self, places: usize, digit: Digit) -> u32 {
        let houses_by_count = &self.houses_by_count[digit.index()].0;
        houses_by_count[0] & !houses_by_count[places]
    }

    /// The houses in which the digit has exactly two open places, as a bit mask with bit [`House::index`] for each
    /// house.
    pub(crate) fn with_two(&self, digit: Digit) -> u32 {
        let houses_by_count = &self.houses_by_count[digit.index()].0;
        houses_by_count[1] & !houses_by_count[2]
    }

    /// The number of unsolved cells of a house.
    pub(crate) fn unsolved(&self, house: House) -> usize {
        self.unsolved[house.index()].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn houses_are_found_by_how_many_places_they_have() {
        let seed = 81;
        let mut rng = Rng::new(seed);
        let mut previous = None;
        for n in 0..200 {
            let mut board = Candidates::FULL;
            for digit in Digit::ALL {
                let keep_in_nine = rng.below(9);
                let cells = House::ALL.iter().flat_map(|house| house.cells());
                let removed_cells = cells.filter(|_| rng.below(9) > keep_in_nine);
                board.eliminate(digit, removed_cells.collect());
            }
            let by_house = PlacesByHouse::from_board(&board, previous.take());
            for (digit, house) in Digit::ALL
                .into_iter()
                .flat_map(|digit| House::ALL.map(|house| (digit, house)))
            {
                let places = house.project(board.open_places(digit));
                let has_house = |houses: u32| houses >> house.index() & 1 == 1;
                let count = places.count_ones() as usize;
                let case = format!("seed {seed}, {n}: {digit} in {house}");
                assert_eq!(
                    by_house.places()[house.index()][digit.index()],
                    places,
                    "{case}"
                );
                assert_eq!(has_house(by_house.with_any(digit)), count > 0, "{case}");
                assert_eq!(has_house(by_house.with_two(digit)), count == 2, "{case}");
                for most in 1..=4 {
                    let is_few = (1..=most).contains(&count);
                    assert_eq!(
                        has_house(by_house.with_at_most(most, digit)),
                        is_few,
                        "{case}"
                    );
                }
            }
            previous = Some(by_house);
        }
    }
}
