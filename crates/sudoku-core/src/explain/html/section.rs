//! The sections of an HTML page: one for each wave, which is all steps that one technique finds on a board, and
//! one for the solution. They are the same for boards of every size.

use super::document::escape_html;
use super::folded::collapsed_html;
use crate::explain::words::count_with_noun;

/// If a technique finds more steps on a board than this, only the first ones have a drawing each.
const DRAWN_STEPS: usize = 6;

/// The same limit as [`DRAWN_STEPS`], for boards that need the full width of the page.
const DRAWN_STEPS_LARGE: usize = 2;

/// A section of an explanation page: all steps that one technique finds on a board (a wave).
pub(super) struct WaveSection<'a> {
    pub(super) title: &'a str,
    /// The line below the title: the rank of the technique, and the number of steps that it finds.
    pub(super) subtitle: String,
    /// A sentence that explains how the steps are written; `None` if no step needs it.
    pub(super) notation_note: Option<&'a str>,
    /// The SVG definition of the board on which the steps are found.
    pub(super) board: String,
    /// Whether the board needs the full width of the page.
    pub(super) is_large: bool,
    /// Whether all steps share one drawing, as the steps of naked and hidden singles do.
    pub(super) steps_share_drawing: bool,
    /// The number of steps to show.
    pub(super) steps: usize,
    /// Draws the steps with these indices together in one drawing.
    pub(super) draw_steps: &'a dyn Fn(std::ops::Range<usize>) -> String,
    /// Writes the caption of the step with this index.
    pub(super) caption_of_step: &'a dyn Fn(usize) -> String,
}

impl WaveSection<'_> {
    /// The section as HTML: the definition of the board, and one drawing of all steps or of the first one. The
    /// other steps are folded: the first of them have a drawing each, and the rest are text.
    pub(super) fn to_html(&self) -> String {
        let mut html = format!(
            "<section>\n<h2>{}</h2>\n<p class=\"meta\">{}</p>\n",
            escape_html(self.title),
            self.subtitle
        );
        if let Some(note) = self.notation_note {
            html += &format!("<p>{}</p>\n", escape_html(note));
        }
        html += &self.board;
        if self.steps_share_drawing {
            let class = board_class(self.is_large, "singles");
            let drawing = (self.draw_steps)(0..self.steps);
            html += &format!("<div class=\"{class}\">\n<figure>\n{drawing}</figure>\n");
            html += &self.captions_html(0);
        } else {
            let most_drawn = if self.is_large {
                DRAWN_STEPS_LARGE
            } else {
                DRAWN_STEPS
            };
            let drawn_steps = self.steps.min(most_drawn);
            html += &self.figures_html(0..1);
            let more_steps = self.steps - 1;
            if more_steps > 0 {
                let folded = self.figures_html(1..drawn_steps) + &self.captions_html(drawn_steps);
                html += &collapsed_html(&count_with_noun(more_steps, "more step"), &folded);
            }
            return html + "</section>\n";
        }
        html + "</div>\n</section>\n"
    }

    /// The steps with these indices, each with a drawing and its caption.
    fn figures_html(&self, steps: std::ops::Range<usize>) -> String {
        let class = figures_class(self.is_large, steps.len() == 1);
        let figures = steps.map(|at| {
            let (drawing, caption) = ((self.draw_steps)(at..at + 1), (self.caption_of_step)(at));
            captioned_figure(&drawing, &caption)
        });
        format!(
            "<div class=\"{class}\">\n{}</div>\n",
            figures.collect::<String>()
        )
    }

    /// The captions of the steps from index `from` on, as a list without drawings.
    fn captions_html(&self, from: usize) -> String {
        if from == self.steps {
            return String::new();
        }
        let lines =
            (from..self.steps).map(|at| format!("<li>{}</li>\n", (self.caption_of_step)(at)));
        format!(
            "<ol start=\"{}\">\n{}</ol>\n",
            from + 1,
            lines.collect::<String>()
        )
    }
}

/// An invisible SVG element that defines a board. Drawings refer to the board by its id.
pub(super) fn board_definition(board: &str) -> String {
    format!("<svg class=\"defs\" aria-hidden=\"true\"><defs>\n{board}</defs></svg>\n")
}

/// An HTML figure with the drawing of a step and its caption.
pub(super) fn captioned_figure(drawing: &str, caption: &str) -> String {
    format!("<figure>\n{drawing}<figcaption>{caption}</figcaption>\n</figure>\n")
}

/// The section of a page with the solution as text and as a drawing.
pub(super) fn solution_section(solution: &str, is_large: bool, drawing: &str) -> String {
    let class = board_class(is_large, "head");
    format!(
        "<section>\n<h2>Solution</h2>\n<p class=\"lead\"><code>{solution}</code></p>\n\
         <div class=\"{class}\">\n{drawing}</div>\n</section>\n"
    )
}

/// The CSS class for a board with text beside it, or below it on a narrow page. A large board has a class of its
/// own.
pub(super) fn board_class(is_large: bool, class: &'static str) -> &'static str {
    if is_large { "large" } else { class }
}

/// The CSS class of a list of figures, which depends on the size of the boards and on the number of figures.
pub(super) fn figures_class(is_large: bool, is_one: bool) -> &'static str {
    match (is_large, is_one) {
        (true, _) => "figures large",
        (false, true) => "figures one",
        (false, false) => "figures",
    }
}
