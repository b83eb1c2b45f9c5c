//! The figures of some of the batches of a run.

use crate::counts::Evaluation;
use crate::counts::statistics::Statistics;
use crate::error::Error;

/// The figures of some of the batches of a run.
#[derive(Default)]
pub(crate) struct RunTotals {
    pub(super) statistics: Option<Box<Statistics>>,
    pub(super) evaluation: Option<Box<Evaluation>>,
}

impl RunTotals {
    pub(super) fn add(&mut self, other: RunTotals) -> Result<(), Error> {
        if let Some(other) = other.statistics {
            match &mut self.statistics {
                Some(own) => own.merge(*other),
                own => *own = Some(other),
            }
        }
        if let Some(other) = other.evaluation {
            match &mut self.evaluation {
                Some(own) => own.merge(&other),
                own => *own = Some(other),
            }
        }
        Ok(())
    }
}
