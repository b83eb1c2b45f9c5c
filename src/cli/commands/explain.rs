//! `explain`: the steps that solve a puzzle, or the manual page of a technique.

use std::ffi::OsStr;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sudoku_core::explain::{Explanation, TextOptions, technique_ids};
use sudoku_core::rating::hodoku::HodokuVersion;
use sudoku_core::rating::{Rating, RatingLimits};
use sudoku_core::sizes::{self, Alphabets, AnyPuzzle, parse_any};
use sudoku_pipeline::error::{Error, MakerError, OptionError};
use sudoku_pipeline::job::{RowContent, content_of_row, content_of_text};
use sudoku_pipeline::numbers::counted;
use sudoku_pipeline::options::{RATING, ROW, SE};
use sudoku_pipeline::report::explanation_json;
use sudoku_pipeline::write::{OutputFormat, Target, TargetOptions};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::ids::{TechniqueParser, normalised};
use crate::cli::run::destination::named_format;
use crate::cli::run::text_output::TextDestination;
use crate::cli::terminal::{self, pager};
use crate::nearest::did_you_mean;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline explain - --brief < puzzle.txt
  pipeline explain - -o explained.html < puzzle.txt
  pipeline explain --technique x_wing
  pipeline explain graded.parquet --row 7
  pipeline explain 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
  pipeline explain --rating hodoku - < puzzle.txt
  pipeline explain --se 4.258...38.19....57.....6..3..1......2.....5......2..6..8.....92....45.85...193.4
  pipeline explain ':0300:3:539274816768.15.422146..57.397842651642591738185763294.21.5..67973126485.56..712.::394::'

The waves are those of grade: what is shown agrees with its columns. A line of HoDoKu's library shows
the technique that it names, in its position.";

/// The maximum number of bytes that are read from standard input. A puzzle has at most a few thousand.
const INPUT_LIMIT: u64 = 1 << 20;

/// The number of cells of the smallest puzzle.
const LEAST_CELLS: usize = 16;

/// The smallest width to which texts are wrapped.
const NARROWEST: usize = 30;

/// Ratings without limits: a user who explains one puzzle can wait, or interrupt the program.
const WITHOUT_LIMIT: RatingLimits = RatingLimits {
    highest: Rating::HIGHEST,
    work: u64::MAX,
};

#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// The puzzle: 81 cells, 729 pencil marks, a grid of another size, or a line of HoDoKu's library; or a file, of which
    /// --row says the row; - is standard input, where each row can be on its own line
    #[arg(
        value_name = "PUZZLE|FILE",
        allow_hyphen_values = true,
        required_unless_present = "technique"
    )]
    puzzle: Option<String>,
    /// The row of the file, from 0, as in the column row of grade's table [default: 0]
    #[arg(long, value_name = "N", conflicts_with = "technique")]
    row: Option<u64>,
    /// Show the manual page of a technique instead
    #[arg(long, value_name = "ID", conflicts_with = "puzzle",
          value_parser = TechniqueParser::new(technique_ids()))]
    technique: Option<String>,
    /// Show the steps of Sudoku Explainer's rating, which grade --with se writes as columns; a puzzle rated
    /// above 9.4 can take seconds
    #[arg(long, conflicts_with = "technique")]
    se: bool,
    /// Show the steps of a rating: se is the same as --se; hodoku shows the path of HoDoKu, with the points
    /// that add up to the score of grade --with hodoku
    #[arg(long, value_name = "RATING", conflicts_with_all = ["technique", "se"])]
    rating: Option<ExplainedRating>,
    /// With --rating hodoku: the version of HoDoKu, 2.2 or 2.3 [default: 2.2]
    #[arg(long, value_name = "VERSION")]
    hodoku_version: Option<HodokuVersion>,
    /// Leave out the boards, and all but the first steps of a wave
    #[arg(long, help_heading = "Writing")]
    brief: bool,
    /// The format of the explanation [default: by the extension of --output, else text]
    #[arg(long, value_name = "FORMAT", help_heading = "Writing")]
    format: Option<ExplainFormat>,
    /// Short for --format json
    #[arg(long, hide = true, conflicts_with_all = ["html", "brief"])]
    json: bool,
    /// Short for --format html
    #[arg(long, hide = true, conflicts_with = "brief")]
    html: bool,
    /// Use colours
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Writing"
    )]
    color: ColorWhen,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Writing")]
    output: Option<PathBuf>,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, help_heading = "Writing")]
    overwrite: bool,
}

/// The program whose rating is explained.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplainedRating {
    /// Sudoku Explainer
    Se,
    /// HoDoKu
    Hodoku,
}

/// The format of an explanation.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplainFormat {
    /// Words and boards for a terminal
    Text,
    /// One JSON object
    Json,
    /// A self-contained page
    Html,
}

