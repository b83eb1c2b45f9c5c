//! `report`: a page with charts of tables, and a dataset card for a model hub.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use sudoku_pipeline::analysis::{
    Content, CountOptions, DamageCount, content_of, overlap_of, statistics_of,
};
use sudoku_pipeline::report::page::{
    Page, Side, card, comparison_page, comparison_png, comparison_svg,
};
use sudoku_pipeline::write::{has_room_beside, names_stdout};

use super::tables::TableReadArgs;
use super::{refuse_input, text_target, write_text, write_texts};
use crate::cli::error::{CommandError, UsageError};
use crate::cli::run::destination::named_format;
use sudoku_pipeline::error::OptionError;
use sudoku_pipeline::options::{AGAINST, BY, CARD};

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline report graded.parquet -o report.html
  pipeline report graded.parquet -o report.html --by source
  pipeline report ours.parquet -o report.html --against theirs.parquet
  pipeline report statistics.json -o report.html --title 'Puzzles of May'
  pipeline report graded.parquet -o graded.svg
  pipeline report graded.parquet -o graded.png
  pipeline report graded.parquet --card README.md
  pipeline report runs.parquet -o runs.html

The page is one file that needs nothing else: no network, no script. A picture (.svg or
.png) is one screen of its charts, for a README or a paper. Tables are those of pipeline stats, or its statistics as JSON, or those of pipeline grade --report. The page of a table of runs, as
pipeline compare writes it, compares the solvers.";

#[derive(Args)]
pub(crate) struct ReportArgs {
    /// Compare with another dataset, in every chart
    #[arg(long, value_name = "TABLE")]
    against: Vec<String>,
    /// Also group the rows by these columns
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    by: Vec<String>,
    #[command(flatten)]
    read: TableReadArgs,
    /// The page to write (.html), or a picture with four charts (.svg or .png) [default: the name of the dataset, with
    /// .html, in the current folder; none with --card]
    #[arg(long, value_name = "FILE", help_heading = "Writing")]
    output: Option<PathBuf>,
    /// Write a dataset card for a model hub: Markdown with a YAML header, and a picture of the same name (.svg)
    /// beside it
    #[arg(long, value_name = "FILE", help_heading = "Writing")]
    card: Option<PathBuf>,
    /// The name of the dataset [default: the name of its first file]
    #[arg(long, value_name = "NAME", help_heading = "Writing")]
    title: Option<String>,
    /// Replace outputs that exist, once the new ones are complete
    #[arg(long, help_heading = "Writing")]
    overwrite: bool,
}

pub(crate) fn run(args: ReportArgs) -> Result<(), CommandError> {
    let (limit, damage) = (args.read.tolerated_damage(), Arc::default());
    write(args, &damage)?;
    TableReadArgs::check_damage(limit, &damage)
}

