//! Explains an assumption of a forcing chain: finds the deductions that lead from it to its ending, and no others.
//!
//! ```text
//! forward    applies all singles of the board at once, or all steps of the lowest technique if
//!            there is no single, until the ending is reached
//! backward   starts with the candidates whose absence is the ending. For each of them, goes to the
//!            deduction that removed it, and on to the absent candidates that this deduction needs
//! ```

use std::collections::BTreeMap;

use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, DigitSet, House, fill_singles};
use crate::grade::techniques::basic::BASIC;
use crate::grade::{
    Case, CaseEnding, Deduction, Effect, Pattern, Position, Propagation, Rank, Step, Steps,
};

/// A board may have several contradictions, and the one that needs the fewest deductions is chosen. At most this many
/// are compared.
const MOST_COMPARED: usize = 12;

/// Fills in the deductions of each assumption (case) of a step. A step without assumptions does not change.
pub(crate) fn fill_traces(board: &Candidates, step: &mut Step) {
    let Some(propagation) = step.pattern.propagation else {
        return;
    };
    let is_only_case = step.pattern.cases.len() == 1;
    let candidates_to_remove =
        CandidateSet::new(Digit::ALL.map(|digit| step.effect.removed(digit)));
    for case in &mut step.pattern.cases {
        let candidates_to_remove = (!is_only_case).then_some(&candidates_to_remove);
        if let Some((traced, _)) = trace(
            board,
            case.digit,
            case.cell,
            propagation,
            candidates_to_remove,
        ) {
            *case = traced;
        }
    }
}

/// Finds the deductions from an assumption to its end. Returns them as a case, together with the candidates that must
/// be absent from the initial board. If `goal` is given, the case ends when these candidates are removed; otherwise it
/// must end in a contradiction. `None` if it does not end.
fn trace(
    board: &Candidates,
    digit: Digit,
    cell: Cell,
    propagation: Propagation,
    goal: Option<&CandidateSet>,
) -> Option<(Case, CandidateSet)> {
    let mut trace = DeductionTrace::new(board, digit, cell);
    let ending = loop {
        if let Some(ending) = trace.ending(goal) {
            break ending;
        }
        let has_progressed = trace.singles()
            || propagation >= Propagation::Basics && trace.basics()
            || propagation == Propagation::Nested && trace.nishio();
        if !has_progressed {
            return None;
        }
    };
    let (ending, slice) = ending;
    let needed = slice.absent_at_start;
    let case = Case {
        digit,
        cell,
        trace: trace.deductions(&slice),
        ending,
    };
    Some((case, needed))
}

/// The deductions made so far from one assumption, and the board that results from them.
struct DeductionTrace {
    board: Candidates,
    /// The assumption as the first entry, then the deductions in order.
    entries: Vec<TraceEntry>,
    /// For each digit and cell, the index of the entry that removed the candidate; [`NONE`] if no entry did.
    cause: Box<[[u32; 81]; 9]>,
}

/// Nested assumptions that need at most this many singles for a contradiction are all tried before any other.
const FEW_SINGLES: usize = 4;

const NONE: u32 = u32::MAX;

struct TraceEntry {
    rank: Rank,
    step: Step,
    premises: Premises,
}

/// A reason for a placement: the number of absent candidates that deductions removed, the rank of the technique, the
/// house (`None` for a naked single), and all candidates that must be absent.
type PlacementReason = (usize, Rank, Option<House>, CandidateSet);

/// The candidates that must be absent for a deduction to hold.
enum Premises {
    Known(CandidateSet),
    /// The premises of a deduction by a nested assumption. They are computed only if the deduction is used.
    OfAssumption(Box<Candidates>, Digit, Cell),
}

/// The deductions of a trace on which a conclusion depends.
struct Slice {
    /// The deductions on which the conclusion depends: the index of each, and those of its removals that are used.
    needed_entries: BTreeMap<usize, CandidateSet>,
    /// The candidates that must be absent from the initial board for the conclusion to hold.
    absent_at_start: CandidateSet,
}

