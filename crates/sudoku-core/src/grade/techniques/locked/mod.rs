//! Locked candidates: all places of a digit in one house are also in another house.

pub(crate) mod locked_claiming;
pub(crate) mod locked_pointing;

use crate::board::{Candidates, CellSet, Digit, DigitSet, DigitVectors, House};
use crate::grade::{Pattern, Steps};

/// Removes what pointing or claiming removes. `quick` finds these removals.
fn remove_locked(
    board: &Candidates,
    quick: impl Fn(DigitVectors) -> Option<[CellSet; 9]>,
    found: &mut Steps,
) {
    if let Some(removals) = quick(DigitVectors::open(board)) {
        found.remove_sets(&removals);
    }
}

/// Lists the steps of pointing or claiming. For each crossing of a box and a line, `houses` returns the house in which
/// a digit is locked, and the house that loses the digit.
fn list_locked(
    board: &Candidates,
    houses: impl Fn(&Crossing) -> (House, House),
    found: &mut Steps,
) {
    for crossing in &CROSSINGS {
        let (from, to) = houses(crossing);
        eliminate_locked(board, from, to, crossing.shared_cells, found);
    }
}

/// Removes each digit that is locked: all its places in the house `from` are in the crossing `shared`. It is removed
/// from the cells of the house `to` outside the crossing.
fn eliminate_locked(
    board: &Candidates,
    from: House,
    to: House,
    shared: CellSet,
    found: &mut Steps,
) {
    let (from_rest, to_rest) = (from.cells() & !shared, to.cells() & !shared);
    for digit in Digit::ALL {
        let open_places = board.open_places(digit);
        if (open_places & from_rest).is_empty()
            && !(open_places & shared).is_empty()
            && !(open_places & to_rest).is_empty()
        {
            found.eliminate(board, [(digit, to_rest)], || {
                Pattern::new(
                    [from, to],
                    open_places & shared,
                    DigitSet::from_iter([digit]),
                )
            });
        }
    }
}

/// A box and a line that share three cells.
struct Crossing {
    box_: House,
    line: House,
    shared_cells: CellSet,
}

/// All 54 crossings of a box and a line.
static CROSSINGS: [Crossing; 54] = {
    const FIRST: Crossing = crossing(0);
    let mut crossings = [FIRST; 54];
    let mut n = 1;
    while n < 54 {
        crossings[n] = crossing(n);
        n += 1;
    }
    crossings
};

/// Crossing number `n`. The crossings are ordered by box; the three rows of a box come before its three columns.
const fn crossing(n: usize) -> Crossing {
    let (b, i) = (n / 6, n % 6);
    let line = if i < 3 {
        House::row(b / 3 * 3 + i)
    } else {
        House::column(b % 3 * 3 + i - 3)
    };
    let box_ = House::box_(b);
    Crossing {
        box_,
        line,
        shared_cells: CellSet::from_bits(box_.cells().bits() & line.cells().bits()),
    }
}
