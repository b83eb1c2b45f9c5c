//! The links between the numbered candidates of a board, and the grid that a run changes.

use crate::board::{Cell, Digit, House};
use crate::rating::board::{Board, houses_of};
use crate::rating::chains::bits::{Bits, Numbering};
use crate::rating::chains::node::{LinkKinds, off_from};

/// The candidates of each cell and the places of each digit, without those that a run has removed.
#[derive(Clone)]
pub(super) struct RunGrid {
    /// By cell, the candidates: bit d is set for digit d.
    cells: [u16; 81],
    /// By [`slot`] of house and digit, the places: bit n is set for the n-th cell of the house.
    places: [u16; 243],
}

/// A candidate, with its position in the lists of [`RunGrid`].
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) cell: Cell,
    pub(super) digit: Digit,
    /// For the box, the row and the column of the cell: the index in [`RunGrid::places`], and the bit of
    /// the cell.
    houses: [(u8, u16); 3],
}

/// The reason why a candidate must be on when another one is off.
#[derive(Clone, Copy)]
pub(super) enum Only {
    /// Only these two candidates are left in the cell.
    InCell,
    /// Only these two places are left in the house; the value is the index in [`RunGrid::places`].
    InHouse(u8),
}

/// The links of a board before any run.
pub(super) struct Net<const W: usize> {
    pub(super) spots: Vec<Spot>,
    /// For each candidate, the candidates that are off if it is on, as a set.
    pub(super) off: Vec<Bits<W>>,
    orders: Vec<OffOrder>,
    pub(super) grid: RunGrid,
    pub(super) numbers: CandidateNumbers,
}

/// The numbers of the candidates, by cell and digit, and by place in a house.
pub(super) struct CandidateNumbers {
    by_cell: [[u16; 9]; 81],
    by_place: [[u16; 9]; 243],
}

/// The candidates that are off if one is on, in order: at most 8 in the cell and 20 in its peers.
#[derive(Clone, Copy)]
struct OffOrder {
    to: [u16; 28],
    count: u8,
}

impl<const W: usize> Default for Net<W> {
    fn default() -> Net<W> {
        Net {
            spots: Vec::new(),
            off: Vec::new(),
            orders: Vec::new(),
            grid: RunGrid {
                cells: [0; 81],
                places: [0; 243],
            },
            numbers: CandidateNumbers {
                by_cell: [[0; 9]; 81],
                by_place: [[0; 9]; 243],
            },
        }
    }
}

impl<const W: usize> Net<W> {
    pub(super) fn fill(&mut self, board: &Board, links: LinkKinds, numbering: &Numbering) {
        self.spots.clear();
        self.off.clear();
        self.orders.clear();
        for cell in Cell::all() {
            self.grid.cells[cell.index()] = board.digits(cell).bits();
        }
        for house in House::ALL {
            for digit in Digit::ALL {
                self.grid.places[slot(house, digit)] = board.places(house, digit);
            }
        }
        for &(cell, digit) in numbering.candidates() {
            let number = self.spots.len() as u16;
            self.numbers.by_cell[cell.index()][digit.index()] = number;
            for (house, place) in houses_of(cell) {
                self.numbers.by_place[slot(*house, digit)][*place] = number;
            }
            self.spots.push(Spot {
                cell,
                digit,
                houses: houses_of(cell)
                    .map(|(house, place)| (slot(house, digit) as u8, 1 << place)),
            });
            let mut off = Bits::EMPTY;
            let mut order = OffOrder {
                to: [0; 28],
                count: 0,
            };
            off_from(board, links, cell, digit, |node, _| {
                let to = numbering.number(node.cell(), node.digit());
                off.insert(to);
                order.to[usize::from(order.count)] = to as u16;
                order.count += 1;
                None::<()>
            });
            self.off.push(off);
            self.orders.push(order);
        }
    }

    /// The candidates that are off if this one is on, in the order of the reference.
    #[inline]
    pub(super) fn off_in_order(&self, on: usize) -> &[u16] {
        let order = &self.orders[on];
        &order.to[..usize::from(order.count)]
    }
}

fn slot(house: House, digit: Digit) -> usize {
    9 * house.index() + digit.index()
}

impl RunGrid {
    #[inline]
    pub(super) fn remove(&mut self, spot: &Spot) {
        self.cells[spot.cell.index()] &= !(1 << spot.digit.index());
        for (slot, bit) in spot.houses {
            self.places[usize::from(slot)] &= !bit;
        }
    }

    /// The candidates that must be on if this one is off, without repetitions, and their number: at most
    /// one because of the cell, and one because of each house.
    #[inline]
    pub(super) fn on_from(
        &self,
        spot: &Spot,
        links: LinkKinds,
        numbers: &CandidateNumbers,
    ) -> ([(usize, Only); 4], usize) {
        let mut found = [(0, Only::InCell); 4];
        let mut count = 0;
        if links.cells {
            let other = self.cells[spot.cell.index()] & !(1 << spot.digit.index());
            if is_single(other) {
                let digit = other.trailing_zeros() as usize;
                let to = numbers.by_cell[spot.cell.index()][digit];
                found[0] = (usize::from(to), Only::InCell);
                count = 1;
            }
        }
        // A candidate in the same cell is never a place of the digit in a house.
        let of_houses = count;
        for (slot, bit) in spot.houses {
            let other = self.places[usize::from(slot)] & !bit;
            if is_single(other) {
                let place = other.trailing_zeros() as usize;
                let to = usize::from(numbers.by_place[usize::from(slot)][place]);
                if found[of_houses..count]
                    .iter()
                    .all(|(known, _)| *known != to)
                {
                    found[count] = (to, Only::InHouse(slot));
                    count += 1;
                }
            }
        }
        (found, count)
    }

    /// The other candidates that the cell or the house of a strong link has in this grid, which is the
    /// grid before the run. They had to leave before the link existed.
    #[inline]
    pub(super) fn others(
        &self,
        only: Only,
        to: &Spot,
        from: &Spot,
        numbers: &CandidateNumbers,
        mut visit: impl FnMut(usize),
    ) {
        let (mut left, numbers) = match only {
            Only::InCell => {
                let kept = 1 << to.digit.index() | 1 << from.digit.index();
                let cell = to.cell.index();
                (self.cells[cell] & !kept, &numbers.by_cell[cell])
            }
            Only::InHouse(slot) => {
                let slot = usize::from(slot);
                let bit_of = |spot: &Spot| {
                    let houses = spot.houses.iter();
                    houses.fold(0, |bit, (house, its)| {
                        if usize::from(*house) == slot {
                            *its
                        } else {
                            bit
                        }
                    })
                };
                let kept = bit_of(to) | bit_of(from);
                (self.places[slot] & !kept, &numbers.by_place[slot])
            }
        };
        while left != 0 {
            visit(usize::from(numbers[left.trailing_zeros() as usize]));
            left &= left - 1;
        }
    }
}

fn is_single(bits: u16) -> bool {
    bits != 0 && bits & (bits - 1) == 0
}
