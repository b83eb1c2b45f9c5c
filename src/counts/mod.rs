//! The counts of a run, which outputs and manifests keep, and the limits that a run checks as it goes. Reports are made
//! from them.

mod damage;
mod figures;
mod id_counts;
mod reject_limit;
mod tally;
mod validity;

pub use damage::Damage;
pub use figures::Figures;
pub use reject_limit::{RejectLimit, parse_count_or_percent};
pub use tally::{FixedSolutions, Tally};
pub use validity::require_valid;
