//! The counts of runs and of tables, which merge, and the limits that a run checks as it goes. Outputs and manifests
//! keep them, and reports are made from them.
//!
//! ```text
//! outcomes, rejects ─ tally ─▶ Tally ─ reject_limit, validity
//! outcomes, rejects, columns of tables ─ tables ─ frames ─▶ Statistics, Evaluation, RunFigures ─ comparison
//! ```

mod audit;
mod comparison;
mod damage;
pub(crate) mod evaluation;
mod figures;
mod fraction;
pub(crate) mod frames;
mod id_counts;
pub(crate) mod partials;
mod reject_limit;
pub(crate) mod run_figures;
pub mod statistics;
pub mod tables;
mod tally;
mod validity;
pub(crate) mod values;

pub use audit::{AuditFindings, ByClass, RemovalReason, SetFindings, SharedWith};
pub use comparison::ComparisonTables;
pub use damage::Damage;
pub use evaluation::{
    AnswerCounts, BothModels, Evaluation, EvaluationGroup, MoveCounts, VerdictCounts,
};
pub use figures::Figures;
pub(crate) use fraction::fraction;
pub use reject_limit::{RejectLimit, parse_count_or_percent};
pub(crate) use run_figures::rule_column;
pub use tally::{FixedSolutions, Tally};
pub use validity::require_valid;