impl DeductionTrace {
    fn new(start: &Candidates, digit: Digit, cell: Cell) -> DeductionTrace {
        let mut trace = DeductionTrace {
            board: start.clone(),
            entries: Vec::new(),
            cause: Box::new([[NONE; 81]; 9]),
        };
        let assumption = placement(digit, cell, None);
        trace.push(
            Rank::LOWEST,
            assumption,
            Premises::Known(CandidateSet::EMPTY),
        );
        trace
    }

    /// Applies a deduction to the board, and adds it to the entries. Does nothing if the board would not change.
    fn push(&mut self, rank: Rank, step: Step, premises: Premises) {
        let board_before = self.board.clone();
        step.effect.apply(&mut self.board);
        if self.board == board_before {
            return;
        }
        let entry_index = self.entries.len() as u32;
        for digit in Digit::ALL {
            for cell in board_before.places(digit).without(self.board.places(digit)) {
                self.cause[digit.index()][cell.index()] = entry_index;
            }
        }
        self.entries.push(TraceEntry {
            rank,
            step,
            premises,
        });
    }

    /// Of the candidates in `absent`, none of which is on the board, counts those that deductions have removed. The
    /// others were not on the board at the start.
    fn count_deduced(&self, absent: &CandidateSet) -> usize {
        let cells = absent.by_digit();
        cells
            .map(|(digit, cells)| {
                let causes = &self.cause[digit.index()];
                cells.filter(|cell| causes[cell.index()] != NONE).count()
            })
            .sum()
    }

    /// The end that the assumption has reached on the board, with the deductions that lead to it; `None` if it has not
    /// ended. If there are several ends, the one that needs the fewest deductions.
    fn ending(&mut self, goal: Option<&CandidateSet>) -> Option<(CaseEnding, Slice)> {
        let mut endings = Vec::new();
        let [some, ..] = self.board.at_least();
        for cell in !some {
            let absent = CandidateSet::new([CellSet::of(cell); 9]);
            endings.push((CaseEnding::NoCandidate(cell), absent));
        }
        for house in House::ALL {
            for digit in Digit::ALL {
                if (self.board.places(digit) & house.cells()).is_empty() {
                    let absent = CandidateSet::with_digit(digit, house.cells());
                    endings.push((CaseEnding::NoPlace(digit, house), absent));
                }
            }
        }
        if let Some(goal) = goal {
            let goal_left = *goal & &CandidateSet::new(*self.board.all_places());
            if goal_left.is_empty() {
                endings.push((CaseEnding::Removed, *goal));
            }
        }
        endings.sort_by_cached_key(|(_, absent)| self.count_deduced(absent));
        endings.truncate(MOST_COMPARED);
        let slices = endings.into_iter().map(|(ending, absent)| {
            let slice = self.slice(&absent);
            (ending, slice)
        });
        let slices: Vec<_> = slices.collect();
        slices
            .into_iter()
            .min_by_key(|(_, slice)| self.length(slice))
    }

    /// The number of deductions in a slice, including the deductions from nested assumptions.
    fn length(&self, slice: &Slice) -> usize {
        let nested = |at: &usize| -> usize {
            let cases = self.entries[*at].step.pattern.cases.iter();
            1 + cases.map(Case::len).sum::<usize>()
        };
        slice.needed_entries.keys().map(nested).sum()
    }

    /// Finds the deductions on which the absence of these candidates depends.
    fn slice(&mut self, absent: &CandidateSet) -> Slice {
        let mut slice = Slice {
            needed_entries: BTreeMap::new(),
            absent_at_start: CandidateSet::EMPTY,
        };
        let mut open_causes = BTreeMap::new();
        self.sort_by_cause(absent, &mut open_causes, &mut slice.absent_at_start);
        while let Some((at, removals)) = open_causes.pop_last() {
            let premises = self.premises(at);
            self.sort_by_cause(&premises, &mut open_causes, &mut slice.absent_at_start);
            slice.needed_entries.insert(at, removals);
        }
        slice
    }

