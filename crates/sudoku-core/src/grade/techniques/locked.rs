use crate::board::{Candidates, CellSet, Digit, DigitLanes, DigitSet, House};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// All places of a digit in a box lie in one line: the digit goes out of the rest of the line.
    /// Also called pointing pair or triple, row or column owner.
    ///
    /// # Why it is sound
    ///
    /// The digit stands in the box, so it stands in the cells that the box and the line share, and
    /// nowhere else in the line.
    LockedPointing {
        id: "locked_pointing",
        name: "Locked candidates, pointing",
        level: Level::Medium,
        effort: 50,
        hodoku: &["0100"],
        explainer: "2.6",
        example: Example {
            grid: "25896.1..1365.8.9297423158682519..6.7436258196198..2.5597382641462719358381456927",
            removed: "",
            effect: "r4c6<>4",
        },
    }
}

technique! {
    /// All places of a digit in a line lie in one box: the digit goes out of the rest of the box.
    /// Also called box-line reduction.
    ///
    /// # Why it is sound
    ///
    /// The digit stands in the line, so it stands in the cells that the line and the box share, and
    /// nowhere else in the box.
    LockedClaiming {
        id: "locked_claiming",
        name: "Locked candidates, claiming",
        level: Level::Medium,
        effort: 50,
        hodoku: &["0101"],
        explainer: "2.8",
        example: Example {
            grid: "4691.852....542698582.961.4.584.12699.42658..62..8945.893654712276813945145927386",
            removed: "",
            effect: "r6c9<>7",
        },
    }
}

impl Technique for LockedPointing {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        if found.is_listing() {
            for crossing in &CROSSINGS {
                locked(board, crossing.box_, crossing.line, crossing.shared, found);
            }
        } else if let Some(removals) = DigitLanes::open(board).pointing() {
            found.remove_sets(&removals);
        }
    }
}

impl Technique for LockedClaiming {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        if found.is_listing() {
            for crossing in &CROSSINGS {
                locked(board, crossing.line, crossing.box_, crossing.shared, found);
            }
        } else if let Some(removals) = DigitLanes::open(board).claiming() {
            found.remove_sets(&removals);
        }
    }
}

/// Removes each digit whose places in `from` are all among the shared cells from the rest of `to`.
fn locked(board: &Candidates, from: House, to: House, shared: CellSet, found: &mut Steps) {
    let (from_rest, to_rest) = (from.cells() & !shared, to.cells() & !shared);
    for digit in Digit::ALL {
        let open = board.open_places(digit);
        if (open & from_rest).is_empty()
            && !(open & shared).is_empty()
            && !(open & to_rest).is_empty()
        {
            found.eliminate(board, [(digit, to_rest)], || {
                Pattern::new([from, to], open & shared, DigitSet::from_iter([digit]))
            });
        }
    }
}

/// A box and a line that share three cells.
struct Crossing {
    box_: House,
    line: House,
    shared: CellSet,
}

/// All 54 of them.
static CROSSINGS: [Crossing; 54] = {
    const FIRST: Crossing = crossing(0);
    let mut all = [FIRST; 54];
    let mut n = 1;
    while n < 54 {
        all[n] = crossing(n);
        n += 1;
    }
    all
};

/// The n-th: box by box, its three rows and its three columns.
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
        shared: CellSet::from_bits(box_.cells().bits() & line.cells().bits()),
    }
}
