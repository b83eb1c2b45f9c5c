//! Boards as drawings.
//!
//! ```text
//! (0, 0) ┌ labels, 26 wide
//!        │ (26, 26) ┌ nine cells of 60 by 60; in a cell the candidates 1 to 9 stand
//!        │          │ at 10, 30 and 50 in both directions
//! ```
//!
//! A board is drawn once and used by every drawing of its steps. Boards share the parts that are equal.

use std::fmt::Write;

use super::document::escape;
use super::parts::SharedParts;
use crate::board::{Candidates, Cell, CellSet, Digit, House, HouseKind};
use crate::explain::role::{CandidateRole, Roles};
use crate::grade::{Link, Node, Step};

/// The colours of sets in the style.
pub(super) const SET_COLOURS: usize = 6;

const MARGIN: usize = 26;
const CELL: usize = 60;
const SIZE: usize = MARGIN + 9 * CELL + 2;
/// The radius of the disc behind a candidate.
const RADIUS: usize = 9;

/// The lines and digits of a board, to be used under this id.
pub(super) fn board(
    parts: &mut SharedParts,
    id: &str,
    board: &Candidates,
    clues: CellSet,
) -> String {
    let solved = !board.unsolved();
    let mut svg = format!("<g id=\"{id}\">\n");
    svg += &parts.part(lines() + &filled("given", board, solved & clues));
    for row in House::rows() {
        let open = row.cells() & board.unsolved();
        let set = row.cells() & solved.without(clues);
        svg += &parts.part(filled("set", board, set) + &candidates(board, open));
    }
    svg + "</g>\n"
}

/// The lines of a board, and the numbers of its rows and columns.
fn lines() -> String {
    let mut svg = String::new();
    let end = MARGIN + 9 * CELL;
    for n in 0..9 {
        let middle = MARGIN + n * CELL + CELL / 2;
        let label = n + 1;
        svg += &format!(
            "<text class=\"label\" x=\"{middle}\" y=\"19\">{label}</text>\
             <text class=\"label\" x=\"12\" y=\"{}\">{label}</text>\n",
            middle + 6
        );
    }
    for n in (1..9).filter(|n| n % 3 != 0) {
        let at = MARGIN + n * CELL;
        svg += &format!("<path class=\"thin\" d=\"M{at} {MARGIN}V{end}M{MARGIN} {at}H{end}\" />\n");
    }
    let side = 3 * CELL;
    for box_ in 0..9 {
        let (x, y) = (MARGIN + box_ % 3 * side, MARGIN + box_ / 3 * side);
        svg += &format!(
            "<rect class=\"thick\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" />\n"
        );
    }
    svg
}

/// The digits of solved cells, each row as one line of text.
fn filled(class: &str, board: &Candidates, cells: CellSet) -> String {
    let lines = House::rows().iter().map(|row| {
        let glyphs = (row.cells() & cells).filter_map(|cell| {
            let (x, y) = corner(cell);
            let digit = board.digits(cell).single()?;
            Some((x + CELL / 2, y + CELL / 2 + 13, digit))
        });
        line_of_text(class, glyphs)
    });
    lines.collect()
}

/// The candidates of cells of one row. All candidates at the same height are one line of text.
fn candidates(board: &Candidates, cells: CellSet) -> String {
    let lines = (0..3).map(|third| {
        let candidates = cells.flat_map(|cell| {
            let digits = board.digits(cell);
            let at_height = digits.filter(move |digit| digit.index() / 3 == third);
            at_height.map(move |digit| {
                let (x, y) = center(cell, digit);
                (x, y + 6, digit)
            })
        });
        line_of_text("pencil", candidates)
    });
    lines.collect()
}