impl ExplainArgs {
    fn rating(&self) -> Option<ExplainedRating> {
        let se = self.se.then_some(ExplainedRating::Se);
        self.rating.or(se)
    }

    /// The format that the options select, or else the extension of the output.
    fn format(&self) -> Result<ExplainFormat, UsageError> {
        let format = match (self.json, self.html, self.format, &self.output) {
            (true, ..) => ExplainFormat::Json,
            (_, true, ..) => ExplainFormat::Html,
            (.., Some(format), _) => format,
            (.., Some(path)) => named_format(
                path,
                &[
                    ("txt", ExplainFormat::Text),
                    ("json", ExplainFormat::Json),
                    ("html", ExplainFormat::Html),
                ],
            )?
            .unwrap_or(ExplainFormat::Text),
            (.., None) => ExplainFormat::Text,
        };
        if self.brief && format != ExplainFormat::Text {
            Err(UsageError::BriefIsText)
        } else {
            Ok(format)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ColorWhen {
    /// If standard output is a terminal and NO_COLOR is not set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

pub(crate) fn run(args: ExplainArgs) -> Result<(), CommandError> {
    let format = args.format()?;
    let rating = args.rating();
    if args.hodoku_version.is_some() && rating != Some(ExplainedRating::Hodoku) {
        return Err(UsageError::rating_version(RATING.set_to("hodoku")).into());
    }
    let destination = args
        .output
        .map_or(TextDestination::Stdout, TextDestination::from_path);
    let file = match &destination {
        TextDestination::Stdout => None,
        TextDestination::File(path) => {
            let options = TargetOptions {
                overwrite: args.overwrite,
            };
            Some(Target::file(path, options)?)
        }
    };
    let puzzle = match args.puzzle {
        Some(puzzle) if puzzle == "-" && args.row.is_none() => {
            Some(puzzle_of_text(standard_input()?, "standard input"))
        }
        Some(puzzle) if Path::new(&puzzle).exists() || args.row.is_some() => {
            let text = puzzle_of_file(&puzzle, args.row.unwrap_or(0))?;
            if args.row.is_none()
                && !matches!(content_of_row(&puzzle, 1), Ok(RowContent::BeyondEnd { .. }))
            {
                log_first_row(&puzzle);
            }
            Some(text.into_bytes())
        }
        Some(puzzle) => Some(puzzle_of_text(argument(&puzzle)?.to_vec(), "the argument")),
        None => None,
    };
    let explanation = match (args.technique, &puzzle, rating) {
        (Some(id), ..) => Explanation::of_technique(&id).ok_or(MakerError::UnknownTechnique(id))?,
        (None, Some(puzzle), Some(_)) if is_other_size(puzzle) => {
            let reason = "only 9 × 9 puzzles are rated";
            return Err(UsageError::not_together(reason, &[SE, RATING]).into());
        }
        (None, Some(puzzle), None) => Explanation::from_text(puzzle)?,
        (None, Some(puzzle), Some(ExplainedRating::Se)) => {
            Explanation::from_rating(puzzle, WITHOUT_LIMIT)?
        }
        (None, Some(puzzle), Some(ExplainedRating::Hodoku)) => {
            Explanation::from_hodoku(puzzle, args.hodoku_version.unwrap_or_default())?
        }
        (None, None, _) => return Err(Error::Internal("nothing to explain".into()).into()),
    };
    let text = match format {
        ExplainFormat::Json => explanation_json(&explanation).to_string() + "\n",
        ExplainFormat::Html => explanation.html(),
        ExplainFormat::Text => explanation.text(TextOptions {
            color: has_color(args.color, &destination),
            brief: args.brief,
            width: text_width(&destination),
        }),
    };
    match file {
        None => pager::print(text.as_bytes()),
        Some(mut target) => {
            target.write(text.as_bytes())?;
            Ok(target.commit()?)
        }
    }
}

/// The puzzle in a text: the text itself, or the first row of a table or an object that it is. A text that is neither stays,
/// so that the error says what is wrong with it.
fn puzzle_of_text(text: Vec<u8>, name: &str) -> Vec<u8> {
    let text = first_field(text);
    let start = text.trim_ascii();
    let may_be_table = matches!(start.first(), Some(b'{' | b'[')) || start.contains(&b'\n');
    if !may_be_table || Explanation::from_text(&text).is_ok() {
        return text;
    }
    match content_of_text(text.clone(), name, 0) {
        Ok(RowContent::Puzzle(puzzle)) => {
            if !matches!(
                content_of_text(text, name, 1),
                Ok(RowContent::BeyondEnd { .. })
            ) {
                log_first_row(name);
            }
            puzzle.into_bytes()
        }
        _ => text,
    }
}

fn log_first_row(name: &str) {
    tracing::info!("row 0 of {name}: {} explains another", ROW.taking("N"));
}

/// The first field of a CSV line, if it is a puzzle; otherwise the whole text.
fn first_field(text: Vec<u8>) -> Vec<u8> {
    let line = text.trim_ascii();
    let Some(end) = line.iter().position(|byte| matches!(byte, b',' | b'\t')) else {
        return text;
    };
    let field = &line[..end];
    let is_puzzle = parse_any(field, None, &alphabets_of(field)).is_ok();
    if is_puzzle && !line.contains(&b'\n') {
        field.to_vec()
    } else {
        text
    }
}

/// Whether a text is a puzzle of another size than 9 × 9.
fn is_other_size(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let puzzle = parse_any(text, None, &alphabets_of(text));
    sizes::is_other_size(text) || matches!(puzzle, Ok(AnyPuzzle::Sized(_)))
}

/// The alphabets that fit the text.
fn alphabets_of(text: &[u8]) -> Alphabets {
    let mut alphabets = Alphabets::default();
    alphabets.learn(text.trim_ascii());
    alphabets
}

/// The puzzle of a row of a file.
fn puzzle_of_file(path: &str, row: u64) -> Result<String, CommandError> {
    if Path::new(path).is_dir() {
        let problem = "is a folder: give one of its files";
        return Err(UsageError::argument(path, problem).into());
    }
    let problem = match content_of_row(path, row)? {
        RowContent::Puzzle(puzzle) => return Ok(puzzle),
        RowContent::Reject(message) => format!("row {row} of {path} is no puzzle: {message}"),
        RowContent::BeyondEnd { rows } => {
            format!("{path} has {}, which count from 0", counted(rows, "row"))
        }
    };
    Err(OptionError::new(ROW, problem)
        .with_value(row.to_string())
        .into())
}

/// Checks the puzzle argument. Reports misspelt options, which start with hyphens like some puzzles, and names
/// of files that do not exist.
fn argument(puzzle: &str) -> Result<&[u8], CommandError> {
    let path = Path::new(puzzle);
    let id = technique_ids().find(|id| normalised(id) == normalised(puzzle));
    if let Some(id) = id {
        return Err(UsageError::argument(
            id,
            format!("is a technique: pipeline explain --technique {id} shows its manual page"),
        )
        .into());
    }
    let extension = path.extension().and_then(OsStr::to_str);
    let is_file_name = extension.is_some_and(|extension| {
        ["txt", "gz", "zst", "zip", "json", "sdk", "npy", "npz"].contains(&extension)
            || OutputFormat::from_ending(extension).is_some()
    });
    if is_file_name || puzzle.contains('/') && puzzle.len() < 81 {
        return Err(UsageError::argument(
            puzzle,
            "is no puzzle, and there is no file of this name: give the 81 cells, or - for standard input",
        )
        .into());
    }
    // No grid is written without digits or empty cells, as words are.
    let is_word = puzzle.len() < LEAST_CELLS
        && puzzle.starts_with(|c: char| c.is_alphabetic())
        && puzzle
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '-' | '_' | ' '));
    if is_word {
        let similar = did_you_mean(puzzle, technique_ids());
        let problem = format!(
            "is no puzzle, and there is no file of this name{similar}: give the 81 cells or a file, or a technique with --technique"
        );
        return Err(UsageError::argument(puzzle, problem).into());
    }
    let is_option = puzzle.starts_with('-') && puzzle.contains(|c: char| c.is_ascii_lowercase());
    if is_option && puzzle.len() != 81 {
        return Err(UsageError::argument(
            puzzle,
            "is neither an option of explain nor a puzzle; see --help",
        )
        .into());
    }
    Ok(puzzle.as_bytes())
}

fn standard_input() -> Result<Vec<u8>, CommandError> {
    let mut text = Vec::new();
    let read_result = std::io::stdin()
        .lock()
        .take(INPUT_LIMIT)
        .read_to_end(&mut text);
    match read_result {
        Ok(_) => Ok(text),
        Err(error) => Err(Error::Read {
            source_name: "standard input".into(),
            error,
        }
        .into()),
    }
}

/// The width of the text: that of the terminal, but not more than is read well.
fn text_width(destination: &TextDestination) -> usize {
    let widest = TextOptions::default().width;
    match destination {
        TextDestination::Stdout => {
            terminal::width().map_or(widest, |width| usize::from(width).clamp(NARROWEST, widest))
        }
        TextDestination::File(_) => widest,
    }
}

fn has_color(when: ColorWhen, destination: &TextDestination) -> bool {
    let is_variable_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match when {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto => {
            *destination == TextDestination::Stdout
                && std::io::stdout().is_terminal()
                && !is_variable_set("NO_COLOR")
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}
