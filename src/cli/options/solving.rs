//! The options of the solver and of ratings, which `grade`, `solve` and `evaluate` share.

use super::ids::id_of;
use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use sudoku_core::rating;
use sudoku_core::rating::hodoku::HodokuVersion;
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, DEFAULT_SOLUTION_LIMIT, Limits};
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::options::{SE_MAX, SE_WORK, WITH};
use sudoku_pipeline::table::columns::{
    COLUMNS, ColumnGroup, HODOKU, RATING, TRIAL, WAVES, requestable,
};

use crate::cli::error::UsageError;
use crate::cli::options::input::ReadArgs;
use crate::cli::options::numbers::between;
use crate::cli::options::output::WriteArgs;
use crate::cli::options::running::ReportArgs;

#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Count at most this many solutions of a puzzle
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SOLUTION_LIMIT,
          value_parser = between::<u32>(2, u32::MAX))]
    pub(crate) solution_limit: u32,
    /// Give up a puzzle after this many search nodes (guesses): its status is then gave_up; on larger
    /// grids, where nodes take longer, after an equivalent amount of work
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODE_LIMIT,
          visible_alias = "guess-limit")]
    pub(crate) node_limit: u64,
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',',
          help = "Add columns such as the ratings se and hodoku: names separated by commas",
          value_parser = with_values(true))]
    pub(crate) with: Vec<String>,
}

/// The names that `--with` accepts, each with what it adds.
pub(crate) fn with_values(is_graded: bool) -> impl TypedValueParser<Value = String> {
    let columns_of = |group| {
        let columns = COLUMNS.iter().filter(|column| column.group == group);
        let names: Vec<&str> = columns.map(|column| &*column.name).collect();
        names.join(", ")
    };
    let help = |name: &str| match name {
        WAVES => "The number of waves of each technique: waves_naked_single and so on".to_owned(),
        RATING => format!(
            "Sudoku Explainer's ratings: {}",
            columns_of(ColumnGroup::Rating)
        ),
        TRIAL => format!(
            "The depth of trial and error: {}",
            columns_of(ColumnGroup::Trial)
        ),
        HODOKU => format!("HoDoKu's rating: {}", columns_of(ColumnGroup::Hodoku)),
        name => {
            let column = COLUMNS.iter().find(|column| column.name == name);
            let doc = column.map_or("", |column| &*column.doc);
            let first_sentence = doc.split(". ").next().unwrap_or_default();
            first_sentence.trim_end_matches('.').replace('`', "")
        }
    };
    let values = requestable(is_graded).into_iter();
    let values: Vec<PossibleValue> = values
        .map(|name| PossibleValue::new(name).help(help(name)))
        .collect();
    id_of(values)
}

/// The options for ratings.
#[derive(Args)]
pub(crate) struct RatingArgs {
    /// With --with se: the highest rating to compute, from 1.0 to 12.0; puzzles above it get se_status
    /// above and no rating. 12 rates all puzzles; ratings above 9.4 can take seconds each [default: 9.0]
    #[arg(long, value_name = "RATING")]
    pub(crate) se_max: Option<rating::Rating>,
    #[arg(long, value_name = "N",
          value_parser = between::<u64>(1, u64::MAX),
          help = format!(
              "With --with se: give a rating up after this much work, counted in nodes of chains and of the \
               search for loops; se is then null and se_status gave_up. It is the same on every machine \
               [default: {}]",
              rating::RatingLimits::WORK
          ))]
    pub(crate) se_work: Option<u64>,
    /// With --with hodoku: the version of HoDoKu, 2.2 or 2.3, which choose different chains [default: 2.2]
    #[arg(long, value_name = "VERSION")]
    pub(crate) hodoku_version: Option<HodokuVersion>,
}

impl RatingArgs {
    /// Sets the limits and the version of the ratings that the option `--with` requests.
    pub(crate) fn apply(&self, with: &[String], stages: &mut Stages) -> Result<(), UsageError> {
        let is_requested = |rating: &str| with.iter().any(|name| name == rating);
        let is_limited = self.se_max.is_some() || self.se_work.is_some();
        if is_limited && !is_requested(RATING) {
            return Err(UsageError::option_without(
                format!("{SE_MAX} and {SE_WORK} are limits of ratings"),
                WITH.set_to("se"),
            ));
        }
        if self.hodoku_version.is_some() && !is_requested(HODOKU) {
            return Err(UsageError::rating_version(WITH.set_to("hodoku")));
        }
        let default = rating::RatingLimits::default();
        stages.rating = rating::RatingLimits {
            highest: self.se_max.unwrap_or(default.highest),
            work: self.se_work.unwrap_or(default.work),
        };
        stages.hodoku = self.hodoku_version.unwrap_or_default();
        Ok(())
    }
}

/// The options that `grade` and `solve` share.
#[derive(Args)]
pub(crate) struct SolverArgs {
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) rating: RatingArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) write: WriteArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

pub(crate) fn solver_limits(args: &LimitArgs) -> Limits {
    Limits {
        solutions: args.solution_limit,
        nodes: args.node_limit,
    }
}
