use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{Field, FieldRef, Schema, SchemaRef};

use super::columns::{COLUMNS, Column, Group, Rows};
use crate::error::Error;

/// Which columns a table has, in order: ours, and among them the carried ones.
#[derive(Clone)]
pub struct Layout {
    before: Vec<&'static Column>,
    after: Vec<&'static Column>,
    schema: SchemaRef,
}

impl Layout {
    /// The columns of these groups, the requested ones by name, and the carried ones before
    /// `puzzle`. A carried column with the name of one of ours becomes `input_<name>`.
    pub fn new(groups: &[Group], requested: &[String], carried: &[FieldRef]) -> Layout {
        let chosen = |column: &&Column| {
            groups.contains(&column.group)
                || column.group == Group::Request && requested.contains(&column.name)
        };
        let (before, after): (Vec<_>, Vec<_>) = COLUMNS
            .iter()
            .filter(chosen)
            .partition(|column| column.group == Group::Origin);
        let mut taken: HashSet<String> = before
            .iter()
            .chain(&after)
            .map(|column| column.name.clone())
            .collect();
        let carried = carried.iter().map(|field| {
            let mut name = field.name().clone();
            while !taken.insert(name.clone()) {
                name = format!("input_{name}");
            }
            Arc::new(Field::new(name, field.data_type().clone(), true))
        });
        let fields: Vec<FieldRef> = (before.iter().map(|column| Arc::new(column.field())))
            .chain(carried)
            .chain(after.iter().map(|column| Arc::new(column.field())))
            .collect();
        Layout {
            before,
            after,
            schema: Arc::new(Schema::new(fields)),
        }
    }

    /// The table's schema.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Fills the columns: ours from the rows, the carried ones as they come.
    pub fn fill(&self, rows: Rows<'_>, carried: Vec<ArrayRef>) -> Result<RecordBatch, Error> {
        let mut arrays: Vec<ArrayRef> =
            self.before.iter().map(|column| column.fill(rows)).collect();
        arrays.extend(carried);
        arrays.extend(self.after.iter().map(|column| column.fill(rows)));
        Ok(RecordBatch::try_new(self.schema.clone(), arrays)?)
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::DataType;

    use super::*;

    #[test]
    fn carried_columns_never_hide_ours() {
        let carried: Vec<FieldRef> = ["clues", "source", "rating", "input_clues"]
            .map(|name| Arc::new(Field::new(name, DataType::Utf8, true)))
            .into();
        let groups = [Group::Origin, Group::Puzzle, Group::Solution];
        let layout = Layout::new(&groups, &[], &carried);
        let names: Vec<_> = layout
            .schema()
            .fields()
            .iter()
            .map(|f| f.name().as_str())
            .collect();
        assert_eq!(
            names[..7],
            [
                "source",
                "row",
                "input_clues",
                "input_source",
                "rating",
                "input_input_clues",
                "puzzle"
            ]
        );
    }
}
