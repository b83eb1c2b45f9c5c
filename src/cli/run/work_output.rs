//! Opens the output for the additional work of a command, such as `dedup`.

use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::Inputs;
use sudoku_pipeline::read;
use sudoku_pipeline::sets::{DedupOutput, OverlapOutput, SplitOutput};
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::table::layout::Layout;
use sudoku_pipeline::write::failures::FailuresWriter;
use sudoku_pipeline::write::{FileOutput, Output, TableFolder};

use super::audit;
use crate::cli::error::CommandError;
use crate::cli::run::plan::Plan;
use crate::cli::run::report::Report;
use crate::cli::run::work::Work;

/// Opens the output of a command. `rows` is the output of the rows or rejects, and `folder` is the folder of the parts,
/// if the command writes parts.
pub(crate) fn open(
    plan: &Plan,
    folder: Option<&TableFolder>,
    rows: FileOutput,
    layout: &Layout,
    inputs: &Inputs,
    report: &mut Report,
) -> Result<Box<dyn Output>, CommandError> {
    let folder = || folder.ok_or_else(|| Error::Internal("parts without a folder".into()));
    let sources = inputs.own.iter().map(|input| display_name(&input.job.path));
    let sources = sources.collect();
    let (output, findings): (Box<dyn Output>, _) = match &plan.work {
        Work::Validate {
            failures: Some(table),
        } => {
            let failures = FailuresWriter::new(table, &plan.metadata)?;
            return Ok(Box::new(rows.with_failures(failures)));
        }
        Work::Rows | Work::Validate { .. } | Work::Compare(_) | Work::Evaluate(_) => {
            return Ok(Box::new(rows));
        }
        Work::Dedup { duplicates, index } => {
            let (mut output, findings) = DedupOutput::new(rows, sources, index.clone());
            if let Some(table) = duplicates {
                output = output.with_duplicates(table, layout.schema(), &plan.metadata)?;
            }
            (Box::new(output), findings)
        }
        Work::Split { split, index, .. } => {
            let (output, findings) = SplitOutput::open(
                split.clone(),
                folder()?,
                layout.schema(),
                &plan.metadata,
                rows,
                index.clone(),
                plan.run.memory.group_bytes,
            )?;
            (Box::new(output), findings)
        }
        Work::Audit { audit, index, .. } => {
            return audit::open(plan, (audit, folder()?), index, layout, inputs, report);
        }
        Work::Overlap { pairs, index, .. } => {
            let of_a = read::expand(&plan.inputs[..1])?.inputs.len();
            let classes = &plan.stages.classes;
            let (mut output, findings) = OverlapOutput::new(rows, sources, of_a, classes, index);
            if let Some(table) = pairs {
                output = output.with_pairs(table, &plan.metadata)?;
            }
            (Box::new(output), findings)
        }
    };
    report.findings = Some(findings);
    Ok(output)
}
