use super::subset::NothingLeft;
use super::subset::{for_each_locked_choice, in_at_least};
use crate::board::{CellSet, Digit, DigitSet};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::watch::Watch;
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// Two digits of a house whose places are at most two cells: all other candidates go out of
    /// these cells.
    ///
    /// # Why it is sound
    ///
    /// Two digits stand in two different cells; with two to choose from, these cells hold nothing
    /// else.
    HiddenPair {
        id: "hidden_pair",
        name: "Hidden pair",
        level: Level::Medium,
        effort: 70,
        hodoku: &["0210"],
        explainer: "3.4",
        example: Example {
            grid: "869423157351876942247195...5869127347235648911947385269..641..56...594..4.5.87..9",
            removed: "",
            effect: "r8c2<>3, r8c8<>8",
        },
    }
}

technique! {
    /// Three digits of a house whose places are at most three cells: all other candidates go out
    /// of these cells.
    ///
    /// # Why it is sound
    ///
    /// Three digits stand in three different cells; with three to choose from, these cells hold
    /// nothing else.
    HiddenTriple {
        id: "hidden_triple",
        name: "Hidden triple",
        level: Level::Medium,
        effort: 100,
        hodoku: &["0211"],
        explainer: "4.0",
        example: Example {
            grid: "598...231637251948124..3675759..64124625197833814725699.....8242.3..81568...2.397",
            removed: "",
            effect: "r7c4<>7",
        },
    }
}

technique! {
    /// Four digits of a house whose places are at most four cells: all other candidates go out of
    /// these cells.
    ///
    /// # Why it is sound
    ///
    /// Four digits stand in four different cells; with four to choose from, these cells hold
    /// nothing else.
    HiddenQuad {
        id: "hidden_quad",
        name: "Hidden quad",
        level: Level::Hard,
        effort: 150,
        hodoku: &["0212"],
        explainer: "5.4",
        example: Example {
            grid: "..2385479.4.197....79246.3..5.96....29.51......8723....216.9.84.8.4.2...934851726",
            removed: "131 621 623",
            effect: "r4c7<>1, r4c9<>1, r5c7<>6",
        },
    }
}

impl Technique for HiddenPair {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        hidden_subsets::<2>(board, Watch::HiddenPair, found);
    }
}

impl Technique for HiddenTriple {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        hidden_subsets::<3>(board, Watch::HiddenTriple, found);
    }
}

impl Technique for HiddenQuad {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        hidden_subsets::<4>(board, Watch::HiddenQuad, found);
    }
}

fn hidden_subsets<const N: usize>(board: &Position, watch: Watch, found: &mut Steps) {
    let open = board.open_by_house();
    let mirrors = &[Watch::NakedPair, Watch::NakedTriple, Watch::NakedQuad][..N - 1];
    let nothing_left = NothingLeft::of(N, board, mirrors, found);
    let singles = board.unsolved() & board.exactly_one();
    // Digits with more than N places are in no subset of size N; it takes N others.
    let few = Digit::ALL.map(|digit| board.by_house().with_at_most(N, digit));
    for house in board.news(watch, found).houses(in_at_least::<N>(&few)) {
        let has_naked_single = || !(house.cells() & singles).is_empty();
        if nothing_left.among(board.unsolved_in(house), has_naked_single) {
            continue;
        }
        let mut digits = [Digit::from_index(0); 9];
        let mut sets = [0; 9];
        let mut count = 0;
        for digit in Digit::ALL {
            if few[digit.index()] >> house.index() & 1 == 1 {
                digits[count] = digit;
                sets[count] = open[house.index()][digit.index()];
                count += 1;
            }
        }
        for_each_locked_choice::<N>(&sets[..count], |choice, places| {
            let subset: DigitSet = choice.into_iter().map(|at| digits[at]).collect();
            let cells: CellSet = house.unproject(places);
            let others = subset.complement().map(|digit| (digit, cells));
            found.eliminate(board, others, || Pattern::new([house], cells, subset));
        });
    }
    board.searched(watch, found);
}
