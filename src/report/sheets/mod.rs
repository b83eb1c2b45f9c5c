//! Statistics as sheets (small tables) and bar charts. Both are data, which is rendered for terminals, Markdown,
//! pages and data files.

mod audit;
pub(crate) mod bars;
mod bins;
mod breakdowns;
mod charts;
mod comparison;
mod data;
mod evaluation;
mod facts;
mod figures;
pub(crate) mod names;
pub(crate) mod percent;
mod render;
mod sheet;
mod side;

pub(crate) use audit::audit_sections;
pub use audit::audit_sheets;
pub(crate) use breakdowns::agreement_sentence;
pub use data::{sheet_columns, sheet_rows};
pub use evaluation::evaluation_sheets;
pub(crate) use figures::FIGURES;
pub use figures::{brief_sheets, sheets};
pub(crate) use render::{ColumnFormat, decimals_of, markdown_text, number_text};
pub use render::{markdown, terminal};
pub use sheet::Sheet;
pub use side::Side;
