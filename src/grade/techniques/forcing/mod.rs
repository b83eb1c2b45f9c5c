//! Assume a candidate, fill in what follows, and compare.

mod branches;
mod propagate;
mod trace;

pub(in crate::grade) use branches::Branches;

use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet, House};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// Assume a candidate and fill in naked and hidden singles only: where that ends with a cell
    /// without candidates, a house without a place for a digit, or a digit twice in a house, the
    /// candidate goes out.
    ///
    /// # Why it is sound
    ///
    /// Everything that is filled in follows from the assumption, so a contradiction disproves it.
    Nishio {
        id: "nishio",
        name: "Nishio",
        level: Level::Extreme,
        effort: 500,
        hodoku: &["1301"],
        explainer: "7.5–8.1",
        example: Example {
            grid: ".5..138..8.4.7531.3.148.5.718254..3.5.3.2.1..47..312.564.15.923.3..6.451215394..8",
            removed: "",
            effect: "r1c8<>6",
        },
    }
}

technique! {
    /// Assume in turn each candidate of a cell, or each place of a digit in a house, and fill in
    /// naked and hidden singles: a candidate that is gone in every case goes out.
    ///
    /// # Why it is sound
    ///
    /// One of the cases is true, and in each of them the candidate is false.
    CellRegionForcing {
        id: "cell_region_forcing",
        name: "Cell and region forcing chains",
        level: Level::Extreme,
        effort: 500,
        hodoku: &["1302"],
        explainer: "8.0–8.7",
        example: Example {
            grid: "98.76....5.....8....7....6..4...3.2...95.........4...1..86..7......17.4......2..3",
            removed: "116 426 517",
            effect: "r9c3<>5",
        },
    }
}

technique! {
    /// Nishio, and cell and region forcing chains, where each assumption is followed not by singles
    /// alone but by everything from full house to jellyfish, until nothing more is found.
    ///
    /// # Why it is sound
    ///
    /// Each of these techniques is sound on its own, so what they find follows from the assumption.
    DynamicForcing {
        id: "dynamic_forcing",
        name: "Dynamic forcing chains",
        level: Level::Extreme,
        effort: 700,
        hodoku: &["1303", "1304"],
        explainer: "8.5–9.6",
        example: Example {
            grid: "98.7..64.7..6.......6.4....6...3..5..9.8..2....8.....427......5..92..4......17.2.",
            removed: "",
            effect: "r7c3<>4",
        },
    }
}

technique! {
    /// Dynamic forcing chains where each assumption is also followed by nishio: candidates that a
    /// second assumption and singles disprove are gone too.
    ///
    /// # Why it is sound
    ///
    /// What a nishio inside an assumption disproves is false where the assumption is true.
    NestedForcing {
        id: "nested_forcing",
        name: "Nested forcing chains",
        level: Level::Extreme,
        effort: 1000,
        hodoku: &[],
        explainer: "9.5–11.9",
        example: Example {
            grid: "98.7..6..76.5.......4.8..7.6...47.9..4....3.....2......7..58.6...64....5.....21..",
            removed: "",
            effect: "r1c3<>1",
        },
    }
}

impl Technique for Nishio {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let refuted = board.filled_with_singles().refuted();
        refute(board, &refuted, found, |digit, cell| {
            trace::contradiction(board, digit, cell)
        });
    }
}

impl Technique for CellRegionForcing {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        common(board, board.filled_with_singles(), "singles", found);
    }
}

impl Technique for DynamicForcing {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let with = "the techniques up to jellyfish";
        refute_and_compare(board, board.filled_with_basics(), with, found);
    }
}

impl Technique for NestedForcing {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let branches = board.filled_with_basics().go_on(propagate::nested);
        let with = "the techniques up to jellyfish and nishio";
        refute_and_compare(board, &branches, with, found);
    }
}

fn refute_and_compare(board: &Position, branches: &Branches, with: &str, found: &mut Steps) {
    refute(board, &branches.refuted(), found, |digit, cell| {
        format!("were {cell} {digit}, {with} would lead to a contradiction")
    });
    common(board, branches, with, found);
}

fn refute(
    board: &Position,
    refuted: &CandidateSet,
    found: &mut Steps,
    why: impl Fn(Digit, Cell) -> String,
) {
    if !found.is_listing() {
        if !refuted.is_empty() {
            found.eliminate(board, refuted.by_digit(), Pattern::default);
        }
        return;
    }
    for (digit, cells) in refuted.by_digit() {
        for cell in cells {
            let cells = CellSet::of(cell);
            found.eliminate(board, [(digit, cells)], || {
                Pattern::new([], cells, DigitSet::from_iter([digit])).because(why(digit, cell))
            });
        }
    }
}

/// What is gone whichever candidate of a cell is true, and wherever in a house a digit stands.
fn common(board: &Position, branches: &Branches, with: &str, found: &mut Steps) {
    for cell in board.unsolved() {
        let cases = board.digits(cell).map(|digit| (digit, cell));
        let gone = branches.gone_in_all(board, cases);
        if !gone.is_empty() {
            found.eliminate(board, gone.by_digit(), || {
                let digits = board.digits(cell);
                Pattern::new([], CellSet::of(cell), digits).because(format!(
                    "whichever of {digits} stands in {cell}, {with} lead there"
                ))
            });
        }
    }
    for digit in Digit::ALL {
        let open = board.open_places(digit);
        for house in House::ALL {
            let places = open & house.cells();
            let gone = branches.gone_in_all(board, places.map(|cell| (digit, cell)));
            if !gone.is_empty() {
                found.eliminate(board, gone.by_digit(), || {
                    Pattern::new([house], places, DigitSet::from_iter([digit])).because(format!(
                        "wherever in {house} {digit} stands, {with} lead there"
                    ))
                });
            }
        }
    }
}
