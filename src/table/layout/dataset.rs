//! Layouts of datasets that keep the names and the order of the columns of their inputs.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, StringArray};
use arrow::buffer::Buffer;
use arrow::datatypes::{FieldRef, Schema};
use arrow::error::ArrowError;

use super::Holds;
use super::{ColumnSource, Layout, free_name};
use crate::table::columns::{ColumnGroup, OutputColumn};
use crate::table::input_column::{ColumnInfo, ColumnRole};
use crate::table::template::Template;

/// The character for an empty cell in normal form, which `--blank` replaces.
pub(super) const NORMAL_BLANK: u8 = b'.';

impl Layout {
    /// Makes a layout with the same columns as [`Layout::new`], but with the names and the order of the inputs'
    /// columns, which are in `names`. Columns that no input has come last, and keep their names. A carried column with
    /// the name of one of them is renamed to `input_<name>`. If `names` is empty, the result is that of
    /// [`Layout::new`].
    pub fn like_inputs(
        groups: &[ColumnGroup],
        requested: &[String],
        carried_fields: &[FieldRef],
        names: &[ColumnInfo],
    ) -> Layout {
        let mut layout = Layout::new(groups, requested, carried_fields);
        if names.is_empty() {
            let grids = layout
                .column_sources
                .iter()
                .filter_map(|source| match source {
                    ColumnSource::BuiltIn(column) if holds_grids(column) => Some(&column.name),
                    _ => None,
                });
            layout.grid_names = grids.map(|name| (name.clone(), name.clone())).collect();
            return layout;
        }
        // The positions are in a map, because a table can have tens of thousands of columns.
        let carried_positions: HashMap<String, usize> = (layout.column_sources.iter().enumerate())
            .filter_map(|(place, source)| match source {
                ColumnSource::BuiltIn(_) => None,
                ColumnSource::Carried(at) => {
                    Some((carried_fields[*at].name().to_ascii_lowercase(), place))
                }
            })
            .collect();
        let find_group = |group: ColumnGroup| {
            (layout.column_sources.iter()).position(
                |source| matches!(source, ColumnSource::BuiltIn(column) if column.group == group),
            )
        };
        let find_column = |column: &ColumnInfo| match column.role {
            ColumnRole::Puzzle => find_group(ColumnGroup::Puzzle),
            ColumnRole::Solution => find_group(ColumnGroup::Given),
            ColumnRole::Carried => carried_positions
                .get(&column.name.to_ascii_lowercase())
                .copied(),
            ColumnRole::Dropped => None,
        };
        let mut ordered_columns: Vec<(usize, &str)> = (names.iter())
            .filter_map(|column| Some((find_column(column)?, column.name.as_str())))
            .collect();
        let named_columns: HashSet<usize> =
            ordered_columns.iter().map(|(place, _)| *place).collect();
        let other_columns =
            (0..layout.column_sources.len()).filter(|place| !named_columns.contains(place));
        let other_columns: Vec<usize> = other_columns.collect();
        ordered_columns.extend((other_columns.into_iter()).map(
            |place| match layout.column_sources[place] {
                ColumnSource::BuiltIn(column) => (place, column.name.as_str()),
                ColumnSource::Carried(at) => (place, carried_fields[at].name().as_str()),
            },
        ));

        // Columns get their names in this order: first this program's columns, then the grids, then the carried
        // columns. A column whose name is already in use is renamed.
        let rank = |place: usize| match layout.column_sources[place] {
            ColumnSource::BuiltIn(column) if holds_grids(column) => 1,
            ColumnSource::BuiltIn(_) => 0,
            ColumnSource::Carried(_) => 2,
        };
        let mut fields: Vec<Option<FieldRef>> = vec![None; ordered_columns.len()];
        let mut taken_names: HashSet<String> = HashSet::new();
        for turn in 0..3 {
            for (to, (place, name)) in ordered_columns.iter().enumerate() {
                if rank(*place) != turn {
                    continue;
                }
                let name = free_name(name, &mut taken_names);
                let field = layout.schema.field(*place).clone().with_name(name);
                fields[to] = Some(Arc::new(field));
            }
        }
        let grids = ordered_columns.iter().zip(&fields);
        let grid_names =
            grids.filter_map(|((place, _), field)| match layout.column_sources[*place] {
                ColumnSource::BuiltIn(column) if holds_grids(column) => {
                    Some((column.name.clone(), field.as_ref()?.name().clone()))
                }
                _ => None,
            });
        Layout {
            grid_names: grid_names.collect(),
            column_sources: (ordered_columns.iter())
                .map(|(place, _)| layout.column_sources[*place])
                .collect(),
            schema: Arc::new(Schema::new(
                fields.into_iter().flatten().collect::<Vec<_>>(),
            )),
            ..layout
        }
    }

