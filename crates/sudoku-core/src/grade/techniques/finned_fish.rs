use super::fish::open_lines;
use super::subset::{NothingLeft, for_each_locked_choice_among};
use crate::board::{CellSet, Digit, DigitSet, House, count_nine};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::watch::Watch;
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
        finned_fish::<2>(board, Watch::FinnedXWing, found);
    }
}

impl Technique for FinnedSwordfish {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        finned_fish::<3>(board, Watch::FinnedSwordfish, found);
    }
}

impl Technique for FinnedJellyfish {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        finned_fish::<4>(board, Watch::FinnedJellyfish, found);
    }
}

fn finned_fish<const N: usize>(board: &Position, watch: Watch, found: &mut Steps) {
    let news = board.news(watch, found).digits();
    // The other way round, the fins stay what they are.
    let mirrors = &[Watch::FinnedXWing, Watch::FinnedSwordfish][..N - 2];
    let nothing_left = NothingLeft::of(N, board, mirrors, found);
    for (bases, covers) in [
        (House::rows(), House::columns()),
        (House::columns(), House::rows()),
    ] {
        for digit in news {
            let open = board.open_places(digit);
            // A single with fins is a locked candidate.
            if nothing_left.among(open_lines(board, digit), || true) {
                continue;
            }
            let mut places = [0; 9];
            for (places, &base) in places.iter_mut().zip(bases) {
                *places = board.open_in(base, digit);
            }
            for band in 0..3 {
                for stack in 0..3 {
                    let finned = Finned {
                        digit,
                        open,
                        bases,
                        covers,
                        places: &places,
                        band,
                        stack,
                    };
                    finned.find::<N>(board, found);
                }
            }
        }
    }
    if found.is_listing() {
        list_siamese(board, found);
    }
    board.searched(watch, found);
}

/// The fish of a digit with fins in one box: that of the `band`-th three base lines and the
/// `stack`-th three cover lines.
struct Finned<'a> {
    digit: Digit,
    open: CellSet,
    bases: &'a [House],
    covers: &'a [House],
    /// Per base line the open places.
    places: &'a [u16; 9],
    band: usize,
    stack: usize,
}

impl Finned<'_> {
    /// A base line's places off the box must be covered; those in the box may be fins.
    fn find<const N: usize>(&self, board: &Position, found: &mut Steps) {
        let through_box = 0o7 << (3 * self.stack);
        let band = 3 * self.band..3 * self.band + 3;
        let in_box = |line: usize| self.places[line] & through_box;
        // One line has a fin, another of the box a place that may go out.
        if band.clone().filter(|&line| in_box(line) != 0).count() < 2 {
            return;
        }
        let off_the_box = (0..9).filter(|line| line / 3 != self.band);
        let mut lines = [0; 9];
        let mut sets = [0; 9];
        let mut count = 0;
        for line in band.chain(off_the_box) {
            let may_have_fins = line / 3 == self.band;
            let places = if may_have_fins {
                self.places[line] & !through_box
            } else {
                self.places[line]
            };
            if self.places[line] != 0 && count_nine(places) <= N {
                lines[count] = line;
                sets[count] = places;
                count += 1;
            }
        }
        let with_fins = lines[..count]
            .iter()
            .filter(|line| *line / 3 == self.band)
            .count();
        for_each_locked_choice_among::<N>(&sets[..count], with_fins, |choice, union| {
            let is_covered = union & through_box != 0 || count_nine(union) < N;
            if !is_covered {
                return;
            }
            let chosen = choice.map(|at| lines[at]);
            let left = (3 * self.band..3 * self.band + 3)
                .filter(|line| !chosen.contains(line))
                .fold(0, |left, line| left | in_box(line));
            let fins = chosen.iter().fold(0, |fins, &line| fins | in_box(line));
            if left != 0 && fins != 0 {
                self.cover::<N>(board, chosen, union, found);
            }
        });
    }

    /// A cover line left over can run through any column of the box.
    fn cover<const N: usize>(
        &self,
        board: &Position,
        chosen: [usize; N],
        union: u16,
        found: &mut Steps,
    ) {
        let mut bases = chosen;
        bases.sort_unstable();
        let bases = bases.map(|line| self.bases[line]);
        if count_nine(union) == N {
            self.step(board, bases, union, found);
            return;
        }
        for column in 3 * self.stack..3 * self.stack + 3 {
            self.step(board, bases, union | 1 << column, found);
        }
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
        let lines = &self.bases[3 * self.band..3 * self.band + 3];
        let columns = &self.covers[3 * self.stack..3 * self.stack + 3];
        let fin_box = lines.iter().fold(CellSet::EMPTY, union_of)
            & columns.iter().fold(CellSet::EMPTY, union_of);
        let targets = (cover_cells & fin_box).without(base_cells);
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
