use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// A cell with the candidates x and y (the pivot) sees a cell with x and z and a cell with y
    /// and z (the pincers): z goes out of all cells that see both pincers.
    ///
    /// # Why it is sound
    ///
    /// The pivot holds x or y, so one of the pincers cannot, and holds z.
    XyWing {
        id: "xy_wing",
        name: "XY-wing",
        level: Level::Hard,
        effort: 160,
        hodoku: &["0800"],
        explainer: "4.2",
        example: Example {
            grid: "7312465984869153..259783..45423.198.6934.8..58175.94.3378194.5.125637849964852731",
            removed: "",
            effect: "r2c8<>2",
        },
    }
}

technique! {
    /// A cell with the candidates x, y and z (the pivot) sees a cell with x and z and a cell with
    /// y and z (the pincers): z goes out of all cells that see the pivot and both pincers.
    ///
    /// # Why it is sound
    ///
    /// The pivot holds z itself, or x or y, so that one of the pincers holds z.
    XyzWing {
        id: "xyz_wing",
        name: "XYZ-wing",
        level: Level::Hard,
        effort: 180,
        hodoku: &["0801"],
        explainer: "4.4",
        example: Example {
            grid: "1476.9...8364.2...2958.1.46418365...762194583359728614684917235923546.7.571283469",
            removed: "",
            effect: "r3c7<>7",
        },
    }
}

impl Technique for XyWing {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        wings(board, 2, found);
    }
}

impl Technique for XyzWing {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        wings(board, 3, found);
    }
}

/// Pivots with two candidates: both are different from z. With three: z is the third, and the
/// pivot may hold it.
fn wings(board: &Position, pivot_size: usize, found: &mut Steps) {
    let by_cell = board.by_cell();
    let [_, two, three] = board.at_least();
    let bivalue = board.unsolved() & two.without(three);
    let pivots = if pivot_size == 2 {
        bivalue
    } else {
        board.unsolved() & three
    };
    for pivot in pivots {
        let digits = by_cell[pivot.index()];
        let pincers = bivalue & pivot.peers();
        if digits.len() != pivot_size || pincers.is_empty() || pincers.single().is_some() {
            continue;
        }
        let mut rest = pincers;
        while let Some(first) = rest.next() {
            let first_set = by_cell[first.index()];
            for second in rest {
                let second_set = by_cell[second.index()];
                let Some(z) = first_set.intersection(second_set).single() else {
                    continue;
                };
                let mut all = first_set.union(second_set);
                if pivot_size == 2 {
                    all.remove(z);
                }
                if all != digits {
                    continue;
                }
                let mut around = board.open_places(z);
                if pivot_size == 3 {
                    around &= pivot.peers();
                }
                let targets = around & first.peers() & second.peers();
                if !targets.is_empty() {
                    found.eliminate(board, [(z, targets)], || {
                        pattern(board, pivot, [first, second], z)
                    });
                }
            }
        }
    }
}

fn pattern(board: &Candidates, pivot: Cell, pincers: [Cell; 2], z: Digit) -> Pattern {
    let digits = board.digits(pivot);
    Pattern::new(
        [],
        CellSet::of(pivot),
        digits.union(DigitSet::from_iter([z])),
    )
    .with_others(CellSet::from_iter(pincers))
    .because(format!(
        "whichever of {digits} stands in {pivot}, {z} is there or in {} or {}",
        pincers[0], pincers[1]
    ))
}