    /// Groups absent candidates by the entry that removed them. Candidates that no entry removed are added to
    /// `absent_at_start`.
    fn sort_by_cause(
        &self,
        absent: &CandidateSet,
        open: &mut BTreeMap<usize, CandidateSet>,
        absent_at_start: &mut CandidateSet,
    ) {
        for (digit, cells) in absent.by_digit() {
            for cell in cells {
                let cells = CellSet::of(cell);
                match self.cause[digit.index()][cell.index()] {
                    NONE => absent_at_start.insert(digit, cells),
                    at => open.entry(at as usize).or_default().insert(digit, cells),
                }
            }
        }
    }

    fn premises(&mut self, at: usize) -> CandidateSet {
        let entry = &mut self.entries[at];
        match &entry.premises {
            Premises::Known(absent) => *absent,
            Premises::OfAssumption(before, digit, cell) => {
                let traced = trace(before, *digit, *cell, Propagation::Singles, None);
                let (case, absent) =
                    traced.unwrap_or((Case::new(*digit, *cell), CandidateSet::EMPTY));
                entry.step.pattern.cases = vec![case];
                entry.premises = Premises::Known(absent);
                absent
            }
        }
    }

    fn deductions(self, slice: &Slice) -> Vec<Deduction> {
        let mut deductions = Vec::new();
        for (at, TraceEntry { rank, mut step, .. }) in self.entries.into_iter().enumerate().skip(1)
        {
            if let Some(removals) = slice.needed_entries.get(&at) {
                if !step.effect.places_something() {
                    step.effect = Effect::removing(removals);
                }
                deductions.push(Deduction { rank, step });
            }
        }
        deductions
    }

    /// Adds a deduction for each single of the board. If a single has several reasons, uses the one in which deductions
    /// removed the fewest of the absent candidates. Returns whether there are any singles.
    fn singles(&mut self) -> bool {
        let board = &self.board;
        let open = board.unsolved();
        let mut singles: BTreeMap<(Cell, Digit), PlacementReason> = BTreeMap::new();
        let mut offer = |cell, digit, rank, house, absent: CandidateSet| {
            let deduced = self.count_deduced(&absent);
            let best_reason =
                singles
                    .entry((cell, digit))
                    .or_insert((usize::MAX, rank, house, absent));
            if deduced < best_reason.0 {
                *best_reason = (deduced, rank, house, absent);
            }
        };
        for house in House::ALL {
            for digit in Digit::ALL {
                let single_cell = (board.places(digit) & house.cells()).single();
                if let Some(cell) = single_cell.filter(|cell| open.contains(*cell)) {
                    let is_box = House::boxes().contains(&house);
                    let rank = if is_box {
                        Rank::HIDDEN_SINGLE_BOX
                    } else {
                        Rank::HIDDEN_SINGLE_LINE
                    };
                    let other_cells = house.cells().without(CellSet::of(cell));
                    let absent = CandidateSet::with_digit(digit, other_cells);
                    offer(cell, digit, rank, Some(house), absent);
                }
            }
        }
        for cell in open & board.exactly_one() {
            if let Some(digit) = board.digits(cell).single() {
                let mut absent = CandidateSet::new([CellSet::of(cell); 9]);
                absent = absent.without(&CandidateSet::with_digit(digit, CellSet::of(cell)));
                offer(cell, digit, Rank::NAKED_SINGLE, None, absent);
            }
        }
        let has_singles = !singles.is_empty();
        for ((cell, digit), (_, rank, house, absent)) in singles {
            // Another single may have removed the digit meanwhile. The case then ends in a contradiction.
            if (self.board.open_places(digit)).contains(cell) {
                self.push(rank, placement(digit, cell, house), Premises::Known(absent));
            }
        }
        has_singles
    }

