use super::subset::for_each_locked_choice;
use crate::board::{CellSet, Digit, DigitSet, House};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// Two rows in which all places of a digit lie in at most two columns, but for some in one box
    /// (the fins): the digit goes out of those cells of the two columns in that box that are not in
    /// the two rows. Likewise with rows and columns exchanged. Without the fins it need not be an
    /// X-wing (sashimi).
    ///
    /// # Why it is sound
    ///
    /// Either a fin holds the digit, and the rest of its box does not, or the two rows make an
    /// X-wing, and the rest of the columns does not.
    FinnedXWing {
        id: "finned_x_wing",
        name: "Finned X-wing",
        level: Level::Hard,
        effort: 130,
        hodoku: &["0310", "0320"],
        explainer: "~4.4",
        example: Example {
            grid: "..4..218..2..14.56.....94325492816733764952182186375944921.836.....46.2.765923841",
            removed: "",
            effect: "r3c5<>7",
        },
    }
}

technique! {
    /// Three rows in which all places of a digit lie in at most three columns, but for some in one
    /// box (the fins): the digit goes out of those cells of the three columns in that box that are
    /// not in the three rows. Likewise with rows and columns exchanged. Without the fins it need
    /// not be a swordfish (sashimi).
    ///
    /// # Why it is sound
    ///
    /// Either a fin holds the digit, and the rest of its box does not, or the three rows make a
    /// swordfish, and the rest of the columns does not.
    FinnedSwordfish {
        id: "finned_swordfish",
        name: "Finned swordfish",
        level: Level::Unfair,
        effort: 200,
        hodoku: &["0311", "0321"],
        explainer: "~5.0",
        example: Example {
            grid: "3974186526..7.9483.4.6.3971.79.3..262...9.73..3.27.19.72.341.69964582317..396724.",
            removed: "",
            effect: "r7c3<>8",
        },
    }
}

technique! {
    /// Four rows in which all places of a digit lie in at most four columns, but for some in one
    /// box (the fins): the digit goes out of those cells of the four columns in that box that are
    /// not in the four rows. Likewise with rows and columns exchanged. Without the fins it need not
    /// be a jellyfish (sashimi).
    ///
    /// # Why it is sound
    ///
    /// Either a fin holds the digit, and the rest of its box does not, or the four rows make a
    /// jellyfish, and the rest of the columns does not.
    FinnedJellyfish {
        id: "finned_jellyfish",
        name: "Finned jellyfish",
        level: Level::Unfair,
        effort: 250,
        hodoku: &["0312", "0322"],
        explainer: "~5.4",
        example: Example {
            grid: "6821743...3.562.7.5..83962....2.85..84.7.621...63.1.87....831....1.27.3.3.84157..",
            removed: "927 929",
            effect: "r6c2<>9",
        },
    }
}

impl Technique for FinnedXWing {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        finned_fish::<2>(board, found);
    }
}

impl Technique for FinnedSwordfish {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        finned_fish::<3>(board, found);
    }
}

impl Technique for FinnedJellyfish {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        finned_fish::<4>(board, found);
    }
}

fn finned_fish<const N: usize>(board: &Position, found: &mut Steps) {
    for (bases, covers) in [
        (House::rows(), House::columns()),
        (House::columns(), House::rows()),
    ] {
        for digit in Digit::ALL {
            let open = board.open_places(digit);
            if open.len() <= N {
                continue;
            }
            for &fin_box in House::boxes() {
                Finned {
                    digit,
                    open,
                    bases,
                    covers,
                    fin_box,
                }
                .find::<N>(board, found);
            }
        }
    }
    if found.is_listing() {
        list_siamese(board, found);
    }
}

/// The fish of a digit with fins in one box.
struct Finned<'a> {
    digit: Digit,
    open: CellSet,
    bases: &'a [House],
    covers: &'a [House],
    fin_box: House,
}

impl Finned<'_> {
    /// A base line's places off the box must be covered; those in the box may be fins.
    fn find<const N: usize>(&self, board: &Position, found: &mut Steps) {
        let in_box = self.open & self.fin_box.cells();
        if in_box.len() < 2 {
            return;
        }
        let mut lines = [self.bases[0]; 9];
        let mut sets = [0; 9];
        let mut count = 0;
        for &base in self.bases {
            let places = base.project(self.open.without(in_box));
            let may_have_fins = !(base.cells() & in_box).is_empty();
            if (places != 0 || may_have_fins) && places.count_ones() as usize <= N {
                lines[count] = base;
                sets[count] = places;
                count += 1;
            }
        }
        for_each_locked_choice::<N>(&sets[..count], |choice, union| {
            let base_cells = choice
                .into_iter()
                .fold(CellSet::EMPTY, |all, at| all | lines[at].cells());
            let targets = in_box.without(base_cells);
            if targets.is_empty() || (in_box & base_cells).is_empty() {
                return;
            }
            // A cover line left over can run through any column of the box.
            let spare = (union.count_ones() as usize) < N;
            let covers = |at: &usize| {
                union >> at & 1 == 1 || spare && !(self.covers[*at].cells() & in_box).is_empty()
            };
            for at in (0..9).filter(covers) {
                let cover = self.covers[at].cells();
                if (targets & cover).is_empty() {
                    continue;
                }
                let all_covers = if spare { union | 1 << at } else { union };
                self.step(board, choice.map(|at| lines[at]), all_covers, found);
                if !spare {
                    break;
                }
            }
        });
    }

    fn step<const N: usize>(
        &self,
        board: &Position,
        bases: [House; N],
        covers: u16,
        found: &mut Steps,
    ) {
        let union_of = |all: CellSet, house: &House| all | house.cells();
        let base_cells = bases.iter().fold(CellSet::EMPTY, union_of);
        let cover_lines = || {
            (0..9)
                .filter(|at| covers >> at & 1 == 1)
                .map(|at| self.covers[at])
        };
        let cover_cells = cover_lines().fold(CellSet::EMPTY, |all, house| union_of(all, &house));
        let fins = (self.open & base_cells).without(cover_cells);
        let targets = (cover_cells & self.fin_box.cells()).without(base_cells);
        if fins.is_empty() {
            return;
        }
        found.eliminate(board, [(self.digit, targets)], || {
            let houses: Vec<House> = bases.into_iter().chain(cover_lines()).collect();
            let digits = DigitSet::from_iter([self.digit]);
            Pattern::new(houses, self.open & base_cells & cover_cells, digits).with_others(fins)
        });
    }
}

/// Two fish with the same base lines and different fins: a siamese fish.
fn list_siamese(board: &Position, found: &mut Steps) {
    let single = found.list().to_vec();
    for (at, first) in single.iter().enumerate() {
        for second in &single[at + 1..] {
            let [one, two] = [&first.pattern, &second.pattern];
            let bases = one.houses.len() / 2;
            if one.digits == two.digits
                && one.houses.len() == two.houses.len()
                && one.houses[..bases] == two.houses[..bases]
            {
                found.eliminate_both(board, first, second);
            }
        }
    }
}
