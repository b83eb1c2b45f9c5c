//! The HTML pages for the solution path of a puzzle, wave by wave, and for a test case of HoDoKu's library. A
//! wave is all steps that one technique finds on a board.

use super::document::{escape_html, html_document, join_sections_in_rows};
use super::drawing::{self, board_geometry, define_board, figure_of_board};
use super::figure::{LEGEND_HTML, page_head, solution_section, step_figure};
use super::parts::SharedParts;
use super::section::{WaveSection, figures_class};
use crate::board::Candidates;
use crate::explain::library::LibraryPosition;
use crate::explain::shown::{ShownBoard, StalledTexts};
use crate::explain::step_board::StepBoard;
use crate::explain::walk::{Walk, Wave};
use crate::explain::words::NOTATION_SENTENCE;
use crate::grade::Level;

/// If a wave of singles has at most this many steps, its section shares a row of the page with the sections
/// beside it.
const MOST_SINGLES_IN_A_ROW: usize = 24;

pub(in crate::explain) fn puzzle_page<B: ShownBoard>(walk: &Walk<B>) -> String {
    let clues = B::clues(&walk.puzzle);
    let mut shared_parts = SharedParts::new("p");
    let fact_rows = walk.columns();
    let fact_rows = fact_rows
        .iter()
        .map(|(column, value)| (column.as_str(), value.to_string()));
    let mut body = page_head::<B>(&mut shared_parts, &walk.puzzle, fact_rows);
    body += &join_sections_in_rows(walk.waves.iter().zip(1..).map(|(wave, n)| {
        let title = format!("Wave {n}: {}", wave.technique.name);
        let is_short = if steps_share_drawing(wave) {
            wave.steps.len() <= MOST_SINGLES_IN_A_ROW
        } else {
            !wave.steps.iter().any(B::has_trace)
        };
        let is_small = is_short && !board_geometry(&wave.board).is_large();
        let html = wave_section(&mut shared_parts, &title, &format!("w{n}"), wave);
        (is_small, html)
    }));
    if let Some(board) = &walk.stalled {
        let StalledTexts {
            heading,
            description: about,
            screen_reader_title: label,
        } = B::STALLED;
        body += &format!(
            "<section>\n<h2>{heading}</h2>\n<p>{}</p>\n<div class=\"{}\">\n{}</div>\n</section>\n",
            escape_html(about),
            figures_class(board_geometry(board).is_large(), true),
            figure_of_board(&mut shared_parts, board, &clues, ("stalled", label))
        );
    }
    body += &solution_section::<B>(&mut shared_parts, &walk.solution, &clues);
    html_document(&B::title(walk), &body)
}

pub(in crate::explain) fn library_page(position: &LibraryPosition) -> String {
    let mut shared_parts = SharedParts::new("p");
    let mut body = format!(
        "<p>{}</p>\n{LEGEND_HTML}",
        escape_html(&position.verdict_sentence())
    );
    for (n, wave) in position.found.iter().enumerate() {
        body += &wave_section(
            &mut shared_parts,
            wave.technique.name,
            &format!("w{n}"),
            wave,
        );
    }
    let title = format!("Sudoku explained: HoDoKu {}", position.code());
    html_document(&title, &body)
}

impl Walk {
    /// An HTML figure for a page that has the CSS [`PAGE_STYLE`](crate::explain::PAGE_STYLE). It shows one step
    /// of the hardest technique on the board before that step. If the techniques do not solve the puzzle, it
    /// shows the board on which no technique finds anything. All ids in the figure start with `id`, so no other
    /// id on the page may start with it.
    pub fn hardest_figure(&self, id: &str) -> String {
        match &self.stalled {
            Some(board) => {
                let clues = self.puzzle.clues.clues().map(|(cell, _)| cell).collect();
                let mut shared_parts = SharedParts::new(&format!("{id}-"));
                figure_of_board(
                    &mut shared_parts,
                    board,
                    &clues,
                    (id, Candidates::STALLED.screen_reader_title),
                )
            }
            None => {
                // Choose the first step of the hardest technique. A puzzle without empty cells has no steps.
                let highest_rank = self.waves.iter().map(|wave| wave.rank).max();
                let wave = self
                    .waves
                    .iter()
                    .find(|wave| Some(wave.rank) == highest_rank);
                wave.map_or_else(String::new, |wave| figure_of_first_step(wave, id))
            }
        }
    }
}

/// An HTML figure with a caption: the board on which a technique finds steps, and the first of these steps.
fn figure_of_first_step(wave: &Wave, id: &str) -> String {
    let mut shared_parts = SharedParts::new(&format!("{id}-"));
    match wave.steps.first() {
        Some(step) => {
            let board = define_board(&mut shared_parts, id, &wave.board, &wave.clues);
            board + &step_figure(id, &wave.board, step)
        }
        None => {
            let label = wave.technique.name;
            figure_of_board(&mut shared_parts, &wave.board, &wave.clues, (id, label))
        }
    }
}

