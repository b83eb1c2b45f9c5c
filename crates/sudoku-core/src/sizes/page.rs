//! Explains a puzzle of a size other than 9 × 9 on a self-contained HTML page without scripts.

use std::fmt::Write;

use super::board::SizedBoard;
use super::drawing;
use super::explain::{BEYOND, SizedWalk, SizedWalkStep};
use super::grid::SizedGrid;
use super::ladder::{SizedWave, board_of};
use super::step::SizedStep;
use crate::explain::{
    self, DrawnBoard, SharedParts, WaveSection, beside, defined, document, escape, figure_of_board,
    figures, in_rows, legend_of_all_sizes, name, place, solution_section, standalone, table,
};
use crate::grade::Level;

impl SizedWalk {
    /// A self-contained HTML page with the same content as the text, and with drawings of the boards.
    pub fn html(&self) -> String {
        page(self)
    }
}

impl SizedGrid {
    /// Draws the grid as a self-contained SVG file. `clues` has the given cells, which are emphasised. If
    /// `candidates` is true, empty cells show their candidates.
    pub fn svg(&self, clues: &SizedGrid, candidates: bool, label: &str) -> String {
        let board = match candidates {
            true => board_of(self),
            false => without_candidates(board_of(self)),
        };
        board_svg(&board, clues, &[], label)
    }
}

impl SizedWalkStep<'_> {
    /// Draws the step as a self-contained SVG file. `label` is its title for screen readers.
    pub fn svg(&self, label: &str) -> String {
        let steps = std::slice::from_ref(self.step);
        board_svg(&self.wave.board, &self.walk.puzzle, steps, label)
    }
}

fn board_svg(board: &SizedBoard, clues: &SizedGrid, steps: &[SizedStep], label: &str) -> String {
    let clues: Vec<bool> = clues.cells().map(|cell| cell.is_some()).collect();
    let defined = explain::board(&mut SharedParts::new("p"), "board", board, &clues);
    standalone(&defined, &drawing::steps("board", board, steps, label))
}

fn page(walk: &SizedWalk) -> String {
    let size = walk.puzzle.size();
    let clues: Vec<bool> = walk.puzzle.cells().map(|cell| cell.is_some()).collect();
    let mut parts = SharedParts::new("p");
    let mut body = format!("<p class=\"lead\"><code>{}</code></p>\n", walk.puzzle);
    let facts = walk.columns();
    let facts = facts
        .iter()
        .map(|(column, value)| (column.as_str(), value.to_string()));
    let givens = without_candidates(board_of(&walk.puzzle));
    let is_large = givens.geometry().is_large();
    let _ = write!(
        body,
        "<div class=\"{}\">\n{}<div>{}{}</div></div>\n",
        beside(is_large, "head"),
        figure_of_board(&mut parts, &givens, &clues, ("the-puzzle", "The puzzle")),
        table(facts),
        legend_of_all_sizes()
    );
    body += &in_rows(walk.waves.iter().zip(1..).map(|(wave, n)| {
        let is_small = wave.rank.level() == Level::Easy && !is_large;
        (is_small, section(&mut parts, n, wave, &clues))
    }));
    if walk.grade.beyond {
        let label = "The board on which ranks 1 to 15 stall";
        let _ = write!(
            body,
            "<section>\n<h2>Beyond</h2>\n<p>{}</p>\n<div class=\"{}\">\n{}</div>\n</section>\n",
            escape(BEYOND),
            figures(is_large, true),
            figure_of_board(&mut parts, &walk.left, &clues, ("stalled", label))
        );
    }
    let solution = board_of(&walk.solution);
    let drawing = figure_of_board(&mut parts, &solution, &clues, ("solution", "The solution"));
    body += &solution_section(walk.solution.as_str(), is_large, &drawing);
    let (name, place) = match walk.grade.beyond {
        true => (
            "beyond",
            "no technique of ranks 1 to 15 solves it".to_owned(),
        ),
        false => (name(walk.grade.rank), place(walk.grade.rank)),
    };
    document(&format!("Sudoku {size} explained: {name} ({place})"), &body)
}

