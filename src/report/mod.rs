//! Stage 7 of 7: what a run did, in numbers.

mod damage;
mod explanation;
mod metrics;
mod reject_limit;
mod summary;
mod tally;
mod validity;

pub use damage::Damage;
pub use explanation::explanation_json;
pub use metrics::{Metrics, last_success};
pub use reject_limit::RejectLimit;
pub use summary::{Ending, Resources, RunFiles, Summary};
pub use tally::{Tally, TallyRecord};
pub use validity::require_valid;
