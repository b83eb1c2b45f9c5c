use super::subset::NothingLeft;
use super::subset::{for_each_locked_choice, rest_of_both};
use crate::board::{Candidates, Cell, CellSet, DigitSet, House, HouseKind};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::watch::Watch;
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// Two cells of a house whose candidates are at most two digits: the digits go out of the rest
    /// of the house. Also called obvious pair, naked group of two.
    ///
    /// # Why it is sound
    ///
    /// Two cells hold two different digits; with two to choose from, both digits stand in these
    /// two cells.
    NakedPair {
        id: "naked_pair",
        name: "Naked pair",
        level: Level::Medium,
        effort: 60,
        hodoku: &["0200", "0110"],
        explainer: "3.0",
        example: Example {
            grid: "9.8621.3..6.398.12123745869..9852641482167395615439278...21698.2.1983.56896574123",
            removed: "",
            effect: "r7c1<>7, r7c2<>47",
        },
    }
}

technique! {
    /// Three cells of a house whose candidates are at most three digits: the digits go out of the
    /// rest of the house.
    ///
    /// # Why it is sound
    ///
    /// Three cells hold three different digits; with three to choose from, all of them stand in
    /// these cells.
    NakedTriple {
        id: "naked_triple",
        name: "Naked triple",
        level: Level::Medium,
        effort: 80,
        hodoku: &["0201", "0111"],
        explainer: "3.6",
        example: Example {
            grid: "...2869412814793566..5132789253648173167584294781925638..64.1321.283..9....921.8.",
            removed: "",
            effect: "r8c2<>5, r9c2<>5, r9c3<>7",
        },
    }
}

technique! {
    /// Four cells of a house whose candidates are at most four digits: the digits go out of the
    /// rest of the house.
    ///
    /// # Why it is sound
    ///
    /// Four cells hold four different digits; with four to choose from, all of them stand in these
    /// cells.
    NakedQuad {
        id: "naked_quad",
        name: "Naked quad",
        level: Level::Hard,
        effort: 120,
        hodoku: &["0202"],
        explainer: "5.0",
        example: Example {
            grid: ".7.423561.1.798234..4156987.8.5.917....2.785..5768134....87.6.3.6.9147257..36.4.8",
            removed: "",
            effect: "r4c1<>23, r5c1<>39, r7c1<>29",
        },
    }
}

impl Technique for NakedPair {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        naked_subsets::<2>(board, Watch::NakedPair, found);
    }
}

impl Technique for NakedTriple {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        naked_subsets::<3>(board, Watch::NakedTriple, found);
    }
}

impl Technique for NakedQuad {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        naked_subsets::<4>(board, Watch::NakedQuad, found);
    }
}

fn naked_subsets<const N: usize>(board: &Position, watch: Watch, found: &mut Steps) {
    if !(N == 2 && find_equal_pairs(board, found)) {
        find_in_houses::<N>(board, watch, found);
    }
    board.searched(watch, found);
}

/// Naked pairs, where no cell has one candidate: two cells that see each other and have the same two.
/// Whether that is so; not where steps are listed, house by house.
fn find_equal_pairs(board: &Position, found: &mut Steps) -> bool {
    let [_, two, three] = board.at_least();
    if found.is_listing() || !board.unsolved().is_subset(two) {
        return false;
    }
    let pairs = board.unsolved() & !three;
    let mut left = pairs;
    for cell in pairs {
        left.remove(cell);
        let candidates = board.digits(cell);
        let has_both = |all: CellSet, digit| all & board.places(digit);
        for other in candidates.fold(left & cell.peers(), has_both) {
            let both = CellSet::of(cell) | CellSet::of(other);
            let rest = cell
                .houses()
                .into_iter()
                .filter(|house| house.cells().contains(other));
            for rest in rest.map(|house| house.cells() & !both) {
                found.eliminate(board, candidates.map(|digit| (digit, rest)), || {
                    Pattern::new([], both, candidates)
                });
            }
        }
    }
    true
}

fn find_in_houses<const N: usize>(board: &Position, watch: Watch, found: &mut Steps) {
    // Cells with more than N candidates are in no subset of size N.
    let [_, _, three] = board.at_least();
    let small = if N == 2 {
        board.unsolved() & !three
    } else {
        board.unsolved()
    };
    let digits = board.by_cell();
    let mirrors = &[Watch::HiddenPair, Watch::HiddenTriple][..N - 2];
    let nothing_left = NothingLeft::of(N, board, mirrors, found);
    let open = board.open_by_house();
    for house in board.news(watch, found).houses(!0) {
        let has_hidden_single = || {
            open[house.index()]
                .iter()
                .any(|places| places.is_power_of_two())
        };
        if nothing_left.among(board.unsolved_in(house), has_hidden_single) {
            continue;
        }
        let mut cells = [Cell::new(0); 9];
        let mut sets = [0; 9];
        let mut count = 0;
        for cell in house.cells() & small {
            let set = digits[cell.index()];
            if set.len() <= N {
                cells[count] = cell;
                sets[count] = set.bits();
                count += 1;
            }
        }
        for_each_locked_choice::<N>(&sets[..count], |choice, union| {
            let subset: CellSet = choice.into_iter().map(|at| cells[at]).collect();
            let union = DigitSet::from_bits(union);
            let rest = house.cells() & !subset;
            found.eliminate(board, union.map(|digit| (digit, rest)), || {
                Pattern::new([house], subset, union)
            });
            if found.is_listing() && house.kind() == HouseKind::Box {
                locked_subset(board, house, subset, union, found);
            }
        });
    }
}

/// A subset that a box and a line share, with what it removes from both as one step, for those who
/// know it as a locked pair or triple; the two steps that it consists of are listed as well.
fn locked_subset(
    board: &Candidates,
    box_: House,
    subset: CellSet,
    digits: DigitSet,
    found: &mut Steps,
) {
    for line in House::lines() {
        if let Some(rest) = rest_of_both(board, [box_, *line], subset, digits) {
            found.eliminate(board, digits.map(|digit| (digit, rest)), || {
                Pattern::new([box_, *line], subset, digits)
            });
        }
    }
}