/// The section for one wave: its board, drawings of the first steps, and the other steps as text.
fn section(parts: &mut SharedParts, n: usize, wave: &SizedWave, clues: &[bool]) -> String {
    let SizedWave { board, rank, steps } = wave;
    let title = format!("Wave {n}: {}", name(*rank));
    let id = format!("w{n}");
    // Singles share one drawing, because they are simple.
    let is_shared = rank.level() == Level::Easy;
    let draw = |at: std::ops::Range<usize>| match is_shared {
        true => drawing::steps(&id, board, &steps[at], &title),
        false => drawing::steps(
            &id,
            board,
            &steps[at.clone()],
            &steps[at.start].effect(board.shape),
        ),
    };
    let section = WaveSection {
        title: &title,
        meta: format!("{}; {} found", place(*rank), steps.len()),
        note: None,
        board: defined(parts, &id, board, clues),
        is_large: board.geometry().is_large(),
        is_shared,
        steps: steps.len(),
        draw: &draw,
        caption: &|at| caption(board, &steps[at]),
    };
    section.html()
}

fn caption(board: &SizedBoard, step: &SizedStep) -> String {
    format!(
        "<span class=\"effect\">{}</span> {}",
        escape(&step.effect(board.shape)),
        escape(&step.pattern(board.shape))
    )
}

/// The board with only its solved cells.
fn without_candidates(mut board: SizedBoard) -> SizedBoard {
    for (candidates, is_open) in board.candidates.iter_mut().zip(&board.open) {
        if *is_open {
            *candidates = 0;
        }
    }
    board
}

#[cfg(test)]
mod tests {
    use crate::generate::{GradeTarget, Symmetry};
    use crate::sizes::{Size, SizedGenerator, SizedWalk};

    fn page(size: Size) -> (SizedWalk, String) {
        let generator = SizedGenerator {
            size,
            seed: 7,
            target: GradeTarget::Any,
            clues: None,
            symmetry: Symmetry::None,
            minimal: false,
            solutions: 1,
            max_attempts: 100,
        };
        let walk = SizedWalk::new(generator.puzzle(0).unwrap().puzzle).unwrap();
        let html = walk.html();
        (walk, html)
    }

    #[test]
    fn a_page_has_the_puzzle_every_wave_and_the_solution() {
        for size in Size::ALL {
            let (walk, html) = page(size);
            assert_eq!(
                html.matches("<h2>Wave ").count(),
                usize::from(walk.grade().total_waves()),
                "{size}"
            );
            for grid in [walk.puzzle(), walk.solution()] {
                assert!(html.contains(grid.as_str()), "{size}");
            }
            for (_, steps) in walk.steps() {
                for (pattern, effect) in steps {
                    let effect = effect.replace('<', "&lt;").replace('>', "&gt;");
                    let said = format!("<span class=\"effect\">{effect}</span> {pattern}");
                    assert!(html.contains(&said), "{size}: {said}");
                }
            }
        }
    }

    /// Rows that waves share are written once, which makes a page of 15 waves 83 kB instead of 216 kB.
    #[test]
    fn a_wave_of_a_large_puzzle_takes_little() {
        for size in [Size::Twelve, Size::Sixteen] {
            let (walk, html) = page(size);
            let waves = usize::from(walk.grade().total_waves());
            let most = 20_000 + 6_000 * waves;
            assert!(
                waves > 5 && html.len() < most,
                "{size}: {waves} waves, {}",
                html.len()
            );
        }
    }

    /// Every element is closed, no id occurs twice, and every board that a drawing refers to exists.
    #[test]
    fn a_page_is_well_formed_and_its_drawings_are_there() {
        for size in [Size::Six, Size::Twelve] {
            let (_, html) = page(size);
            let style = html.find("<style>").unwrap()..html.find("</style>").unwrap();
            let rest = html[..style.start].to_owned() + &html[style.end..];
            let mut open: Vec<&str> = Vec::new();
            for tag in rest.split('<').skip(1).filter(|tag| !tag.starts_with('!')) {
                let tag = tag.split('>').next().unwrap();
                let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
                if tag.starts_with('/') {
                    if name != "style" {
                        assert_eq!(open.pop(), Some(name), "{size}");
                    }
                } else if !tag.ends_with('/') {
                    open.push(name);
                }
            }
            assert!(open.is_empty(), "{size}: {open:?}");
            let of = |before: &str| -> Vec<String> {
                let parts = rest.split(before).skip(1);
                parts
                    .map(|part| part.split('"').next().unwrap().to_owned())
                    .collect()
            };
            let (mut ids, used) = (of(" id=\""), of("href=\"#"));
            assert!(used.iter().all(|id| ids.contains(id)), "{size}");
            let all = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), all, "{size}");
        }
    }
}
