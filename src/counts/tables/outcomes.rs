//! Counts the outcomes of one batch of a run, from the columns that a table of all its figures has.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{Field, Schema, SchemaRef};

use super::RowFigures;
use super::column_roles::RowColumns;
use super::counted_columns::{COUNTED_COLUMNS, CountedColumn};
use super::rows::WavesColumns;
use crate::counts::evaluation::Evaluation;
use crate::counts::frames::aggregated_frames::AggregatedFrames;
use crate::counts::frames::aggregations::AddGroup;
use crate::counts::frames::columns::can_group;
use crate::counts::statistics::{CountedInput, LABEL_NAMES, RejectExample, Statistics};
use crate::error::Error;
use crate::table::column::Rows;
use crate::table::columns::{COLUMNS, ColumnGroup, OutputColumn};
use crate::table::outcome::Outcome;
use crate::table::reject::Reject;

/// The columns of a run that are counted, whether or not its table has them.
struct CountedColumns {
    columns: Vec<&'static OutputColumn>,
    schema: SchemaRef,
    roles: RowColumns,
}

/// The columns of a run that statistics count.
static STATISTICS_COLUMNS: LazyLock<CountedColumns> =
    LazyLock::new(|| CountedColumns::new(|column| column.is_of_statistics));

/// The columns of a run that its evaluation counts.
static EVALUATION_COLUMNS: LazyLock<CountedColumns> =
    LazyLock::new(|| CountedColumns::new(|column| column.is_of_evaluation));

impl CountedColumns {
    /// The counted columns that are wanted. Columns of waves by technique are added if the effort is counted.
    fn new(is_wanted: impl Fn(&CountedColumn) -> bool) -> CountedColumns {
        let is_named = |name: &str| {
            let column = COUNTED_COLUMNS.iter().find(|column| column.name == name);
            column.is_some_and(&is_wanted)
        };
        let is_counted = |column: &&OutputColumn| {
            is_named(&column.name) || column.group == ColumnGroup::Waves && is_named("effort")
        };
        let columns: Vec<&'static OutputColumn> = COLUMNS.iter().filter(is_counted).collect();
        let fields = columns.iter().map(|column| column.field());
        let schema = Schema::new(fields.collect::<Vec<Field>>());
        let roles = RowColumns::of_own_columns(&schema);
        CountedColumns {
            columns,
            schema: Arc::new(schema),
            roles,
        }
    }

    fn fill(&self, rows: Rows<'_, Outcome>) -> Result<RecordBatch, Error> {
        let columns = self.columns.iter().map(|column| column.fill(rows));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        Ok(RecordBatch::try_new(self.schema.clone(), columns)?)
    }
}

impl Statistics {
    /// The statistics of a batch: its rows, its rejects, and groups of rows by the values of `labels`, columns with their
    /// names. Columns with fewer values than there are rows are left out. Repeated rows and other columns are not
    /// counted.
    ///
    /// # Errors
    ///
    /// The rows cannot be grouped, which is a bug.
    pub fn from_batch(
        source: &str,
        outcomes: &[Outcome],
        rejects: &[Reject],
        labels: &[(String, ArrayRef)],
    ) -> Result<Statistics, Error> {
        let mut statistics = Statistics::from_records(source, outcomes.len() as u64, rejects);
        let labels = labels
            .iter()
            .filter(|(_, values)| values.len() == outcomes.len());
        let labels = labels.map(|(name, values)| (name.as_str(), values));
        let counted = &STATISTICS_COLUMNS;
        let columns = counted.fill(Rows::of_input(source, outcomes))?;
        let frame = (counted.roles).frame(&columns, Some(outcomes), WavesColumns::Used)?;
        RowFigures::count(&frame, labels)?.add_to(&mut statistics)?;
        (counted.roles).count_puzzles(&columns, outcomes, &mut statistics);
        Ok(statistics)
    }

    /// The statistics of a number of records, of which only the rejects are known in detail.
    pub(crate) fn from_records(source: &str, rows: u64, rejects: &[Reject]) -> Statistics {
        let mut statistics = Statistics {
            inputs: vec![CountedInput {
                name: source.to_owned(),
                rows,
                rejects: false,
            }],
            rows,
            ..Statistics::default()
        };
        for reject in rejects {
            let reject_counts = statistics.rejects.entry(reject.reason.kind.id().to_owned());
            reject_counts.or_default().add(|| RejectExample {
                source: source.to_owned(),
                row: Some(reject.row),
                line: reject.line,
                message: reject.reason.message.clone(),
                raw: reject.raw.clone(),
            });
        }
        statistics
    }
}

impl Evaluation {
    /// Counts the verdicts on the predictions for these rows.
    ///
    /// # Errors
    ///
    /// The rows cannot be grouped, which is a bug.
    pub fn from_rows(outcomes: &[Outcome]) -> Result<Evaluation, Error> {
        let counted = &EVALUATION_COLUMNS;
        let source = "";
        let columns = counted.fill(Rows::of_input(source, outcomes))?;
        let frame = (counted.roles).frame(&columns, Some(outcomes), WavesColumns::Used)?;
        let mut evaluation = Evaluation::default();
        let is_wanted = |add| matches!(add, AddGroup::Evaluation(_));
        AggregatedFrames::count(&frame, is_wanted)?.visit_all(|add, group| match add {
            AddGroup::Evaluation(add) => add(&mut evaluation, group),
            _ => Ok(()),
        })?;
        for judged in outcomes
            .iter()
            .filter_map(|outcome| outcome.judged.as_ref())
        {
            if let Some((form, rule)) = judged.source {
                evaluation.add_answer(form.id, rule.id, judged.judgement.verdict.id());
            }
            if let Some(steps) = &judged.steps {
                evaluation.add_steps(&steps.judged);
            }
        }
        Ok(evaluation)
    }
}

/// The names and the values of the label columns of a table, and of those that it lacks because its options do not
/// select them.
pub(crate) fn labels_of(
    table: Option<&RecordBatch>,
    unselected: Vec<(String, ArrayRef)>,
) -> Vec<(String, ArrayRef)> {
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    if let Some(table) = table {
        let fields = table.schema_ref().fields().iter().zip(table.columns());
        columns.extend(fields.map(|(field, values)| (field.name().clone(), values.clone())));
    }
    columns.extend(unselected);
    let labels = LABEL_NAMES.iter().filter_map(|label| {
        let is_named = |column: &&(String, ArrayRef)| column.0.eq_ignore_ascii_case(label);
        let label = columns.iter().find(is_named)?;
        can_group(label.1.data_type()).then(|| label.clone())
    });
    labels.collect()
}