    /// Sets the character for an empty cell in puzzles and given solutions.
    #[must_use]
    pub fn with_blank(self, blank: u8) -> Layout {
        Layout { blank, ..self }
    }

    /// Appends the columns of a text template. Other columns with the same names are renamed to `input_<name>`.
    #[must_use]
    pub fn with_template(mut self, template: &Template) -> Layout {
        let mut fields: Vec<FieldRef> = self.schema.fields().iter().cloned().collect();
        let mut taken_names: HashSet<String> =
            template.names().map(str::to_ascii_lowercase).collect();
        for field in &mut fields {
            let name = free_name(field.name(), &mut taken_names);
            if name != *field.name() {
                *field = Arc::new(arrow::datatypes::Field::clone(field).with_name(name));
            }
        }
        for column in template.columns() {
            fields.push(Arc::new(column.field()));
            let column_index = self.column_sources.len();
            // A layout refers to columns by static references, so the memory of a template's columns is never freed.
            // They are few, and a run has only one template.
            self.column_sources
                .push(ColumnSource::BuiltIn(Box::leak(Box::new(column))));
            self.written_columns.push(column_index);
            self.columns_without_given_name.insert(column_index);
        }
        Layout {
            schema: Arc::new(Schema::new(fields)),
            ..self
        }
    }

    /// For each column of `other`, the index of the same column in this layout. Both layouts are for the same inputs.
    /// `None` if this layout lacks one of the columns.
    pub(crate) fn positions_in(&self, other: &Layout) -> Option<Vec<usize>> {
        let is_same = |one: &ColumnSource, other: &ColumnSource| match (one, other) {
            (ColumnSource::BuiltIn(one), ColumnSource::BuiltIn(other)) => {
                std::ptr::eq(*one, *other)
            }
            (ColumnSource::Carried(one), ColumnSource::Carried(other)) => one == other,
            _ => false,
        };
        let own_index = |at: &usize| {
            let wanted_source = &other.column_sources[*at];
            let mut written = self.written_columns.iter();
            written.position(|at| is_same(&self.column_sources[*at], wanted_source))
        };
        other.written_columns.iter().map(own_index).collect()
    }

    /// The index of the column of this program with this name; `None` if the layout does not have the column.
    pub(crate) fn position_of(&self, name: &str) -> Option<usize> {
        let has_name = |at: &usize| match self.column_sources[*at] {
            ColumnSource::BuiltIn(column) => column.name == name,
            ColumnSource::Carried(_) => false,
        };
        self.written_columns.iter().position(has_name)
    }

    /// Whether an option has set the character for an empty cell.
    pub(crate) fn has_given_blank(&self) -> bool {
        self.blank != NORMAL_BLANK
    }

    /// Adapts the layout to a format that holds only puzzles and solutions. The format finds these columns by this
    /// program's names for them, so they are renamed.
    pub(crate) fn for_grids(self, format_holds: Holds) -> Layout {
        let renamed = |(at, field): (&usize, &FieldRef)| match self.column_sources[*at] {
            // A name that an option has set is kept. The format then reports that the column is missing.
            ColumnSource::BuiltIn(column) if self.columns_without_given_name.contains(at) => {
                Arc::new(column.field().with_name(&column.name))
            }
            _ => Arc::clone(field),
        };
        let fields: Vec<FieldRef> = (self.written_columns.iter().zip(self.schema.fields()))
            .map(renamed)
            .collect();
        Layout {
            format_holds,
            schema: Arc::new(Schema::new(fields)),
            ..self
        }
    }

