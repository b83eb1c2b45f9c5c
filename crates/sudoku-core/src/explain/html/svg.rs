//! Draws the houses, sets and chains of steps on 9 × 9 boards as SVG.

use std::fmt::Write;

use super::geometry::{BoardGeometry, DISC_RADIUS};
use crate::board::{Cell, CellSet, Digit, House};
use crate::grade::{Link, Node, Step};

/// The number of colours that the CSS has for the named sets of a step. If a step has more sets, the colours
/// repeat.
pub(super) const SET_COLOURS: usize = 6;

const NINE_BY_NINE: BoardGeometry = BoardGeometry::new(9, 3, 3);

/// Shades the houses of a step's pattern, and its cells unless they are exactly the cells of one of these
/// houses. If the pattern has named sets, their cells are shaded instead.
pub(in crate::explain) fn draw_shades(step: &Step) -> String {
    let pattern = &step.pattern;
    let mut svg = String::new();
    for house in step.parts().iter().flat_map(|part| &part.pattern.houses) {
        svg += &NINE_BY_NINE.house_svg(house.index(), "house");
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
                svg += &NINE_BY_NINE.cell_svg(cell.index(), &class);
            }
        }
        return svg;
    }
    let other_cells = pattern.others.without(cells);
    for (class, cells) in [("in-pattern", cells), ("in-others", other_cells)] {
        for cell in cells {
            svg += &NINE_BY_NINE.cell_svg(cell.index(), class);
        }
    }
    svg
}

/// The links of a step's chain, and those of the parts that the step combines.
fn links_of_step(step: &Step) -> impl Iterator<Item = &Link> {
    step.parts().iter().flat_map(|part| &part.pattern.chain)
}

/// Draws a band through the cells of each grouped node, which is a node with several cells.
pub(in crate::explain) fn draw_groups(step: &Step) -> String {
    let mut link_ends: Vec<Node> = Vec::new();
    for end in links_of_step(step).flat_map(|link| [link.from, link.to]) {
        if end.cells.len() > 1 && !link_ends.contains(&end) {
            link_ends.push(end);
        }
    }
    let band_through_cells = |end: Node| {
        let points = end.cells.map(|cell| {
            let (x, y) = candidate_centre(cell, end.digit);
            format!("{x} {y}")
        });
        let points: Vec<_> = points.collect();
        format!("<path class=\"group\" d=\"M{}\" />\n", points.join("L"))
    };
    link_ends.into_iter().map(band_through_cells).collect()
}

/// Draws the links of a step's chain, from node to node.
pub(in crate::explain) fn draw_links(step: &Step) -> String {
    links_of_step(step)
        .enumerate()
        .map(|(n, link)| draw_link(n, link))
        .collect()
}

/// Draws a link of a chain. It is slightly bent, so that links along the same line can be distinguished.
fn draw_link(n: usize, link: &Link) -> String {
    let Some((from, to)) = nearest_candidates(&link.from, &link.to) else {
        return String::new();
    };
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < 1.0 {
        return String::new();
    }
    let (ux, uy) = (dx / length, dy / length);
    let bend_side = if n.is_multiple_of(2) { 1.0 } else { -1.0 };
    let bend = bend_side * (0.13 * length).clamp(5.0, 26.0);
    let radius = (DISC_RADIUS as f64).min(length / 3.0);
    let mut svg = String::new();
    let class = if link.strong { "strong" } else { "weak" };
    // A write into a string cannot fail, so the result is ignored.
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

/// The centres of two candidates, one of each node, that are nearest to each other; `None` if a node has no
/// cells.
fn nearest_candidates(from: &Node, to: &Node) -> Option<(Point, Point)> {
    let points = |node: &Node| -> Vec<Point> {
        let digit = node.digit;
        let centers = node.cells.map(|cell| candidate_centre(cell, digit));
        centers.map(|(x, y)| (x as f64, y as f64)).collect()
    };
    let end_points = points(to);
    let candidate_pairs = points(from)
        .into_iter()
        .flat_map(|a| end_points.iter().map(move |&b| (a, b)));
    let length = |(a, b): &(Point, Point)| (a.0 - b.0).hypot(a.1 - b.1);
    candidate_pairs.min_by(|one, other| length(one).total_cmp(&length(other)))
}

/// The coordinates of the centre of a candidate in a drawing of a 9 × 9 board.
fn candidate_centre(cell: Cell, digit: Digit) -> (usize, usize) {
    NINE_BY_NINE.candidate_centre(cell.index(), digit.index())
}

#[cfg(test)]
mod tests {
    use super::super::STYLE_SHEET;
    use super::NINE_BY_NINE;

    /// The font size that the CSS gives to a class, in units of the drawing.
    fn font_size(class: &str) -> f64 {
        let rule = STYLE_SHEET
            .split(&format!("\n.{class} {{ font-size: "))
            .nth(1);
        let size = rule.and_then(|rule| rule.split("px").next());
        size.unwrap().parse().unwrap()
    }

    /// On a page of 400 pixels, a board is 334 pixels wide. Its texts must not become too small.
    #[test]
    fn labels_and_candidates_are_readable_on_a_small_board() {
        let scale = 334.0 / NINE_BY_NINE.size() as f64;
        assert!(font_size("label") * scale > 10.0);
        assert!(font_size("pencil") * scale > 9.0);
    }
}
