//! The metadata of a table about the run that wrote it.

use clap::ValueEnum;
use sudoku_core::grade::{LADDER_VERSION, UNIQUENESS};
use sudoku_pipeline::VERSION;
use sudoku_pipeline::carry::type_name;
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::read::InferTypes;
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::write::TableMetadata;

use crate::cli::options::input::ReadArgs;

/// The metadata of the table. It has no time and no machine name, so that the same run gives the same
/// bytes.
pub(crate) fn metadata(command: &str, read: &ReadArgs, stages: &Stages) -> TableMetadata {
    let mut metadata: TableMetadata = vec![
        ("pipeline.version".into(), VERSION.into()),
        ("pipeline.command".into(), command.into()),
        (
            "pipeline.inputs".into(),
            serde_json::Value::from_iter(read.input.inputs.iter().map(|input| display_name(input)))
                .to_string(),
        ),
        ("pipeline.keep".into(), read.input.keep.text.clone()),
    ];
    let format = read.input.input_format.map(|format| format.id().to_owned());
    let alphabet = read.input.alphabet.as_ref().map(ToString::to_string);
    let delimiter = read
        .input
        .delimiter
        .map(|delimiter| char::from(delimiter).to_string());
    let longest = read.input.max_record_bytes.map(|size| size.0.to_string());
    let infer_types = read.input.infer_types.to_possible_value();
    let infer_types = infer_types
        .filter(|_| read.input.infer_types != InferTypes::Auto)
        .map(|value| value.get_name().to_owned());
    let types: Vec<String> = (read.input.types.iter())
        .map(|(name, data_type)| format!("{name}={}", type_name(data_type)))
        .collect();
    let types = (!types.is_empty()).then(|| types.join(","));
    let token_offset = read.input.token_offset.as_ref().map(ToString::to_string);
    let given_options = [
        ("pipeline.infer_types", &infer_types),
        ("pipeline.types", &types),
        ("pipeline.input_format", &format),
        ("pipeline.delimiter", &delimiter),
        ("pipeline.puzzle_column", &read.input.puzzle_column),
        ("pipeline.solution_column", &read.input.solution_column),
        ("pipeline.alphabet", &alphabet),
        ("pipeline.token_offset", &token_offset),
        ("pipeline.max_record_bytes", &longest),
    ];
    for (key, value) in given_options {
        metadata.extend(value.iter().map(|value| (key.into(), value.clone())));
    }
    if let Some(ladder) = &stages.grade {
        metadata.push(("pipeline.ladder_version".into(), LADDER_VERSION.to_string()));
        metadata.push(("pipeline.ladder".into(), ladder.name().into()));
        metadata.push(("pipeline.techniques".into(), ladder.ids()));
        if let Some(end) = ladder.end() {
            metadata.push(("pipeline.max_rank".into(), end.number().to_string()));
        }
    }
    if let Some(ladder) = &stages.with_uniqueness {
        let ids: Vec<_> = (ladder.rungs().map(|(_, technique)| technique.info().id))
            .filter(|id| {
                UNIQUENESS
                    .iter()
                    .any(|technique| technique.info().id == *id)
            })
            .collect();
        metadata.push(("pipeline.uniqueness".into(), ids.join(",")));
    }
    metadata
}