    /// The values of a column. In columns of puzzles or given solutions, empty cells get the character that the options
    /// set.
    pub(super) fn replace_column_blanks(
        &self,
        column: &OutputColumn,
        values: ArrayRef,
    ) -> Result<ArrayRef, ArrowError> {
        if holds_grids(column) && self.blank != NORMAL_BLANK {
            replace_blanks(&values, self.blank)
        } else {
            Ok(values)
        }
    }
}

/// Whether a column has puzzles, or solutions from the input.
fn holds_grids(column: &OutputColumn) -> bool {
    matches!(column.group, ColumnGroup::Puzzle | ColumnGroup::Given)
}

/// Replaces each dot in the texts by the character `blank`.
fn replace_blanks(values: &ArrayRef, blank: u8) -> Result<ArrayRef, ArrowError> {
    let texts = values.as_string::<i32>();
    let bytes = texts.values().iter();
    let bytes: Vec<u8> = bytes
        .map(|byte| if *byte == NORMAL_BLANK { blank } else { *byte })
        .collect();
    let bytes = BinaryArray::try_new(
        texts.offsets().clone(),
        Buffer::from_vec(bytes),
        texts.nulls().cloned(),
    )?;
    Ok(Arc::new(StringArray::try_from_binary(bytes)?))
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::{DataType, Field};

    use super::*;

    fn output_names(header: &[(&str, ColumnRole)], groups: &[ColumnGroup]) -> String {
        let columns: Vec<ColumnInfo> = (header.iter())
            .map(|(name, role)| ColumnInfo {
                name: (*name).to_owned(),
                role: *role,
            })
            .collect();
        let carried_columns = columns.iter();
        let carried_columns = carried_columns.filter(|column| column.role == ColumnRole::Carried);
        let carried_fields: Vec<FieldRef> = carried_columns
            .map(|column| Arc::new(Field::new(&column.name, DataType::Utf8, true)) as FieldRef)
            .collect();
        let layout = Layout::like_inputs(groups, &[], &carried_fields, &columns);
        let fields = layout.schema().fields().iter();
        fields
            .map(|field| field.name().as_str())
            .collect::<Vec<_>>()
            .join(",")
    }

    #[test]
    fn columns_keep_their_names_and_their_order() {
        use ColumnRole::{Carried, Puzzle, Solution};
        let grids = [ColumnGroup::Puzzle, ColumnGroup::Given];
        let copies = [ColumnGroup::Puzzle, ColumnGroup::Given, ColumnGroup::Copy];
        for (header, groups, expected) in [
            (
                &[
                    ("source", Carried),
                    ("question", Puzzle),
                    ("answer", Solution),
                    ("rating", Carried),
                ][..],
                &grids[..],
                "source,question,answer,rating",
            ),
            (&[("Quiz", Puzzle), ("id", Carried)], &grids[..1], "Quiz,id"),
            (
                &[("a", Puzzle), ("Group", Carried)],
                &copies,
                "a,input_Group,solution,group,copy,transformation",
            ),
            (
                &[("copy", Puzzle), ("b", Solution)],
                &copies,
                "input_copy,b,group,copy,transformation",
            ),
            (
                &[("puzzle", Carried), ("quiz", Puzzle)],
                &grids[..1],
                "puzzle,quiz",
            ),
        ] {
            assert_eq!(output_names(header, groups), expected);
        }
    }

    #[test]
    fn blanks_are_replaced_in_sliced_arrays() {
        let texts = StringArray::from(vec![Some("1.."), None, Some("..2"), Some("")]);
        let texts: ArrayRef = Arc::new(texts.slice(1, 3));
        let zeros = replace_blanks(&texts, b'0').unwrap();
        let expected = StringArray::from(vec![None, Some("002"), Some("")]);
        assert_eq!(zeros.as_string::<i32>(), &expected);
    }
}
