//! Draws a board with its candidates as text.

use super::paint::{Paint, Painter};
use crate::board::{Candidates, Cell, CellSet, Digit, Grid};
use crate::explain::role::Roles;

/// Draws a board with its candidates, 76 columns by 38 lines. Heavy lines surround boxes, light lines
/// separate cells, and a dot marks a removed candidate.
pub(super) fn board(board: &Candidates, clues: CellSet, roles: &Roles, painter: Painter) -> String {
    let mut text = String::from("   ");
    for column in 1..=9 {
        text += &format!("   c{column}   ");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    for row in 0..9 {
        text += &match row {
            0 => rule('┏', '━', '┯', '┳', '┓'),
            3 | 6 => rule('┣', '━', '┿', '╋', '┫'),
            _ => rule('┠', '─', '┼', '╂', '┨'),
        };
        for line in 0..3 {
            text += &if line == 1 {
                format!("r{} ┃", row + 1)
            } else {
                "   ┃".to_owned()
            };
            for column in 0..9 {
                text += &cell_line(board, clues, roles, painter, Cell::at(row, column), line);
                text.push(if column % 3 == 2 { '┃' } else { '│' });
            }
            text.push('\n');
        }
    }
    text + &rule('┗', '━', '┷', '┻', '┛')
}

fn rule(left: char, line: char, cross: char, box_cross: char, right: char) -> String {
    let cell = String::from(line).repeat(7);
    let box_ = [cell.as_str(); 3].join(&cross.to_string());
    let boxes = [box_.as_str(); 3].join(&box_cross.to_string());
    format!("   {left}{boxes}{right}\n")
}

/// One of the three lines of a cell, seven columns wide.
fn cell_line(
    board: &Candidates,
    clues: CellSet,
    roles: &Roles,
    painter: Painter,
    cell: Cell,
    line: usize,
) -> String {
    let digits = board.digits(cell);
    if !board.unsolved().contains(cell) {
        return match digits.single() {
            Some(digit) if line == 1 && clues.contains(cell) => {
                format!("   {}   ", painter.paint(Paint::Clue, &digit.to_string()))
            }
            Some(digit) if line == 1 => format!("   {digit}   "),
            _ => " ".repeat(7),
        };
    }
    let mut text = String::new();
    for digit in Digit::ALL.into_iter().skip(3 * line).take(3) {
        text.push(' ');
        text += &match (digits.contains(digit), roles.get(cell, digit)) {
            (true, Some(role)) => painter.paint(Paint::Role(role), &digit.to_string()),
            (true, None) => digit.to_string(),
            (false, _) => painter.paint(Paint::Faint, "·"),
        };
    }
    text + " "
}

/// Two grids side by side, with their titles above.
pub(super) fn two_grids(left: (&str, &Grid), right: (&str, &Grid), painter: Painter) -> String {
    let heading = |text: &str| {
        let padding = " ".repeat(GRID_WIDTH.saturating_sub(text.chars().count()));
        painter.paint(Paint::Heading, text) + &padding
    };
    let mut text = format!("  {}    {}", heading(left.0), heading(right.0));
    text.truncate(text.trim_end().len());
    text.push('\n');
    for (left, right) in grid_lines(left.1).iter().zip(grid_lines(right.1)) {
        text += &format!("  {left}    {right}\n");
    }
    text
}

const GRID_WIDTH: usize = 25;

fn grid_lines(grid: &Grid) -> Vec<String> {
    let rule = |left: &str, cross: &str, right: &str| {
        format!("{left}{}{right}", ["───────"; 3].join(cross))
    };
    let mut lines = vec![rule("┌", "┬", "┐")];
    for row in 0..9 {
        if row == 3 || row == 6 {
            lines.push(rule("├", "┼", "┤"));
        }
        let mut line = String::from("│");
        for column in 0..9 {
            let digit = grid.get(Cell::at(row, column));
            line += &digit.map_or_else(|| " ·".to_owned(), |digit| format!(" {digit}"));
            if column % 3 == 2 {
                line += " │";
            }
        }
        lines.push(line);
    }
    lines.push(rule("└", "┴", "┘"));
    lines
}
