//! Converts carried columns, which are copied from the inputs, to types and values that a format can store. An
//! unsupported type is an error before the run starts. An unsupported value is an error that names the input,
//! the row and the column.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, StringArray, make_array, new_null_array};
use arrow::compute::{cast, is_null, nullif};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type, TimeUnit};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};

use super::OutputFormat;
use crate::carry::cast::{cast_column, decimal_of_integers};
use crate::carry::logical::{self, LogicalKind, child_fields};
use crate::carry::parts::{any_part, change_parts, with_parts};
use crate::error::{Error, FormatError, OptionError, OutputError};
use crate::options::BLANK;
use crate::table::layout::{Holds, Layout, NotStored, StoreColumn};

impl OutputFormat {
    /// Adapts a layout to this format. The columns `partition_by` are removed: their values become names of folders.
    ///
    /// # Errors
    ///
    /// The format cannot store a column.
    pub fn fit_layout(self, layout: Layout, partition_by: &[String]) -> Result<Layout, Error> {
        if self.holds != Holds::Table {
            if self.has_own_blank() && layout.has_given_blank() {
                let problem = format!(
                    "{} has its own way to write an empty cell: leave {BLANK} out",
                    self.id
                );
                return Err(OptionError::new(BLANK, problem).into());
            }
            return Ok(layout.for_grids(self.holds));
        }
        layout.with_storage(|field, own_column| match own_column {
            Some(column) if column.data_type.is_nested() && !self.has_nested() => {
                let problem = format!(
                    "cannot hold the lists of {}: write Parquet, Arrow or NDJSON",
                    column.name
                );
                Err(FormatError::new(self.id, problem).into())
            }
            Some(_) => Ok(None),
            None => {
                let storage = ColumnStorage::new(field, self, partition_by.contains(field.name()))?;
                Ok(Some(Arc::new(storage) as Arc<dyn StoreColumn>))
            }
        })
    }
}

/// How a carried column, which is copied from the inputs, is stored in a table.
#[derive(Debug)]
struct ColumnStorage {
    /// The type in which the format stores the column.
    data_type: DataType,
    /// Whether the values must be checked before they are converted to text, because some values of the type have no
    /// text form.
    needs_check: bool,
    /// The field of the column. `None` if the text form of its values does not depend on its logical type.
    text_form_field: Option<FieldRef>,
    /// A message if the format drops the column's extension type, or writes out its dictionary; otherwise `None`.
    flattening_message: Option<String>,
}

impl ColumnStorage {
    /// Decides how a column is stored in a table of this format, or in names of partition folders.
    ///
    /// # Errors
    ///
    /// The column cannot be stored.
    fn new(
        field: &FieldRef,
        format: OutputFormat,
        names_folders: bool,
    ) -> Result<ColumnStorage, Error> {
        let has_logical_types = format.has_logical_types && !names_folders;
        let as_text = format.is_text || names_folders;
        let has_logical_kind = |logical: LogicalKind| {
            logical::find_field(field, &|part| {
                LogicalKind::from_field(part) == Some(logical)
            })
            .is_some()
        };
        let text_form = (as_text
            && (has_logical_kind(LogicalKind::Uuid) || has_logical_kind(LogicalKind::Bool8)))
        .then(|| field.clone());
        let mut written_field = match &text_form {
            Some(field) => Arc::new(Field::clone(field).with_data_type(text_form_type(field))),
            None => Arc::clone(field),
        };
        if as_text
            && any_part(written_field.data_type(), &|part| {
                decimal_of_integers(part).is_some()
            })
        {
            let data_type = change_parts(written_field.data_type(), &decimal_of_integers);
            written_field = Arc::new(Field::clone(&written_field).with_data_type(data_type));
        }
        let stored = match names_folders {
            _ if has_logical_kind(LogicalKind::TimeUtc) && !has_logical_types => {
                Err("its times are in UTC, which only Parquet says of times of day".to_owned())
            }
            true => folder_type(written_field.data_type()),
            false => (format.store)(&written_field),
        };
        let data_type = stored.map_err(|why| {
            let place = if names_folders {
                "in the names of folders".to_owned()
            } else {
                format!("as {}", format.id)
            };
            OutputError::TypeNotStored {
                column: field.name().clone(),
                data_type: field.data_type().clone(),
                place,
                why,
            }
        })?;
        let is_unknown = |field: &Field| {
            logical::extension_name(field).is_some() && LogicalKind::from_field(field).is_none()
        };
        let is_dictionary = |part: &DataType| matches!(part, DataType::Dictionary(..));
        let flattened = match logical::find_field(field, &is_unknown) {
            Some(part) if as_text => Some(format!(
                "column {} is of the extension type {}, and {} has its storage, {}, alone",
                field.name(),
                logical::type_name(part),
                format.id,
                part.data_type()
            )),
            _ if !as_text && !has_logical_types && any_part(field.data_type(), &is_dictionary) => {
                Some(format!(
                    "column {} is a dictionary, and its values are written out in {}",
                    field.name(),
                    format.id
                ))
            }
            _ => None,
        };
        Ok(ColumnStorage {
            text_form_field: text_form,
            flattening_message: flattened,
            needs_check: as_text && any_part(&data_type, &may_have_no_text),
            data_type,
        })
    }
}