/// The section of the page for one wave: all steps that one technique finds on a board.
fn wave_section<B: ShownBoard>(
    parts: &mut SharedParts,
    title: &str,
    id: &str,
    wave: &Wave<B>,
) -> String {
    let draw = |at: std::ops::Range<usize>| match at.len() {
        1 if !steps_share_drawing(wave) => {
            let label = wave.board.effect(&wave.steps[at.start]);
            drawing::draw_steps(id, &wave.board, &wave.steps[at], &label)
        }
        _ => drawing::draw_steps(id, &wave.board, &wave.steps[at], title),
    };
    let section = WaveSection {
        title,
        subtitle: format!("{}; {}", wave.rank_and_level(), wave.counts_sentence()),
        notation_note: wave
            .steps
            .iter()
            .any(B::has_trace)
            .then_some(NOTATION_SENTENCE),
        board: define_board(parts, id, &wave.board, &wave.clues),
        is_large: board_geometry(&wave.board).is_large(),
        steps_share_drawing: steps_share_drawing(wave),
        steps: wave.steps.len(),
        draw_steps: &draw,
        caption_of_step: &|at| wave.board.step_caption(&wave.steps[at]),
    };
    section.to_html()
}

/// Whether the steps of the wave are shown together in one drawing, as those of naked and hidden singles are.
fn steps_share_drawing<B: StepBoard>(wave: &Wave<B>) -> bool {
    wave.technique.level == Level::Easy || wave.steps.is_empty()
}

#[cfg(test)]
mod tests {
    use crate::explain::{Explanation, SizedWalk, StepBoard};
    use crate::generate::Generator;
    use crate::sizes::{Size, generate_sized};

    fn page_of_size(size: Size) -> (SizedWalk, String) {
        let generator = Generator {
            max_attempts: 100,
            ..Generator::any(7)
        };
        let puzzle = generate_sized(size, &generator, 0).unwrap().puzzle;
        let explanation = Explanation::from_text(puzzle.as_str().as_bytes()).unwrap();
        let html = explanation.html();
        let Explanation::Sized(walk) = explanation else {
            panic!("{puzzle}")
        };
        (*walk, html)
    }

    #[test]
    fn a_page_has_the_puzzle_every_wave_and_the_solution() {
        for size in Size::ALL {
            let (walk, html) = page_of_size(size);
            assert_eq!(
                html.matches("<h2>Wave ").count(),
                usize::from(walk.grade.total_waves()),
                "{size}"
            );
            for grid in [&walk.puzzle, &walk.solution] {
                assert!(html.contains(grid.as_str()), "{size}");
            }
            for wave in &walk.waves {
                for step in &wave.steps {
                    let effect_html = wave.board.effect(step);
                    let effect_html = effect_html.replace('<', "&lt;").replace('>', "&gt;");
                    let reason = wave.board.why(step);
                    let sentence = format!("<span class=\"effect\">{effect_html}</span> {reason}");
                    assert!(html.contains(&sentence), "{size}: {sentence}");
                }
            }
        }
    }

    /// Regression test: the page of a puzzle that needs Nishio was 36,000 pixels high, because each of up to six
    /// steps of a wave had a large drawing.
    #[test]
    fn only_the_first_step_of_a_wave_is_drawn_unfolded() {
        let puzzle =
            "4.8..............2.6.7...5.3.....8....96...17.4.27.....8..6.57......4....9.83..6.";
        let html = Explanation::from_text(puzzle.as_bytes()).unwrap().html();
        assert!(html.contains("<summary>1 more step</summary>"));
        assert!(html.contains(" more steps</summary>\n<div class=\"figures"));
        for section in html.split("<section>").skip(1) {
            let unfolded = section.split("more step").next().unwrap();
            assert!(unfolded.matches("<figure>").count() <= 1, "{unfolded}");
        }
    }

    /// Rows of boards that several waves have in common are written once. That makes a page of 15 waves 83 kB
    /// instead of 216 kB.
    #[test]
    fn a_wave_of_a_large_puzzle_takes_little() {
        for size in [Size::Twelve, Size::Sixteen] {
            let (walk, html) = page_of_size(size);
            let waves = usize::from(walk.grade.total_waves());
            let most_bytes = 20_000 + 6_000 * waves;
            assert!(
                waves > 5 && html.len() < most_bytes,
                "{size}: {waves} waves, {}",
                html.len()
            );
        }
    }

    /// Checks that every element is closed, no id occurs twice, and every board that a drawing refers to
    /// exists.
    #[test]
    fn a_page_is_well_formed_and_its_drawings_are_there() {
        for size in [Size::Six, Size::Twelve] {
            let (_, html) = page_of_size(size);
            let style = html.find("<style>").unwrap()..html.find("</style>").unwrap();
            let html_without_style = html[..style.start].to_owned() + &html[style.end..];
            let mut open_tags: Vec<&str> = Vec::new();
            for tag in html_without_style
                .split('<')
                .skip(1)
                .filter(|tag| !tag.starts_with('!'))
            {
                let tag = tag.split('>').next().unwrap();
                let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
                if tag.starts_with('/') {
                    if name != "style" {
                        assert_eq!(open_tags.pop(), Some(name), "{size}");
                    }
                } else if !tag.ends_with('/') {
                    open_tags.push(name);
                }
            }
            assert!(open_tags.is_empty(), "{size}: {open_tags:?}");
            let values_after = |before: &str| -> Vec<String> {
                let parts = html_without_style.split(before).skip(1);
                parts
                    .map(|part| part.split('"').next().unwrap().to_owned())
                    .collect()
            };
            let (mut ids, used) = (values_after(" id=\""), values_after("href=\"#"));
            assert!(used.iter().all(|id| ids.contains(id)), "{size}");
            let id_count = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), id_count, "{size}");
        }
    }
}
