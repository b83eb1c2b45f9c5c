//! Assigns a role to each column of a table: written by this program, a label, or another column.

use arrow::datatypes::{DataType, Schema};
use sudoku_core::grade::Rank;

use super::Measure;
use super::values::column_kind::ColumnKind;
use super::values::value_groups::ValueGroups;
use super::values::{Texts, type_name};
use crate::error::{AnalysisError, Error};
use crate::options::BY;
use crate::report::statistics::LABEL_NAMES;

/// The indices of the columns in a table of puzzles; `None` for missing columns.
#[derive(Clone, Debug)]
pub(crate) struct RowColumns {
    pub(crate) status: Option<usize>,
    pub(crate) solution_given: Option<usize>,
    pub(crate) technique: Option<usize>,
    pub(crate) level: Option<usize>,
    pub(crate) clues: Option<usize>,
    pub(crate) effort: Option<usize>,
    pub(crate) waves: Option<usize>,
    pub(crate) nodes: Option<usize>,
    pub(crate) canonical: Option<usize>,
    /// The columns that `evaluate` writes.
    pub(crate) verdict: Option<usize>,
    pub(crate) blanks: Option<usize>,
    pub(crate) blanks_right: Option<usize>,
    pub(crate) other_verdict: Option<usize>,
    pub(crate) rating: Option<usize>,
    pub(crate) source: Option<usize>,
    pub(crate) row: Option<usize>,
    /// The columns with numbers of waves, each with the id of its technique.
    pub(crate) uses: Vec<(&'static str, usize)>,
    /// The columns by which rows are grouped.
    pub(crate) by: Vec<(String, usize)>,
    /// The columns that this program did not write.
    pub(crate) others: Vec<OtherColumn>,
    /// The names and types of all columns.
    pub(crate) fields: Vec<(String, String)>,
}

/// A column that this program did not write.
#[derive(Clone, Debug)]
pub(crate) struct OtherColumn {
    pub(crate) at: usize,
    pub(crate) name: String,
    pub(crate) data_type: DataType,
    pub(crate) kind: ColumnKind,
}

/// Which of a table's columns this program wrote, by the commands that write them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) is_solved: bool,
    pub(crate) is_graded: bool,
    pub(crate) is_judged: bool,
}

impl Origin {
    /// Decides by the commands in the metadata of the tables. Without metadata, the columns decide: no
    /// other program is likely to write all columns of a command with the right types.
    pub(crate) fn from_metadata(commands: &[Option<String>], schema: &Schema) -> Origin {
        let all = |wanted: &[&str]| {
            let is = |of: &Option<String>| of.as_deref().is_some_and(|own| wanted.contains(&own));
            !commands.is_empty() && commands.iter().all(is)
        };
        let has = |name: &str, fits: &dyn Fn(&DataType) -> bool| {
            let field = schema.field_with_name(name);
            field.is_ok_and(|field| fits(field.data_type()))
        };
        let texts = |names: &[&str]| names.iter().all(|name| has(name, &Texts::has));
        let integers = |names: &[&str]| names.iter().all(|name| has(name, &DataType::is_integer));
        let graded =
            texts(&["technique", "level"]) && integers(&["rank", "effort", "waves", "first_rank"]);
        let solved = texts(&["status"])
            && integers(&["solutions"])
            && has("solutions_exact", &|of| *of == DataType::Boolean);
        Origin {
            is_solved: solved || all(&["grade", "solve"]),
            is_graded: graded || all(&["grade"]),
            is_judged: solved
                && texts(&["verdict"])
                && integers(&["blanks", "blanks_right"])
                && has("is_exact", &|of| *of == DataType::Boolean),
        }
    }
}

