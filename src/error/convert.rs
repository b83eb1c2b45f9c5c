//! Conversions of other errors to [`Error`].

use super::{
    AnalysisError, Error, FormatError, GenerateError, InputError, NotValid, OutputError,
    PredictionError, StartError, TableError, ThresholdError,
};
use crate::store::{RequestFailure, StoreError};
use crate::table::layout::LayoutError;

/// Implements `From` for error types that [`Error`] stores in a box. The box keeps `Result`s small.
macro_rules! from_boxed {
    ($($variant:ident: $error:ty),+ $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::$variant(Box::new(error.into()))
            }
        })+
    };
}

from_boxed! {
    Input: InputError,
    Output: OutputError,
    Start: StartError,
    Analysis: AnalysisError,
    Generate: GenerateError,
    NotValid: NotValid,
    Threshold: ThresholdError,
    Prediction: PredictionError,
    Table: TableError,
    Table: arrow::error::ArrowError,
    Table: serde_json::Error,
}

impl From<FormatError> for Error {
    fn from(error: FormatError) -> Error {
        OutputError::from(error).into()
    }
}

impl From<LayoutError> for Error {
    fn from(error: LayoutError) -> Error {
        match error {
            LayoutError::Option(error) => error.into(),
            LayoutError::Arrow(error) => error.into(),
            error => Error::Layout(Box::new(error)),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        match error {
            StoreError::Read { location, error } => Error::Read {
                source_name: location,
                error,
            },
            StoreError::Remove { location, error } => Error::Write {
                path: location.into(),
                error,
            },
            error => Error::Address(Box::new(error)),
        }
    }
}

impl From<parquet::errors::ParquetError> for Error {
    fn from(error: parquet::errors::ParquetError) -> Error {
        if let Some(failure) = RequestFailure::within(&error) {
            return Error::Write {
                path: "the output table".into(),
                error: failure.clone().into(),
            };
        }
        TableError::Parquet(error).into()
    }
}
