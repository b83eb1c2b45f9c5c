//! Orders the sections of a page that are in columns. The browser fills the columns from left to right with as many
//! sections as fit, so the order decides how much space stays empty below the last section of each column.

use super::drawing::html::attribute;

/// The sections that keep their places at the start: what a reader looks for first.
const FIXED_SECTIONS: usize = 3;

/// The maximum number of sections whose order is searched. The others keep their places.
const MOST_SEARCHED: usize = 7;

/// The numbers of columns on a wide screen and on a narrow one.
const COLUMN_COUNTS: [usize; 2] = [3, 2];

/// Differences of heights below this do not count, because heights are estimates.
const TOLERANCE: usize = 40;

/// The height of a section's heading, of a line of text, and of the border and the margins of a figure.
const HEADING_HEIGHT: usize = 60;
const LINE_HEIGHT: usize = 25;
const FIGURE_HEIGHT: usize = 45;

/// The width of a drawing, which fills its column.
const DRAWING_WIDTH: f64 = 301.0;

/// The number of characters on a line of text.
const LINE_LENGTH: usize = 38;

/// The heights of the parts of a section: a column can end after each of its figures.
pub(super) fn estimated_parts(html: &str) -> Vec<usize> {
    let figures = html.matches("<figure").count().max(1);
    vec![estimated_height(html) / figures; figures]
}

/// The height of a section in pixels, as it is estimated from its HTML. The figures of a chart are collapsed.
fn estimated_height(html: &str) -> usize {
    let mut height = HEADING_HEIGHT;
    for drawing in html.split("<svg").skip(1) {
        let tag = drawing.split('>').next().unwrap_or_default();
        let size_of = |name: &str| attribute(tag, name)?.parse::<f64>().ok();
        if let (Some(width), Some(svg_height)) = (size_of("width"), size_of("height")) {
            height += (svg_height * DRAWING_WIDTH / width.max(1.0)) as usize;
        }
    }
    height += FIGURE_HEIGHT * html.matches("<figure").count();
    for element in ["p", "figcaption", "summary"] {
        for part in html.split(&format!("<{element}")).skip(1) {
            let text = part.split(&format!("</{element}>")).next().unwrap_or("");
            // `<path` is another element than `<p`.
            if !text.starts_with([' ', '>']) {
                continue;
            }
            let texts = text.split('<').filter_map(|part| part.split_once('>'));
            let length: usize = texts.map(|(_, text)| text.chars().count()).sum();
            height += LINE_HEIGHT * length.div_ceil(LINE_LENGTH);
        }
    }
    height
}

/// The indices of sections whose parts have these heights, in an order that leaves little space empty in two and in three columns.
pub(super) fn order_for_columns(heights: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    let first = FIXED_SECTIONS.min(heights.len());
    let last = heights.len().min(first + MOST_SEARCHED);
    let mut best = (empty_space(heights, &order), order.clone());
    search_orders(&mut order, first..last, &mut |order| {
        let space = empty_space(heights, order);
        if space < best.0 {
            best = (space, order.to_vec());
        }
    });
    best.1
}

/// Calls `visit` with every order of the indices in `range`, in lexicographic order.
fn search_orders(
    order: &mut [usize],
    range: std::ops::Range<usize>,
    visit: &mut impl FnMut(&[usize]),
) {
    if range.len() < 2 {
        visit(order);
        return;
    }
    for at in range.clone() {
        order[range.start..=at].rotate_right(1);
        search_orders(order, range.start + 1..range.end, visit);
        order[range.start..=at].rotate_left(1);
    }
}

/// The greatest space below a column, in units of [`TOLERANCE`], for all numbers of columns together.
fn empty_space(heights: &[Vec<usize>], order: &[usize]) -> usize {
    let space = |columns| {
        let ends = column_heights(heights, order, columns);
        let greatest = ends.iter().max().copied().unwrap_or(0);
        let least = ends.iter().min().copied().unwrap_or(0);
        (greatest - least) / TOLERANCE
    };
    COLUMN_COUNTS.into_iter().map(space).sum()
}

/// The heights of the columns if a browser balances them: the least common height in which all parts of
/// sections fit.
fn column_heights(heights: &[Vec<usize>], order: &[usize], columns: usize) -> Vec<usize> {
    let in_order = || order.iter().flat_map(|at| heights[*at].iter().copied());
    let mut limit = in_order()
        .max()
        .unwrap_or(0)
        .max(in_order().sum::<usize>() / columns);
    loop {
        let mut ends = vec![0];
        // The least height by which a part does not fit into a column.
        let mut least_excess = usize::MAX;
        for height in in_order() {
            let end = ends.last_mut().map_or(height, |end| *end + height);
            match ends.last_mut() {
                Some(last) if end <= limit => *last = end,
                _ => {
                    least_excess = least_excess.min(end - limit);
                    ends.push(height);
                }
            }
        }
        if ends.len() <= columns {
            ends.resize(columns, 0);
            return ends;
        }
        limit += least_excess;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_filled_as_a_browser_fills_them() {
        let order: Vec<usize> = (0..4).collect();
        let whole = |heights: [usize; 4]| heights.map(|height| vec![height]);
        assert_eq!(column_heights(&whole([3, 3, 3, 9]), &order, 2), [9, 9]);
        assert_eq!(column_heights(&whole([3, 3, 3, 9]), &order, 3), [9, 9, 0]);
        assert_eq!(column_heights(&whole([5, 4, 4, 5]), &order, 2), [9, 9]);
        assert_eq!(column_heights(&[vec![6], vec![10]], &[0, 1], 2), [6, 10]);
        assert_eq!(column_heights(&[vec![6], vec![2, 8]], &[0, 1], 2), [8, 8]);
        assert_eq!(column_heights(&[], &[], 3), [0, 0, 0]);
    }

    /// Regression test: there were holes of 350 to 650 pixels in the columns.
    #[test]
    fn the_order_leaves_little_space_empty() {
        // Levels, clues, effort, techniques, a text, nodes, and two heat maps.
        let heights = [330, 330, 350, 690, 230, 350, 480, 480].map(|height| vec![height]);
        let given: Vec<usize> = (0..heights.len()).collect();
        let order = order_for_columns(&heights);
        assert_eq!(order[..FIXED_SECTIONS], [0, 1, 2]);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, given);
        assert!(empty_space(&heights, &order) * TOLERANCE <= 250);
        assert!(empty_space(&heights, &order) < empty_space(&heights, &given));
        assert_eq!(order_for_columns(&[vec![1]]), [0]);
        assert!(order_for_columns(&[]).is_empty());
    }

    #[test]
    fn a_height_counts_drawings_and_lines() {
        let html = "<figure><svg width=\"400\" height=\"400\"><path d=\"M0 0\" /><text>a</text></svg><figcaption>Short.</figcaption></figure>";
        let height = HEADING_HEIGHT + FIGURE_HEIGHT + 301 + LINE_HEIGHT;
        assert_eq!(estimated_height(html), height);
        let text = format!("<p>{}</p>", "a ".repeat(38));
        assert_eq!(estimated_height(&text), HEADING_HEIGHT + 2 * LINE_HEIGHT);
    }
}