impl RowColumns {
    /// Assigns the roles.
    ///
    /// # Errors
    ///
    /// A column to group by is missing, or its values cannot be grouped.
    pub(crate) fn new(
        schema: &Schema,
        origin: Origin,
        has_puzzles: bool,
        measure: &Measure,
    ) -> Result<RowColumns, Error> {
        let of = |is_ours: bool, name: &str, fits: &dyn Fn(&DataType) -> bool| {
            let at = schema.index_of(name).ok().filter(|_| is_ours)?;
            fits(schema.field(at).data_type()).then_some(at)
        };
        let solved =
            |name: &str, fits: &dyn Fn(&DataType) -> bool| of(origin.is_solved, name, fits);
        let graded =
            |name: &str, fits: &dyn Fn(&DataType) -> bool| of(origin.is_graded, name, fits);
        let judged =
            |name: &str, fits: &dyn Fn(&DataType) -> bool| of(origin.is_judged, name, fits);
        let (text, integer) = (&Texts::has, &DataType::is_integer);
        let uses = Rank::all().filter_map(|rank| {
            let at = graded(&format!("waves_{}", rank.id()), integer)?;
            Some((rank.id(), at))
        });
        let fields = schema.fields().iter();
        let mut columns = RowColumns {
            status: solved("status", text),
            solution_given: solved("solution_given", text),
            technique: graded("technique", text),
            level: graded("level", text),
            clues: solved("clues", integer).or_else(|| graded("clues", integer)),
            effort: graded("effort", integer),
            waves: graded("waves", integer),
            nodes: solved("nodes", integer),
            canonical: solved("canonical", text).filter(|_| has_puzzles),
            verdict: judged("verdict", text),
            blanks: judged("blanks", integer),
            blanks_right: judged("blanks_right", integer),
            other_verdict: judged("other_verdict", text),
            rating: judged("se", &DataType::is_floating),
            source: solved("source", text),
            row: solved("row", integer),
            uses: uses.collect(),
            by: Vec::new(),
            others: Vec::new(),
            fields: fields
                .map(|field| (field.name().clone(), type_name(field.data_type())))
                .collect(),
        };
        columns.by = groups(schema, measure)?;
        let rank = graded("rank", integer);
        let ours = [
            columns.status,
            columns.solution_given,
            columns.technique,
            columns.level,
            columns.clues,
            columns.effort,
            columns.waves,
            columns.nodes,
            columns.canonical,
            columns.verdict,
            columns.other_verdict,
            columns.row,
            rank,
        ];
        let mut ours: Vec<usize> = ours.into_iter().flatten().collect();
        ours.extend(columns.uses.iter().map(|(_, at)| *at));
        let is_grid = |name: &str| has_puzzles && ["puzzle", "solution"].contains(&name);
        let others = schema.fields().iter().enumerate();
        let others = others.filter(|(at, field)| !ours.contains(at) && !is_grid(field.name()));
        columns.others = others
            .map(|(at, field)| OtherColumn {
                at,
                name: field.name().clone(),
                data_type: field.data_type().clone(),
                kind: ColumnKind::from_type(field.data_type()),
            })
            .collect();
        Ok(columns)
    }
}

/// The columns by which rows are grouped: those of the options, followed by those with well-known names.
fn groups(schema: &Schema, measure: &Measure) -> Result<Vec<(String, usize)>, Error> {
    let names: Vec<&str> = schema
        .fields()
        .iter()
        .map(|field| field.name().as_str())
        .collect();
    let mut all: Vec<(String, usize)> = Vec::new();
    for asked in &measure.by {
        let found = names.iter().position(|name| name == asked);
        let found = found.or_else(|| {
            names
                .iter()
                .position(|name| name.eq_ignore_ascii_case(asked))
        });
        let Some(at) = found else {
            return Err(Error::NoColumn {
                source_name: "the tables".into(),
                wanted: format!("column {asked}"),
                columns: names.iter().map(ToString::to_string).collect(),
                option: BY,
            });
        };
        let field = schema.field(at);
        if !ValueGroups::can_group(field.data_type()) {
            return Err(AnalysisError::NoGroups {
                column: field.name().clone(),
                data_type: field.data_type().to_string(),
            }
            .into());
        }
        if !all.iter().any(|(_, known)| *known == at) {
            all.push((field.name().clone(), at));
        }
    }
    if measure.find_labels {
        for (at, name) in names.iter().enumerate() {
            let is_label = LABEL_NAMES
                .iter()
                .any(|label| name.eq_ignore_ascii_case(label));
            let can_group = ValueGroups::can_group(schema.field(at).data_type());
            if is_label && can_group && !all.iter().any(|(_, known)| *known == at) {
                all.push(((*name).to_owned(), at));
            }
        }
    }
    Ok(all)
}
