//! The places of rows as columns of a table.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, UInt64Type};

use super::index::Place;
use crate::error::Error;

/// The source and the row of each place.
pub(super) fn place_columns(sources: &[String], places: &[Place]) -> Vec<ArrayRef> {
    let name = |place: &Place| sources.get(place.input()).map_or("", String::as_str);
    let rows = places.iter().map(|place| place.row());
    vec![
        Arc::new(StringArray::from_iter_values(places.iter().map(name))),
        Arc::new(UInt64Array::from_iter_values(rows)),
    ]
}

/// Places as a record batch, which a [`Spool`](super::spool::Spool) keeps on disk.
pub(super) fn places_batch(places: &[Place]) -> Result<RecordBatch, Error> {
    let schema = Schema::new(vec![Field::new("place", DataType::UInt64, false)]);
    let places = UInt64Array::from_iter_values(places.iter().map(|place| place.0));
    Ok(RecordBatch::try_new(
        Arc::new(schema),
        vec![Arc::new(places)],
    )?)
}

/// The places in a record batch that [`places_batch`] made.
pub(super) fn places_of(batch: &RecordBatch) -> Vec<Place> {
    let places = batch.column(0).as_primitive::<UInt64Type>();
    places.values().iter().map(|place| Place(*place)).collect()
}
