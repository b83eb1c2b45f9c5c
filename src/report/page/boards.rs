//! Sample boards: one for each level, with its hardest step.

use sudoku_core::Explanation;
use sudoku_core::grade::Level;

use super::document::Section;
use super::drawing::html::{escape_html, sentence_html};
use super::drawing::names::level_number;
use crate::report::sheets::Side;
use crate::report::sheets::bars::SectionSize;
use crate::report::sheets::names::technique_name;

/// Shows a sample board for each level. The board is from the first dataset that has an example of the level.
pub(super) fn boards_section(sides: &[Side]) -> Option<Section> {
    let mut html = String::new();
    for level in Level::ALL.map(Level::id) {
        let boards = sides
            .iter()
            .find_map(|side| Some((side, side.statistics.examples.get(level)?)));
        let Some((side, example)) = boards else {
            continue;
        };
        // The row of a table can have columns that do not describe its puzzle. If the puzzle cannot be explained, it is
        // left out.
        let Ok(Explanation::Puzzle(walk)) = Explanation::from_text(example.puzzle.as_bytes())
        else {
            continue;
        };
        let mut place_text = String::new();
        if sides.len() > 1 {
            place_text += &format!("{}: ", side.name);
        }
        if let (Some(source), Some(row)) = (&example.source, example.row) {
            place_text += &format!("{source}, row {row}");
        }
        html += &format!(
            "<div class=\"sample\">\n<h3><span class=\"level-{}\">{level}</span>: {}</h3>\n\
             <p class=\"meta\">{}</p>\n{}<details><summary>The puzzle</summary><code>{}</code></details>\n</div>\n",
            level_number(level),
            escape_html(&technique_name(&example.technique)),
            escape_html(&place_text),
            walk.hardest_figure(&format!("board-{level}")),
            escape_html(&example.puzzle)
        );
    }
    let title = "A puzzle of each level, before its hardest step";
    let body = format!(
        "<div class=\"samples\">\n{html}</div>\n<p>{}</p>\n",
        sentence_html("pipeline explain draws every step of a puzzle.")
    );
    (!html.is_empty()).then(|| Section::new("boards", title, SectionSize::Row, body))
}
