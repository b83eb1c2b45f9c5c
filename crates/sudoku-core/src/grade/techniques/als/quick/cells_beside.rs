//! Finds cells outside an almost locked set that the set can leave only one candidate.
//!
//! If the set does not contain its digit x, it contains all its other digits. If these leave an outside cell only the
//! candidate y, there is a strong link: "x is in the set" or "the cell holds y" is true.
//!
//! Cells that share a house with the whole set are left out. With such a cell, the set is a larger almost locked set,
//! because it has one more cell and one more digit, y. The link is then a link between two digits of the larger set.

use std::sync::LazyLock;

use wide::u16x8;

use super::eights::zeros;
use super::sets::{QuickSet, QuickSets};
use crate::board::{Cell, CellSet, Digit, DigitSet, House, HouseKind};
use crate::grade::Position;

/// A cell outside an almost locked set. If the set does not contain one of the digits `lacked`, the only candidate left
/// in the cell is `left`.
pub(super) struct CellBeside {
    /// The index of the set.
    pub(super) set: usize,
    pub(super) lacked: DigitSet,
    pub(super) cell: Cell,
    pub(super) left: Digit,
}

/// Calls `visit` with each almost locked set and each cell that the set can leave only one candidate. Cells with two
/// candidates are left out, because these have a strong link to each other.
pub(super) fn for_each(board: &Position, sets: &QuickSets, mut visit: impl FnMut(CellBeside)) {
    let [_, _, with_three] = board.at_least();
    let crossings = &*CROSSINGS;
    for house in House::ALL {
        if sets.of_house(house).is_empty() {
            continue;
        }
        let open = OpenPlaces::in_house(board, house);
        for set in sets.of_house(house) {
            let QuickSet {
                places, outward, ..
            } = sets.all[set];
            let mut visit_cells = |cells: CellSet, seen: DigitSet| {
                for cell in cells & with_three {
                    let digits = board.by_cell()[cell.index()];
                    let Some(left) = digits.intersection(seen.complement()).single() else {
                        continue;
                    };
                    let mut lacked = outward.intersection(digits.intersection(seen).complement());
                    lacked.remove(left);
                    if !lacked.is_empty() {
                        visit(CellBeside {
                            set,
                            lacked,
                            cell,
                            left,
                        });
                    }
                }
            };
            // A cell with three candidates that keeps only one of them sees two digits of the set. There must also be a
            // digit that it does not see.
            if outward.len() < 3 {
                continue;
            }
            for crossing in &crossings[house.index()] {
                let confined = |within| open.confined(places, within).intersection(outward);
                let seen = confined(crossing.places);
                if seen.len() < 2 {
                    continue;
                }
                let is_within_crossing = places & !crossing.places == 0;
                if !is_within_crossing {
                    visit_cells(crossing.cells, seen);
                }
                for &(place, cells) in &crossing.lines {
                    let seen = confined(place);
                    if seen.len() >= 2 {
                        visit_cells(cells, seen);
                    }
                }
            }
        }
    }
}

/// For each digit, its open places in a house as bits, in vectors of eight digits.
struct OpenPlaces([u16x8; 2]);

impl OpenPlaces {
    fn in_house(board: &Position, house: House) -> OpenPlaces {
        let mut padded = [0; 16];
        padded[..9].copy_from_slice(&board.open_by_house()[house.index()]);
        let (eights, _) = padded.as_chunks();
        OpenPlaces([u16x8::new(eights[0]), u16x8::new(eights[1])])
    }

    /// The digits that have no open place which is in `places` but not in `within`.
    fn confined(&self, places: u16, within: u16) -> DigitSet {
        let others = u16x8::splat(places & !within);
        let [low, high] = self.0.map(|open| zeros(open & others) as u16);
        DigitSet::from_bits(low | (high & 1) << 8)
    }
}

/// Three cells of a house that are also in another house, and the outside cells that see these, but not all cells of the
/// first house.
struct Crossing {
    /// The three cells, by their places in the first house.
    places: u16,
    /// The cells of the other house that are outside the first house.
    cells: CellSet,
    /// If the first house is a line: the place of each of the three cells, and the outside cells that see only this one.
    lines: Vec<(u16, CellSet)>,
}

/// For each house, its crossings.
static CROSSINGS: LazyLock<[Vec<Crossing>; 27]> = LazyLock::new(|| {
    House::ALL.map(|house| {
        let [lines, columns] = [[0o007, 0o070, 0o700], [0o111, 0o222, 0o444]];
        let mut all = lines.to_vec();
        if house.kind() == HouseKind::Box {
            all.extend(columns);
        }
        let crossings = all.into_iter().map(|places| {
            let own = house.unproject(places);
            let other = own.common_peers().without(house.cells());
            let cells = own.filter(|_| house.kind() != HouseKind::Box);
            let lines = cells.map(|cell| {
                let of_cell = cell.peers().without(house.cells()).without(other);
                (house.project(CellSet::of(cell)), of_cell)
            });
            Crossing {
                places,
                cells: other,
                lines: lines.collect(),
            }
        });
        crossings.collect()
    })
});
