use super::subset::NothingLeft;
use super::subset::for_each_locked_choice;
use crate::board::{CellSet, Digit, DigitSet, House};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::watch::Watch;
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// Two rows in which all places of a digit lie in at most two columns: the digit goes out of
    /// the rest of these columns. Likewise with rows and columns exchanged.
    ///
    /// # Why it is sound
    ///
    /// The digit stands once in each of the two rows, in two different columns; with two to choose
    /// from, both columns have theirs within these rows.
    XWing {
        id: "x_wing",
        name: "X-wing",
        level: Level::Hard,
        effort: 140,
        hodoku: &["0300"],
        explainer: "3.2",
        example: Example {
            grid: "539274816768.15.422146..57.397842651642591738185763294.21.5..67973126485.56..712.",
            removed: "",
            effect: "r9c4<>3",
        },
    }
}

technique! {
    /// Three rows in which all places of a digit lie in at most three columns: the digit goes out
    /// of the rest of these columns. Likewise with rows and columns exchanged.
    ///
    /// # Why it is sound
    ///
    /// The digit stands once in each of the three rows, in three different columns; with three to
    /// choose from, every one of these columns has its digit within these rows.
    Swordfish {
        id: "swordfish",
        name: "Swordfish",
        level: Level::Hard,
        effort: 150,
        hodoku: &["0301"],
        explainer: "3.8",
        example: Example {
            grid: "8.6.21543.45368.12213.456...524.31.61.45.623.3681.2.54681239475429857361537614829",
            removed: "",
            effect: "r5c5<>7",
        },
    }
}

technique! {
    /// Four rows in which all places of a digit lie in at most four columns: the digit goes out of
    /// the rest of these columns. Likewise with rows and columns exchanged.
    ///
    /// # Why it is sound
    ///
    /// The digit stands once in each of the four rows, in four different columns; with four to
    /// choose from, every one of these columns has its digit within these rows.
    Jellyfish {
        id: "jellyfish",
        name: "Jellyfish",
        level: Level::Hard,
        effort: 160,
        hodoku: &["0302"],
        explainer: "5.2",
        example: Example {
            grid: "71.4.56836.53.1472.347.6159.4813.7653.6578.14157.64.38..36475.1461.538.757.81.346",
            removed: "",
            effect: "r7c1<>2",
        },
    }
}

impl Technique for XWing {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        fish::<2>(board, Watch::XWing, found);
    }
}

impl Technique for Swordfish {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        fish::<3>(board, Watch::Swordfish, found);
    }
}

impl Technique for Jellyfish {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        fish::<4>(board, Watch::Jellyfish, found);
    }
}

fn fish<const N: usize>(board: &Position, watch: Watch, found: &mut Steps) {
    let news = board.news(watch, found).digits();
    let mirrors = &[Watch::XWing, Watch::Swordfish][..N - 2];
    let nothing_left = NothingLeft::of(N, board, mirrors, found);
    let by_house = board.by_house();
    for (bases, covers) in [
        (House::rows(), House::columns()),
        (House::columns(), House::rows()),
    ] {
        for digit in news {
            // Lines with more than N places are in no fish of size N; it takes N others.
            let few = by_house.with_at_most(N, digit) & bits(bases);
            if (few.count_ones() as usize) < N {
                continue;
            }
            let has_single = || by_house.with_at_most(1, digit) & bits(covers) != 0;
            if nothing_left.among(open_lines(board, digit), has_single) {
                continue;
            }
            let open = board.open_places(digit);
            let mut lines = [bases[0]; 9];
            let mut sets = [0; 9];
            let mut count = 0;
            for base in House::of_bits(few) {
                lines[count] = base;
                sets[count] = board.open_in(base, digit);
                count += 1;
            }
            for_each_locked_choice::<N>(&sets[..count], |choice, union| {
                let in_union = |at: &usize| union >> at & 1 == 1;
                let cover_lines = || (0..9).filter(in_union).map(|at| covers[at]);
                let union_of = |all: CellSet, house: House| all | house.cells();
                let base_cells = choice
                    .into_iter()
                    .map(|at| lines[at])
                    .fold(CellSet::EMPTY, union_of);
                let cover_cells = cover_lines().fold(CellSet::EMPTY, union_of);
                found.eliminate(board, [(digit, cover_cells & !base_cells)], || {
                    let houses: Vec<House> = choice
                        .into_iter()
                        .map(|at| lines[at])
                        .chain(cover_lines())
                        .collect();
                    Pattern::new(houses, open & base_cells, DigitSet::from_iter([digit]))
                });
            });
        }
    }
    board.searched(watch, found);
}

/// The rows, and columns, in which the digit does not stand yet.
pub(super) fn open_lines(board: &Position, digit: Digit) -> usize {
    let rows = board.by_house().with_any(digit) & bits(House::rows());
    rows.count_ones() as usize
}

/// The lines as bits by [`House::index`].
fn bits(lines: &[House]) -> u32 {
    0o777 << lines[0].index()
}
