//! The report of `--extract-report`: the forms of the answers in texts, with the rules that chose them.

use sudoku_core::judge::Verdict;
use sudoku_pipeline::counts::Evaluation;
use sudoku_pipeline::write::OutputSet;

use crate::cli::error::CommandError;
use crate::cli::run::plan::Plan;
use crate::cli::run::report::Report;
use crate::cli::run::text_output::TextKind;

/// Adds the report of `--extract-report` to the outputs of a complete run.
pub(crate) fn add_answers(
    plan: &Plan,
    report: &Report,
    set: &mut OutputSet,
) -> Result<(), CommandError> {
    let Some(output) = plan.text(&[TextKind::Answers]) else {
        return Ok(());
    };
    let empty_evaluation = Evaluation::default();
    let evaluation = report
        .done
        .evaluation
        .as_deref()
        .unwrap_or(&empty_evaluation);
    let counts = evaluation.all();
    let by_answer = evaluation.answers().to_json();
    let mut text = format!(
        "{{\n  \"answers\": {},\n  \"rows\": {},\n  \"unparsable\": {},\n  \"missing\": {},\n  \"by_answer\": [",
        counts.rows() - counts.verdict(Verdict::Unparsable) - counts.verdict(Verdict::Missing),
        counts.rows(),
        counts.verdict(Verdict::Unparsable),
        counts.verdict(Verdict::Missing),
    );
    let mut separator = "\n    ";
    for row in by_answer.as_array().into_iter().flatten() {
        text += &format!("{separator}{row}");
        separator = ",\n    ";
    }
    output.add(&(text + "\n  ]\n}\n"), set)
}
