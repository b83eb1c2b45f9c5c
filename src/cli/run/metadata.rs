//! The metadata of a table about the run that wrote it.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use sudoku_core::grade::{LADDER_VERSION, Rank, UNIQUENESS};
use sudoku_pipeline::carry::type_name;
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::read::InferTypes;
use sudoku_pipeline::write::TableMetadata;

use crate::cli::options::input::ReadArgs;

/// The metadata of the table. It contains no time and no machine name, so that the same run gives the same bytes.
pub(crate) fn metadata(command: &str, read: &ReadArgs, stages: &Stages) -> TableMetadata {
    let input = &read.input;
    let infer_types = (input.infer_types != InferTypes::Auto)
        .then(|| input.infer_types.to_possible_value())
        .flatten();
    let types: Vec<String> = (input.types.iter())
        .map(|(name, data_type)| format!("{name}={}", type_name(data_type)))
        .collect();
    let mut metadata = TableMetadata::for_command(command);
    metadata.add("inputs", Some(input.display_names()));
    metadata.add("keep", Some(&input.keep.text));
    let infer_types = infer_types.as_ref().map(PossibleValue::get_name);
    metadata.add("infer_types", infer_types);
    metadata.add("types", (!types.is_empty()).then(|| types.join(",")));
    metadata.add("input_format", input.input_format.map(|format| format.id));
    metadata.add("delimiter", input.delimiter.map(char::from));
    metadata.add("puzzle_column", input.puzzle_column.as_ref());
    metadata.add("solution_column", input.solution_column.as_ref());
    metadata.add("alphabet", input.alphabet.as_ref());
    metadata.add("token_offset", input.token_offset.as_ref());
    let longest = input.max_record_bytes.map(|size| size.0);
    metadata.add("max_record_bytes", longest);
    if let Some(ladder) = &stages.grade {
        metadata.add("ladder_version", Some(LADDER_VERSION));
        metadata.add("ladder", Some(ladder.name()));
        metadata.add("techniques", Some(ladder.ids()));
        metadata.add("max_rank", ladder.end().map(Rank::number));
    }
    if let Some(ladder) = &stages.with_uniqueness {
        let ids: Vec<_> = (ladder.rungs().map(|(_, technique)| technique.info().id))
            .filter(|id| {
                UNIQUENESS
                    .iter()
                    .any(|technique| technique.info().id == *id)
            })
            .collect();
        metadata.add("uniqueness", Some(ids.join(",")));
    }
    metadata
}
