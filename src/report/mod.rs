//! Reports the results of runs and of tables: counts, summaries, metrics, statistics and pages.

mod audit;
mod comparison;
mod damage;
mod evaluation;
mod explanation;
mod id_counts;
mod metrics;
pub mod page;
mod reject_limit;
pub mod sheets;
pub mod statistics;
mod summary;
pub mod tables;
mod tally;
mod validity;

pub use audit::{AuditFindings, ByClass, RemovalReason, SetFindings, SharedWith};
pub use comparison::{ComparisonTables, RunSums, TimedRun};
pub(crate) use comparison::{rule_column, time_class};
pub use damage::Damage;
pub use evaluation::{AnswerCounts, BothModels, Evaluation, EvaluationGroup, VerdictCounts};
pub use explanation::explanation_json;
pub use metrics::{Metrics, last_success};
pub use reject_limit::{RejectLimit, parse_count_or_percent};
pub use summary::{Resources, RunEnding, RunFiles, Summary};
pub use tally::{FixedSolutions, Tally};
pub use validity::require_valid;
