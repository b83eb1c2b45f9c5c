//! Compares the vector lanes with the techniques, for puzzles and for random boards.

use crate::board::{Candidates, Cell, CellSet, Digit, Grid};
use crate::generate::{Generator, GradeTarget};
use crate::grade::{Grade, GradeProgress, Ladder, Rank, Start};
use crate::random::Rng;
use crate::solve::Kernel;

fn scalar() -> Kernel {
    let mut kernels = Kernel::available().into_iter();
    let scalar = kernels.find(|kernel| kernel.vectors().is_none());
    scalar.expect("the scalar kernel is always there")
}

fn lanes() -> impl Iterator<Item = Kernel> {
    let kernels = Kernel::available().into_iter();
    kernels.filter(|kernel| kernel.vectors().is_some())
}

fn puzzle(seed: u64, n: u64) -> Grid {
    let generator = Generator {
        seed,
        target: GradeTarget::Any,
        clues: None,
        max_attempts: 1,
        ..Generator::any(0)
    };
    generator.puzzle(n).unwrap().puzzle
}

/// A random input for grading: a puzzle, or a board with too many or too few clues, with contradictions, or with pencil
/// marks.
fn start(seed: u64, n: u64) -> Start {
    let mut rng = Rng::for_item(seed, n);
    let mut grid = puzzle(seed, n);
    let mut set = |cells: usize, rng: &mut Rng, with_digit: bool| {
        for _ in 0..cells {
            let digit = Digit::from_value(1 + rng.below(9) as u8).filter(|_| with_digit);
            grid.set(Cell::new(rng.below(81)), digit);
        }
    };
    match n % 6 {
        0 | 1 => {}
        2 => set(1 + rng.below(3), &mut rng, true),
        3 => set(rng.below(81), &mut rng, false),
        4 => set(rng.below(400), &mut rng, true),
        _ => {
            let mut board = Candidates::new(&grid);
            for _ in 0..rng.below(80) {
                let cell = CellSet::of(Cell::new(rng.below(81))) & board.unsolved();
                board.eliminate(Digit::from_index(rng.below(9)), cell);
            }
            return Start::Board(board);
        }
    }
    Start::Clues(grid)
}

/// The parts of a result that callers use. Invalid full grids are left out.
fn comparable(progress: &GradeProgress) -> impl PartialEq + std::fmt::Debug {
    let waves = progress.waves.clone();
    (waves, progress.solution(), progress.board().cloned())
}

#[test]
fn lanes_climb_as_the_techniques_do_one_by_one() {
    let seed = 71;
    let start_boards: Vec<_> = (0..1800).map(|n| start(seed, n)).collect();
    for highest in [
        Rank::HIDDEN_SINGLE_LINE,
        Rank::LOCKED_POINTING,
        Rank::LOCKED_CLAIMING,
    ] {
        let ladder = Ladder::up_to(highest);
        let expected = ladder.begin(scalar(), start_boards.iter().cloned());
        assert!(
            expected
                .iter()
                .any(|progress| progress.solution().is_some())
        );
        assert!(expected.iter().any(|progress| progress.board().is_some()));
        for kernel in lanes() {
            let progress = ladder.begin(kernel, start_boards.iter().cloned());
            assert_eq!(progress.len(), expected.len());
            for (n, (progress, expected)) in progress.iter().zip(&expected).enumerate() {
                let name = kernel.name();
                assert_eq!(
                    comparable(progress),
                    comparable(expected),
                    "seed {seed}, {n}, {name}"
                );
            }
        }
    }
}

#[test]
fn neighbours_do_not_matter() {
    let seed = 72;
    let start_boards: Vec<_> = (0..150).map(|n| start(seed, n)).collect();
    let ladder = Ladder::default();
    for kernel in lanes() {
        let together = ladder.begin(kernel, start_boards.iter().cloned());
        for (progress, start) in together.iter().zip(&start_boards) {
            let graded_alone = ladder.begin(kernel, [start.clone()].into_iter());
            assert_eq!(
                graded_alone.iter().map(comparable).next(),
                Some(comparable(progress)),
                "seed {seed}"
            );
        }
    }
}

#[test]
fn a_batch_gets_the_grades_of_its_puzzles() {
    let seed = 73;
    let puzzles: Vec<_> = (0..300).map(|n| puzzle(seed, n)).collect();
    for name in [
        "full",
        "basic",
        "hodoku",
        "full_house,naked_single,hidden_single_box,hidden_single_line,x_wing",
        "full_house,hidden_single_box,locked_pointing",
    ] {
        let ladder = Ladder::named(name).unwrap();
        // Ladders with many techniques are tested with fewer puzzles, because the hardest techniques are slow.
        let puzzles = &puzzles[..if ladder.rungs().count() > 20 { 60 } else { 300 }];
        let expected: Vec<Grade> = puzzles.iter().map(|puzzle| ladder.grade(puzzle)).collect();
        for kernel in Kernel::available() {
            let progress = ladder.begin(kernel, puzzles.iter().copied().map(Start::Clues));
            let grades = ladder.finish(kernel, progress);
            assert_eq!(grades, expected, "seed {seed}, {name}, {}", kernel.name());
        }
    }
}