fn line_of_text(class: &str, glyphs: impl Iterator<Item = (usize, usize, Digit)>) -> String {
    let (mut xs, mut height, mut text) = (Vec::new(), 0, String::new());
    for (x, y, digit) in glyphs {
        xs.push(x.to_string());
        height = y;
        text += &digit.to_string();
    }
    if text.is_empty() {
        return String::new();
    }
    let xs = xs.join(" ");
    format!("<text class=\"{class}\" x=\"{xs}\" y=\"{height}\">{text}</text>\n")
}

/// Steps drawn on the board with this id. Houses, cells and chains are drawn only for a single step, because
/// those of several steps would cover each other.
pub(super) fn steps(id: &str, board: &Candidates, steps: &[Step], label: &str) -> String {
    let mut svg = open(label);
    if let [step] = steps {
        svg += &shades(step);
    }
    for cell in steps.iter().flat_map(placed) {
        let (x, y) = corner(cell);
        svg += &rect("in-placed", x, y, CELL, CELL);
    }
    svg += &format!("<use href=\"#{id}\" />\n");
    if let [step] = steps {
        svg += &groups(step);
    }
    svg += &marks(board, &Roles::from_steps(board, steps));
    if let [step] = steps {
        for (n, link) in links(step).enumerate() {
            svg += &curve(n, link);
        }
    }
    svg + "</svg>\n"
}

fn open(label: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" aria-label=\"{}\">\n\
         <rect class=\"paper\" width=\"{SIZE}\" height=\"{SIZE}\" />\n",
        escape(label)
    )
}

/// The cells that get a digit.
fn placed(step: &Step) -> CellSet {
    let cells = Digit::ALL.map(|digit| step.effect.placed(digit));
    cells
        .into_iter()
        .fold(CellSet::EMPTY, |all, cells| all | cells)
}

/// The houses, and the cells unless they are a house.
fn shades(step: &Step) -> String {
    let pattern = &step.pattern;
    let mut svg = String::new();
    for house in step.parts().iter().flat_map(|part| &part.pattern.houses) {
        let (x, y) = corner(house.cell(0));
        let (width, height) = match house.kind() {
            HouseKind::Row => (9 * CELL, CELL),
            HouseKind::Column => (CELL, 9 * CELL),
            HouseKind::Box => (3 * CELL, 3 * CELL),
        };
        svg += &rect("house", x, y, width, height);
    }
    let is_house = |house: &House| house.cells() == pattern.cells;
    let cells = if pattern.houses.iter().any(is_house) {
        CellSet::EMPTY
    } else {
        pattern.cells
    };
    if !pattern.sets.is_empty() {
        for (n, set) in pattern.sets.iter().enumerate() {
            let class = format!("tint tint-{}", n % SET_COLOURS);
            for cell in set.cells {
                let (x, y) = corner(cell);
                svg += &rect(&class, x, y, CELL, CELL);
            }
        }
        return svg;
    }
    let others = pattern.others.without(cells);
    for (class, cells) in [("in-pattern", cells), ("in-others", others)] {
        for cell in cells {
            let (x, y) = corner(cell);
            svg += &rect(class, x, y, CELL, CELL);
        }
    }
    svg
}

fn rect(class: &str, x: usize, y: usize, width: usize, height: usize) -> String {
    format!(
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" />\n"
    )
}

/// The links of a step, or of its parts.
fn links(step: &Step) -> impl Iterator<Item = &Link> {
    step.parts().iter().flat_map(|part| &part.pattern.chain)
}

/// A band through the cells of each end of a link that has several cells.
fn groups(step: &Step) -> String {
    let mut ends: Vec<Node> = Vec::new();
    for end in links(step).flat_map(|link| [link.from, link.to]) {
        if end.cells.len() > 1 && !ends.contains(&end) {
            ends.push(end);
        }
    }
    let band = |end: Node| {
        let points = end.cells.map(|cell| {
            let (x, y) = center(cell, end.digit);
            format!("{x} {y}")
        });
        let points: Vec<_> = points.collect();
        format!("<path class=\"group\" d=\"M{}\" />\n", points.join("L"))
    };
    ends.into_iter().map(band).collect()
}