/// Writes the page or card. `damage` counts the tables that could not be read to their end.
fn write(mut args: ReportArgs, damage: &Arc<DamageCount>) -> Result<(), CommandError> {
    if args.output.is_none() && args.card.is_none() {
        let title = default_title(args.read.names());
        // The name of a pattern would match that pattern itself.
        let is_pattern = title.contains(['*', '?', '[']);
        let name = if is_pattern || matches!(title.as_str(), "" | "-") {
            "report"
        } else {
            &title
        };
        args.output = Some(PathBuf::from(format!("{name}.html")));
    }
    let inputs = [args.read.names(), &args.against].concat();
    // A card that goes to standard output or a device has no picture beside it.
    let picture = args
        .card
        .as_deref()
        .filter(|card| !names_stdout(card) && has_room_beside(card));
    let picture = picture.map(|card| card.with_extension("svg"));
    let outputs = [&args.output, &args.card, &picture];
    let outputs: Vec<&PathBuf> = outputs.into_iter().flatten().collect();
    for (at, output) in outputs.iter().enumerate() {
        refuse_input(output, &inputs)?;
        if outputs[..at].contains(output) {
            return Err(UsageError::written_twice(output).into());
        }
    }
    let page_form = match args.output.as_deref() {
        Some(path) => PageForm::from_extension(path)?,
        None => PageForm::Html,
    };
    if let Some(card) = &args.card {
        named_format(card, &[("md", ())])?;
    }
    // Signal handlers are installed before the first temporary file is created.
    let options = args.read.options("report", damage.clone())?;
    let wants_page = args.output.is_some();
    let page_target = text_target(args.output, args.overwrite)?;
    let wants_card = args.card.is_some();
    let card_target = text_target(args.card, args.overwrite)?;
    let picture_name = picture.as_deref().and_then(Path::file_name);
    let picture_name = picture_name.map(|name| name.to_string_lossy().into_owned());
    let picture_target = text_target(picture, args.overwrite)?;
    let measure = CountOptions {
        by: args.by.clone(),
        find_labels: true,
    };
    let name = args
        .title
        .unwrap_or_else(|| default_title(args.read.names()));
    let mut line = args.read.progress();
    let mut show_progress = |bytes, progress| line.show(bytes, progress);
    let statistics = match content_of(args.read.names(), &measure, &options, &mut show_progress)? {
        Content::Dataset(statistics) => *statistics,
        Content::Comparison(tables) => {
            let refused_options = [
                (AGAINST, !args.against.is_empty()),
                (BY, !args.by.is_empty()),
                (CARD, wants_card),
            ];
            if let Some((option, _)) = refused_options.into_iter().find(|(_, is_given)| *is_given) {
                return Err(OptionError::new(
                    option,
                    "it is about datasets, but these tables hold runs of solvers: leave it out",
                )
                .into());
            }
            let bytes = match page_form {
                PageForm::Html => comparison_page(&name, &tables)?.into_bytes(),
                PageForm::Svg => comparison_svg(&name, &tables)?.into_bytes(),
                PageForm::Png => comparison_png(&name, &tables)?,
            };
            return write_text(page_target, &bytes);
        }
    };
    let own_side = Side { name, statistics };
    // All files are published together, because the dataset card refers to its picture.
    let mut written_texts = Vec::new();
    let mut page = Page::new(own_side.clone());
    if picture_target.is_some() {
        written_texts.push((picture_target, page.svg()?.into_bytes()));
    }
    if wants_card {
        let card = card(&own_side, picture_name.as_deref());
        written_texts.push((card_target, card.into_bytes()));
    }
    if !wants_page {
        return write_texts(written_texts);
    }
    if !args.against.is_empty() {
        let other_side = Side {
            name: default_title(&args.against),
            statistics: statistics_of(&args.against, &measure, &options, &mut show_progress)?,
        };
        let overlap = overlap_of(
            (args.read.names(), &own_side.statistics),
            (&args.against, &other_side.statistics),
            &options,
            &mut show_progress,
        )?;
        page = page.against(other_side);
        if let Some(overlap) = overlap {
            page = page.overlapping(overlap);
        }
    }
    let bytes = match page_form {
        PageForm::Html => page.html()?.into_bytes(),
        PageForm::Svg => page.svg()?.into_bytes(),
        PageForm::Png => page.png()?,
    };
    written_texts.push((page_target, bytes));
    write_texts(written_texts)
}

/// The form of the output of `report`: a page, or a picture with four charts.
#[derive(Clone, Copy)]
enum PageForm {
    Html,
    Svg,
    Png,
}

impl PageForm {
    /// The form that the extension of the output's path selects.
    fn from_extension(path: &Path) -> Result<PageForm, UsageError> {
        let forms = [
            ("html", PageForm::Html),
            ("htm", PageForm::Html),
            ("svg", PageForm::Svg),
            ("png", PageForm::Png),
        ];
        Ok(named_format(path, &forms)?.unwrap_or(PageForm::Html))
    }
}

/// The title for a dataset: the name of its first file without extensions.
fn default_title(names: &[String]) -> String {
    let first_name = names
        .first()
        .map_or("", String::as_str)
        .trim_end_matches('/');
    let file = Path::new(first_name)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(first_name);
    file.split('.').next().unwrap_or(file).to_owned()
}
