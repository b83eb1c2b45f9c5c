//! Tests that all solving methods find the same solutions.

use super::filter::remove_refuted_candidates;
use super::templates::count_templates;
use super::*;
use crate::board::{Cell, CellSet, Digit, Grid};
use crate::generate::Generator;
use crate::random::Rng;
use crate::solve::{Backtracker, Kernel, Status};

/// A puzzle that was made to be slow for a search in row order with digits in ascending order.
const ADVERSARIAL: &str =
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

fn run_method(method: Method, boards: &[Candidates], limits: Limits) -> Vec<SearchRun> {
    let mut runs = Vec::new();
    method
        .solver(Kernel::fastest())
        .measure(boards, limits, &mut runs);
    runs
}

#[test]
fn every_method_finds_the_solutions_of_the_readable_solver() {
    let seed = 1503;
    let mut rng = Rng::new(seed);
    let generator = Generator::any(seed);
    let mut boards = Vec::new();
    for n in 0..60 {
        let mut puzzle = generator.puzzle(n).unwrap().puzzle;
        let cell = Cell::new(rng.below(81));
        match n % 4 {
            // Without this clue, the puzzle has several solutions.
            0 => puzzle.set(cell, None),
            // With a different clue, the puzzle usually has no solution.
            1 => {
                let mut changed_puzzle = puzzle;
                changed_puzzle.set(cell, Some(Digit::from_index(rng.below(9))));
                puzzle = if changed_puzzle.conflict().is_none() {
                    changed_puzzle
                } else {
                    puzzle
                };
            }
            _ => {}
        }
        boards.push(Candidates::new(&puzzle));
    }
    let mut expected_solutions = Vec::new();
    Backtracker.solve(&boards, Limits::default(), &mut expected_solutions);
    let mut statuses = [0; 4];
    for method in Method::all() {
        let runs = run_method(method, &boards, Limits::default());
        assert_eq!(runs.len(), boards.len());
        for (n, (run, expected_solutions)) in runs.iter().zip(&expected_solutions).enumerate() {
            let solution = &run.solution;
            let case_text = format!("{method}, seed {seed}, puzzle {n}");
            assert!(!solution.gave_up, "{case_text}");
            assert_eq!(solution.count, expected_solutions.count, "{case_text}");
            if solution.count == 1 {
                assert_eq!(solution.first, expected_solutions.first, "{case_text}");
            }
            assert!(
                solution.first.is_none_or(|grid| grid.is_solution()),
                "{case_text}"
            );
            if solution.count < 2 {
                assert_eq!(solution.backtracks, solution.nodes, "{case_text}");
            }
            statuses[Status::from_solution(solution) as usize] += 1;
        }
    }
    assert!(
        statuses[..3].iter().all(|count| *count > 40),
        "{statuses:?}"
    );
}

#[test]
fn a_method_stops_at_its_guesses_and_says_how_far_it_came() {
    let board = Candidates::new(&ADVERSARIAL.parse::<Grid>().unwrap());
    let limits = Limits {
        solutions: 1,
        nodes: 1000,
    };
    for method in Method::all() {
        let run = &run_method(method, std::slice::from_ref(&board), limits)[0];
        assert!(run.solution.nodes <= 1000, "{method}");
        assert_eq!(run.solution.gave_up, run.solution.count == 0, "{method}");
        if let Some(filled) = run.filled {
            assert_eq!(filled == 81, run.solution.count > 0, "{method}: {filled}");
        }
    }
    let fixed_method = "backtrack-none-fixed".parse().unwrap();
    let run = &run_method(fixed_method, &[board], limits)[0];
    assert!(
        run.solution.gave_up,
        "the order is what this puzzle is made against"
    );
}

#[test]
fn there_are_46656_templates_and_each_cell_is_in_5184() {
    assert_eq!(count_templates(CellSet::FULL), 46_656);
    for cell in Cell::all() {
        let cells = CellSet::FULL.without(cell.peers());
        // All peers are excluded, so every template contains this cell.
        assert_eq!(count_templates(cells), 5184, "{cell}");
    }
}

/// Compares with the numbers of candidates in the article that describes the method `filter`.
#[test]
fn the_filter_leaves_140_of_185_candidates() {
    let puzzle =
        "043080250600000000000001094900004070000608000010200003820500000000000005034090710";
    let mut board = Candidates::new(&puzzle.replace('0', ".").parse::<Grid>().unwrap());
    let candidate_count = |board: &Candidates| {
        let lens = board.unsolved().map(|cell| board.digits(cell).len());
        lens.filter(|len| *len > 1)
            .fold((0, 0), |(cells, all), len| (cells + 1, all + len))
    };
    let mut counts = RuleCounts::NONE;
    assert_eq!(candidate_count(&board), (53, 185));
    let board_before = board.clone();
    remove_refuted_candidates(&mut board, &mut counts).unwrap();
    let [_, more, _] = board_before.at_least();
    let remaining_count: usize = { more }.map(|cell| board.digits(cell).len()).sum();
    assert_eq!((remaining_count, counts.count(Rule::Trial)), (140, 45));
}

#[test]
fn every_name_is_its_method() {
    for method in Method::all() {
        assert_eq!(method.to_string().parse(), Ok(method));
    }
    let error = "dancing".parse::<Method>().unwrap_err().to_string();
    assert!(
        error.contains("lanes") && error.contains("backtrack-none-fixed"),
        "{error}"
    );
    assert_eq!(Method::all().len(), 14);
}
