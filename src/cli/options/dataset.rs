//! The options of commands whose output is a dataset like the input: `convert`, `dedup`, `split` and
//! `augment`.

use clap::Args;
use sudoku_core::text::BLANKS;
use sudoku_pipeline::batches::DatasetOptions;
use sudoku_pipeline::write::TableMetadata;

#[derive(Args)]
#[command(next_help_heading = "Writing")]
pub(crate) struct DatasetArgs {
    /// The names and the order of the columns
    #[arg(long, value_name = "WHOSE", default_value = "input")]
    schema: SchemaOf,
    /// The character of an empty cell: . 0 * _ - x X ?
    #[arg(long, value_name = "CHAR", default_value_t = char::from(DatasetOptions::default().blank),
          value_parser = blank)]
    blank: char,
    /// Replace wrong solutions: the solutions in the input are replaced by the correct ones, or removed if
    /// the puzzle does not have exactly one solution
    #[arg(long)]
    pub(crate) fix_solutions: bool,
}

/// The names and the order of the output's columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SchemaOf {
    /// As in the input
    Input,
    /// Carried columns first, then puzzle and solution
    Canonical,
}

fn blank(text: &str) -> Result<char, String> {
    // Spaces are excluded, because readers of tables would trim a grid that starts with spaces.
    let known_blanks = BLANKS.into_iter().filter(|blank| *blank != ' ');
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(blank), None) if known_blanks.clone().any(|known| known == blank) => Ok(blank),
        _ => {
            let known_texts: Vec<String> = known_blanks.map(String::from).collect();
            Err(format!("it is one of {}", known_texts.join(" ")))
        }
    }
}

impl DatasetArgs {
    /// The options as the library takes them.
    pub(crate) fn options(&self) -> DatasetOptions {
        DatasetOptions {
            keeps_names: self.schema == SchemaOf::Input,
            blank: self.blank as u8,
            fix_solutions: self.fix_solutions,
        }
    }

    /// Adds the options with values other than the defaults to the metadata of the table.
    pub(crate) fn describe(&self, metadata: &mut TableMetadata) {
        let is_canonical = self.schema == SchemaOf::Canonical;
        metadata.add("schema", is_canonical.then_some("canonical"));
        let is_default_blank = self.options().blank == DatasetOptions::default().blank;
        metadata.add("blank", (!is_default_blank).then_some(self.blank));
        metadata.add("fix_solutions", self.fix_solutions.then_some(true));
    }
}
