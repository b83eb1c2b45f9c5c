//! Finds finned fish: fish whose base lines have additional places in one box (the fins).

use super::basic::open_lines;
use crate::board::{CellSet, Digit, DigitSet, House, count_nine};
use crate::grade::order::TechniqueName;
use crate::grade::techniques::subset::{ComplementCheck, for_each_locked_choice_among};
use crate::grade::{Pattern, Position, Steps};

/// The techniques that find the complement of a finned fish: a fish in the rest of the board, with rows and columns
/// exchanged and the same fins. Entry n finds complements of size n + 2.
const COMPLEMENTS: [TechniqueName; 2] =
    [TechniqueName::FinnedXWing, TechniqueName::FinnedSwordfish];

/// Finds what all finned fish of the size N remove. Cells that are in no placement of the digit are the only ones from
/// which a fish can remove it; [`list_steps`] does not use that, so that a test can compare both.
pub(super) fn find_union<const N: usize>(
    board: &Position,
    technique: TechniqueName,
    found: &mut Steps,
) {
    find::<N>(
        board,
        technique,
        |digit| board.in_no_placement(digit),
        found,
    );
    board.record_miss(technique, found);
}

/// Lists the finned fish of the size N, and the siamese fish.
pub(super) fn list_steps<const N: usize>(
    board: &Position,
    technique: TechniqueName,
    found: &mut Steps,
) {
    find::<N>(board, technique, |digit| board.open_places(digit), found);
    list_siamese(board, found);
    board.record_miss(technique, found);
}

/// Finds finned fish of the size N. `removable` returns the cells from which a digit may be removed.
fn find<const N: usize>(
    board: &Position,
    technique: TechniqueName,
    removable: impl Fn(Digit) -> CellSet,
    found: &mut Steps,
) {
    let changed_digits = board.changes(technique, found).digits();
    let complement = ComplementCheck::new(N, board, &COMPLEMENTS[..N - 2], found);
    for (bases, covers) in [
        (House::rows(), House::columns()),
        (House::columns(), House::rows()),
    ] {
        for digit in changed_digits {
            let open_places = board.open_places(digit);
            let removable = removable(digit);
            if removable.is_empty() {
                continue;
            }
            // A complement of size 1 is a locked candidate. Whether there is one is not tested, so one is assumed to be
            // possible.
            if complement.rules_out(open_lines(board, digit), || true) {
                continue;
            }
            let mut places = [0; 9];
            for (places, &base) in places.iter_mut().zip(bases) {
                *places = board.open_in(base, digit);
            }
            for band in 0..3 {
                for stack in 0..3 {
                    let finned = FinnedSearch {
                        digit,
                        open: open_places,
                        removable,
                        bases,
                        covers,
                        places_by_line: &places,
                        band,
                        stack,
                    };
                    finned.find::<N>(board, found);
                }
            }
        }
    }
}

/// The search for fish of one digit whose fins are in one box: the box where the three base lines of group `band` and
/// the three cover lines of group `stack` cross.
struct FinnedSearch<'a> {
    digit: Digit,
    open: CellSet,
    /// The cells from which the search may remove the digit.
    removable: CellSet,
    bases: &'a [House],
    covers: &'a [House],
    /// For each base line, the open places of the digit in the line.
    places_by_line: &'a [u16; 9],
    band: usize,
    stack: usize,
}

impl FinnedSearch<'_> {
    /// Tries all choices of `N` base lines. `N` cover lines must contain all their places outside the box. Their places
    /// in the box can be fins.
    fn find<const N: usize>(&self, board: &Position, found: &mut Steps) {
        if (self.fin_box() & self.removable).is_empty() {
            return;
        }
        let through_box = 0o7 << (3 * self.stack);
        let band = 3 * self.band..3 * self.band + 3;
        let in_box = |line: usize| self.places_by_line[line] & through_box;
        // In the box, one base line must have a fin, and another line must have a place from which the digit can be
        // removed.
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
                self.places_by_line[line] & !through_box
            } else {
                self.places_by_line[line]
            };
            if self.places_by_line[line] != 0 && count_nine(places) <= N {
                lines[count] = line;
                sets[count] = places;
                count += 1;
            }
        }
        let lines_with_fins = lines[..count]
            .iter()
            .filter(|line| *line / 3 == self.band)
            .count();
        for_each_locked_choice_among::<N>(&sets[..count], lines_with_fins, |choice, union| {
            let is_covered = union & through_box != 0 || count_nine(union) < N;
            if !is_covered {
                return;
            }
            let chosen_lines = choice.map(|at| lines[at]);
            let other_line = (3 * self.band..3 * self.band + 3)
                .filter(|line| !chosen_lines.contains(line))
                .fold(0, |left, line| left | in_box(line));
            let fins = chosen_lines
                .iter()
                .fold(0, |fins, &line| fins | in_box(line));
            if other_line != 0 && fins != 0 {
                self.complete_cover::<N>(board, chosen_lines, union, found);
            }
        });
    }

    /// Completes the cover lines and reports the fish. `union` has the cover lines found so far. If they are one fewer
    /// than the base lines, each of the three lines through the box can be the last cover line.
    fn complete_cover<const N: usize>(
        &self,
        board: &Position,
        base_lines: [usize; N],
        union: u16,
        found: &mut Steps,
    ) {
        let mut bases = base_lines;
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

    /// The cells of the box that contains the fins.
    fn fin_box(&self) -> CellSet {
        let corner = self.bases[3 * self.band].cells() & self.covers[3 * self.stack].cells();
        let cell = corner.first().expect("a row and a column cross");
        House::box_(cell.box_index()).cells()
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
        let targets = (cover_cells & self.fin_box()).without(base_cells);
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

const SIAMESE_REASON: &str = "two fish have the same base lines and different fins (siamese fish)";

/// Lists siamese fish: two fish that have the same base lines but different fins, combined into one step.
fn list_siamese(board: &Position, found: &mut Steps) {
    let single_steps = found.list().to_vec();
    for (at, first) in single_steps.iter().enumerate() {
        for second in &single_steps[at + 1..] {
            let [one, two] = [&first.pattern, &second.pattern];
            let bases = one.houses.len() / 2;
            if one.digits == two.digits
                && one.houses.len() == two.houses.len()
                && one.houses[..bases] == two.houses[..bases]
            {
                found.eliminate_both(board, first, second, SIAMESE_REASON);
            }
        }
    }
}
