//! Sentences about the problems of a dataset, or of the predictions for its puzzles.

use sudoku_core::grade::HardestTechnique;
use sudoku_core::judge::Verdict;
use sudoku_core::solve::Status;

use super::findings::number_with_percentage;
use crate::counts::statistics::Statistics;
use crate::options::NODE_LIMIT;
use crate::report::sheets::agreement_sentence;
use crate::table::outcome::GivenVerdict;

/// The heading of the problems of a dataset, or of the predictions for its puzzles.
pub(super) fn problems_heading(statistics: &Statistics) -> &'static str {
    match statistics.evaluation {
        Some(_) => "What is wrong with the predictions",
        None => "What is wrong with it",
    }
}

/// What is wrong with predictions of this verdict, after their number: of one prediction, and of several. `None` if
/// nothing is.
const fn verdict_problem(verdict: Verdict) -> Option<[&'static str; 2]> {
    match verdict {
        Verdict::Solution | Verdict::OtherSolution => None,
        Verdict::Wrong => Some([
            "is a full grid with wrong digits.",
            "are full grids with wrong digits.",
        ]),
        Verdict::Incomplete => Some(["leaves cells empty.", "leave cells empty."]),
        Verdict::ClueChanged => Some(["changes a clue.", "change a clue."]),
        Verdict::Unparsable => Some(["is no grid.", "are no grids."]),
        Verdict::Missing => Some(["is missing.", "are missing."]),
    }
}

/// A sentence that begins with a number; `None` if the number is 0. `words` are the rest, for one and for several.
fn counted_sentence(count: u64, whole: u64, words: [&str; 2]) -> Option<String> {
    let [one, several] = words;
    let rest = if count == 1 { one } else { several };
    (count > 0).then(|| format!("{} {rest}", number_with_percentage(count, whole)))
}

/// Sentences about the problems of a dataset, the most serious first. The problems of predictions come before those of
/// the puzzles.
pub(super) fn problem_sentences(statistics: &Statistics) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(evaluation) = &statistics.evaluation {
        let all = evaluation.all();
        let sentences = Verdict::ALL.into_iter().filter_map(|verdict| {
            counted_sentence(all.verdict(verdict), all.rows(), verdict_problem(verdict)?)
        });
        problems.extend(sentences);
    }
    let given_up_one = format!("puzzle was given up: raise {NODE_LIMIT} to decide it.");
    let given_up = format!("puzzles were given up: raise {NODE_LIMIT} to decide them.");
    let mut add_problem =
        |count, whole, words| problems.extend(counted_sentence(count, whole, words));
    add_problem(
        statistics.rejected(),
        statistics.rows + statistics.rejected(),
        [
            "of the records is not a puzzle: see the rejects.",
            "of the records are not puzzles: see the rejects.",
        ],
    );
    let status = |status: Status| statistics.status.get(status.id()).copied().unwrap_or(0);
    add_problem(
        status(Status::None),
        statistics.rows,
        ["puzzle has no solution.", "puzzles have no solution."],
    );
    add_problem(
        status(Status::Multiple),
        statistics.rows,
        [
            "puzzle has several solutions.",
            "puzzles have several solutions.",
        ],
    );
    add_problem(
        status(Status::GaveUp),
        statistics.rows,
        [&given_up_one, &given_up],
    );
    let rows_with_verdict = |verdict: GivenVerdict| {
        statistics
            .solution_given
            .get(verdict.id())
            .copied()
            .unwrap_or(0)
    };
    let all_given = statistics.solution_given.values().sum();
    add_problem(
        rows_with_verdict(GivenVerdict::Wrong),
        all_given,
        [
            "of the solutions that came with the puzzles is wrong.",
            "of the solutions that came with the puzzles are wrong.",
        ],
    );
    add_problem(
        rows_with_verdict(GivenVerdict::NotTheOnlyOne),
        all_given,
        [
            "of the solutions that came with the puzzles is not the only one.",
            "of the solutions that came with the puzzles are not the only ones.",
        ],
    );
    if let Some(duplicates) = &statistics.duplicates {
        add_problem(
            duplicates.repeating,
            duplicates.rows,
            [
                "row repeats the puzzle of an earlier row.",
                "rows repeat the puzzle of an earlier row.",
            ],
        );
    }
    if let Some(isomorphs) = &statistics.isomorphs {
        add_problem(
            isomorphs.repeating,
            isomorphs.rows,
            [
                "row repeats an earlier puzzle, rotated, reflected or relabelled or as it is.",
                "rows repeat an earlier puzzle, rotated, reflected or relabelled or as it is.",
            ],
        );
    }
    let beyond_ladder = statistics
        .technique
        .get(HardestTechnique::BEYOND.id)
        .copied()
        .unwrap_or(0);
    add_problem(
        beyond_ladder,
        statistics.graded(),
        [
            "puzzle needs more than the ladder had: it has no level.",
            "puzzles need more than the ladder had: they have no level.",
        ],
    );
    for breakdown in &statistics.by {
        if let Some(agreement) = breakdown.agreement()
            && agreement.spearman.is_some_and(|rho| rho < 0.5)
        {
            problems.push(agreement_sentence(&breakdown.column, agreement));
        }
    }
    problems
}

/// A sentence about the kinds of problems that were not looked for in the dataset; `None` if all kinds were.
pub(super) fn missing_checks_sentence(statistics: &Statistics) -> Option<&'static str> {
    // The sentence tells users which commands to run. The commands are the same for users of Python.
    let is_dataset = statistics.rows > 0 && statistics.evaluation.is_none();
    (is_dataset && statistics.isomorphs.is_none()).then_some(
        "Rotated or relabelled copies of puzzles were not looked for: pipeline audit does, and so does this page \
         after pipeline grade --with canonical.",
    )
}