impl StoreColumn for ColumnStorage {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn flattened(&self) -> Option<&str> {
        self.flattening_message.as_deref()
    }

    fn store(&self, column: &ArrayRef) -> Result<ArrayRef, NotStored> {
        let column = &match &self.text_form_field {
            Some(field) => convert_text_form(column, field)?,
            None => Arc::clone(column),
        };
        let stored = cast_column(column, &self.data_type).map_err(|error| NotStored::Value {
            index: (0..column.len())
                .find(|row| cast_column(&column.slice(*row, 1), &self.data_type).is_err()),
            what: error.to_string(),
        })?;
        if self.needs_check && value_without_text(&stored)?.is_some() {
            // A value without a text form is rare. Its row is only searched for after the check of the whole batch has
            // found that there is one.
            for row in 0..stored.len() {
                if let Some(what) = value_without_text(&stored.slice(row, 1))? {
                    let index = Some(row);
                    return Err(NotStored::Value { index, what });
                }
            }
        }
        Ok(stored)
    }
}

/// The type of a column after its UUIDs have been converted to text, and its `bool8` values to booleans. Values inside
/// nested types are converted as well.
fn text_form_type(field: &Field) -> DataType {
    match LogicalKind::from_field(field) {
        Some(LogicalKind::Uuid) => DataType::Utf8,
        Some(LogicalKind::Bool8) => DataType::Boolean,
        _ => with_parts(field.data_type(), |part| {
            Arc::new(Field::clone(part).with_data_type(text_form_type(part)))
        }),
    }
}

/// Converts the values of the column to the type [`text_form_type`].
fn convert_text_form(column: &ArrayRef, field: &Field) -> Result<ArrayRef, ArrowError> {
    match LogicalKind::from_field(field) {
        Some(LogicalKind::Uuid) => {
            let uuids = column.as_fixed_size_binary().iter();
            Ok(Arc::new(
                uuids
                    .map(|bytes| bytes.map(uuid_text))
                    .collect::<StringArray>(),
            ))
        }
        Some(LogicalKind::Bool8) => cast(column, &DataType::Boolean),
        _ => {
            let data = column.to_data();
            let parts = data
                .child_data()
                .iter()
                .zip(child_fields(field.data_type()));
            let parts = parts.map(|(values, part)| {
                Ok(convert_text_form(&make_array(values.clone()), part)?.to_data())
            });
            let parts = parts.collect::<Result<_, ArrowError>>()?;
            let data = data.into_builder().data_type(text_form_type(field));
            Ok(make_array(data.child_data(parts).build()?))
        }
    }
}

/// Writes a UUID as text: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
fn uuid_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(36);
    for (at, byte) in bytes.iter().enumerate() {
        if [4, 6, 8, 10].contains(&at) {
            text.push('-');
        }
        for digit in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(digit.into(), 16));
        }
    }
    text
}

/// The type in which a partition column is stored. The column must not be nested, and its values must have a text form.
fn folder_type(data_type: &DataType) -> Result<DataType, String> {
    if data_type.is_nested() {
        return Err("it is nested".to_owned());
    }
    let value = new_null_array(data_type, 1);
    let formatter = ArrayFormatter::try_new(&value, &TEXT_OPTIONS);
    formatter.map_err(|error| error.to_string())?;
    Ok(data_type.clone())
}

