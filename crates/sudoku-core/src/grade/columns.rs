//! The columns that a grade fills. Tables, explanations, Python and the documents follow this list.

use super::grades::{Grade, HardestTechnique};
use super::rank::{Rank, SEARCH};
use super::technique::Level;
use super::techniques::{LADDER, UNIQUENESS};

/// A column that a grade fills: its name, its documentation and its value.
#[derive(Clone, Copy, Debug)]
pub struct GradeColumn {
    /// The name of the column in tables, and of the attribute in Python.
    pub name: &'static str,
    /// The documentation as Markdown, a sentence or more. `null` is the absence of a value.
    pub doc: &'static str,
    /// The type of the column, and the function that computes its value.
    pub value: GradeValue,
}

/// Computes the value of a column from a grade, by the type of the column. `None` is null.
#[derive(Clone, Copy, Debug)]
pub enum GradeValue {
    /// A text, one of a list of ids.
    Id {
        /// Computes the value.
        read: fn(&Grade) -> Option<&'static str>,
        /// All ids that the column can have.
        ids: fn() -> Vec<&'static str>,
    },
    /// An integer of 8 bits.
    U8(fn(&Grade) -> Option<u8>),
    /// An integer of 16 bits.
    U16(fn(&Grade) -> Option<u16>),
    /// An integer of 32 bits.
    U32(fn(&Grade) -> Option<u32>),
}

impl Grade {
    /// The columns that a grade fills, in the order of tables. The columns with the waves of each technique
    /// ([`Rank::waves_column`]) come after them.
    pub const COLUMNS: &'static [GradeColumn] = &[
        GradeColumn {
            name: "technique",
            doc: "The id of the hardest technique needed; `beyond` if the ladder ends below that technique, or if the \
                  puzzle has another size than 9 × 9 and the techniques of ranks 1–15 do not solve it.",
            value: GradeValue::Id {
                read: |grade| Some(grade.needed().id),
                ids: HardestTechnique::ids,
            },
        },
        GradeColumn {
            name: "rank",
            doc: "The hardest technique's rank on the ladder, 1–42; null if `technique` is `beyond`.",
            value: GradeValue::U8(|grade| grade.needed().rank.map(Rank::number)),
        },
        GradeColumn {
            name: "level",
            doc: "The hardest technique's level: `easy`, `medium`, `hard`, `unfair`, `extreme`; null if `technique` is \
                  `beyond`.",
            value: GradeValue::Id {
                read: |grade| grade.needed().level.map(Level::id),
                ids: || Level::ALL.map(Level::id).to_vec(),
            },
        },
        GradeColumn {
            name: "effort",
            doc: "The sum over all waves of the effort of the wave's technique; null if `technique` is `beyond`.",
            value: GradeValue::U32(|grade| (!grade.beyond).then(|| grade.effort())),
        },
        GradeColumn {
            name: "waves",
            doc: "The number of waves. A wave applies, all at once, everything that the lowest technique with any \
                  finding finds on the board.",
            value: GradeValue::U16(|grade| Some(grade.total_waves())),
        },
        GradeColumn {
            name: "first_rank",
            doc: "The rank of the first wave that only removes candidates; null if no wave does.",
            value: GradeValue::U8(|grade| grade.first_rank.map(Rank::number)),
        },
    ];
}

impl HardestTechnique {
    /// The ids of all techniques that can be a puzzle's hardest technique, with `search` and `beyond`.
    pub fn ids() -> Vec<&'static str> {
        let techniques = LADDER.iter().chain(UNIQUENESS);
        let ids = techniques.map(|technique| technique.info().id);
        ids.chain([SEARCH.id(), HardestTechnique::BEYOND.id])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_has_the_ranks_and_the_levels() {
        let doc = |name| {
            Grade::COLUMNS
                .iter()
                .find(|own| own.name == name)
                .map(|own| own.doc)
        };
        let ranks = format!(" {}–{};", Rank::LOWEST.number(), SEARCH.number());
        assert!(doc("rank").is_some_and(|doc| doc.contains(&ranks)));
        let levels = Level::ALL
            .map(|level| format!("`{}`", level.id()))
            .join(", ");
        assert!(doc("level").is_some_and(|doc| doc.contains(&levels)));
    }

    /// The table between two markers in `docs/grading.md` is made from the columns. `UPDATE_DOCS=1` rewrites it.
    #[test]
    fn the_documented_columns_are_these() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/grading.md");
        let Ok(text) = std::fs::read_to_string(path) else {
            return; // A packaged crate has no documents beside it.
        };
        let (begin, end) = ("<!-- columns: begin -->\n", "<!-- columns: end -->");
        let (before, rest) = text.split_once(begin).expect("the marker of its begin");
        let (_, after) = rest.split_once(end).expect("the marker of its end");
        let rows = Grade::COLUMNS.iter();
        let rows: String = rows
            .map(|own| format!("| `{}` | {} |\n", own.name, own.doc))
            .collect();
        let expected =
            format!("{before}{begin}| column | meaning |\n|---|---|\n{rows}{end}{after}");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, expected).unwrap();
        } else {
            assert_eq!(text, expected, "run UPDATE_DOCS=1 cargo test");
        }
    }
}