/// A disc behind each candidate that has a role.
fn marks(board: &Candidates, roles: &Roles) -> String {
    let mut svg = String::new();
    for cell in board.unsolved() {
        for digit in Digit::ALL {
            let Some(role) = roles.get(cell, digit) else {
                continue;
            };
            let (x, y) = center(cell, digit);
            let class = match role {
                CandidateRole::Pattern => "pattern",
                CandidateRole::Other => "other",
                CandidateRole::Removed => "removed",
                CandidateRole::Placed => "placed",
            };
            // The line is below the disc and longer than it, so that the digit stays readable.
            if role == CandidateRole::Removed {
                let (x, y) = (x - 11, y + 8);
                svg += &format!("<path class=\"strike\" d=\"M{x} {y}l22 -16\" />\n");
            }
            svg += &format!(
                "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" />\
                 <text class=\"mark\" x=\"{x}\" y=\"{}\">{digit}</text>\n",
                y + 5
            );
        }
    }
    svg
}

/// A link, slightly bent so that links along the same line can be distinguished.
fn curve(n: usize, link: &Link) -> String {
    let Some((from, to)) = nearest(&link.from, &link.to) else {
        return String::new();
    };
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < 1.0 {
        return String::new();
    }
    let (ux, uy) = (dx / length, dy / length);
    let side = if n.is_multiple_of(2) { 1.0 } else { -1.0 };
    let bend = side * (0.13 * length).clamp(5.0, 26.0);
    let radius = (RADIUS as f64).min(length / 3.0);
    let mut svg = String::new();
    let class = if link.strong { "strong" } else { "weak" };
    // Writing into a string cannot fail.
    let _ = writeln!(
        svg,
        "<path class=\"{class}\" d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\" />",
        from.0 + ux * radius,
        from.1 + uy * radius,
        (from.0 + to.0) / 2.0 - uy * bend,
        (from.1 + to.1) / 2.0 + ux * bend,
        to.0 - ux * radius,
        to.1 - uy * radius,
    );
    svg
}

type Point = (f64, f64);

/// The two candidates of the ends that are nearest to each other.
fn nearest(from: &Node, to: &Node) -> Option<(Point, Point)> {
    let points = |node: &Node| -> Vec<Point> {
        let digit = node.digit;
        let centers = node.cells.map(|cell| center(cell, digit));
        centers.map(|(x, y)| (x as f64, y as f64)).collect()
    };
    let ends = points(to);
    let pairs = points(from)
        .into_iter()
        .flat_map(|a| ends.iter().map(move |&b| (a, b)));
    let length = |(a, b): &(Point, Point)| (a.0 - b.0).hypot(a.1 - b.1);
    pairs.min_by(|one, other| length(one).total_cmp(&length(other)))
}

/// The upper left corner of a cell.
fn corner(cell: Cell) -> (usize, usize) {
    (MARGIN + cell.column() * CELL, MARGIN + cell.row() * CELL)
}

/// The middle of a candidate.
fn center(cell: Cell, digit: Digit) -> (usize, usize) {
    let (x, y) = corner(cell);
    let at = |n: usize| 10 + 20 * n;
    (x + at(digit.index() % 3), y + at(digit.index() / 3))
}

#[cfg(test)]
mod tests {
    use super::super::STYLE;
    use super::SIZE;

    /// The font size of a class, in units of a drawing.
    fn font_size(class: &str) -> f64 {
        let rule = STYLE.split(&format!("\n.{class} {{ font-size: ")).nth(1);
        let size = rule.and_then(|rule| rule.split("px").next());
        size.unwrap().parse().unwrap()
    }

    /// On a page of 400 pixels a board has 334 of them. The labels had 7 pixels there.
    #[test]
    fn labels_and_candidates_are_readable_on_a_small_board() {
        let scale = 334.0 / SIZE as f64;
        assert!(font_size("label") * scale > 10.0);
        assert!(font_size("pencil") * scale > 9.0);
    }
}