const TEXT_OPTIONS: FormatOptions<'static> = FormatOptions::new().with_display_error(false);

fn may_have_no_text(data_type: &DataType) -> bool {
    use DataType as T;
    let is_time = matches!(
        data_type,
        T::Date32 | T::Date64 | T::Time32(_) | T::Time64(_) | T::Timestamp(..) | T::Duration(_)
    );
    is_time && *data_type != T::Timestamp(TimeUnit::Nanosecond, None)
}

/// A message about the first value without a text form, such as a date after the year 262142 or a time of more than a
/// day; `None` if all values have a text form.
fn value_without_text(column: &ArrayRef) -> Result<Option<String>, ArrowError> {
    match column.data_type() {
        time if may_have_no_text(time) => {
            // The values with a text form are a contiguous range, so checking the smallest and the largest value is
            // enough.
            let numbers = cast(column, &DataType::Int64)?;
            let numbers = numbers.as_primitive::<Int64Type>();
            let valid = || (0..numbers.len()).filter(|row| numbers.is_valid(*row));
            let lowest_row = valid().min_by_key(|row| numbers.value(*row));
            let highest_row = valid().max_by_key(|row| numbers.value(*row));
            for row in lowest_row.into_iter().chain(highest_row) {
                if !has_text(&column.slice(row, 1))? {
                    let (value, time) = (numbers.value(row), column.data_type());
                    return Ok(Some(format!("no date or time is {value} as {time}")));
                }
            }
            Ok(None)
        }
        DataType::List(_) => {
            let list = column.as_list::<i32>();
            let (start, end) = (list.value_offsets()[0], list.value_offsets()[list.len()]);
            value_without_text(&list.values().slice(start as usize, (end - start) as usize))
        }
        DataType::LargeList(_) => {
            let list = column.as_list::<i64>();
            let (start, end) = (list.value_offsets()[0], list.value_offsets()[list.len()]);
            value_without_text(&list.values().slice(start as usize, (end - start) as usize))
        }
        DataType::ListView(item) => {
            value_without_text(&cast(column, &DataType::List(Arc::clone(item)))?)
        }
        DataType::LargeListView(item) => {
            value_without_text(&cast(column, &DataType::LargeList(Arc::clone(item)))?)
        }
        DataType::FixedSizeList(..) => value_without_text(column.as_fixed_size_list().values()),
        DataType::Map(..) => {
            let map = column.as_map();
            let (start, end) = (map.value_offsets()[0], map.value_offsets()[map.len()]);
            let entries = map.entries().slice(start as usize, (end - start) as usize);
            value_without_text(&(Arc::new(entries) as ArrayRef))
        }
        DataType::Struct(_) => {
            let is_null = is_null(column)?;
            for part in column.as_struct().columns() {
                let part = match column.null_count() {
                    0 => Arc::clone(part),
                    _ => nullif(part, &is_null)?,
                };
                if let Some(what) = value_without_text(&part)? {
                    return Ok(Some(what));
                }
            }
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// Whether this single value has a text form.
fn has_text(value: &ArrayRef) -> Result<bool, ArrowError> {
    // This limit in days is lower than the limit for dates, because the offset of a time zone can move a value beyond
    // the last year.
    const MOST_DAYS: i64 = 95_000_000;
    if let DataType::Timestamp(unit, Some(_)) = value.data_type() {
        let units_per_day = 86_400
            * match unit {
                TimeUnit::Second => 1,
                TimeUnit::Millisecond => 1_000,
                TimeUnit::Microsecond => 1_000_000,
                TimeUnit::Nanosecond => 1_000_000_000,
            };
        let numbers: Int64Array = cast(value, &DataType::Int64)?.as_primitive().clone();
        return Ok(numbers
            .iter()
            .flatten()
            .all(|number| (number / units_per_day).abs() < MOST_DAYS));
    }
    let formatter = ArrayFormatter::try_new(value.as_ref(), &TEXT_OPTIONS)?;
    let text = formatter.value(0).try_to_string();
    // For an invalid duration, the formatter writes this text instead of an error.
    Ok(text.is_ok_and(|text| text != "<invalid>"))
}
