//! Drawings of 9 × 9 boards and steps.
//!
//! A board is drawn once and used by every drawing of its steps. Boards share the parts that are equal.

use std::fmt::Write;

use super::document::escape;
use super::geometry::{Geometry, RADIUS};
use super::parts::SharedParts;
use crate::board::{Candidates, Cell, CellSet, Digit, House};
use crate::explain::role::{CandidateRole, Roles};
use crate::grade::{Link, Node, Step};

/// The colours of sets in the style.
pub(super) const SET_COLOURS: usize = 6;

const BOARD: Geometry = Geometry::new(9, 3, 3);
const SIZE: usize = BOARD.whole();

/// The lines and digits of a board, to be used under this id.
pub(super) fn board(
    parts: &mut SharedParts,
    id: &str,
    board: &Candidates,
    clues: CellSet,
) -> String {
    let solved = !board.unsolved();
    let filled = |class: &str, row: &House, cells: CellSet| {
        let digits = (row.cells() & cells).filter_map(|cell| {
            let digit = board.digits(cell).single()?;
            Some((cell.index(), digit.index()))
        });
        BOARD.filled(class, digits, name)
    };
    let mut svg = format!("<g id=\"{id}\">\n");
    let given = House::rows()
        .iter()
        .map(|row| filled("given", row, solved & clues));
    svg += &parts.part(BOARD.lines() + &given.collect::<String>());
    for row in House::rows() {
        let open = row.cells() & board.unsolved();
        let candidates = open.flat_map(|cell| {
            let digits = board.digits(cell);
            digits.map(move |digit| (cell.index(), digit.index()))
        });
        let set = filled("set", row, solved.without(clues));
        svg += &parts.part(set + &BOARD.candidates(&candidates, name));
    }
    svg + "</g>\n"
}

/// The digit with this index.
fn name(digit: usize) -> char {
    char::from(b'1' + digit as u8)
}

/// Steps drawn on the board with this id. Houses, cells and chains are drawn only for a single step, because
/// those of several steps would cover each other.
pub(super) fn steps(id: &str, board: &Candidates, steps: &[Step], label: &str) -> String {
    let mut svg = open(label);
    if let [step] = steps {
        svg += &shades(step);
    }
    for cell in steps.iter().flat_map(placed) {
        svg += &BOARD.cell(cell.index(), "in-placed");
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
        svg += &BOARD.house(house.index(), "house");
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
                svg += &BOARD.cell(cell.index(), &class);
            }
        }
        return svg;
    }
    let others = pattern.others.without(cells);
    for (class, cells) in [("in-pattern", cells), ("in-others", others)] {
        for cell in cells {
            svg += &BOARD.cell(cell.index(), class);
        }
    }
    svg
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
            let class = match role {
                CandidateRole::Pattern => "pattern",
                CandidateRole::Other => "other",
                CandidateRole::Removed => "removed",
                CandidateRole::Placed => "placed",
            };
            svg += &BOARD.mark(cell.index(), digit.index(), class, name(digit.index()));
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

/// The centre of a candidate.
fn center(cell: Cell, digit: Digit) -> (usize, usize) {
    BOARD.center(cell.index(), digit.index())
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
