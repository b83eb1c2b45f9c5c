//! SQL over tables.

use std::collections::HashSet;
use std::io::Cursor;
use std::path::Path;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef as ArrowSchemaRef;
use arrow::ipc::reader::FileReader;
use polars::prelude::*;
use polars::sql::SQLContext;

use super::engine::{failed, for_each_batch, plain};
use super::open::TableSet;
use super::union::union;
use crate::error::{AnalysisError, Error, TableError};
use crate::panics::expected;

/// The answer of a query, which is not computed yet.
pub struct Answer {
    frame: LazyFrame,
    schema: ArrowSchemaRef,
}

impl TableSet {
    /// The names of the tables in SQL: their files' names without endings, and `tables` for the rows of
    /// all that are no rejects.
    fn sql_names(&self) -> Vec<String> {
        let mut taken = HashSet::from(["tables".to_owned()]);
        let names = self.all().iter().map(|table| {
            let file = Path::new(&table.name)
                .file_name()
                .and_then(|name| name.to_str());
            let stem = file.unwrap_or("table").split('.').next().unwrap_or("table");
            let is_rejects = table.is_rejects && !stem.contains("rejects");
            let stem = if is_rejects {
                format!("{stem}_rejects")
            } else {
                stem.to_owned()
            };
            let plain: String = (stem.chars())
                .map(|letter| {
                    if letter.is_alphanumeric() {
                        letter
                    } else {
                        '_'
                    }
                })
                .collect();
            let starts = plain.chars().next().is_none_or(char::is_numeric);
            let mut name = if starts { format!("t_{plain}") } else { plain };
            while !taken.insert(name.to_lowercase()) {
                name.push('_');
            }
            name
        });
        names.collect()
    }

    /// Answers a query of SQL.
    ///
    /// # Errors
    /// The query is wrong, or names what is not there.
    pub fn query(&self, sql: &str) -> Result<Answer, Error> {
        let names = self.sql_names();
        let mut context = SQLContext::new();
        for (name, table) in names.iter().zip(self.all()) {
            context.register(name, table.frame.clone());
        }
        let rows = self.rows();
        // Tables that do not fit together can still be asked one by one.
        if let Some((frame, _)) = (!rows.is_empty()).then(|| union(&rows).ok()).flatten() {
            context.register("tables", frame);
        }
        let wrong = |cause: String| AnalysisError::Query {
            cause,
            tables: self.described(&names),
        };
        let planned = expected(|| {
            let frame = context.execute(sql)?;
            let first = frame
                .clone()
                .limit(0)
                .collect_with_engine(Engine::InMemory)?;
            Ok::<_, PolarsError>((frame, first.unwrap_single()))
        });
        let (frame, none) = match planned {
            Ok(planned) => planned.map_err(|error| wrong(plain(&error)))?,
            Err(panic) => return Err(wrong(panic).into()),
        };
        let (schema, _) = converted(none)?;
        Ok(Answer { frame, schema })
    }

    /// The tables and their columns, in a few words.
    fn described(&self, names: &[String]) -> String {
        const MOST: usize = 12;
        let tables = names
            .iter()
            .zip(self.all())
            .take(MOST)
            .map(|(name, table)| {
                let columns: Vec<&str> = table
                    .schema
                    .iter_names()
                    .take(MOST)
                    .map(PlSmallStr::as_str)
                    .collect();
                let more = if table.schema.len() > MOST {
                    ", …"
                } else {
                    ""
                };
                format!("{name} ({}{more})", columns.join(", "))
            });
        let tables: Vec<String> = tables.collect();
        tables.join(", ")
    }
}

impl Answer {
    /// The columns of the answer.
    pub fn schema(&self) -> &ArrowSchemaRef {
        &self.schema
    }

    /// Computes the answer and takes its rows batch by batch, in order.
    pub fn for_each<S: Send + 'static>(
        self,
        state: S,
        take: impl Fn(&mut S, RecordBatch) -> Result<(), Error> + Send + Sync + 'static,
    ) -> Result<S, Error> {
        for_each_batch(self.frame, state, move |state, rows| {
            let (_, batches) = converted(rows)?;
            batches.into_iter().try_for_each(|batch| take(state, batch))
        })
    }

    /// The first rows of the answer, and how many it has in all.
    pub fn first(self, rows: usize) -> Result<(Vec<RecordBatch>, u64), Error> {
        let taken = (Vec::new(), 0);
        self.for_each(taken, move |(batches, seen), batch| {
            let left = (rows as u64).saturating_sub(*seen) as usize;
            if left > 0 {
                batches.push(batch.slice(0, batch.num_rows().min(left)));
            }
            *seen += batch.num_rows() as u64;
            Ok(())
        })
    }
}

/// Rows of polars as those of arrow, by way of Arrow's own file format.
fn converted(mut rows: DataFrame) -> Result<(ArrowSchemaRef, Vec<RecordBatch>), Error> {
    let mut bytes = Vec::new();
    IpcWriter::new(&mut bytes)
        .with_compat_level(CompatLevel::oldest())
        .finish(&mut rows)
        .map_err(|error| failed(&error))?;
    let refused = |error| Error::from(TableError::Arrow(error));
    let reader = FileReader::try_new(Cursor::new(bytes), None).map_err(refused)?;
    let schema = reader.schema();
    let batches = reader.collect::<Result<Vec<_>, _>>().map_err(refused)?;
    Ok((schema, batches))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_values_on_the_way() {
        let rows = df!("a" => [1i64, 2], "b" => ["x", "y"]).unwrap();
        let (schema, batches) = converted(rows).unwrap();
        assert_eq!(schema.field(0).name(), "a");
        assert_eq!(batches[0].num_rows(), 2);
    }
}
