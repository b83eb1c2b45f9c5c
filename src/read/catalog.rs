//! Many inputs: what each is, and the columns that all of them together carry.

use std::sync::Arc;

use arrow::array::{ArrayRef, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef};

use super::{Input, InputInfo, ReadOptions, open};
use crate::error::Error;

/// Inputs, in the order in which they are read.
pub struct Catalog {
    /// What is known of each.
    pub inputs: Vec<Known>,
    /// The columns carried through, all inputs together. Two of a name are one, whatever its case.
    pub carried: Vec<FieldRef>,
    /// Whether any of them has a column of given solutions.
    pub has_solutions: bool,
}

/// An input that has been looked at.
pub struct Known {
    /// Its path, as it was named.
    pub path: String,
    /// What it is, or why that cannot be told.
    pub about: Result<InputInfo, Error>,
    /// The input itself, where it cannot be opened again, or need not be.
    pub opened: Option<Input>,
}

impl Catalog {
    /// Looks at every input. One whose data is bad is left to be told when its turn comes.
    ///
    /// # Errors
    /// An input that cannot be read; columns that have one name and types that cannot be brought
    /// together.
    pub fn of(paths: &[String], options: &ReadOptions) -> Result<Catalog, Error> {
        let mut catalog = Catalog {
            inputs: Vec::with_capacity(paths.len()),
            carried: Vec::new(),
            has_solutions: false,
        };
        for path in paths {
            let known = match open(path, options) {
                Ok(input) => {
                    catalog.carry(path, &input.carried)?;
                    catalog.has_solutions |= input.about.has_solutions;
                    let keep = path == "-" || paths.len() == 1;
                    Known {
                        path: path.clone(),
                        about: Ok(input.about.clone()),
                        opened: keep.then_some(input),
                    }
                }
                Err(error) if error.is_about_data() => Known {
                    path: path.clone(),
                    about: Err(error),
                    opened: None,
                },
                Err(error) => return Err(error),
            };
            catalog.inputs.push(known);
        }
        Ok(catalog)
    }

    fn carry(&mut self, path: &str, carried: &[FieldRef]) -> Result<(), Error> {
        for field in carried {
            let same = self
                .carried
                .iter_mut()
                .find(|known| known.name().eq_ignore_ascii_case(field.name()));
            match same {
                None => self.carried.push(Arc::clone(field)),
                Some(known) if known.data_type() == field.data_type() => {}
                Some(known) => {
                    let both =
                        common(known.data_type(), field.data_type()).ok_or_else(|| {
                            Error::Usage(format!(
                                "column {} holds {} in {path} and {} in an input before it: leave it out with --keep",
                                field.name(),
                                field.data_type(),
                                known.data_type()
                            ))
                        })?;
                    *known = Arc::new(Field::new(known.name(), both, true));
                }
            }
        }
        Ok(())
    }
}

/// The type that holds the values of both.
fn common(a: &DataType, b: &DataType) -> Option<DataType> {
    if a.is_nested() || b.is_nested() {
        return None;
    }
    Some(if a.is_numeric() && b.is_numeric() {
        match a.is_integer() && b.is_integer() {
            true if ![a, b].contains(&&DataType::UInt64) => DataType::Int64,
            true => DataType::Utf8,
            false => DataType::Float64,
        }
    } else {
        DataType::Utf8
    })
}

/// How the carried columns of one input become those of all of them.
pub(crate) struct Fit {
    columns: Vec<(Option<usize>, DataType)>,
}

impl Fit {
    /// `None` where the input has a column that `all` has not.
    pub(crate) fn new(all: &[FieldRef], one: &[FieldRef]) -> Option<Fit> {
        let is = |own: &FieldRef, field: &FieldRef| own.name().eq_ignore_ascii_case(field.name());
        let at = |field: &FieldRef| one.iter().position(|own| is(own, field));
        let columns: Vec<_> = all
            .iter()
            .map(|field| (at(field), field.data_type().clone()))
            .collect();
        let found = columns.iter().filter(|(at, _)| at.is_some()).count();
        (found == one.len()).then_some(Fit { columns })
    }

    /// The columns of all inputs, from those of this one.
    pub(crate) fn arrange(&self, own: &[ArrayRef], rows: usize) -> Result<Vec<ArrayRef>, Error> {
        let columns =
            self.columns
                .iter()
                .map(|(at, data_type)| match at.and_then(|at| own.get(at)) {
                    None => Ok(new_null_array(data_type, rows)),
                    Some(column) if column.data_type() == data_type => Ok(Arc::clone(column)),
                    Some(column) => Ok(cast(column, data_type)?),
                });
        columns.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_brought_together_without_loss() {
        use DataType::{Boolean, Float32, Float64, Int8, Int64, LargeUtf8, UInt64, Utf8};
        for (a, b, both) in [
            (Int8, Int64, Int64),
            (Int64, UInt64, Utf8),
            (Int64, Float32, Float64),
            (Utf8, LargeUtf8, Utf8),
            (Boolean, Int64, Utf8),
            (Int64, Utf8, Utf8),
        ] {
            assert_eq!(common(&a, &b), Some(both.clone()));
            assert_eq!(common(&b, &a), Some(both));
        }
        let list = DataType::new_list(Int64, true);
        assert_eq!(common(&list, &Utf8), None);
    }
}