    /// Finds the easiest technique, from locked candidates to jellyfish, that has any steps, and adds all its steps.
    /// Returns whether there is such a technique.
    fn basics(&mut self) -> bool {
        let position = Position::with_clues(self.board.clone(), CellSet::EMPTY);
        let mut found_steps = Steps::listing();
        let ranked = Rank::all().zip(BASIC);
        for (rank, technique) in ranked.skip(Rank::LOCKED_POINTING.index()) {
            technique.find_all(&position, &mut found_steps);
            if found_steps.is_empty() {
                continue;
            }
            let mut steps: Vec<_> = (found_steps.list().iter())
                .map(|step| (step.clone(), premises(rank, step)))
                .collect();
            steps.sort_by_cached_key(|(_, absent)| self.count_deduced(absent));
            for (step, absent) in steps {
                self.push(rank, step, Premises::Known(absent));
            }
            return true;
        }
        false
    }

    /// Removes candidates whose assumption leads to a contradiction by singles, starting with those that need the
    /// fewest singles. Candidates that need more singles than the first one and more than [`FEW_SINGLES`] are left for
    /// a later call. Returns whether any was removed.
    fn nishio(&mut self) -> bool {
        let board_before = self.board.clone();
        let mut refuted_candidates = Vec::new();
        for digit in Digit::ALL {
            for cell in board_before.open_places(digit) {
                let mut branch = board_before.clone();
                branch.place(cell, digit);
                if fill_singles(&mut branch, |_, _| false).is_err() {
                    let singles = board_before.unsolved().len() - branch.unsolved().len();
                    refuted_candidates.push((singles, digit, cell));
                }
            }
        }
        refuted_candidates.sort_unstable();
        let Some((fewest, ..)) = refuted_candidates.first() else {
            return false;
        };
        let enough = (*fewest).max(FEW_SINGLES);
        for (_, digit, cell) in refuted_candidates
            .into_iter()
            .take_while(|(n, ..)| *n <= enough)
        {
            let refuted_candidates = CandidateSet::with_digit(digit, CellSet::of(cell));
            let step = Step {
                effect: Effect::removing(&refuted_candidates),
                pattern: super::assumption(digit, cell, Propagation::Singles),
            };
            // Each assumption starts on the board without the candidates that were refuted before it.
            let board = Box::new(self.board.clone());
            let premises = Premises::OfAssumption(board, digit, cell);
            self.push(Rank::NISHIO, step, premises);
        }
        true
    }
}

/// A placement as a step. It is a hidden single if `house` is given, otherwise a naked single.
fn placement(digit: Digit, cell: Cell, house: Option<House>) -> Step {
    let cells = house.map_or(CellSet::of(cell), House::cells);
    Step {
        effect: Effect::placing(digit, cell),
        pattern: Pattern::new(
            house.into_iter().collect::<Vec<_>>(),
            cells,
            DigitSet::from_iter([digit]),
        ),
    }
}

/// The candidates that must be absent for a step with locked candidates, a subset or a fish to hold.
fn premises(rank: Rank, step: &Step) -> CandidateSet {
    let Pattern {
        houses,
        cells,
        digits,
        ..
    } = &step.pattern;
    let union = |houses: &[House]| {
        let cells = houses.iter().map(|house| house.cells());
        cells.fold(CellSet::EMPTY, |all, cells| all | cells)
    };
    let of_digits = |digits: DigitSet, cells: CellSet| {
        let mut candidates = CandidateSet::EMPTY;
        digits.for_each(|digit| candidates.insert(digit, cells));
        candidates
    };
    // Locked candidates and fish have one digit, and list their base houses before their cover houses.
    if rank.id().starts_with("naked_") {
        of_digits(digits.complement(), *cells)
    } else if rank.id().starts_with("hidden_") {
        of_digits(*digits, union(houses).without(*cells))
    } else {
        let (bases, covers) = houses.split_at(houses.len() / 2);
        of_digits(*digits, union(bases).without(union(covers)))
    }
}
