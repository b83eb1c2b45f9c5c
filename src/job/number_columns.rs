//! Finds the columns of CSV that have only numbers, but stay text because types were not asked for.

use arrow::datatypes::DataType;

use crate::formats::open;
use crate::job::inputs::Inputs;
use crate::read::{InferTypes, InputFormat, InputInfo, ReadOptions, can_be_read_once};
use crate::store::display_name;

impl Inputs {
    /// The first CSV input whose carried columns have only numbers in the first records but are read as text, with the
    /// names of these columns. `None` if there is none, if the options choose which types are inferred, or if the first
    /// CSV input is in an object store or can be read only once.
    pub fn numbers_as_text(&self, options: &ReadOptions) -> Option<(String, Vec<String>)> {
        if options.infer_types != InferTypes::Auto {
            return None;
        }
        let is_csv = |info: &InputInfo| info.format == InputFormat::CSV;
        let mut inputs = self.own.iter();
        let input = inputs.find(|input| input.info.as_ref().is_some_and(is_csv))?;
        let path = &input.job.path;
        if path.contains("://") || can_be_read_once(path) {
            return None;
        }
        let typed_options = ReadOptions {
            infer_types: InferTypes::All,
            ..options.clone()
        };
        let typed_input = open(path, &typed_options).ok()?;
        let is_number = |data_type: &DataType| data_type.is_numeric();
        let is_text = |name: &str| {
            let mut carried = self.catalog.carried.iter();
            carried.any(|field| field.name() == name && *field.data_type() == DataType::Utf8)
        };
        let fields = typed_input.carried.iter();
        let numbers = fields.filter(|field| is_number(field.data_type()) && is_text(field.name()));
        let names: Vec<String> = numbers.map(|field| field.name().clone()).collect();
        (!names.is_empty()).then_some((display_name(path), names))
    }
}
