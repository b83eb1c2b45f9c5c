//! Reports the results of runs and of tables: counts, summaries, metrics, statistics and pages.

mod audit;
pub(crate) mod comparison;
mod evaluation;
mod explanation;
pub(crate) mod frames;
mod metrics;
pub mod page;
pub mod sheets;
pub mod statistics;
mod summary;
pub mod tables;

pub use audit::{AuditFindings, ByClass, RemovalReason, SetFindings, SharedWith};
pub use comparison::ComparisonTables;
pub(crate) use comparison::rule_column;
pub use evaluation::{AnswerCounts, BothModels, Evaluation, EvaluationGroup, VerdictCounts};
pub use explanation::explanation_json;
pub use metrics::{Metrics, last_success};
pub use summary::{Resources, RunEnding, RunFiles, Summary};
