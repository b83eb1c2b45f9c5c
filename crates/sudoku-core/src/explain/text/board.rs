//! Draws a board with its candidates as text.

use super::paint::{AnsiPainter, TextColour};
use crate::explain::role::CandidateRoles;
use crate::explain::step_board::StepBoard;
use crate::sizes::Symbol;

/// Draws a board with its candidates as text; a 9 × 9 board has 76 columns and 38 lines. Heavy lines surround
/// boxes, and light lines separate cells. The candidates of a cell are arranged like the cells of a box, with
/// a dot for each symbol that is not a candidate.
pub(super) fn board_text<B: StepBoard>(
    board: &B,
    clues: &B::Clues,
    roles: &CandidateRoles,
    painter: AnsiPainter,
) -> String {
    let (order, (box_rows, box_columns)) = (board.order(), board.of_box());
    let width = 2 * box_columns + 1;
    let margin = format!("r{order}").len();
    let indent = " ".repeat(margin + 1);
    let box_rule = |left: &str, line: &str, cross: &str, box_cross: &str, right: &str| {
        let box_ = vec![line.repeat(width); box_columns].join(cross);
        let boxes = vec![box_; order / box_columns].join(box_cross);
        format!("{indent}{left}{boxes}{right}\n")
    };
    let mut text = indent.clone();
    for column in 1..=order {
        let name = format!("c{column}");
        text += &format!(
            " {:<width$}",
            format!("{}{name}", " ".repeat((width - 2) / 2))
        );
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    for row in 0..order {
        text += &match row {
            0 => box_rule("┏", "━", "┯", "┳", "┓"),
            _ if row % box_rows == 0 => box_rule("┣", "━", "┿", "╋", "┫"),
            _ => box_rule("┠", "─", "┼", "╂", "┨"),
        };
        for line in 0..box_rows {
            let name = if line == (box_rows - 1) / 2 {
                format!("r{}", row + 1)
            } else {
                String::new()
            };
            text += &format!("{name:<margin$} ┃");
            for column in 0..order {
                text += &cell_line(board, clues, roles, painter, row * order + column, line);
                text.push(if column % box_columns == box_columns - 1 {
                    '┃'
                } else {
                    '│'
                });
            }
            text.push('\n');
        }
    }
    text + &box_rule("┗", "━", "┷", "┻", "┛")
}

/// The width of the drawing of a board with its candidates.
pub(super) fn board_width(order: usize, (_, box_columns): (usize, usize)) -> usize {
    format!("r{order}").len() + 2 + order * (2 * box_columns + 2)
}

/// Draws a grid alone.
pub(super) fn filled_grid(of_box: (usize, usize), cells: &str) -> String {
    let lines = grid_lines(of_box, cells).into_iter();
    lines.map(|line| format!("  {line}\n")).collect()
}

/// One of the lines of text that make up a cell. A filled cell has its symbol in the middle line.
fn cell_line<B: StepBoard>(
    board: &B,
    clues: &B::Clues,
    roles: &CandidateRoles,
    painter: AnsiPainter,
    cell: usize,
    line: usize,
) -> String {
    let (box_rows, box_columns) = board.of_box();
    let symbols = board.symbols(cell);
    let name = |symbol: usize| Symbol::new(symbol).character().to_string();
    if !board.is_open(cell) {
        let width = 2 * box_columns + 1;
        let is_middle = line == (box_rows - 1) / 2;
        let Some(symbol) = (symbols != 0 && is_middle).then(|| symbols.trailing_zeros()) else {
            return " ".repeat(width);
        };
        let mut name = name(symbol as usize);
        if B::is_clue(clues, cell) {
            name = painter.paint_text(TextColour::Clue, &name);
        }
        return format!("{0}{name}{0}", " ".repeat(width / 2));
    }
    let mut text = String::new();
    for symbol in line * box_columns..(line + 1) * box_columns {
        text.push(' ');
        text += &match (symbols >> symbol & 1 == 1, roles.role_of(cell, symbol)) {
            (true, Some(role)) => painter.paint_text(TextColour::Role(role), &name(symbol)),
            (true, None) => name(symbol),
            (false, _) => painter.paint_text(TextColour::Faint, "·"),
        };
    }
    text + " "
}

/// Draws two grids with their titles side by side, or one below the other if the terminal is too narrow.
pub(super) fn two_grids(
    of_box: (usize, usize),
    grids: [(&str, &str); 2],
    terminal_width: usize,
    painter: AnsiPainter,
) -> String {
    let [left, right] = grids.map(|(title, cells)| (title, grid_lines(of_box, cells)));
    let width = left.1[0].chars().count();
    let lines_with_title = |(title, lines): &(&str, Vec<String>)| {
        let lines = lines.iter().map(|line| format!("  {line}\n"));
        format!(
            "  {}\n{}",
            painter.paint_text(TextColour::Heading, title),
            lines.collect::<String>()
        )
    };
    if 2 * width + 6 > terminal_width {
        return lines_with_title(&left) + "\n" + &lines_with_title(&right);
    }
    let heading = |title: &str| {
        let padding = " ".repeat(width.saturating_sub(title.chars().count()));
        painter.paint_text(TextColour::Heading, title) + &padding
    };
    let mut text = format!("  {}    {}", heading(left.0), heading(right.0));
    text.truncate(text.trim_end().len());
    text.push('\n');
    for (left, right) in left.1.iter().zip(right.1) {
        text += &format!("  {left}    {right}\n");
    }
    text
}

/// The lines of text for a grid, with rules around its boxes. `cells` has a character for each cell, `.` for
/// an empty one.
fn grid_lines((box_rows, box_columns): (usize, usize), cells: &str) -> Vec<String> {
    let order = box_rows * box_columns;
    let box_rule = |left: &str, cross: &str, right: &str| {
        let boxes = vec!["─".repeat(2 * box_columns + 1); order / box_columns].join(cross);
        format!("{left}{boxes}{right}")
    };
    let mut lines = vec![box_rule("┌", "┬", "┐")];
    let cells: Vec<char> = cells.chars().collect();
    for (row, cells) in cells.chunks(order).enumerate() {
        if row > 0 && row % box_rows == 0 {
            lines.push(box_rule("├", "┼", "┤"));
        }
        let mut line = String::from("│");
        for (column, &cell) in cells.iter().enumerate() {
            line.push(' ');
            line.push(if cell == '.' { '·' } else { cell });
            if column % box_columns == box_columns - 1 {
                line += " │";
            }
        }
        lines.push(line);
    }
    lines.push(box_rule("└", "┴", "┘"));
    lines
}
